package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestWordsAreFoundInOtherForms searches for words that the notes write with full-width or
// half-width characters, with umlauts, or without. Each had no hit.
func TestWordsAreFoundInOtherForms(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": `# Notizen

- ＡＢＣ銀行の口座は定期です。
- ｻｰﾊﾞｰの名前はフジです。
- Herr Müller wohnt in der Hauptstraße 12.
- Die Schluessel liegen beim Nachbarn.
- 🚀 Der Start ist im Mai.
- The printer is a Brother.
- Kündigungsfrist der Wohnung: drei Monate.
`})
	for _, load := range []bool{false, true} {
		for query, want := range map[string]string{
			"ABC銀行": "ＡＢＣ", "ＡＢＣ銀行": "ＡＢＣ", "サーバーの名前は?": "ｻｰﾊﾞｰ", "ｻｰﾊﾞｰ": "ｻｰﾊﾞｰ", "Ｂｒｏｔｈｅｒ": "Brother",
			"Mueller": "Müller", "Müller": "Müller", "Hauptstrasse": "Müller", "Wo liegen die Schlüssel?": "Schluessel", "🚀": "🚀",
			"Kuendigungsfrist": "Kündigungsfrist",
		} {
			answer := must.Get(w.Search(t.Context(), memory.SearchRequest{Query: query}))(t)
			if len(answer.Hits) == 0 || !strings.Contains(answer.Hits[0].Text, want) {
				t.Errorf("%q (in memory: %t): %d hits, the first is not %q", query, load, len(answer.Hits), want)
			}
		}
		must.Do(t, w.Load(t.Context(), ""))
	}
}
