package static_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/embed/static"
)

func TestAlignComparesWordsByMeaning(t *testing.T) {
	e := static.New()
	align, _ := e.Thesaurus().Align(strings.Fields("girl music lessons"))
	for _, tt := range []struct{ better, worse string }{
		{"girl music lessons", "daughter violin classes"}, // the same words before similar ones
		{"daughter violin classes", "boiler pressure bar"},
		{"daughter violin classes boiler pressure bar", "boiler pressure bar"}, // more words do no harm
		{"daughter", "zzqx"},
	} {
		better, worse := align(strings.Fields(tt.better)), align(strings.Fields(tt.worse))
		if better <= worse || better > 1.0001 || worse < 0 {
			t.Errorf("%q has %.3f, %q has %.3f", tt.better, better, tt.worse, worse)
		}
	}
	if got := align([]string{"girl", "music", "lessons"}); got < 0.999 {
		t.Errorf("the words of the question themselves have %.3f, want 1", got)
	}
	if with, without := align([]string{"violin", "部"}), align([]string{"violin"}); with != without {
		t.Errorf("with a word that the model does not know it has %v, without it %v", with, without)
	}
	for _, question := range [][]string{nil, {""}, {"部署"}, strings.Fields(strings.Repeat("page ", 500))} {
		if got := alignOnce(e.Thesaurus(), question, []string{"page"}); got < 0 || got > 1.0001 {
			t.Errorf("a question of %d words has %v", len(question), got)
		}
	}
	if got := align(nil); got != 0 {
		t.Errorf("a text without words has %v", got)
	}
}

// alignOnce compares a text with a question. Another question uses the memory after it.
func alignOnce(t *static.Thesaurus, question, text []string) float64 {
	align, release := t.Align(question)
	defer release()
	return align(text)
}

func BenchmarkAlign(b *testing.B) {
	e := static.New()
	thesaurus := e.Thesaurus()
	words := thesaurus.Words()
	for b.Loop() {
		align, release := thesaurus.Align(strings.Fields("who gives our girl music lessons"))
		for n := range 30 { // notes share few of their words
			align(words[100*n : 100*n+25])
		}
		release()
	}
}
