package capture

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/internal/wording"
	"github.com/memory-tiered/memory/lang"
)

// SemanticDeduplicator tells how a new text relates to the memories that are like it.
// Capture and store ask it before they write. Equal texts, and near copies of forgotten
// ones, are found without it, so it cannot bring them back.
type SemanticDeduplicator interface {
	// Compare returns the relation of a text to each of some memories, in their order.
	Compare(ctx context.Context, text string, memories []Known) ([]Relation, error)
}

// Known is a memory that a new text is compared with.
type Known struct {
	memory.Memory
	Cosine float64 // of the vectors of both texts; 0 where it is not known
}

// Relation is what a new text does to a memory. The zero value is a text about
// something else. Several may hold; Same then comes first, unless a person extends.
type Relation struct {
	Same     bool // it says what the memory says: it is left out
	Replaces bool // it gives another value to the same subject: it supersedes the memory
	Related  bool // it is about the same thing, and may contradict the memory: both stay, and a reader decides
	Extends  bool // it contains the memory and adds to it: it may supersede the memory if asked to
}

// Similarity is the default deduplicator. It compares words, and needs no model.
type Similarity struct{}

// sameCosine is the raw cosine over which a text with the names of a forgotten one is a
// variant of it. It decides nothing else, because a vector cannot tell the order of words.
const sameCosine = 0.95

// Compare implements SemanticDeduplicator.
func (Similarity) Compare(_ context.Context, text string, memories []Known) ([]Relation, error) {
	mine := alignment.Read(wording.Visible(text))
	relations := make([]Relation, len(memories))
	for i, m := range memories {
		theirs := alignment.Read(wording.Visible(m.Text))
		found := alignment.Compare(mine, theirs)
		isVariant := mine.Resembles(theirs) || m.Cosine > sameCosine && mine.SameNames(theirs)
		relations[i] = Relation{
			Same:     found == alignment.Same || m.Forgotten && isVariant, // forgotten: it comes back in no variant
			Replaces: found == alignment.Replaces,
			Related:  found == alignment.Related || found == alignment.Contradicts,
			Extends:  extends(text, m.Text),
		}
	}
	return relations, nil
}

// extends reports whether a text states an older one in its own words, and more.
func extends(text, older string) bool {
	folded := func(s string) string {
		return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".!。！ ")
	}
	whole, part := folded(text), folded(older)
	if containsWords(whole, part) {
		return len(whole) > len(part)
	}
	mine, theirs := alignment.Read(text), alignment.Read(older)
	return mine.Contains(theirs) && !theirs.Contains(mine)
}

// containsWords reports whether a text contains another one from the beginning of a word
// to the end of one. "port 80" is not contained in "port 8080".
func containsWords(whole, part string) bool {
	for from := 0; ; {
		i := strings.Index(whole[from:], part)
		if i < 0 || part == "" {
			return false
		}
		begin, end := from+i, from+i+len(part)
		before, _ := utf8.DecodeLastRuneInString(whole[:begin])
		first, size := utf8.DecodeRuneInString(part)
		last, _ := utf8.DecodeLastRuneInString(part)
		after, _ := utf8.DecodeRuneInString(whole[end:])
		if !(joins(before) && joins(first)) && !(joins(last) && joins(after)) {
			return true
		}
		from = begin + size
	}
}

// joins reports whether r and the same kind of character beside it are one word. CJK
// texts have no spaces between words.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !lang.IsEastAsian(r)
}
