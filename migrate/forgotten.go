package migrate

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/internal/wording"
)

// forgottenTexts are the texts of forgotten memories. No text comes over that is or
// nearly repeats one of them.
type forgottenTexts struct {
	equal     map[memory.Fingerprint]bool
	originals *wording.Originals
	similar   []*alignment.Text
	compared  map[string]bool // texts, and whether they repeat one
}

func newForgottenTexts(memories []memory.Memory) *forgottenTexts {
	f, texts := &forgottenTexts{equal: map[memory.Fingerprint]bool{}, compared: map[string]bool{}}, []string(nil)
	for _, m := range memories {
		f.equal[chunker.Fingerprint(m.Text)] = true
		texts = append(texts, m.Text)
		f.similar = append(f.similar, alignment.Read(wording.Visible(m.Text)))
	}
	f.originals = wording.NewOriginals(texts)
	return f
}

// repeatedBy reports whether a text nearly repeats a forgotten one: in its words, as for
// capture and store.
func (f *forgottenTexts) repeatedBy(text string) bool {
	repeats, known := f.compared[text]
	if !known && len(f.similar) > 0 {
		mine := alignment.Read(wording.Visible(text))
		repeats = f.originals.Repeated(text)
		for i := 0; i < len(f.similar) && !repeats; i++ {
			repeats = mine.Resembles(f.similar[i])
		}
		f.compared[text] = repeats
	}
	return repeats
}

// isForgotten reports whether a text was forgotten or destroyed here, or nearly repeats a
// forgotten one. A short text is forgotten under its heading only. The other system has
// no headings, so each counts.
func (p *planner) isForgotten(it *item) bool {
	if p.forgotten.equal[it.fingerprint] || p.known.IsForgotten(it.fingerprint, it.text, nil) || p.forgotten.repeatedBy(it.text) {
		return true
	}
	if !isShort(it.text) {
		return false
	}
	headings := append(p.headings[:len(p.headings):len(p.headings)], p.headingsOf(it))
	return slices.ContainsFunc(headings, func(h []string) bool { return p.known.IsForgotten(it.fingerprint, it.text, h) })
}

// isForgottenBlock reports whether a block of a copied file was forgotten or destroyed
// here, or nearly repeats a forgotten memory. A short block is so under its heading only.
func (p *planner) isForgottenBlock(b memory.Block) bool {
	return p.known.IsForgotten(b.Fingerprint, b.Text, b.Heading) || p.known.IsForgotten(b.Fingerprint, b.Text, nil) ||
		!isShort(b.Text) && p.forgotten.repeatedBy(b.Text)
}

// isShort reports whether a text means nothing without its heading.
func isShort(text string) bool { return alignment.IsShort(strings.Join(strings.Fields(text), " ")) }
