package similar_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/similar"
)

func TestContradictionsAreTwoValuesOfOneSubject(t *testing.T) {
	said := func(text string) similar.Said { return similar.Said{Text: text} }
	under := func(topic, text string) similar.Said { return similar.Said{Text: text, Topic: topic} }
	for _, tt := range []struct {
		name string
		a, b similar.Said
		want bool
	}{
		{"an amount", said("Our rent is 1.340 euros a month."), said("Rent: 1.400 euros a month"), true},
		{"a date", said("The launch is on 12 May."), said("The launch is on 26 June."), true},
		{"a size", said("Theo's shoe size: 42"), said("Theo's shoe size is 43"), true},
		{"a word more", said("Theo's shoe size is 42"), said("Theo's right shoe size is 43"), true},
		{"a name", said("We use NATS for events"), said("We use Kafka for events"), true},
		{"another order", said("I prefer tea over coffee."), said("I prefer coffee over tea."), true},
		{"a negation", said("Visitors may park in the yard."), said("Visitors may not park in the yard."), true},
		{"German", said("Die Miete beträgt 980 Euro."), said("Die Miete ist 1030 Euro."), true},
		{"French", said("Le loyer est de 870 euros."), said("Loyer: 905 euros"), true},
		{"Japanese", said("家賃は8万円です。"), said("家賃は8万5千円です。"), true},
		{"Chinese", said("房租是每月3200元。"), said("房租是每月3500元。"), true},
		{"one topic", under("Heron", "Port: 8080"), under("Heron", "Port: 8081"), true},

		{"equal", said("The launch is on 12 May."), said("the launch is on 12 May"), false},
		{"another topic", under("Heron", "Port: 8080"), under("Kestrel", "Port: 8081"), false},
		{"rows of a table", said("heron: 8080"), said("kestrel: 8081"), false},
		{"a number of the subject", said("Room 4 has a projector."), said("Room 5 has a projector."), false},
		{"two numbers", said("Bus 4 leaves at 8:00"), said("Bus 7 leaves at 8:20"), false},
		{"another person", said("Mila wears shoe size 36"), said("Theo wears shoe size 41"), false},
		{"another unit", said("The flat has 80 m²"), said("The flat has 3 rooms"), false},
		{"another time of the year", said("The shop opens at 9"), said("The shop opens at 11 in winter"), false},
		{"also", said("The class is on Monday"), said("The class is also on Thursday"), false},
		{"two events", said("Paid the dentist 80 euros"), said("Paid the dentist 95 euros"), false},
		{"dated lines", said("2026-11-01: weight 81.2 kg"), said("2026-11-02: weight 80.9 kg"), false},
		{"a question", said("Is the rent 1340 euros?"), said("Is the rent 1400 euros?"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, list := range [][]similar.Said{{tt.a, tt.b}, {tt.b, tt.a}} {
				if pairs := similar.Contradictions(list); (len(pairs) == 1) != tt.want || len(pairs) > 1 {
					t.Errorf("%v: %v", list, pairs)
				}
			}
		})
	}
}

func TestLogIsNoContradiction(t *testing.T) {
	list := []similar.Said{{Text: "The staging port is 8081"}, {Text: "The vault is on floor 3"}, {Text: "The staging port is 8080."}}
	for day := range 9 {
		list = append(list, similar.Said{Text: fmt.Sprintf("My weight is %d kg", 80+day)})
	}
	for day := range 3 { // in daily notes, three are a log
		list = append(list, similar.Said{Text: fmt.Sprintf("Blood pressure: %d", 120+day), Dated: true})
	}
	if got, want := similar.Contradictions(list), []similar.Pair{{First: 0, Second: 2}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestContradictionsAreFoundAmongManyTexts covers that the work grows with the list: all pairs
// of 100,000 texts would take hours.
func TestContradictionsAreFoundAmongManyTexts(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	list := make([]similar.Said, 0, n+2)
	for i := range n {
		list = append(list, similar.Said{Text: fmt.Sprintf("The box number%c%c%c of shelf %d is at %d", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, i, i*7)})
	}
	list = append(list, similar.Said{Text: "The rent is 1340 euros"}, similar.Said{Text: "Rent: 1400 euros"})
	if got, want := similar.Contradictions(list), []similar.Pair{{First: n, Second: n + 1}}; !slices.Equal(got, want) {
		t.Errorf("%d pairs, want %v", len(got), want)
	}
}
