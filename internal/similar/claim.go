package similar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxClaimWords bounds the texts that are read as one statement. A longer text is
// several statements, and its values cannot be told apart.
const maxClaimWords = 40

// kind is what a word may be the value of. Several may hold.
type kind uint8

const (
	number kind = 1 << iota // a number, time, version, address or code
	day                     // a weekday or month
	name                    // a word with a capital letter inside a sentence
)

// claim is a statement without the words that join it or report a change.
type claim struct {
	words      []claimWord
	signature  uint64 // one bit a word
	change     change
	lives      bool // it tells where somebody lives
	hasRetired bool // one of the words is retired
}

// claimWord is one word of a claim.
type claimWord struct {
	stem      uint64 // a hash
	before    string // the word before it in the text
	kind      kind   // 0 is an ordinary word
	afterLink bool   // a word such as "is" or "has" comes before it
	retired   bool   // the text reports it as a former value
}

// readClaim reads a text. A question and a long text give a claim without words.
func readClaim(text string) *claim {
	c := &claim{}
	if countWords(text) > maxClaimWords || strings.HasSuffix(strings.TrimSpace(text), "?") {
		return c
	}
	fields, lower := claimFields(text)
	linked, retiresNext := false, false
	c.words = make([]claimWord, 0, len(lower))
	for i := 0; i < len(lower); i++ {
		if effect, n := matchPhrase(lower[i:]); n > 0 {
			c.add(effect)
			retiresNext = effect&retires != 0
			i += n - 1
			continue
		}
		word := lower[i]
		switch roleOf(word) {
		case homeWord:
			c.lives = true
		case linkWord:
			linked = true
		case fillerWord:
		default:
			w := claimWord{stem: hash(hashSeed, lightStem(word)), kind: kindOf(fields[i], word, i == 0), afterLink: linked, retired: retiresNext}
			if i > 0 {
				w.before = lower[i-1]
			}
			c.words = append(c.words, w)
			c.signature |= bit(w.stem)
			c.hasRetired = c.hasRetired || w.retired
			linked = linked || strings.HasSuffix(fields[i], ":")
			// The name and its version are both former: "from Postgres 14 to 16".
			retiresNext = retiresNext && i+1 < len(lower) && kindOf(fields[i+1], lower[i+1], false) == number
		}
	}
	return c
}

func bit(stem uint64) uint64 { return 1 << (stem >> 58) }

// add joins the effect of a phrase to the claim.
func (c *claim) add(effect change) {
	if effect&retired != 0 && len(c.words) > 0 {
		c.words[len(c.words)-1].retired, c.hasRetired = true, true
	}
	if effect == finishes {
		if c.change&declines != 0 {
			c.change |= ends
		}
		return
	}
	c.change |= effect
}

// claimFields returns the words of a text as they are written, and in small letters
// without punctuation. French words are cut after their apostrophe: "l'équipe".
func claimFields(text string) (fields, lower []string) {
	n := countWords(text)
	fields, lower = make([]string, 0, n), make([]string, 0, n)
	for field := range strings.FieldsSeq(text) {
		word := trimPunctuation(field)
		if first, rest, cut := strings.Cut(word, "'"); cut && rest != "" && len(first) == 1 && strings.Contains("lLdDnNcCqQ", first) {
			if first == "n" || first == "N" {
				fields, lower = append(fields, "ne"), append(lower, "ne")
			}
			word = rest
		}
		if word != "" {
			fields, lower = append(fields, strings.TrimLeftFunc(field, isPunctuation)), append(lower, strings.ToLower(word))
		}
	}
	return fields, lower
}

func kindOf(field, lower string, first bool) (k kind) {
	switch isListed := listedInClaims.mayHave(lower); {
	case isLowerASCII(field) && !isListed: // most words
		return 0
	case strings.ContainsFunc(lower, unicode.IsDigit):
		k |= number
	case isListed && (months[lower] || weekdays[lower]):
		return day
	}
	if r, _ := utf8.DecodeRuneInString(field); unicode.IsUpper(r) && !first {
		k |= name
	}
	return k
}

func (c *claim) has(stem uint64) bool {
	return c.signature&bit(stem) != 0 && slices.ContainsFunc(c.words, func(w claimWord) bool { return w.stem == stem })
}

// without returns the words of a claim that another one lacks.
func (c *claim) without(other *claim) (own []claimWord) {
	for _, w := range c.words {
		if !other.has(w.stem) {
			own = append(own, w)
		}
	}
	return own
}
