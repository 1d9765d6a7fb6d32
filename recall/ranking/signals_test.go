package ranking_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocsListTheWeights compares docs/scoring.md with the weights in use.
func TestDocsListTheWeights(t *testing.T) {
	source, page := read(t, "signals.go"), read(t, "../../docs/scoring.md")
	number := `(-?[\d.]+)`
	row := regexp.MustCompile(`(?m)^\t\{"([a-z ]+)", ` + number + `, ` + number + `, ` + number + `\},`)
	signals := row.FindAllStringSubmatch(source, -1)
	if strings.Count(page, "\n| `") != len(signals) || len(signals) < 10 {
		t.Errorf("docs/scoring.md lists %d signals, signals.go %d", strings.Count(page, "\n| `"), len(signals))
	}
	for _, s := range signals {
		if want := "| `" + s[1] + "` | " + s[2] + " | " + s[3] + " | " + s[4] + " |"; !strings.Contains(page, want) {
			t.Errorf("docs/scoring.md has no row %s", want)
		}
	}
	bias := regexp.MustCompile(`(?m)^\tbias(?:Sentence|NoVectors)? += `+number).FindAllStringSubmatch(source, -1)
	if len(bias) != 3 || !strings.Contains(page, "bias "+bias[0][1]+"; of a sentence transformer "+bias[1][1]+"; without vectors "+bias[2][1]) {
		t.Errorf("docs/scoring.md has another bias than %q", bias)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}
