package alignment

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/lang"
)

// kind is what a token may be the value of.
type kind uint8

const (
	isPlain  kind = 1 << iota // an ordinary word
	isNumber                  // a number, time, version, address or code
	isDay                     // a weekday, a month, or a number beside it
	isName                    // a word with a capital letter inside a sentence
)

// token is a word of a text. In scripts without spaces it is a character, a number or a run
// of Latin letters.
type token struct {
	word    string // in small letters, without the punctuation around it
	stem    uint64 // a hash, by which words are compared
	kind    kind
	roles   role
	begins  bool // a comma, a full stop or a bracket comes before it
	labels  bool // a colon comes after it
	alone   bool // nothing or a mark comes before it, and a mark after it
	counts  bool // it is no article, for example
	salient bool // it alone changes what a text is about
	capital bool // it has a capital letter at the beginning of a sentence: it may be a name
}

// split reads the tokens of a text. Without tables, words have no roles.
func split(text string, t *lists) []token {
	s := splitter{lists: t, tokens: make([]token, 0, strings.Count(text, " ")+1), sentence: true}
	for field := range strings.FieldsSeq(text) {
		s.readField(field)
	}
	for i := range s.tokens {
		beside := func(k int) bool { return k >= 0 && k < len(s.tokens) && s.tokens[k].roles&month != 0 }
		if of := i+1 < len(s.tokens) && s.tokens[i+1].roles&link != 0; s.tokens[i].kind == isNumber && mayBeDate(s.tokens[i].word) && (beside(i-1) || beside(i+1) || of && beside(i+2)) {
			s.tokens[i].kind = isDay
		}
	}
	return s.tokens
}

// mayBeDate reports whether a number beside a month is its day: "95" is none.
func mayBeDate(word string) bool {
	n, err := strconv.Atoi(word)
	return err != nil || n <= 31
}

type splitter struct {
	*lists
	tokens   []token
	breaks   bool // see token.begins
	sentence bool // a sentence begins here
}

// readField reads what stands between two spaces.
func (s *splitter) readField(field string) {
	switch {
	case isLowerASCII(field): // most words
		s.add(field)
		return
	case strings.ContainsFunc(field, lang.IsEastAsian):
		s.readRun(field)
		return
	}
	word := trimPunctuation(field)
	s.breaks = s.breaks || field[0] == '('
	if word == "" {
		return
	}
	if first, rest, cut := strings.Cut(word, "'"); cut && rest != "" && len(first) == 1 && strings.Contains("lLdDnNcCqQjJsSmMtT", first) {
		if first == "n" || first == "N" {
			s.add("ne")
		}
		word = rest // French: "l'équipe"
	}
	s.add(word)
	s.endWord(field)
}

// endWord notes the punctuation after a word. After "Dr." and "1." the sentence goes on.
func (s *splitter) endWord(field string) {
	last := &s.tokens[len(s.tokens)-1]
	mark, _ := utf8.DecodeLastRuneInString(field)
	last.alone = (last.begins || len(s.tokens) == 1) && strings.ContainsRune(".,;:!?。，、；：！？", mark)
	switch {
	case mark == ':' || mark == '：':
		last.labels = true
	case mark == '.' && (len(last.word) <= 3 || last.kind == isNumber), !strings.ContainsRune(".,;)!?。，、；！？", mark):
		return
	default:
		s.breaks, s.sentence = true, strings.ContainsRune(".!?。！？", mark)
	}
}

// readRun reads a field of a script without spaces.
func (s *splitter) readRun(field string) {
	for field != "" {
		r, size := utf8.DecodeRuneInString(field)
		if !isNumeral(r) && unicode.IsLetter(r) && !lang.IsEastAsian(r) {
			size = prefixLength(field, func(r rune) bool { return unicode.IsLetter(r) && !lang.IsEastAsian(r) || unicode.IsDigit(r) })
		} else if isNumeral(r) {
			size = prefixLength(field, func(r rune) bool { return isNumeral(r) || strings.ContainsRune(".,:年月日号時时点分", r) })
			size = len(strings.TrimRight(field[:size], ".,:"))
		}
		if word := trimPunctuation(field[:size]); word != "" {
			s.add(word)
		} else if len(s.tokens) > 0 {
			s.endWord(field[:size])
		}
		field = field[size:]
	}
}

func prefixLength(s string, accept func(rune) bool) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return !accept(r) }); n >= 0 {
		return n
	}
	return len(s)
}

// add adds a word as it is written.
func (s *splitter) add(word string) {
	t := token{word: word, kind: isPlain, begins: s.breaks}
	if !isLowerASCII(word) {
		t.word = strings.ToLower(word)
	}
	t.stem = hash(hashSeed, lightStem(t.word))
	isFirst := s.sentence
	s.breaks, s.sentence = false, false
	if s.lists != nil {
		t.roles = s.rolesOf(t.word)
	}
	first, _ := utf8.DecodeRuneInString(word)
	if t.roles&short != 0 && (isFirst || !unicode.IsUpper(first)) {
		t.roles &^= day | month | short
	}
	switch {
	case t.roles&(day|month) != 0:
		t.kind = isDay
	case t.roles&number != 0, strings.ContainsFunc(word, func(r rune) bool { return unicode.IsDigit(r) }), isNumeral(first):
		t.kind = isNumber
	case unicode.IsUpper(first) && !isFirst:
		t.kind = isName
	}
	isAcronym := len(word) > 1 && word != t.word && word == strings.ToUpper(word) // "IT" and "it"
	t.capital = isFirst && unicode.IsUpper(first)
	t.salient = t.kind != isPlain || isAcronym || lang.IsEastAsian(first) || !unicode.IsLetter(first) || t.roles&(contrast|negation) != 0 || strings.ContainsFunc(word, isSymbol)
	t.counts = isAcronym || lang.IsEastAsian(first) || t.roles&(filler|definite) == 0
	s.tokens = append(s.tokens, t)
}

// trimPunctuation removes the punctuation around a word. A dash or the bar of a table alone
// leaves nothing.
func trimPunctuation(field string) string {
	field = strings.ReplaceAll(strings.TrimFunc(field, isPunctuation), "’", "'")
	if strings.TrimLeft(field, "-–—|") == "" {
		return ""
	}
	return field
}

func isPunctuation(r rune) bool {
	return strings.ContainsRune(`.,;:!?…。，；：！？、"'()[]{}*_“”„«»「」‘’¿¡（）`, r)
}

func isNumeral(r rune) bool {
	return unicode.IsDigit(r) || strings.ContainsRune("〇一二三四五六七八九十百千万亿億两", r)
}

// isLowerASCII is the quick test that most words pass.
func isLowerASCII(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// isSymbol reports whether r occurs in numbers, paths and operators, but not in ordinary words.
func isSymbol(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' && r != '–' && r != '\''
}

// lightStem removes the most frequent endings of English words.
func lightStem(w string) string {
	const shortest = 4 // characters: a shorter stem may be another word's
	for _, ending := range [...]string{"'s", "ing", "ed", "es", "s"} {
		if stem, found := strings.CutSuffix(w, ending); found && utf8.RuneCountInString(stem) >= shortest {
			return strings.TrimSuffix(stem, "e")
		}
	}
	return strings.TrimSuffix(w, "e")
}

// hashSeed and hash are FNV-1a, written out because every word of every candidate goes
// through it.
const (
	hashSeed  uint64 = 14695981039346656037
	hashPrime uint64 = 1099511628211
)

func hash(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * hashPrime
	}
	return h
}
