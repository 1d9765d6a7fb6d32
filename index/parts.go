package index

import (
	"strings"
	"unicode"
)

// unspaced are the scripts that are written without spaces between words, or in
// words too long to be looked for whole: they are found by pairs of characters.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

func isUnspaced(r rune) bool { return r >= 0xe00 && unicode.In(r, unspaced...) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// isUnknownEmoji says that the tokeniser may take r for a letter and not cut there: of
// the emoji it knows only those of 2012.
func isUnknownEmoji(r rune) bool { return r >= 0x1f000 && !isWord(r) }

// indexParts gives what the tokeniser cannot cut out of a text, separated by
// spaces: pairs of characters of unspaced scripts, the words that stand between
// them or beside an emoji without a space, the parts of camelCase and of
// utf8mb4. Most texts have none.
func indexParts(text string) string {
	var b strings.Builder
	for clump := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWord(r) && !isUnknownEmoji(r) }) {
		glued := strings.ContainsFunc(clump, isUnknownEmoji)
		for word := range strings.FieldsFuncSeq(clump, isUnknownEmoji) {
			addWordParts(&b, word, glued)
		}
	}
	return b.String()
}

func addWordParts(b *strings.Builder, word string, glued bool) {
	runs := splitByScript(word)
	for _, run := range runs {
		if isUnspaced(first(run)) {
			for _, pair := range bigrams(run) {
				add(b, pair)
			}
			continue
		}
		if glued || len(runs) > 1 {
			add(b, run)
		}
		for _, part := range subwords(run) {
			add(b, part)
		}
	}
}

func add(b *strings.Builder, part string) {
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(part)
}

// splitByScript cuts a word where an unspaced script begins or ends.
func splitByScript(word string) (runs []string) {
	from, was := 0, false
	for i, r := range word {
		is := isUnspaced(r) || was && unicode.IsMark(r)
		if i > from && is != was {
			runs = append(runs, word[from:i])
			from = i
		}
		was = is
	}
	return append(runs, word[from:])
}

// bigrams gives every two neighbouring characters, and the last one alone, so that
// each character begins something that can be looked for.
func bigrams(run string) (out []string) {
	rs := []rune(run)
	for i := range rs {
		out = append(out, string(rs[i:min(i+2, len(rs))]))
	}
	return out
}

// subwords cuts camelCase and utf8mb4 into their parts, of two characters and
// more; a word that has no parts gives none.
func subwords(word string) (out []string) {
	rs := []rune(word)
	from := 0
	for i := 1; i < len(rs); i++ {
		next := i+1 < len(rs) && unicode.IsLower(rs[i+1])
		camel := unicode.IsUpper(rs[i]) && (unicode.IsLower(rs[i-1]) || unicode.IsUpper(rs[i-1]) && next)
		if camel || unicode.IsNumber(rs[i]) != unicode.IsNumber(rs[i-1]) {
			out = append(out, string(rs[from:i]))
			from = i
		}
	}
	if from == 0 {
		return nil
	}
	out = append(out, string(rs[from:]))
	kept := out[:0]
	for _, p := range out {
		if len(p) > 1 {
			kept = append(kept, p)
		}
	}
	return kept
}
