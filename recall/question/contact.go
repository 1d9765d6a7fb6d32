package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/language"
)

// contactKinds is what a question about somebody may want: a telephone number, an
// address of mail, or where somebody lives.
type contactKinds struct{ phone, mail, street bool }

var (
	phoneQuestion = newPattern(`(?i)\b(?:(?:tele)?phone|mobile|cell|fax) (?:no\b|number)|['’]s (?:phone|mobile|number|telephone)\b|\b(?:telefon|handy|mobil|fax)-?nummer|\bnumm?er von\b|\bnuméro de\b|\b(?:número de )?teléfono de\b|^\S+ (?:tele)?(?:phone|fon)(?: number)?$`, "phone,fon,mobil,cell,fax,number,handy,er von,numéro")
	mailQuestion  = newPattern(`(?i)\be-?mail address\b|\bmailadresse\b|['’]s e-?mail\b|\badresse (?:e-)?mail\b|\bcorreo de\b|^\S+ e-?mail(?: address)?$`, "mail,correo")
	// reachQuestion asks for any way to speak to somebody.
	reachQuestion = newPattern(`(?i)\bhow (?:do|can|could|should|would) (?:i|we|you|one) (?:reach|contact|call|phone|ring|get (?:in touch|hold))\b|\bhow to (?:reach|contact|call|phone)\b|\bcontact (?:details|data|info)|\bwie (?:erreiche|kontaktiere|kann (?:ich|man)\b.*\b(?:erreichen|anrufen|kontaktieren))|\bkontaktdaten\b|\bcomment (?:joindre|contacter|appeler)|\bcómo (?:contactar|localizar|llamar)\b`, "how ,contact,kontakt,wie ,comment ,cómo ")
	// streetQuestion asks for the place where somebody lives.
	streetQuestion = newPattern(`(?i)(?:\b(?:home|postal|street) |['’]s |\bthe )address\b|\banschrift\b|\bdirección de\b|^\S+ address$`, "address,anschrift,dirección")

	mailAddress = lazyregexp.New(`[\w.+-]+@[\w-]+\.\w+`)
	// phoneNumber matches what may be a telephone number; isPhoneNumber decides.
	phoneNumber   = lazyregexp.New(`[+(]?\d[\d ()/.-]{4,}\d`)
	writtenDate   = lazyregexp.New(`\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{2,4}|\d+\.\d+\.\d+\.\d+`)
	streetAddress = lazyregexp.New(`(?i)\p{L}+(?:straße|strasse|str\.|weg|allee|platz|gasse|damm|ufer)\s+\d|\b\d+[a-z]?,?\s+\p{L}+(?:\s\p{L}+)?\s(?:street|st|road|rd|lane|avenue|ave|drive|court|square|terrace)\b|\b(?:rue|avenue|boulevard|calle|avenida|plaza|via)\s[^.;]{2,40}\d`)
)

// readContact reads which contact details a question wants. "How many" wants a number of
// things.
func readContact(text string) (wants contactKinds) {
	lower := strings.ToLower(text)
	if len(strings.Fields(text)) > maxKindWords || strings.Contains(lower, "how many") {
		return wants
	}
	reach, mail := reachQuestion.matches(text, lower), mailQuestion.matches(text, lower)
	return contactKinds{phone: reach || phoneQuestion.matches(text, lower), mail: reach || mail, street: !mail && streetQuestion.matches(text, lower)}
}

// WantsContact reports whether a question asks how to reach somebody.
func (in Intent) WantsContact() bool { return in.contact != contactKinds{} }

// FindsContact reports whether a text has the contact details that a question wants.
func (in Intent) FindsContact(text string) bool {
	return in.contact.mail && mailAddress.MatchString(text) || in.contact.street && streetAddress.MatchString(text) || in.contact.phone && hasPhoneNumber(text)
}

// HasOtherContact reports whether a text has contact details, but none of those that a
// question wants: a phone number for a question about mail.
func (in Intent) HasOtherContact(text string) bool {
	return in.WantsContact() && !in.FindsContact(text) && (mailAddress.MatchString(text) || streetAddress.MatchString(text) || hasPhoneNumber(text))
}

// contactWords lists the words that say which contact details a question wants.
var contactWords = language.WordSet(`
phone telephone mobile cell fax number no e mail email address home postal street contact details detail data info reach call ring get touch hold
telefon telefonnummer handynummer mobilnummer faxnummer handy mobil nummer mailadresse anschrift kontaktdaten erreiche erreichen kontaktiere kontaktieren anrufen
numéro téléphone adresse joindre contacter appeler número teléfono dirección correo contactar localizar llamar`)

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
		case contactWords[t.Text]:
		case t.Kind != memory.TermWord || !slices.Contains(has, language.FoldPlural(t.Text)):
			return false
		default:
			names++
		}
	}
	return names > 0
}

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
