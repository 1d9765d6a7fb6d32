package dates_test

import (
	_ "embed"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/recall/dates"
)

//go:embed testdata/questions.tsv
var questions string

// TestQuestionsNameTheirTimes reads the questions of the table.
func TestQuestionsNameTheirTimes(t *testing.T) {
	right, all := map[string]int{}, map[string]int{}
	for line := range strings.Lines(questions) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		asked, err := time.Parse(time.DateOnly, field[1])
		if err != nil {
			t.Fatal(err)
		}
		asked = asked.Add(19 * time.Hour)
		var spans []string
		for _, s := range dates.Read(field[3], asked).Spans {
			spans = append(spans, format(s))
		}
		all[field[0]]++
		if got := strings.Join(spans, " "); got != field[4] {
			t.Errorf("%s, %s: %q asks for %q, want %q", field[0], field[2], field[3], got, field[4])
			continue
		}
		right[field[0]]++
	}
	t.Logf("right: %v of %v", right, all)
}

// TestAnyTextIsRead mixes words of questions and numbers. What is left of a text are characters
// of it, in their order.
func TestAnyTextIsRead(t *testing.T) {
	words := append(strings.Fields(questions), "'s", "’s", "–", "-", "3-5", "-5", "12.-", "20.", "(Fri)", "İ", "\xff", "十", "99999999999")
	rapid.Check(t, func(t *rapid.T) {
		between := rapid.SampledFrom([]string{" ", "", ", "}).Draw(t, "between")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 30).Draw(t, "words"), between)
		unread := text
		for _, b := range []byte(strings.ReplaceAll(dates.Read(text, sunday).Rest, " ", "")) {
			at := strings.IndexByte(unread, b)
			if at < 0 {
				t.Fatalf("of %q is left %q", text, dates.Read(text, sunday).Rest)
			}
			unread = unread[at+1:]
		}
		for _, day := range dates.RelativeDays(text, sunday) {
			if day.From >= day.To || day.To > len(text) {
				t.Errorf("%q has a day from %d to %d", text, day.From, day.To)
			}
		}
	})
}
