package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// Proposal is a golden query to be edited: a person replaces the query by a question in
// their own words. Text is the memory, for the person and for [Locate].
type Proposal struct {
	ID       string `json:"id"`
	Query    string `json:"query"`
	Category string `json:"category"`
	Relevant []Line `json:"relevant"`
	From     Line   `json:"from"` // as proposed: if relevant has another line, a person wrote that
	Text     string `json:"text"`
}

// DraftCategory is the category of a proposal until a person edits it.
const DraftCategory = "draft"

// leastWords is the length of a memory that can answer a question. A shorter one is
// often a heading or a list item without a meaning of its own.
const leastWords = 5

// queryWords is how many words a proposed query has.
const queryWords = 4

// Usable reports whether a memory may be injected for a query that was drafted from it.
type Usable func(m memory.Memory, query string) (bool, error)

// Propose returns at most n proposals, spread evenly over the memories in the order of
// their files. It leaves out short memories, and those that are not usable. The same
// memories always give the same proposals.
func Propose(memories []memory.Memory, n int, usable Usable) ([]Proposal, error) {
	var all []memory.Memory
	docFreq := map[string]int{}
	for _, m := range memories {
		for _, w := range unique(wordsOf(m.Text)) {
			docFreq[strings.ToLower(w)]++
		}
		if len(strings.Fields(m.Text)) >= leastWords || utf8.RuneCountInString(m.Text) > 2*leastWords && len(strings.Fields(m.Text)) == 1 {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b memory.Memory) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.LineStart, b.LineStart))
	})
	all, err := chooseUsable(all, n, func(m memory.Memory) (bool, error) { return usable(m, draftQuery(m.Text, docFreq)) })
	if err != nil {
		return nil, err
	}
	proposals := make([]Proposal, len(all))
	for i, m := range all {
		proposals[i] = Proposal{ID: m.ID.Short(), Query: draftQuery(m.Text, docFreq), Category: DraftCategory,
			Relevant: []Line{{m.Path, m.LineStart}}, From: Line{m.Path, m.LineStart}, Text: plainText(m.Text)}
	}
	return proposals, nil
}

// chooseUsable chooses at most n usable memories, spread evenly over all. It checks only
// those that it chooses, and chooses again without those that are not usable.
func chooseUsable(all []memory.Memory, n int, usable func(memory.Memory) (bool, error)) ([]memory.Memory, error) {
	checked := map[memory.ID]bool{}
	for {
		chosen := spread(all, n)
		unusable := map[memory.ID]bool{}
		for _, m := range chosen {
			if checked[m.ID] {
				continue
			}
			ok, err := usable(m)
			if err != nil {
				return nil, err
			}
			checked[m.ID], unusable[m.ID] = true, !ok
		}
		rest := slices.DeleteFunc(slices.Clone(all), func(m memory.Memory) bool { return unusable[m.ID] })
		if len(rest) == len(all) {
			return chosen, nil
		}
		all = rest
	}
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

// checkBox matches the check box of a task.
var checkBox = regexp.MustCompile(`^\s*\[[ xX]\]\s`)

// draftQuery returns the rarest words of a text, in the order of the text, as a
// question.
func draftQuery(text string, docFreq map[string]int) string {
	words := unique(wordsOf(checkBox.ReplaceAllString(text, "")))
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

// word matches a word as it is written, without punctuation. A number is one word:
// "14,500", "09:30".
var word = regexp.MustCompile(`\p{N}+(?:[.,:]\p{N}+)+|[\p{L}\p{N}]+(?:[-'’]+[\p{L}\p{N}]+)*`)

func wordsOf(text string) []string { return word.FindAllString(text, -1) }

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
