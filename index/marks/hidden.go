package marks

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/internal/wording"
	"github.com/memory-tiered/memory/lang"
)

// ellipsis takes the place of what is left out.
const ellipsis = "…"

// Hidden is what a view leaves out of every string that is no memory, whatever field it is in.
// Such are headings, tags, comments and messages. It leaves out texts that are forgotten in every
// copy. For a model, it also leaves out those of memories that are private, quarantined or hidden
// with a source. A field repeats one of them if [shortTextWords] words in a row are equal. A
// shorter private or forgotten text is found as a whole paragraph, line or sentence only. The text of a memory is decided by its own state.
// The nil pointer hides nothing.
type Hidden struct {
	forgotten   Set
	fingerprint func(string) memory.Fingerprint // of a text; may be nil
	runs        map[uint64]bool                 // each run of shortTextWords words of the texts that the index has
	whole       map[uint64]bool                 // texts, but for the short ones that marks find, and single words
	quotes      []string                        // beginnings of texts that the index does not have
	seed        maphash.Seed

	mu    sync.Mutex
	known map[fieldKey]bool // whether fields are left out
}

// fieldKey is a field as an answer has it.
type fieldKey struct{ text, heading string }

// maxFields bounds the fields that are remembered: every answer asks for some hundred.
const maxFields = 100_000

// minWordsOfLine is how many words a field must have to repeat a short text that is private, or of
// which only a line is known. One word may be anything.
const minWordsOfLine = 2

// selectOnly has the condition that only one memory is forgotten. Its copies are shown.
const selectOnly = `coalesce(CAST(json_extract(m.sidecar, '$.only') AS INTEGER), 0) = 1 OR coalesce(CAST(json_extract(m.inherited, '$.only') AS INTEGER), 0) = 1
	OR EXISTS (SELECT 1 FROM entries e WHERE e.about = m.id AND CAST(json_extract(e.declared, '$.only') AS INTEGER) = 1)`

// selectForgettingLines selects the quotes of the lines that forget a text in every copy.
const selectForgettingLines = `SELECT e.quote, e.about = '', iif(m.missing_since IS NULL, coalesce(m.text, ''), '')
	FROM entries e LEFT JOIN memories m ON m.id = e.about
	WHERE e.quote <> '' AND CAST(json_extract(e.declared, '$.forgotten') AS INTEGER) = 1 AND coalesce(m.do_not_inject, true)
	AND coalesce(CAST(json_extract(e.declared, '$.only') AS INTEGER), 0) = 0 AND coalesce(json_extract(e.declared, '$.user'), m.user, '') = ''`

// ReadHidden reads what a view leaves out. Texts of users that the view does not show are
// not among it: what is left out would tell that they exist.
func ReadHidden(ctx context.Context, db sqldb.Reader, v memory.View, forgotten Set, fingerprint func(string) memory.Fingerprint) (*Hidden, error) {
	h := &Hidden{forgotten: forgotten, fingerprint: fingerprint, runs: map[uint64]bool{}, whole: map[uint64]bool{},
		seed: maphash.MakeSeed(), known: map[fieldKey]bool{}}
	m, ofUsers := query.TableRow("m"), memory.View{Users: v.Users}
	others, args := query.HiddenBy(ofUsers, m, ofUsers.Rules())
	reasons := []string{memory.ReasonForgotten}
	if v.Model {
		reasons = append(reasons, memory.ReasonPrivate, memory.ReasonTrust, memory.ReasonSource)
	}
	for _, reason := range reasons { // each has an index
		condition, _ := query.BrokenRule(v, m, reason)
		if reason == memory.ReasonForgotten {
			condition += " AND NOT (" + selectOnly + ")"
		}
		fewest := shortTextWords // marks find shorter ones that are forgotten
		if reason == memory.ReasonPrivate {
			fewest = minWordsOfLine
		}
		if err := db.Each(ctx, "SELECT m.text FROM memories m WHERE NOT ("+others+") AND "+condition, args, h.addText(fewest)); err != nil {
			return nil, sqldb.Wrap("read hidden texts", err)
		}
	}
	return h, sqldb.Wrap("read the lines of forgotten texts", db.Each(ctx, selectForgettingLines, nil, h.addLine))
}

// addText adds the text of a memory, as [Hidden.add] does.
func (h *Hidden) addText(fewest int) func(scan func(...any) error) error {
	return func(scan func(...any) error) error {
		var text string
		err := scan(&text)
		h.add(wording.Words(text), fewest)
		return err
	}
}

// addLine adds the text of which a line quotes the beginning. A new index knows no more of
// a text that is in no file.
func (h *Hidden) addLine(scan func(...any) error) error {
	var quoted, now string
	var isUnknown bool
	if err := scan(&quoted, &isUnknown, &now); err != nil {
		return err
	}
	words := wording.Words(quoted)
	switch {
	case now != "" && chunker.QuoteFits(quoted, now): // the text itself is known
	case len(words) < shortTextWords && isUnknown:
		h.add(words, minWordsOfLine)
	default:
		h.add(words, shortTextWords)
		h.quotes = append(h.quotes, quoted)
	}
	return nil
}

// add adds the words of a text, which is found whole if it has at least so many words. A text of
// fewer than [shortTextWords] has no run.
func (h *Hidden) add(words []string, fewest int) {
	if len(words) >= fewest {
		h.whole[h.hash(words)] = true
	}
	for i := 0; i+shortTextWords <= len(words); i++ {
		h.runs[h.hash(words[i:i+shortTextWords])] = true
	}
}

func (h *Hidden) hash(words []string) uint64 {
	var hash maphash.Hash
	hash.SetSeed(h.seed)
	for _, word := range words {
		_, _ = hash.WriteString(word) // never fails
		_ = hash.WriteByte(0)
	}
	return hash.Sum64()
}

// IsEmpty reports whether nothing is left out.
func (h *Hidden) IsEmpty() bool {
	return h == nil || h.forgotten.IsEmpty() && len(h.runs) == 0 && len(h.whole) == 0
}

// Hides reports whether a field is left out. heading is the heading path above it.
func (h *Hidden) Hides(text string, heading []string) bool {
	if text = strings.TrimSpace(text); text == "" || h.IsEmpty() {
		return false
	}
	key := fieldKey{text, strings.Join(heading, "\x00")}
	h.mu.Lock()
	hides, known := h.known[key]
	h.mu.Unlock()
	if known {
		return hides
	}
	hides = h.repeats(text, heading)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.known) >= maxFields {
		clear(h.known)
	}
	h.known[key] = hides
	return hides
}

// HidesMemory reports whether a memory of another index is left out, because it repeats a hidden
// text. With onlyCopies it must be a copy of one.
func (h *Hidden) HidesMemory(m memory.Memory, onlyCopies bool) bool {
	if !onlyCopies || h.IsEmpty() {
		return h.Hides(m.Text, m.Heading)
	}
	return h.isWhole(wording.Words(m.Text)) || h.isMarked(m.Text, m.Heading) ||
		slices.ContainsFunc(h.quotes, func(quoted string) bool { return chunker.QuoteFits(quoted, m.Text) })
}

// repeats reports whether a field, or one of its paragraphs, lines and sentences, is a hidden
// text, or whether words of it are.
func (h *Hidden) repeats(text string, heading []string) bool {
	words := wording.Words(text)
	for i := 0; len(h.runs) > 0 && i+shortTextWords <= len(words); i++ {
		if h.runs[h.hash(words[i:i+shortTextWords])] {
			return true
		}
	}
	if h.isWhole(words) || h.isMarked(text, heading) {
		return true
	}
	for _, paragraph := range paragraphEnd().Split(text, -1) {
		pieces := append(strings.Split(paragraph, "\n"), paragraph)
		for start, end := range lang.Sentences(paragraph) {
			pieces = append(pieces, paragraph[start:end])
		}
		if slices.ContainsFunc(pieces, func(piece string) bool {
			return piece != text && (h.isMarked(piece, heading) || h.isWhole(wording.Words(piece)))
		}) {
			return true
		}
	}
	return false
}

var (
	// paragraphEnd matches the blank lines after a paragraph.
	paragraphEnd = lazyregexp.New(`\n[ \t]*\n\s*`)

	// inset matches what a text contains beside its words: a comment, the text of an image, the
	// title of a link, a tag. It captures what is inside.
	inset = lazyregexp.New(`(?s)<!--(.*?)-->|!\[([^\]\n]*)|\](?:\(|:)[^()\n]*?[ \t]["'(]([^"'()\n]*)["')]\)?|<([A-Za-z][^<>\n]*)>`)
)

// isWhole reports whether words are those of a hidden text.
func (h *Hidden) isWhole(words []string) bool { return len(h.whole) > 0 && h.whole[h.hash(words)] }

// isMarked reports whether a string has the mark of a forgotten text. A short one counts where
// it is forgotten: under the same heading, or under none.
func (h *Hidden) isMarked(text string, heading []string) bool {
	if text = strings.TrimSpace(text); text == "" || h.forgotten.IsEmpty() {
		return false
	}
	var f memory.Fingerprint
	if h.fingerprint != nil {
		f = h.fingerprint(text)
	}
	return h.forgotten.Contains(f, text, heading) || len(heading) > 0 && h.forgotten.Contains(f, text, nil)
}

// Field returns a field, or [ellipsis] if it is left out.
func (h *Hidden) Field(text string, heading []string) string {
	if h.Hides(text, heading) {
		return ellipsis
	}
	return text
}

// Message returns a message without the quotes in it that are left out.
func (h *Hidden) Message(message string) string {
	if h.IsEmpty() {
		return message
	}
	parts := strings.Split(message, `"`)
	for i, part := range parts {
		parts[i] = h.Field(part, nil)
	}
	return strings.Join(parts, `"`)
}

// Insets returns a Markdown text with others in place of the comments, tags, texts of images and
// titles of links that are left out. One is if it, or a value in it, repeats a hidden text.
func (h *Hidden) Insets(text string, heading []string, other func(inset string) string) string {
	if h.IsEmpty() || !strings.ContainsAny(text, "<]") {
		return text
	}
	return inset().ReplaceAllStringFunc(text, func(whole string) string {
		fields := inset().FindStringSubmatch(whole)[1:]
		isEnd := func(r rune) bool { return strings.ContainsRune(`;|"'`, r) }
		for part := range strings.FieldsFuncSeq(strings.Join(fields, ""), isEnd) {
			value := part[strings.IndexAny(part, ":=")+1:]
			fields = append(append(fields, part, value), strings.Split(value, ",")...)
		}
		if slices.ContainsFunc(fields, func(field string) bool { return h.Hides(field, heading) }) {
			return other(whole)
		}
		return whole
	})
}

// withoutInset returns what takes the place of an inset in the text of a memory.
func withoutInset(inset string) string {
	switch inset[0] {
	case '!':
		return "![" + ellipsis
	case ']':
		return "](" + ellipsis + ")"
	}
	return ""
}

// Memory leaves out of a memory all that is hidden beside its text. It changes no slice,
// because memories may share them.
func (h *Hidden) Memory(m *memory.Memory) {
	if h.IsEmpty() {
		return
	}
	path := m.Heading
	list := func(fields []string) []string {
		hides := func(field string) bool { return h.Hides(field, path) }
		if !slices.ContainsFunc(fields, hides) {
			return fields
		}
		return slices.DeleteFunc(slices.Clone(fields), hides)
	}
	m.Tags, m.Entities = list(m.Tags), list(m.Entities)
	m.Scope = memory.Scope(h.Field(string(m.Scope), path)) // an empty one would match every scope
	if m.SourceRef != nil && h.Hides(*m.SourceRef, path) {
		m.SourceRef = nil
	}
	for i, heading := range path {
		if h.Hides(heading, path[:i]) {
			m.Heading = slices.Clone(m.Heading)
			m.Heading[i] = ellipsis
		}
	}
	if m.IsProperties && !h.isMarked(m.Text, path) { // else it is itself forgotten, and the request names it
		m.Text = h.properties(m.Text, path)
	}
	if left := h.Insets(m.Text, path, withoutInset); left != m.Text {
		m.Text = strings.TrimSpace(left)
	}
}

// properties returns lines of front matter without the values that are left out.
func (h *Hidden) properties(text string, path []string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		key, value, _ := strings.Cut(line, ": ")
		if slices.ContainsFunc(append(strings.Split(value, ", "), value, line), func(part string) bool { return h.Hides(part, path) }) {
			lines[i] = key + ": " + ellipsis
		}
	}
	return strings.Join(lines, "\n")
}
