package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// identifierKinds are the ways in which texts name things exactly. A number makes
// each unique.
var identifierKinds = []struct{ name, format, query string }{
	{"an error code", "E%04d-TIMEOUT", "what does %s mean"},
	{"a ticket", "OPS-%d", "%s"},
	{"a path", "services/billing/handler_%d.go", "what is in %s?"},
	{"a path of one's own", "~/.config/tool%d/settings.toml", "where is %s"},
	{"a hash", "%08xc0ffee%02x", "%s"},
	{"the beginning of a hash", "a%07xdeadbeef", "which commit is %.9s"},
	{"a version", "v3.%d.1-rc2", "what changed in %s"},
	{"an address", "ana.silva%d@example.org", "who is %s"},
	{"a URL", "https://ci.example.org/job/%d/log", "%s failed"},
	{"an environment variable", "BILLING_TIMEOUT_%d_MS", "what is %s set to"},
	{"a flag", "--max-retries-%d", "when do we pass %s"},
	{"a host", "db-%03d.eu-west.internal", "is %s up"},
	{"a CJK word", "配置第%d号服务器", "%s"},
}

// It plants 507 identifiers in sentences that are nearly the same, and queries for
// each.
func TestIdentifiersRankFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of queries")
	}
	random := rand.New(rand.NewPCG(1, 2))
	sentences := []string{
		"The nightly job stopped with %s and was started again by hand",
		"We agreed with the billing team that %s stays as it is until spring",
		"%s turned out to be the reason for the slow deploy of Tuesday",
		"Nobody remembers why %s was chosen, so query Ana before changing it",
	}
	var lines, ids, queries, names []string
	for i := range 507 {
		p := identifierKinds[i%len(identifierKinds)]
		var id string
		switch n := 100 + i; strings.Count(p.format, "%") {
		case 1:
			id = fmt.Sprintf(p.format, n)
		default:
			id = fmt.Sprintf(p.format, n*7919, n%256)
		}
		lines = append(lines, "- "+fmt.Sprintf(sentences[random.IntN(len(sentences))], id))
		ids, queries, names = append(ids, id), append(queries, fmt.Sprintf(p.query, id)), append(names, p.name)
	}
	w := newWorld(t, map[string]string{"memory/2026-11-02.md": "# Log\n\n" + strings.Join(lines, "\n") + "\n"})
	wrong := 0
	for i, query := range queries {
		hits := w.searchHits(query)
		if len(hits) == 0 || !strings.Contains(hits[0].Text, ids[i]) {
			wrong++
			first := "nothing"
			if len(hits) > 0 {
				first = hits[0].Text
			}
			t.Errorf("%s: %q finds %q first, want %s", names[i], query, first, ids[i])
		}
		if wrong > 10 {
			t.Fatal("more than 10 wrong answers")
		}
	}
}

func TestSearchToleratesTypingErrors(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": `# Facts

- The restaurant at the harbour closes on Mondays
- Kubernetes runs on three nodes in Lyon
- The accountant is Beatriz Figueiredo
- Invoices are paid within thirty days
`})
	for query, want := range map[string]string{
		"resturant":                      "restaurant",
		"when does the restaraunt close": "restaurant",
		"kuberentes nodes":               "Kubernetes",
		"acountant":                      "accountant",
		"invocies":                       "Invoices",
		"Figueredo":                      "Figueiredo",
	} {
		hits := w.searchHits(query)
		if len(hits) == 0 || !strings.Contains(hits[0].Text, want) {
			t.Errorf("%q finds %+v, want %s", query, hits, want)
		}
	}
}

// searchHits searches as a person does.
func (w *world) searchHits(query string) []memory.Hit {
	w.t.Helper()
	answer, err := w.Search(w.t.Context(), memory.SearchRequest{Query: query})
	if err != nil {
		w.t.Fatal(err)
	}
	return answer.Hits
}
