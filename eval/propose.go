package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// Proposal is a golden query to be edited: a person replaces the query by a question in
// their own words. Text is the memory, for the person.
type Proposal struct {
	ID       string `json:"id"`
	Query    string `json:"query"`
	Category string `json:"category"`
	Relevant []Line `json:"relevant"`
	Text     string `json:"text"`
}

// DraftCategory is the category of a proposal until a person edits it.
const DraftCategory = "draft"

// leastWords is the length of a memory that can answer a question. A shorter one is
// often a heading or a list item without a meaning of its own.
const leastWords = 5

// queryWords is how many words a proposed query has.
const queryWords = 4

// Propose returns at most n proposals, spread evenly over the memories in the order of
// their files. It leaves out short memories. The same memories always give the same
// proposals.
func Propose(memories []memory.Memory, n int) []Proposal {
	var all []memory.Memory
	docFreq := map[string]int{}
	for _, m := range memories {
		for _, w := range unique(wordsOf(m.Text)) {
			docFreq[strings.ToLower(w)]++
		}
		if words := len(strings.Fields(m.Text)); words >= leastWords || words == 1 && utf8.RuneCountInString(m.Text) > 2*leastWords {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b memory.Memory) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.LineStart, b.LineStart))
	})
	var proposals []Proposal
	for _, m := range spread(all, n) {
		proposals = append(proposals, Proposal{ID: m.ID.Short(), Query: draftQuery(m.Text, docFreq), Category: DraftCategory,
			Relevant: []Line{{m.Path, m.LineStart}}, Text: strings.Join(strings.Fields(m.Text), " ")})
	}
	return proposals
}

// spread returns n memories, or all if there are fewer, at equal distances.
func spread(all []memory.Memory, n int) []memory.Memory {
	n = min(n, len(all))
	chosen := make([]memory.Memory, n)
	for i := range chosen {
		chosen[i] = all[int(math.Floor((float64(i)+0.5)*float64(len(all))/float64(n)))]
	}
	return chosen
}

// draftQuery returns the rarest words of a text, in the order of the text, as a
// question.
func draftQuery(text string, docFreq map[string]int) string {
	const checkBox = len("[x] ")
	if len(text) > checkBox && text[0] == '[' && text[2:checkBox] == "] " {
		text = text[checkBox:]
	}
	words := unique(wordsOf(text))
	rarest := slices.Clone(words)
	slices.SortStableFunc(rarest, func(a, b string) int {
		return cmp.Or(cmp.Compare(docFreq[strings.ToLower(a)], docFreq[strings.ToLower(b)]), cmp.Compare(len(b), len(a)))
	})
	rarest = rarest[:min(queryWords, len(rarest))]
	var kept []string
	for _, w := range words {
		if slices.Contains(rarest, w) {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ") + "?"
}

// wordsOf returns the words of a text as they are written, without the punctuation around
// them. A number is one word: "14,500", "09:30".
func wordsOf(text string) (words []string) {
	for field := range strings.FieldsSeq(text) {
		if w := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// WriteProposals writes one proposal a line.
func WriteProposals(w io.Writer, proposals []Proposal) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, p := range proposals {
		if err := encoder.Encode(p); err != nil {
			return fmt.Errorf("write proposals: %w", err)
		}
	}
	return nil
}
