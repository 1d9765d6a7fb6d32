package similar

import (
	"slices"
	"strings"
)

// Limits of a text whose subject is compared with those of others.
const (
	maxSubject    = 12 // words of the subject; a longer text tells more than one thing
	maxSubjectCJK = 30 // characters, in texts without spaces
	minOwnSubject = 3  // words of a subject that needs no heading
	minLabelled   = 2  // words of a subject of which the last one may be a label: "shoe size 42"
	minExtended   = 3  // words of a subject that another text may have with one word more
)

// reading is a text cut into its subject and its values, so that two texts can be aligned.
// Words of the subject tell what the text is about. Numbers and days between them are values.
// Words such as "is", "the" and "now" are neither.
type reading struct {
	subject []string
	extra   []bool   // whether the text could have the word of its subject more than another one
	values  []string // the values before each word of the subject, and after the last one
	linked  []bool   // whether a word such as "is", or a colon, comes before the values
	denied  bool
	words   string // all words in their order; equal ones are equal texts
}

// readSubject reads a text. A question, and a text of several sentences or none, has no subject.
func readSubject(text string) (r reading) {
	if strings.Contains(text, "\n") || countWords(text) > maxClaimWords || strings.HasSuffix(strings.TrimSpace(text), "?") {
		return r
	}
	isCJK, longest := strings.ContainsFunc(text, isCJK), maxSubject
	if isCJK {
		longest = maxSubjectCJK
	}
	var words []string
	r.values, r.linked = []string{""}, []bool{isCJK}
	fields, lower := claimFields(spaceCJK(text))
	for i, word := range lower {
		at := len(r.subject)
		kind := kindOf(fields[i], word, i == 0)
		words = append(words, word)
		switch effect, n := matchPhrase(lower[i:]); {
		case classOf(word) == negation || strings.HasSuffix(word, "n't"):
			r.denied = !r.denied
		case kind&(number|day) != 0, isCJK && (numCJK.MatchString(word) || i+1 < len(lower) && lower[i+1] == "曜"):
			r.values[at] = strings.TrimSpace(r.values[at] + " " + word)
		case effect&(adds|doubts|ends) != 0:
			return reading{}
		case roleOf(word) == linkWord && r.values[at] != "":
			r.addSubject("is", false, true) // "room 4 is on floor 2": the number before it is no value of it
		case roleOf(word) != 0 || n > 0:
			r.linked[at] = r.linked[at] || r.values[at] == ""
		default:
			r.addSubject(lightStem(claimStem(word)), kind&name == 0 && !strings.HasSuffix(word, "'s"), isCJK || strings.HasSuffix(fields[i], ":"))
		}
	}
	if len(r.subject) > longest {
		return reading{}
	}
	r.words = strings.Join(words, " ")
	return r
}

func (r *reading) addSubject(word string, isExtra, linked bool) {
	r.subject, r.extra = append(r.subject, word), append(r.extra, isExtra)
	r.values, r.linked = append(r.values, ""), append(r.linked, linked)
}

// spaceCJK puts spaces around the characters of scripts that have none, and between them and
// numbers, so that each is a word.
func spaceCJK(text string) string {
	if !strings.ContainsFunc(text, isCJK) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if isCJK(c) {
			b.WriteByte(' ')
			b.WriteRune(c)
			b.WriteByte(' ')
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// key returns what texts with one subject have in common. One word of the subject may be left
// out; -1 leaves out none.
func (r *reading) key(without int) string {
	if without < 0 {
		return strings.Join(r.subject, " ")
	}
	return strings.Join(slices.Concat(r.subject[:without], r.subject[without+1:]), " ")
}

// without returns a reading without one word of its subject.
func (r *reading) without(i int) reading {
	short := *r
	short.subject = slices.Delete(slices.Clone(r.subject), i, i+1)
	short.values = slices.Delete(slices.Clone(r.values), i, i+1)
	short.linked = slices.Delete(slices.Clone(r.linked), i, i+1)
	short.values[i] = strings.TrimSpace(r.values[i] + " " + r.values[i+1])
	short.linked[i] = r.linked[i] || r.linked[i+1]
	return short
}

// disagrees reports whether two texts with one subject cannot both hold, as far as their words
// tell. One denies the other. Or they differ in one value of one kind. That value must come
// after a word such as "is" or at the end: in "room 4 has a lamp" it belongs to the subject.
func (r *reading) disagrees(other *reading) bool {
	at, differ := 0, 0
	for i := range r.values {
		if r.values[i] != other.values[i] {
			at, differ = i, differ+1
		}
	}
	switch {
	case r.denied != other.denied:
		return differ == 0
	case differ != 1 || at == 0:
		return false
	}
	mine, theirs := r.values[at], other.values[at]
	isValue := r.linked[at] && other.linked[at] || at == len(r.subject) && at >= minLabelled
	return isValue && valueKind(mine) == valueKind(theirs)
}

// valueKind returns the kinds of the words of a value; 0 if it has none.
func valueKind(value string) (all kind) {
	for word := range strings.FieldsSeq(value) {
		all |= kindOf(word, word, true)
	}
	return all
}

// swaps reports whether two texts have the same words in another order.
func (r *reading) swaps(other *reading) bool {
	return r.words != other.words && len(r.subject) > 1 && !slices.Equal(r.subject, other.subject)
}
