package migrate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/wording"
)

// knownTexts finds the memories of the workspace that a line of front matter may mean.
type knownTexts struct {
	ids    []string         // without hyphens
	byWord map[string][]int // the memories that have a word
}

func newKnownTexts(memories []memory.Memory) *knownTexts {
	k := &knownTexts{byWord: map[string][]int{}}
	for i, m := range memories {
		k.ids = append(k.ids, strings.ReplaceAll(string(m.ID), "-", ""))
		for word := range wordsOf(m.Text) {
			k.byWord[word] = append(k.byWord[word], i)
		}
	}
	return k
}

// mayMean reports whether a line may be about a memory of the workspace. The memory has
// its id, or nearly all words of its quote.
func (k *knownTexts) mayMean(e memory.Entry) bool {
	if e.IDPrefix != "" && slices.ContainsFunc(k.ids, func(id string) bool { return strings.HasPrefix(id, e.IDPrefix) }) {
		return true
	}
	quoted, shared := wordsOf(e.Quote), map[int]int{}
	for word := range quoted {
		for _, i := range k.byWord[word] {
			if shared[i]++; 4*len(quoted) <= 5*shared[i] {
				return true
			}
		}
	}
	return false
}

// wordsOf returns the words of a text, as copies of texts are compared.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, word := range wording.Words(text) {
		words[word] = true
	}
	return words
}

// withoutDecisions removes the lines of front matter that may decide about memories that
// the workspace has. It reports false if it cannot remove them. A block that such a line
// may hide is removed with it, so that nothing is published.
func (p *planner) withoutDecisions(src []byte) (text []byte, lines, blocks int, ok bool) {
	parsed := frontmatter.Parse(src, time.UTC)
	var changes []frontmatter.Change
	var hiding []map[string]bool // the words of quotes
	for i, e := range parsed.Entries {
		if !p.texts.mayMean(e) {
			continue
		}
		changes = append(changes, frontmatter.Change{ID: entryID(e, i), Previous: &parsed.Entries[i], Remove: true})
		if d := e.Declared; d.Forgotten != nil || d.Private != nil || d.Trust != "" || d.User != "" {
			hiding = append(hiding, wordsOf(e.Quote))
		}
	}
	if len(changes) == 0 {
		return src, 0, 0, true
	}
	text, err := frontmatter.Set(src, time.UTC, changes)
	if err != nil {
		return src, 0, 0, false
	}
	if parsed = frontmatter.Parse(text, time.UTC); slices.ContainsFunc(parsed.Entries, p.texts.mayMean) {
		return src, 0, 0, false
	}
	var gone []frontmatter.Span
	for _, b := range chunker.Blocks(text, parsed.BodyStart) {
		has := wordsOf(b.Text)
		if slices.ContainsFunc(hiding, func(quoted map[string]bool) bool { return sharesHalf(quoted, has) }) {
			gone = append(gone, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	return frontmatter.RemoveBlocks(text, parsed, gone, ""), len(changes), len(gone), true
}

// sharesHalf reports whether a text has half of the words of a quote.
func sharesHalf(quoted, has map[string]bool) bool {
	shared := 0
	for word := range quoted {
		if has[word] {
			shared++
		}
	}
	return 2*shared >= len(quoted)
}

// entryID returns an id for the change of a line. A line without an id gets one by its
// number.
func entryID(e memory.Entry, number int) memory.ID {
	if e.IDPrefix == "" {
		return memory.ID(fmt.Sprintf("%012x%020d", number, 0))
	}
	return memory.ID((e.IDPrefix + strings.Repeat("0", 32))[:32])
}
