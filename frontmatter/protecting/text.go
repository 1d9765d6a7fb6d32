package protecting

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// enclosure is what other programs put around a mark in a text.
type enclosure struct {
	open, close string // open without blanks
	separators  string
	remarks     bool // it holds words that nobody else reads
}

// enclosures lists what may be around a mark.
var enclosures = readEnclosures()

//go:embed enclosures.txt
var enclosureTable string

func readEnclosures() (all []enclosure) {
	for line := range strings.Lines(enclosureTable) {
		if c := strings.Split(strings.TrimRight(line, "\n"), "\t"); line[0] != '#' {
			all = append(all, enclosure{open: c[0], close: c[1], separators: c[2], remarks: c[3] != ""})
		}
	}
	return all
}

// openers are the first characters of an enclosure, in a text.
const openers = "<＜&%％[(（［!！"

// maxMark limits the bytes of a mark in a text.
const maxMark = 300

// sign matches what a text with a mark has.
var sign = lazyregexp.New(`%%|::|&lt|&#|\]:|<[-–—]|!-|<[ \t]!|[＜！％：]|<!(?:[^-]|-[^-])`)

// MayHave reports quickly whether a text may have a mark.
func MayHave(text string) bool {
	return strings.ContainsAny(text, "<:％：＜！&!%") && sign().MatchString(text)
}

// InText returns what looks like a mark in a text of Markdown, in order. Some may be
// behind backslashes. The caller leaves out code.
func InText(text string) (found []Mark) {
	if !MayHave(text) {
		return nil
	}
	line, start := 0, 0
	for l := range strings.SplitAfterSeq(text, "\n") {
		for _, m := range inLine(strings.TrimRight(l, "\r\n")) {
			m.Line, m.Start, m.End = line, m.Start+start, m.End+start
			found = append(found, m)
		}
		line, start = line+1, start+len(l)
	}
	return found
}

func inLine(line string) (found []Mark) {
	if m, ok := property(line); ok {
		return []Mark{m}
	}
	for at := 0; at < len(line); {
		n := strings.IndexAny(line[at:], openers)
		if n < 0 {
			break
		}
		at += n
		if strings.HasPrefix(line[at:], "<!--") {
			at += len("<!--") // inside the grammar
			continue
		}
		m, ok := enclosed(line[at:min(len(line), at+maxMark)])
		if !ok {
			_, size := utf8.DecodeRuneInString(line[at:])
			at += size
			continue
		}
		m.Start, m.End = at, at+m.End
		found = append(found, m)
		at = m.End
	}
	return found
}

// property returns the mark of a line "key:: value", as Logseq writes it. It begins at
// its separator.
func property(line string) (m Mark, ok bool) {
	at := strings.IndexAny(line, ":：")
	if at < 0 {
		return m, false
	}
	key, rest := fold(strings.Trim(strings.TrimRight(line[:at], `\`), " \t-*+>")), fold(line[at:])
	if !strings.HasPrefix(rest, "::") || key == "" || strings.IndexFunc(key, func(r rune) bool { return !isLetter(r) }) >= 0 {
		return m, false
	}
	k := pair(key+rest, "::", false)
	return Mark{Key: k, Start: at, End: len(line)}, k != nil
}

// enclosed returns the mark at the start of a text.
func enclosed(text string) (m Mark, ok bool) {
	plain := fold(text)
	for _, e := range enclosures {
		n := openLen(plain, e.open)
		if n == 0 {
			continue
		}
		length := strings.Index(plain[n:], e.close)
		if length < 0 || strings.Contains(plain[n:n+length], "<") {
			continue
		}
		content := strings.Trim(plain[n:n+length], " \t-")
		k := pair(content, e.separators, false)
		if k == nil && e.remarks {
			k = InComment(content, content)
		}
		if k != nil {
			end := n + length + len(e.close)
			return Mark{Key: k, End: rawLen(text, end)}, true
		}
	}
	return m, false
}

// openLen returns the length of an opening at the start of a text, with blanks between its
// characters, or 0.
func openLen(text, open string) (n int) {
	for i := range len(open) {
		rest := strings.TrimLeft(text[n:], " \t")
		if i == 0 {
			rest = text
		}
		if rest == "" || rest[0] != open[i] {
			return 0
		}
		n = len(text) - len(rest) + 1
	}
	return n
}

// rawLen returns how many bytes of a text fold to at least n bytes.
func rawLen(text string, n int) int {
	for i := range text {
		if len(fold(text[:i])) >= n {
			return i
		}
	}
	return len(text)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || r == '_' }

//go:embed words.txt
var wordTable string

// words returns other words for keys, and what looks like a key with a value, and means
// something else.
var words = sync.OnceValues(readWords)

// isOther reports whether two words look like a key with a value, and mean something else.
func isOther(first, second string) bool {
	_, others := words()
	return others[first+" "+second]
}

func readWords() (meanings map[string]string, others map[string]bool) {
	meanings, others = map[string]string{}, map[string]bool{}
	for line := range strings.Lines(wordTable) {
		switch kind, rest, _ := strings.Cut(strings.TrimSpace(line), " "); kind {
		case "means":
			key, word, _ := strings.Cut(rest, " ")
			meanings[word] = key
		case "other":
			others[rest] = true
		}
	}
	return meanings, others
}

// joinedWord returns a word without the signs between its parts.
func joinedWord(word string) string { return strings.NewReplacer("_", "", "-", "").Replace(word) }
