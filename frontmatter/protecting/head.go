package protecting

import (
	"bytes"
	"cmp"
	"strings"
)

// Mark is what looks like a mark that protects.
type Mark struct {
	*Key
	Line int  // line breaks before it
	Sure bool // in front matter: it has a value that protects
	// Loose reports that front matter has no separator between this key and its value.
	Loose bool
	// Start and End are its bytes in a text. A backslash before Start makes it a text.
	Start, End int
}

// InHead returns the lines of front matter that look like a mark. With anyValue, a value
// may have several words, because the text is front matter in any case.
func InHead(raw []byte, anyValue bool) (found []Mark) {
	n := -1
	for line := range bytes.Lines(raw) {
		n++
		if len(line) > maxLine {
			continue
		}
		text := strings.TrimSpace(fold(string(line)))
		if strings.HasPrefix(text, "#") {
			continue
		}
		for _, m := range headLine(text, anyValue) {
			m.Line = n
			found = append(found, m)
		}
	}
	return found
}

// maxLine is the length in bytes of the longest line that may be a mark.
const maxLine = 1 << 16

// headLine returns the marks of a line in YAML, TOML or JSON, valid or not.
func headLine(text string, anyValue bool) (found []Mark) {
	if k := flag(text, true); k != nil {
		return []Mark{{Key: k}}
	}
	if at := strings.Index(text, " #"); at >= 0 {
		text = text[:at]
	}
	if k, value := loosePair(text, anyValue); k != nil && !strings.ContainsAny(text, ":=") {
		return []Mark{{Key: k, Sure: k.isSure(value), Loose: true}}
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("{},;", r) }) {
		if k, value := valuedPair(part, ":=", anyValue); k != nil {
			found = append(found, Mark{Key: k, Sure: k.isSure(value)})
		} else if k, value := loosePair(part, false); k != nil {
			found = append(found, Mark{Key: k, Sure: k.isSure(value), Loose: true})
		}
	}
	if k := keyAnywhere(text); len(found) == 0 && anyValue && k != nil {
		found = append(found, Mark{Key: k, Loose: true})
	}
	return found
}

// InKey returns the key that a key of an entry names together with its value, such as
// "private:true", or nil.
func InKey(text string) *Key {
	key, value := firstWord(fold(text))
	if k := Find(key, value); k != nil && !k.Denial(value) {
		return k
	}
	return nil
}

// maxNote is the number of words up to which a comment is a note that a person left. In a
// longer one, only a key with a value is a mark.
const maxNote = 12

// InComment returns the key that a part of a comment names, if it is outside the grammar of
// annotations, or nil. A comment whose end is missing has the mark on its first line.
func InComment(part, comment string) *Key {
	isNote := len(strings.Fields(comment)) <= maxNote
	text := strings.TrimSpace(fold(part))
	if first, _, more := strings.Cut(text, "\n"); more {
		text += ";" + first
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == ',' }) {
		if k := pair(part, ":=", false); k != nil {
			return k
		}
		if k := remark(part); k != nil && isNote {
			return k
		}
	}
	return nil
}

// InWords returns the key that a value of several words names, or nil. Its separator from
// another key was forgotten, or is another one.
func InWords(value string) *Key {
	if !strings.ContainsAny(value, ", \t") {
		return nil
	}
	return cmp.Or(InComment(value, value), keyAnywhere(fold(value)))
}

// Anywhere returns the key that a text names at any place, or nil. The text is an
// annotation with a mistake.
func Anywhere(text string) *Key {
	text = fold(text)
	if k := keyAnywhere(text); k != nil {
		return k
	}
	for word := range strings.FieldsFuncSeq(text, isGap) {
		if k := flag(word, true); k != nil {
			return k
		}
	}
	return nil
}

// joined moves a separator to its key.
var joined = strings.NewReplacer(" :", ":", " =", "=")

// keyAnywhere returns the first key with a separator behind it, or nil.
func keyAnywhere(text string) *Key {
	for word := range strings.FieldsFuncSeq(joined.Replace(text), isGap) {
		key, _, valued := cutSeparator(word, ":=")
		if k := named(key); k != nil && valued {
			return k
		}
	}
	return nil
}

// isGap reports whether a character stands between a key and other words.
func isGap(r rune) bool { return !isLetter(r) && r != ':' && r != '=' }
