package secrets

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
)

// word is a word of a sentence, or a mark of punctuation that leads to a value.
type word struct {
	span
	text   string
	role   role
	digits int  // of a number that is no date, time, amount or version
	mixed  int  // length, if it has letters and also digits or symbols
	quoted bool // it begins a quotation
	ends   bool // a part of the sentence ends behind it
}

// is reports whether the word has one of some roles.
func (w word) is(r role) bool { return w.role&r != 0 }

// sentence is the words of a sentence, and of the list below it.
type sentence []word

// has reports whether one of the words has one of some roles.
func (s sentence) has(r role) bool {
	return slices.ContainsFunc(s, func(w word) bool { return w.is(r) })
}

var (
	// wordPattern matches a run of Chinese or Japanese characters, an address, a time, a word,
	// or a mark of punctuation.
	wordPattern = lazyregexp.New(`[\p{Han}\p{Hiragana}\p{Katakana}ー]+|[\w+.-]+://[^\s"'<>]+|\d?\d:\d\d\b|'s\b|[:=→>|(]|[-–—]\s|/\s|[,;)!?、。}]|["'“„«「『*` + "`" + `]|` +
		`[$#+~<{/€£.-]*[\p{L}\p{N}][^\s:=|,;()\[\]{}<>"“”„«»「」『』、。《》` + "`" + `'\p{Han}\p{Hiragana}\p{Katakana}ー]*`)

	// otherThing matches a variable, an address, a path, a date, a number that has a unit, or a version.
	otherThing = lazyregexp.New(`^[$<{/~+#€£]|://|@.+\.|^\d{4}-\d\d-\d\d$|^v?\d+(?:[.,:/]\d+)+$|[%€]$`)
)

// sentences returns the sentences of a text that may be about a secret.
func sentences(f folded) []sentence {
	marks := words().marks(f.low)
	if !slices.ContainsFunc(marks, func(m mark) bool { return m.role&(nouns|key|opens|account) != 0 }) {
		return nil
	}
	return readSentences(f, marks)
}

// readSentences reads the sentences of a text in which some words are marked.
func readSentences(f folded, marks []mark) (all []sentence) {
	for from, to := range places(f.text) {
		marks = marksFrom(marks, from)
		if s := readSentence(f.text[:to], from, marks); len(s) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// places yields where the sentences of a text are. A line ends one, but a line that ends with
// a colon is one with the list below it.
func places(text string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for at := 0; at < len(text); {
			line, _, _ := strings.Cut(text[at:], "\n")
			from, to := at, at+len(line)
			if at = to + 1; strings.HasSuffix(strings.TrimRight(line, " \t"), ":") {
				list, _, _ := strings.Cut(text[from:], "\n\n")
				if at = from + len(list) + 1; !yield(from, from+len(list)) {
					return
				}
				continue
			}
			for start, end := range lang.Sentences(text[from:to]) {
				if !yield(from+start, from+end) {
					return
				}
			}
		}
	}
}

// readSentence reads the sentence at the end of a text.
func readSentence(text string, from int, marks []mark) (s sentence) {
	quoted := false
	for _, at := range wordPattern().FindAllStringIndex(text[from:], -1) {
		w := word{span: span{from + at[0], from + at[1]}, quoted: quoted}
		marks = marksFrom(marks, w.from)
		w.text = strings.TrimRight(text[w.from:w.to], " \t\n.!?…/*-")
		if w.text == "" {
			w.text = strings.TrimSpace(text[w.from:w.to])
		}
		w.to = w.from + len(w.text)
		quoted = false
		switch first, _ := utf8.DecodeRuneInString(w.text); {
		case lang.IsCJK(first):
			s = s.cut(w, marks)
		case strings.ContainsAny(w.text[:len(string(first))], ",;)!?、。}"):
			if len(s) > 0 {
				s[len(s)-1].ends = true
			}
		case strings.ContainsRune("\"'“„«「『*`", first) && w.text != "'s":
			quoted = first != '\'' || len(s) == 0 || s[len(s)-1].to < w.from
		case first == '(':
			w.role = as
			s = append(s, w)
		case w.text == "/", unicode.IsLetter(first) || unicode.IsDigit(first) || utf8.RuneCountInString(w.text) > 2:
			w.measure()
			w.role = roleOf(w.span, marks)
			s = append(s, w)
		default:
			w.role = links
			s = append(s, w)
		}
	}
	return s
}

// cut appends the words of a run without blanks. They begin and end where those of a table do.
func (s sentence) cut(run word, marks []mark) sentence {
	for start := run.from; run.from < run.to; {
		w, end := run, run.to
		marks = marksFrom(marks, run.from)
		for _, m := range marks {
			if m.from >= end {
				break
			}
			switch isCount := m.role == unit && m.from > start; {
			case isCount: // "日" alone counts behind a number only
			case m.from > run.from:
				end = m.from
			case m.to < end:
				end = m.to
			}
		}
		w.to, w.text = end, run.text[:end-run.from]
		w.role = roleOf(w.span, marks)
		s, run.text, run.from = append(s, w), run.text[end-run.from:], end
	}
	return s
}

// measure tells what the word looks like as a value.
func (w *word) measure() {
	if otherThing().MatchString(w.text) {
		return
	}
	digits := countDigits(w.text)
	switch letters := strings.IndexFunc(w.text, unicode.IsLetter) >= 0; {
	case !letters && strings.Trim(w.text, "0123456789-#*.") == "":
		w.digits = digits
	case letters && (digits > 0 || strings.Contains(w.text, "-") && strings.ToUpper(w.text) == w.text && !w.isCJK() || strings.ContainsAny(w.text, "#!$%&@*^")):
		w.mixed = utf8.RuneCountInString(w.text)
	}
}

func countDigits(text string) (n int) {
	for _, r := range text {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

func (w word) isCJK() bool { return strings.ContainsFunc(w.text, lang.IsCJK) }
