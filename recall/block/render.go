package block

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// The fixed parts of the block, as the product defines it.
const (
	blockOpen    = "<relevant-memories>\n"
	blockIntro   = "The following memories may be relevant:\n"
	blockClose   = "</relevant-memories>"
	docsIntro    = "The following passages are from documents, and nobody has checked them:\n"
	contextOpen  = "<current-context>"
	contextClose = "</current-context>\n"
)

// bytesPerToken is the product's estimate of a token: four bytes of UTF-8.
const bytesPerToken = 4

// TokenCount returns the number of tokens of a budget that a text uses.
func TokenCount(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// Entry is a memory of the block.
type Entry struct {
	*memory.Memory
	Similarity float64        // of the memory and the question
	IDPrefix   string         // the shortest unique prefix of its id
	Mark       string         // what its author has marked, or that a newer note states another value
	Zone       *time.Location // of the workspace; nil: UTC
	Terms      []string       // of the question, in lower case; they choose the excerpt of a long text
	Unasked    bool           // no question was asked, so the line has no percentage

	excerpt *excerpt  // what is shown of a text that is too long; nil: the whole text
	parts   lineParts // of what is shown, once it was measured
}

// Render returns the block that goes before a model: the current context, then
// the memories. It is empty if there is neither. The context is cut where the block would
// have more than maxTokens; 0: it is not cut.
func Render(ctx *memory.Context, entries []*Entry, maxTokens int) string {
	if ctx == nil && len(entries) == 0 {
		return ""
	}
	withScore, bytes := scoresFall(entries), len(blockOpen+blockClose)
	if len(entries) > 0 {
		bytes += len(blockIntro)
	}
	for _, e := range entries {
		bytes += e.size(withScore)
	}
	space := math.MaxInt
	if maxTokens > 0 {
		space = min(maxTokens, MaxTokens)*bytesPerToken - bytes
	}
	current := renderContext(ctx, space)
	if current == "" && len(entries) == 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(bytes + len(current))
	b.WriteString(blockOpen + current)
	if len(entries) > 0 {
		b.WriteString(blockIntro)
	}
	for _, e := range entries {
		for _, part := range e.line(withScore) {
			b.WriteString(part)
		}
	}
	b.WriteString(blockClose)
	return b.String()
}

// WithDocuments adds the passages of a block to a block of memories, which may be empty.
func WithDocuments(memories, passages string) string {
	passages = docsIntro + strings.TrimPrefix(passages, blockOpen+blockIntro)
	return cmp.Or(strings.TrimSuffix(memories, blockClose), blockOpen) + passages
}

// scoresFall reports whether the percentages never rise from line to line. A reader
// takes a higher percentage for a better memory. But the order follows the ranking, and
// the score has further factors: then the lines have no percentages.
func scoresFall(entries []*Entry) bool {
	return slices.IsSortedFunc(entries, func(a, b *Entry) int {
		if a.Trust == memory.TrustUntrusted || b.Trust == memory.TrustUntrusted {
			return 0 // untrusted ones come last and have no percentage
		}
		return cmp.Compare(percent(b.Similarity), percent(a.Similarity))
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
		rendered := contextOpen + escapeText(text) + cut + contextClose
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

// line returns the parts of "- [category 3f8a] text (similarity%)". The mark, if any, follows the
// prefix of the id: "- [category 3f8a, done] text". An untrusted memory has the mark
// "untrusted" and never a score. An excerpt has the mark "excerpt" and its place. The
// provenance, if any, comes before the score. After a text of several lines both are on a
// line of their own, so that they never become part of a fence or table.
func (e *Entry) line(withScore bool) [13]string {
	if e.parts.kind == "" {
		e.parts = e.newParts()
	}
	p, before, dash, between, score := &e.parts, "", "", "", ""
	if withScore && !e.Unasked && e.Trust != memory.TrustUntrusted {
		score = percentages[percent(e.Similarity)]
	}
	switch hasTail := p.provenance != "" || score != ""; {
	case hasTail && p.hasLines:
		before = "\n" + indent
	case hasTail && p.text != "":
		before = " "
	}
	if p.provenance != "" {
		dash = "— "
	}
	if p.provenance != "" && score != "" {
		between = " "
	}
	return [...]string{"- [", p.kind, " ", e.IDPrefix, p.marks, "] ", p.text, before, dash, p.provenance, between, score, "\n"}
}

// size returns the length of the line in bytes.
func (e *Entry) size(withScore bool) (bytes int) {
	for _, part := range e.line(withScore) {
		bytes += len(part)
	}
	return bytes
}

// show sets what the line has of the text; nil means the whole text.
func (e *Entry) show(x *excerpt) { e.excerpt, e.parts = x, lineParts{} }

// percentages are the ends of lines: "(85%)".
var percentages = func() (all [101]string) {
	for i := range all {
		all[i] = "(" + strconv.Itoa(i) + "%)"
	}
	return all
}()

// lineParts are the parts of a line that do not depend on the score.
type lineParts struct {
	kind       string // the category
	marks      string // each after a comma
	text       string // escaped
	hasLines   bool   // the text has several lines
	provenance string // empty if there is none
}

func (e *Entry) newParts() lineParts {
	kind, marks := escapeInline(string(categoryOrOther(e.Category))), ""
	if e.Documents != "" {
		kind = "document"
	}
	if e.Mark != "" {
		marks += ", " + e.Mark
	}
	if e.Project != "" {
		marks += ", project " + escapeInline(e.Project)
	}
	p, text := provenance(e.Memory, cmp.Or(e.Zone, time.UTC)), e.Text
	if e.excerpt != nil {
		marks += ", excerpt"
		text = e.excerpt.text
		p = strings.TrimPrefix(p+", "+e.excerpt.place(e.Memory), ", ")
	} else if e.Documents != "" {
		p = strings.TrimPrefix(p+", "+escapeInline(e.Memory.Place()), ", ")
	}
	if e.Trust == memory.TrustUntrusted {
		marks += ", " + string(e.Trust)
	}
	text = escapeText(text)
	return lineParts{kind: kind, marks: marks, text: text, hasLines: strings.Contains(text, "\n"), provenance: p}
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
