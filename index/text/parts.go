package text

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// unspaced are the scripts without spaces between words, or with words too long to
// search for whole. Their texts are found by bigrams.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// longVowel is a character of Katakana and Hiragana alike, so Unicode gives it to neither.
const longVowel = 'ー'

func isUnspaced(r rune) bool { return r >= 0xe00 && (r == longVowel || unicode.In(r, unspaced...)) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// isEmoji reports whether FTS5 may take r for a letter and not cut there. It knows
// the emoji of 2012 only.
func isEmoji(r rune) bool { return r >= 0x1f000 && !isWord(r) }

// Parts returns the searchable parts of a text that the tokenizer does not cut out,
// separated by spaces. These are bigrams of unspaced scripts, and words next to
// these or to an emoji without a space. They are also the parts of camelCase and
// utf8mb4, the usual forms of full-width words, German words without umlauts, and the
// words of emoji. Most texts have none.
func Parts(text string) string {
	var b strings.Builder
	for cluster := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWord(r) && !isEmoji(r) }) {
		joined := strings.ContainsFunc(cluster, isEmoji)
		if usual, ok := usualWidth(cluster); ok {
			cluster, joined = usual, true
		}
		for word := range strings.FieldsFuncSeq(cluster, isEmoji) {
			addParts(&b, word, joined)
		}
	}
	for _, word := range symbolWords(text) {
		addPart(&b, word)
	}
	return b.String()
}

// addParts adds the parts of one word. A word without spaces around it, next to an
// emoji or another script, is a part itself.
func addParts(b *strings.Builder, word string, joined bool) {
	runs := splitByScript(word)
	for _, run := range runs {
		if isUnspaced(firstRune(run)) {
			for _, pair := range bigrams(run) {
				addPart(b, pair)
			}
			continue
		}
		if joined || len(runs) > 1 {
			addPart(b, run)
		}
		if spelled, ok := withoutUmlauts(run); ok {
			addPart(b, spelled)
		}
		for _, part := range subwords(run) {
			addPart(b, part)
		}
	}
}

func addPart(b *strings.Builder, part string) {
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(part)
}

// splitByScript cuts a word where an unspaced script begins or ends.
func splitByScript(word string) (runs []string) {
	start, wasUnspaced := 0, false
	for i, r := range word {
		nowUnspaced := isUnspaced(r) || wasUnspaced && unicode.IsMark(r)
		if i > start && nowUnspaced != wasUnspaced {
			runs = append(runs, word[start:i])
			start = i
		}
		wasUnspaced = nowUnspaced
	}
	return append(runs, word[start:])
}

// bigrams returns every pair of adjacent characters, and the last character alone, so
// that each character begins a token.
func bigrams(run string) (pairs []string) {
	runes := []rune(run)
	for i := range runes {
		pairs = append(pairs, string(runes[i:min(i+2, len(runes))]))
	}
	return pairs
}

// subwords cuts camelCase and utf8mb4 into their parts. It drops parts of one byte.
// A word without a boundary has no parts.
func subwords(word string) []string {
	runes := []rune(word)
	var parts []string
	start := 0
	for i := 1; i < len(runes); i++ {
		nextIsLower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		camel := unicode.IsUpper(runes[i]) && (unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && nextIsLower)
		if camel || unicode.IsNumber(runes[i]) != unicode.IsNumber(runes[i-1]) {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	if start == 0 {
		return nil
	}
	parts = append(parts, string(runes[start:]))
	long := parts[:0]
	for _, p := range parts {
		if len(p) > 1 {
			long = append(long, p)
		}
	}
	return long
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// joinedCode matches a series with a number right behind it, such as E4471 or RAL5014. A
// shorter number makes a word: sha256, h264.
var joinedCode = lazyregexp.New(`^([a-z]{1,10})(\d{4,})$`)

// splitCode lets a code that the index does not contain match its two parts in a row, as in
// E-4471 and RAL 5014.
func splitCode(ctx context.Context, v Vocabulary, t *Term) error {
	parts := joinedCode().FindStringSubmatch(t.Literal)
	if parts == nil || len(t.Tokens) != 1 {
		return nil
	}
	var longer []string
	err := v.EachWithPrefix(ctx, t.Tokens[0], func(token string, _ int) { longer = append(longer, token) })
	for _, token := range append(longer, t.Tokens[0]) {
		if err != nil {
			return err
		}
		var known bool
		if known, err = v.Contains(ctx, token); known {
			return err
		}
	}
	if err == nil {
		t.Text, t.Tokens = parts[1]+" "+parts[2], parts[1:]
	}
	return err
}
