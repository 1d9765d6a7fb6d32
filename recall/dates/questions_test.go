package dates_test

import (
	_ "embed"
	"strings"
	"testing"
	"time"

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
		for _, s := range dates.Read(field[3], asked).Whole(asked) {
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
