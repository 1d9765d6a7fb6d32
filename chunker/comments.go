package chunker

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
)

// annotator reads annotations into blocks, and notes those that it cannot use.
type annotator struct {
	zone  *time.Location // for dates without a time zone; nil: UTC
	notes []note         // since the last call of faults
}

// note is what is wrong with an annotation of a comment.
type note struct{ comment, message string }

// HasAnnotation reports whether a file with the text would have an annotation in one of
// its comments. [Bullet] makes it part of the text.
func HasAnnotation(text string) bool { return isAnnotation(text) }

// isAnnotation reports whether any comment of a text holds an annotation.
func isAnnotation(text string) bool {
	return new(annotator).applyComments(&memory.Block{}, text)
}

// applyComments adds the annotations of every comment of a text to b and
// reports whether it found any.
func (a *annotator) applyComments(b *memory.Block, text string) bool {
	known := false
	for _, c := range findComments(text) {
		known = a.applyComment(b, text[c.Start:c.End]) || known
	}
	return known
}

// privateWord matches private anywhere in a comment, startsPrivate at its start.
var (
	privateWord   = regexp.MustCompile(`(?i)\bprivate\b`)
	startsPrivate = regexp.MustCompile(`(?i)^\W*private\b`)
	// userWord matches user with a value anywhere in a comment.
	userWord = regexp.MustCompile(`(?i)\buser[ \t]*[:=]`)
)

// applyComment adds the annotations of a comment to b: "key: value" pairs
// between semicolons. It reports whether it knows any key. Comments with other
// keys belong to other tools. A comment with a mistake that contains the word
// private makes the block private.
func (a *annotator) applyComment(b *memory.Block, comment string) bool {
	known, noted := false, len(a.notes)
	body := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->"), "-")
	for pair := range strings.SplitSeq(body, ";") {
		ours, err := a.applyPair(b, pair)
		if plain := norm.NFKC.String(pair); !ours && err == nil && plain != pair {
			if ours, err = a.applyPair(b, plain); ours && err == nil {
				err = errors.New("it has full-width characters; write it with plain ones: <!-- " + shorten(plain) + " -->")
			}
		}
		if err != nil {
			a.notes = append(a.notes, note{comment, err.Error()})
		}
		known = known || ours
	}
	if len(a.notes) > noted && b.Annotations.Private == nil && privateWord.MatchString(body) {
		b.Annotations.Private = ptr(true)
		known = true
	}
	if len(a.notes) > noted && b.Annotations.User == "" && userWord.MatchString(body) {
		b.Annotations.User = memory.NobodyUser
		known = true
	}
	return known
}

func ptr[T any](v T) *T { return &v }

// applyPair adds one annotation to b. ours reports that its key is known.
func (a *annotator) applyPair(b *memory.Block, pair string) (ours bool, err error) {
	key, value, valued := cutPair(pair)
	k, known := annotationKeys[key]
	switch {
	case known && (valued || k.flag):
		if err := k.read(a, b, value); err != nil {
			return true, fmt.Errorf("%s: %w", key, err)
		}
		return true, nil
	case known && !k.free:
		return false, fmt.Errorf("%s has no value; write it as <!-- %s: … -->", key, key)
	case startsPrivate.MatchString(pair):
		b.Annotations.Private = ptr(true)
		return true, errors.New("treated as private; write it as <!-- private -->, with a semicolon before other annotations")
	case key == "user" && !valued, !known && !valued && startsUser.MatchString(pair):
		return true, a.applyUserWords(b, pair)
	case !known && !valued:
		if ours, err := a.applyNearWord(b, key); ours {
			return true, err
		}
		if a.applyWords(b, pair) {
			return true, nil
		}
		return a.applyProtectingWord(b, pair)
	case known:
		return false, nil
	}
	return a.applySuggested(b, key, value)
}

// cutPair splits a pair at its colon, or at an equals sign behind a key.
func cutPair(pair string) (key, value string, valued bool) {
	for _, separator := range []string{":", "="} {
		before, after, found := strings.Cut(pair, separator)
		key = strings.ToLower(strings.Trim(before, " \t\r\n@"))
		key = strings.ReplaceAll(key, "-", "_")
		if _, known := annotationKeys[key]; known && found {
			return key, strings.TrimSpace(after), true
		}
	}
	before, after, found := strings.Cut(pair, ":")
	return strings.ToLower(strings.TrimSpace(before)), strings.TrimSpace(after), found
}

// applyWords reads an annotation without a colon, such as "tier hot", if its
// value is valid. Other words are a comment of a person.
func (a *annotator) applyWords(b *memory.Block, pair string) bool {
	words := strings.Fields(pair)
	if len(words) != 2 {
		return false
	}
	k, known := annotationKeys[strings.ToLower(words[0])]
	if !known || k.free || k.read(a, &memory.Block{}, words[1]) != nil {
		return false
	}
	return k.read(a, b, words[1]) == nil
}

// applyNearWord reports a comment of one word that probably misspells a flag, or is
// a trust tier without its key. If it protects, it applies.
func (a *annotator) applyNearWord(b *memory.Block, word string) (ours bool, err error) {
	word = strings.Trim(word, " \t\r\n@.!-")
	if word == "" || strings.ContainsAny(word, " \t\n") {
		return false, nil
	}
	if t, _ := memory.ReadTrust(word); t == memory.TrustQuarantined || word == string(memory.TrustUntrusted) {
		_ = readTrust(a, b, string(t))
		return true, fmt.Errorf("treated as %s; write it as <!-- trust: %s -->", t, t)
	}
	switch meant := memory.SuggestKey(word, annotationNames); {
	case meant == "private":
		b.Annotations.Private = ptr(true)
		return true, errors.New("treated as private; write it as <!-- private -->")
	case annotationKeys[meant].flag:
		return true, fmt.Errorf("unknown word %q; do you mean <!-- %s -->?", word, meant)
	}
	return false, nil
}

// maxRemark is the number of words up to which a comment may declare private in a
// sentence: "pinned and private", "please keep this private".
const maxRemark = 6

// applyProtectingWord reports a comment of a few words that ends with one that protects.
// It applies. "the private key" and "not private" declare nothing.
func (a *annotator) applyProtectingWord(b *memory.Block, remark string) (ours bool, err error) {
	words := strings.FieldsFunc(strings.ToLower(remark), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",.!+&/()", r) })
	if len(words) > maxRemark {
		return false, nil
	}
	for len(words) > 0 && (slices.Contains(remarkWords, words[len(words)-1]) || annotationKeys[words[len(words)-1]].flag && words[len(words)-1] != "private") {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || len(words) > 1 && slices.Contains(denials, words[len(words)-2]) {
		return false, nil
	}
	switch word := words[len(words)-1]; word {
	case "private":
		b.Annotations.Private = ptr(true)
		return true, errors.New("treated as private; write it as <!-- private -->, with a semicolon before other annotations")
	case string(memory.TrustQuarantined), string(memory.TrustUntrusted):
		_ = readTrust(a, b, word)
		return true, fmt.Errorf("treated as %s; write it as <!-- trust: %s -->, with a semicolon before other annotations", word, word)
	}
	return false, nil
}

var (
	// remarkWords may follow a word that protects.
	remarkWords = []string{"and", "und", "et", "y", "also", "too", "please", "bitte"}
	// denials before a word that protects deny it.
	denials = []string{"not", "no", "never", "longer", "isn't", "nicht", "pas"}
)

// applySuggested reports a key that probably misspells one of ours. If its value
// hides the block or trusts it less, it applies.
func (a *annotator) applySuggested(b *memory.Block, key, value string) (ours bool, err error) {
	meant := memory.SuggestKey(key, annotationNames)
	if meant == "" && memory.MeansUser(key, value) {
		meant = "user"
	}
	if meant == "" {
		return false, nil
	}
	if meant == "user" {
		_ = readUser(a, b, value)
	}
	if meant == "private" || meant == "trust" {
		var one memory.Block
		_ = annotationKeys[meant].read(a, &one, value) // an invalid value protects as well
		if d := one.Annotations; d.Trust != "" && d.Trust != memory.TrustTrusted || d.Private != nil && *d.Private {
			_ = annotationKeys[meant].read(a, b, value)
		}
	}
	return true, fmt.Errorf("unknown key %q; do you mean %s?", key, meant)
}

// annotationNames lists the keys of annotationKeys.
var annotationNames = slices.Sorted(maps.Keys(annotationKeys))

// maxFaults limits the faults of one file. More of them are one mistake, made by
// a program.
const maxFaults = 50

// faults returns what was noted since the last call, with lines. src begins on
// the given line and contains the comments. A comment that applies to no block
// is a fault too.
func (a *annotator) faults(src []byte, line int) (out []memory.Fault) {
	for _, n := range a.notes {
		at := max(bytes.Index(src, []byte(n.comment)), 0)
		out = append(out, memory.Fault{Line: line + bytes.Count(src[:at], []byte("\n")),
			Message: "annotation " + shorten(n.comment) + ": " + n.message})
	}
	a.notes = nil
	return out
}

// Protection returns what the comments of a heading, or of a line outside all memories,
// declare about what is around them.
func Protection(text string) memory.Declared { return new(annotator).noteUnused(text) }

// noteUnused notes the annotations of comments that belong to no block, and returns
// them.
func (a *annotator) noteUnused(text string) memory.Declared {
	a.notes = nil
	var all memory.Block
	for _, c := range findComments(text) {
		comment := text[c.Start:c.End]
		var one memory.Block
		if !new(annotator).applyComment(&one, comment) {
			continue
		}
		message := "it belongs to no memory; write it at the end of a memory's line, or on the next line"
		if protects(one.Annotations) {
			message += "; until then it applies to what is around it"
		}
		a.notes = append(a.notes, note{comment, message})
		protect(&all.Annotations, one.Annotations)
	}
	a.applyUnclosed(&all, text)
	a.applyNearComments(&all, text)
	return all.Annotations
}

// shorten returns a comment on one line, cut for a message.
func shorten(comment string) string {
	s := strings.Join(strings.Fields(comment), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
