package secrets

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// Limits of a reply that states a secret.
const (
	minDigits     = 4  // of a number
	minAwaited    = 3  // the same, after a question: a card has a code of three
	minSpelled    = 3  // digits in words, or letters one by one
	maxOtherWords = 1  // beside a number or a password of letters and digits
	maxNamedWords = 2  // of a password of ordinary words, where nobody asked for it
	maxPhrase     = 24 // of the words of a recovery phrase
)

// reply is the words of a text, sorted by what they may be in a reply about a secret.
type reply struct {
	parts []replyPart // the whole text, and each part of its sentences
}

// replyPart is a text or a part of it.
type replyPart struct {
	digits, spelled int
	isMixed         bool
	other           int      // words that are neither a value nor around one
	middle          []string // the words without those that lead to a value, or follow it
	introduced      bool     // a word such as "it" leads to a value
	describes       bool     // a word such as "in" comes before the others: "in the vault"
	cjk             bool
}

// partEnd matches the end of a part of a sentence.
var partEnd = lazyregexp.New(`[,;.!?。、,!?](?:\s+|$)|[。、]|\s(?:and|und|et|y|but|aber|because|weil)\s|\s[-–—]\s`)

// readReply reads a text. Words of the message before it name what was asked for, and
// count for nothing.
func readReply(before, text string) (r reply) {
	known := map[string]bool{}
	for word := range strings.FieldsSeq(strings.ToLower(fold(endOf(before)).text)) {
		known[trimMarks(word)] = true
	}
	text = strings.TrimRight(strings.TrimSpace(fold(text).text), ".!。 ")
	r.parts = append(r.parts, readPart(text, known))
	if parts := partEnd.Split(text, -1); len(parts) > 1 {
		for _, p := range parts {
			r.parts = append(r.parts, readPart(p, known))
		}
	}
	return r
}

// states reports whether a part of the reply looks like a secret.
func (r reply) states(level naming) bool {
	for _, p := range r.parts {
		if p.isNumber(level) || p.isWords(level) {
			return true
		}
	}
	return false
}

// isNumber reports whether the part is digits, or a word with digits, and little else.
func (p replyPart) isNumber(level naming) bool {
	digits := minDigits
	if level == awaited {
		digits = minAwaited
	}
	return p.other <= maxOtherWords && (p.digits >= digits || p.spelled >= minSpelled || p.isMixed)
}

// isWords reports whether the part is words that make no sentence.
func (p replyPart) isWords(level naming) bool {
	if p.describes || len(p.middle) == 0 || len(p.middle) > maxPhrase || level == named && !p.introduced && len(p.middle) > maxNamedWords {
		return false
	}
	value := strings.Join(p.middle, " ")
	if p.cjk {
		return level == awaited && len(p.middle) == 1 && utf8.RuneCountInString(value) <= 8 && isHanValue(value) && isKanaValue(value)
	}
	for _, word := range p.middle {
		if functionWords[strings.ToLower(word)] {
			return false
		}
	}
	return isValue(value) && !aboutPasswords.MatchString(value)
}

// readPart reads a part of a reply.
func readPart(text string, known map[string]bool) (p replyPart) {
	if p.cjk = strings.ContainsFunc(text, isCJK); p.cjk {
		text = aroundCJK.ReplaceAllString(text, " ")
		text = numeralCJK.ReplaceAllString(text, " $0 ")
		text = latinCJK.ReplaceAllString(text, " $0 ")
	}
	first, last := -1, -1
	words := strings.Fields(text)
	for i, field := range words {
		word := trimMarks(field)
		words[i] = word
		if p.addWord(word, known) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first >= 0 {
		p.introduced = strings.ContainsFunc(strings.Join(words[:first], " "), unicode.IsLetter) && !aboutUse(words[:first])
		p.describes = slices.ContainsFunc(words[:first], func(w string) bool { return prepositions[strings.ToLower(w)] })
		p.middle = words[first : last+1]
	}
	return p
}

// aboutUse reports whether the words before a value tell what somebody does with it, and
// not what it is: "I always use".
func aboutUse(words []string) bool {
	for _, word := range words {
		if linksValue[strings.ToLower(word)] {
			return false
		}
	}
	return true
}

// addWord counts a word. It reports whether the word may belong to a value.
func (p *replyPart) addWord(word string, known map[string]bool) bool {
	lower := strings.ToLower(word)
	switch {
	case lower == "" || aroundValue[lower] || prepositions[lower]:
		return false
	case datePattern.MatchString(word):
		p.other++
	case strings.Trim(word, "0123456789-.*#/") == "":
		p.digits += len(word) - strings.Count(word, "-") - strings.Count(word, ".")
	case isMixed(word) || isCode(word) && !p.cjk:
		p.isMixed = true
	case numeralCJK.MatchString(word):
		p.spelled += utf8.RuneCountInString(word)
	case utf8.RuneCountInString(word) == 1 && !p.cjk:
		p.spelled++
	default:
		return p.addLetters(lower, known)
	}
	return true
}

// addLetters counts a word of letters.
func (p *replyPart) addLetters(lower string, known map[string]bool) bool {
	spelled := 0
	for part := range strings.SplitSeq(lower, "-") {
		switch {
		case tensWord.MatchString(part):
			spelled += 2
		case unitWord.MatchString(part):
			spelled++
		default:
			spelled = -maxPhrase
		}
	}
	if spelled > 0 {
		p.spelled += spelled
		return true
	}
	if known[lower] {
		return false
	}
	p.other++
	return true
}

func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

var (
	// datePattern matches dates and times of day.
	datePattern = lazyregexp.New(`^(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:\d{2,4})?|\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2}:\d\d)$`)

	// tensWord and unitWord match numbers in words, of two digits and of one.
	tensWord = lazyregexp.New(`^(?:ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|zehn|elf|zwölf|\p{L}+zehn|(?:\p{L}+und)?(?:zwanzig|dreißig|dreissig|\p{L}+zig)|` +
		`dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|diez|once|doce|trece|catorce|quince|dieci\p{L}+|veinte|veinti\p{L}+|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)$`)
	unitWord = lazyregexp.New(`^(?:` + digitWord + `|o|hundred|thousand|double|triple|hundert|tausend|doppel|cents?|mille|cien|ciento|mil|doble)$`)

	numeralCJK = lazyregexp.New(`[〇零一二三四五六七八九]{2,}`)
	latinCJK   = lazyregexp.New(`[!-~]{2,}`)
	// aroundCJK matches what stands around a value in Chinese and Japanese.
	aroundCJK = lazyregexp.New(`です|でした|だよ|だ$|ます|になりました|に変わりました|に変更|を使います|を使って|使って|それは|これは|今は|今|新しいのは|いつも|覚えて|は$|^は|現在|现在|目前|就是|一直|我用|用的|它|是|改成了?|改为了?|换成了?|叫|的|了$|请|記住|记住|就|用`)
)

// aroundValue are words around a value that neither belong to it nor make a sentence of
// their own.
var aroundValue = wordSet(`
	it it's its is was be been will that that's this the a an one ones mine mine's ours i i'm i've i'd we we've you my our your new old same always usually still now just only actually again
	use used using type typed typing enter entered press pressed dial punch put say said tell told set changed remember note save keep there here please then there's
	uh um uhm erm er hmm hm like well so ok okay oh ah right yeah yes sure and or
	capital uppercase lowercase upper lower case caps letters letter digits digit number numbers hash star dash hyphen underscore dot space slash exclamation question mark quote
	password passcode pin code passphrase word key secret login
	es ist das dies die der den dem sie er ihn war lautet heißt meine meins meiner mein unser unsere neue neuer neues neuen immer noch jetzt nun wieder nur einfach ich wir du man nehme nehmen benutze benutzen verwende verwenden
	tippe tippen eingebe eingeben gib ein drücke nutze nutzen äh ähm hm also na ja bitte dann dort da merk dir und großes großer kleines kleiner groß klein zahl ziffern buchstabe raute stern bindestrich unterstrich punkt leerzeichen
	passwort kennwort geheimzahl
	c'est ce cela ça il elle est était sera le la les un une mon ma mes notre nos nouveau nouvelle toujours maintenant désormais encore je j'utilise utilise nous on tape tapez tapons mets entrez euh ben bah alors voilà oui donc puis et là
	majuscule minuscule chiffres chiffre lettre lettres tiret dièse étoile point
	eso esto ese era será el los las mi mis nuestra nuestro nueva nuevo siempre ahora todavía yo uso usamos usar tecleo teclea escribo escribe pongo marca em eh pues bueno sí entonces luego allí ahí y o
	mayúscula minúscula dígitos dígito letra letras guión guion almohadilla asterisco punto contraseña clave código mdp`)

// prepositions are the same around a number. Before words they tell where a secret is.
var prepositions = wordSet("to with in as for of at on mit in im für auf am bei avec dans en sur pour de du con por para del")

// linksValue are those of them that tell what the value is.
var linksValue = wordSet(`it it's is was that's this mine mine's ours one ist lautet heißt war es das sie er c'est est il elle était es era será eso`)
