package block

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// The fixed parts of the block, as the product defines it.
const (
	blockOpen    = "<relevant-memories>\n"
	blockIntro   = "The following memories may be relevant:\n"
	blockClose   = "</relevant-memories>"
	contextOpen  = "<current-context>"
	contextClose = "</current-context>\n"
)

// bytesPerToken is the product's estimate of a token: four bytes of UTF-8.
const bytesPerToken = 4

// TokenCount returns the number of tokens of a budget that a text uses.
func TokenCount(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// Entry is a memory of the block.
type Entry struct {
	memory.Hit
	IDPrefix string   // the shortest unique prefix of its id
	Mark     string   // what its author has marked, or that a newer note states another value
	Terms    []string // of the question, in lower case; they choose the excerpt of a long text

	excerpt *excerpt // what is shown of a text that is too long; nil: the whole text
	line    string   // rendered with its score, once it is known to fit
}

// Render returns the block that goes before a model: the current context, then
// the memories. It is empty if there is neither. The context is cut where the block would
// have more than maxTokens; 0: it is not cut.
func Render(ctx *memory.Context, entries []Entry, maxTokens int) string {
	if ctx == nil && len(entries) == 0 {
		return ""
	}
	var b strings.Builder
	withScore := scoresFall(entries)
	for _, e := range entries {
		if e.line == "" || !withScore {
			e.line = e.render(withScore)
		}
		b.WriteString(e.line)
	}
	memories := b.String()
	if len(entries) > 0 {
		memories = blockIntro + memories
	}
	space := math.MaxInt
	if maxTokens > 0 {
		space = min(maxTokens, MaxTokens)*bytesPerToken - len(blockOpen+memories+blockClose)
	}
	current := renderContext(ctx, space)
	if current == "" && len(entries) == 0 {
		return ""
	}
	return blockOpen + current + memories + blockClose
}

// scoresFall reports whether the percentages never rise from line to line. A reader
// takes a higher percentage for a better memory. But the order follows the ranking, and
// the score has further factors: then the lines have no percentages.
func scoresFall(entries []Entry) bool {
	return slices.IsSortedFunc(entries, func(a, b Entry) int {
		if a.Trust == memory.TrustUntrusted || b.Trust == memory.TrustUntrusted {
			return 0 // untrusted ones come last and have no percentage
		}
		return cmp.Compare(percent(b.Score), percent(a.Score))
	})
}

// renderContext returns the current context in at most some bytes. A longer one is cut
// after a word and ends with a mark. Where not even a few words fit, it is left out.
func renderContext(ctx *memory.Context, bytes int) string {
	if ctx == nil {
		return ""
	}
	text, cut := ctx.Text, ""
	for {
		rendered := contextOpen + strings.Join(escapeLines(text), "\n"+indent) + cut + contextClose
		excess := len(rendered) - bytes
		if excess <= 0 {
			return rendered
		}
		if cut == "" {
			cut = " " + gap
			excess += len(cut)
		}
		if excess >= len(text) {
			return ""
		}
		text = strings.TrimSpace(text[:cutAtWord(text, len(text)-excess)])
	}
}

// render returns "- [category 3f8a] text (score%)". The mark, if any, follows the
// prefix of the id: "- [category 3f8a, done] text". An untrusted memory has the mark
// "untrusted" and never a score. An excerpt has the mark "excerpt" and its place. The
// provenance, if any, comes before the score. After a text of several lines both are on a
// line of their own, so that they never become part of a fence or table.
func (e *Entry) render(withScore bool) string {
	label := escapeInline(string(categoryOrOther(e.Category))) + " " + e.IDPrefix
	if e.Mark != "" {
		label += ", " + e.Mark
	}
	var tail []string
	p, text := provenance(&e.Memory), e.Text
	if e.excerpt != nil {
		label += ", excerpt"
		text = e.excerpt.text
		p = strings.TrimPrefix(p+", "+e.excerpt.place(&e.Memory), ", ")
	}
	if p != "" {
		tail = append(tail, "— "+p)
	}
	if e.Trust == memory.TrustUntrusted {
		label += ", " + string(e.Trust)
	} else if withScore {
		tail = append(tail, fmt.Sprintf("(%d%%)", percent(e.Score)))
	}
	lines := escapeLines(text)
	if len(lines) > 1 && len(tail) > 0 {
		lines = append(lines, strings.Join(tail, " "))
	} else {
		lines = []string{strings.Join(append(lines, tail...), " ")}
	}
	return "- [" + label + "] " + strings.Join(lines, "\n"+indent) + "\n"
}

func percent(score float64) int {
	if !(score > 0) { // also for NaN
		return 0
	}
	return int(math.Round(100 * min(score, 1)))
}

func categoryOrOther(c memory.Category) memory.Category {
	if c == "" {
		return memory.CategoryOther
	}
	return c
}
