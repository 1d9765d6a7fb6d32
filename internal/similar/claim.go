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
	definite   bool // it begins like "the", "our" or "we": its subject is the only one
	labelled   bool // it begins with a label: "Password manager: LastPass"
	hasParts   bool // it has a comma, full stop or bracket inside
	links      bool // it has a word such as "is"
	transacts  bool // it begins with a word such as "invoice"
	passes     bool // it has a word such as "absent"
	event      bool // it tells what somebody did, and not how things are
}

// claimWord is one word of a claim.
type claimWord struct {
	stem       uint64 // a hash
	before     string // the word before it in the text
	kind       kind   // 0 is an ordinary word
	clause     uint8  // which part of the sentence it belongs to
	afterLink  bool   // a word such as "is" or "has" comes before it, or "to" after a change
	direct     bool   // nothing but an article comes between
	retired    bool   // the text reports it as a former value
	listed     bool   // a comma or "and" comes before it
	isLabelled bool   // an ordinary word comes directly before it: "track 7"
	capital    bool   // it has a capital letter, but begins a sentence
	possessor  bool   // "Lena's"
}

// readClaim reads a text. A question and a long text give a claim without words.
func readClaim(text string) *claim {
	if countWords(text) > maxClaimWords || strings.HasSuffix(strings.TrimSpace(text), "?") {
		return &claim{}
	}
	r := newClaimReader(text)
	for r.at < len(r.lower) {
		r.startClause()
		if !r.readPhrase() {
			r.readWord()
		}
	}
	return r.claim
}

func bit(stem uint64) uint64 { return 1 << (stem >> 58) }

func kindOf(field, lower string, first bool) (k kind) {
	switch isListed := listedInClaims.mayHave(lower); {
	case isLowerASCII(field) && !isListed: // most words
		return 0
	case strings.ContainsFunc(lower, unicode.IsDigit):
		k |= number
	case isListed && (months[lower] || weekdays[lower]):
		return day
	}
	if r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(field, isPunctuation)); unicode.IsUpper(r) && !first {
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
