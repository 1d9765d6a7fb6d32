package similar_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/similar"
)

func TestReplacesNeedsOneSubjectAndAnotherValue(t *testing.T) {
	for _, tt := range []struct {
		older, newer string
		want         bool
	}{
		{"The staging port is 8080.", "The staging port is 8081.", true},
		{"The staging port is 8080.", "The staging port is now 8081.", true},
		{"My favourite editor is Vim", "My favourite editor is Helix", true},
		{"We decided to use Postgres for the first release", "We decided to use SQLite for the first release", true},
		{"The bins go out on Tuesday", "The bins go out on Wednesday", true},
		{"I prefer tea in the morning", "I prefer coffee in the morning", true},
		{"I like meetings before lunch", "I don't like meetings before lunch", false},
		{"Der Port ist 8080", "Der Port ist 8081", true},
		{"ポート番号は8080です", "ポート番号は8081です", true},
		{"测试环境的端口是8080", "测试环境的端口是8081", true},

		{"The staging port is 8080.", "The staging port is 8080", false},
		{"I like tea", "I like coffee", false},
		{"We deploy Heron on Monday mornings", "We deploy Ibis on Monday mornings", false},
		{"I prefer tea in the morning", "I prefer coffee in the evening at work", false},
		{"We decided to use Postgres for storage", "We decided to use Redis for the cache", false},
		{"The vet is closed on Wednesdays", "The vet is closed on Wednesdays because the doctors visit farms", false},
		{"Remember the milk", "Port 8081 is free", false},

		{"I am allergic to nuts", "I am allergic to cats", false},
		{"I am allergic to Penicillin", "I am allergic to Ibuprofen", false},
		{"Lena is vegetarian", "Lena is left-handed", false},
		{"My sister is vegetarian", "My sister is left-handed", false},
		{"Ann is my sister", "Ann is my neighbour", false},
		{"Lena ist Vegetarierin", "Lena ist Linkshänderin", false},
		{"The dog is a Labrador", "The dog is called Bello", false},
		{"the library closes at 18:00 on Mondays", "the library closes at 20:00 on Thursdays", false},
		{"the port of Kiel is 80 km away", "the port of Husum is 40 km away", false},
		{"The yoga class is on Monday", "The yoga class is also on Thursday", false},
		{"The gym opens at 8", "The gym opens at 10 on Sundays", false},
		{"Ben's number is 030 1111", "Ben's number is 030 2222 at work", false},
		{"The wine was from 2015", "The wine was from Spain", false},
		{"My favourite colour is blue", "My favourite colour is green", true},
		{"The door code is 1234", "The door code is 9876", true},
		{"Our landlord is Mr Kraus", "Our landlord is Ms Berg", true},
		{"Lena is vegetarian", "Lena is vegan now", true},
		{"I am 41", "I am 42", true},
		{"The key belongs to Anna", "The key belongs to Ben", true},
		{"The meeting is on Monday at 10", "The meeting is on Tuesday at 11", true},
		{"", "", false},
	} {
		if got := similar.Replaces(tt.newer, tt.older); got != tt.want {
			t.Errorf("Replaces(%q, %q) = %t", tt.newer, tt.older, got)
		}
	}
}

func TestTextsThatSayTheSameHaveEqualNumbersNamesAndNegations(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"The staging server listens on port 8080", "staging listens on port 8080 for now", false},
		{"The staging server listens on port 8080", "The staging server listens on port 8081", false},
		{"deploys go out in the evening", "deploys do not go out in the evening", false},
		{"the key went from Sanne to Pieter", "the key went from Pieter to Sanne", false},
	} {
		a, b := similar.New(tt.a), similar.New(tt.b)
		if got := a.SaysTheSame(&b); got != tt.want {
			t.Errorf("SaysTheSame(%q, %q) = %t", tt.a, tt.b, got)
		}
	}
}
