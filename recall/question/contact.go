package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/language"
)

// contactKinds is what a question about somebody may want: a telephone number, an
// address of mail, or where somebody lives.
type contactKinds struct{ phone, mail, street bool }

var (
	mailAddress = lazyregexp.New(`[\w.+-]+@[\w-]+\.\w+`)
	// phoneNumber matches what may be a telephone number; isPhoneNumber decides.
	phoneNumber = lazyregexp.New(`[+(]?\d[\d ()/.-]{4,}\d`)
	writtenDate = lazyregexp.New(`\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{2,4}|\d+\.\d+\.\d+\.\d+`)
)

// readContact reads which contact details a question wants. "How many" wants a number of
// things.
func readContact(text string, f lang.Folded) (wants contactKinds) {
	if len(strings.Fields(text)) > maxKindWords || strings.Contains(strings.ToLower(text), "how many") {
		return wants
	}
	reach, mail := has("asks how to reach", f), has("asks mail", f)
	return contactKinds{phone: reach || has("asks phone", f), mail: reach || mail, street: !mail && has("asks address", f)}
}

// WantsContact reports whether a question asks how to reach somebody.
func (in Intent) WantsContact() bool { return in.contact != contactKinds{} }

// FindsContact reports whether a text has the contact details that a question wants.
func (in Intent) FindsContact(text string) bool {
	return in.contact.mail && mailAddress.MatchString(text) || in.contact.street && hasStreet(text) || in.contact.phone && hasPhoneNumber(text)
}

// HasOtherContact reports whether a text has contact details, but none of those that a
// question wants: a phone number for a question about mail.
func (in Intent) HasOtherContact(text string) bool {
	return in.WantsContact() && !in.FindsContact(text) && (mailAddress.MatchString(text) || hasStreet(text) || hasPhoneNumber(text))
}

// AnswersContact reports whether a memory has the contact details that a question wants, and
// all other words of the question. They name somebody: "plumber".
func (in Intent) AnswersContact(m *memory.Memory) bool {
	if !in.WantsContact() || !in.FindsContact(m.Text) {
		return false
	}
	has := language.FoldedWords(strings.Join(append(slices.Clone(m.Heading), m.Text), "\n"))
	names := 0
	for _, t := range in.Terms {
		switch {
		case isContactWord(t.Text):
		case t.Kind != memory.TermWord || !slices.Contains(has, language.FoldPlural(t.Text)):
			return false
		default:
			names++
		}
	}
	return names > 0
}

// hasStreet reports whether a text has a street with a number.
func hasStreet(text string) bool { return has("street", lang.Fold(text)) }

// hasPhoneNumber reports whether a text has a telephone number.
func hasPhoneNumber(text string) bool {
	text = writtenDate.ReplaceAllString(text, "")
	for _, at := range phoneNumber.FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		if !language.IsAlnum(before) && !strings.ContainsRune("-_#.", before) && isPhoneNumber(text[at[0]:at[1]]) {
			return true
		}
	}
	return false
}

// isPhoneNumber reports whether a number is one of a telephone: it begins with + or 0, or
// is divided. A number without that is an amount or a code.
func isPhoneNumber(s string) bool {
	const least, most = 6, 15 // digits
	digits := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= least && digits <= most && (strings.ContainsAny(s[:1], "+(0") || strings.ContainsAny(s, " -/("))
}
