package secrets

import (
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// FindLikely is [Find], and errs towards a secret. A sentence with a word for one has a number,
// a word of letters and digits, or a list of words beside it. Other words may stand between.
// Capture keeps no such text, because nobody asked for it to be stored as it is.
func FindLikely(text string) (kind string, found bool) {
	if kind, found = Find(text); found {
		return kind, true
	}
	seen := fold(text).text
	if !likelyStem.MatchString(seen) && !secretStem.MatchString(seen) {
		return "", false
	}
	seen = otherThing.ReplaceAllString(seen, "")
	if loginList.MatchString(seen) || networkKey.MatchString(seen) {
		return "credentials", true
	}
	for _, sentence := range sentenceEnd.Split(seen, -1) {
		for _, l := range likelyWords {
			if at := l.word.FindStringIndex(sentence); at != nil && !otherCode.MatchString(sentence[:at[0]]) && l.states(sentence, at) {
				return l.kind, true
			}
		}
	}
	return "", false
}

// likely is a word for a secret, and what is a value beside it.
type likely struct {
	kind   string
	word   *lazyregexp.Regexp
	digits int               // together; 0: none
	mixed  func(string) bool // a word of letters and digits; nil: none
	list   int               // words in a row; 0: none
}

var likelyWords = []likely{
	{"password", lazyregexp.New(pinWord), 4, isMixed, 0},
	{"one-time code", lazyregexp.New(codeWord + `|` + codeCJK), 4, isMixed, 0},
	{"password", lazyregexp.New(secretWord + `|` + passwordWord + `|(?i:\bp/w\b|\bpass\b|\bpw\b)`), 0, isMixed, 0},
	{"token", lazyregexp.New(keyWord), 0, isKey, 0},
	{"one-time code", lazyregexp.New(secondFactor), 6, nil, 0},
	{"one-time code", lazyregexp.New(combinationLock), 3, nil, 0},
	{"one-time code", lazyregexp.New(openedBy), 4, nil, 0},
	{"one-time code", lazyregexp.New(cardBack), 3, nil, 0},
	{"credentials", lazyregexp.New(loginWord), 0, isMixed, 0},
	{"password", lazyregexp.New(phraseWords), 0, nil, 4},
}

const (
	// openedBy matches what a number opens.
	openedBy = `(?i:\bkey ?pads?\b|\bkey[ -]?(?:safes?|box(?:es)?)\b|\block[ -]?box(?:es)?\b|\bschlüssel(?:safe|tresor|kasten|box)\b|\bboîte à clés?\b|\bcaja de llaves\b|\b(?:un)?lock(?:s|ed|ing)?\b|\bdisarm\p{L}*|\bentsperr\p{L}*|\bentschärf\p{L}*|\bdéverrouill\p{L}*|\bdésarm\p{L}*|\bdesbloque\p{L}*|\bdesarm\p{L}*|` +
		`\b(?:combination|kombination|combinaison|combinación)\b[^.!?\n]{0,30}\b(?:` + thing + `|lockers?|suitcase|koffers?|spinds?|valise|casier|maleta|taquilla)|` +
		`\b(?:` + thing + `|lockers?|suitcase|koffers?|spinds?|valise|casier|maleta|taquilla)s?['’]?\p{L}?[^.!?\n]{0,20}\b(?:combination|kombination|combinaison|combinación)\b|` +
		`\bpress(?:es|ed)?\b|\bgets? in(?:to)?\b|\byou type\b|\btype in\b|\bpunch(?:es)? in\b|\b(?:ins|in die|in den|in das)\s+\p{L}+\s+mit\b|\breinkomm\p{L}*|\beintipp\p{L}*|\btapez?\b|\bmarcar?\b|\btecle\p{L}*|` +
		`(?:金庫|ロッカー|保险箱|保险柜|保險箱|密码锁|南京錠|ダイヤル錠|倉庫は|進入|进(?:入|大门|门)|开门|開門))`
	// combinationLock matches a lock that digits open, and the word before these. It needs few.
	combinationLock = `(?i:\b(?:bike|pad|luggage|suitcase|locker)[ -]?locks?['’]?s?\s+combination\b|` +
		`\b(?:padlocks?|vorhängeschloss|zahlenschloss|fahrradschloss|cadenas|candado)\b[^.!?\n\d]{0,30}?\b(?:is|opens|set|ist|steht|öffnet|geht|est|s['’]ouvre|es|se abre)\b)`
	// secondFactor matches what replaces the second factor of an account.
	secondFactor = `(?i:\b(?:2fa|mfa|otp|totp|two[ -]factor)[ -](?:backups?|recovery|resets?|seed|secret|key)\b)`
	// cardBack matches the digits on the back of a card.
	cardBack = `(?i:digits on the back|ziffern auf der rückseite|prüfziffern?|chiffres au dos|dígitos (?:del|al|en el) (?:reverso|dorso))`
	// maxOpening is the number of digits that open something; more are a phone number.
	maxOpening = 8
	// phraseWords matches the words that restore a wallet or an account.
	phraseWords = `(?i:\b(?:recovery|seed|backup|mnemonic|secret)[ -](?:words?|phrase)\b|\b(?:wiederherstellungs|sicherungs|seed)-?(?:wörter|worte|phrase)\b|\bmots? de (?:récupération|secours)\b|\bpalabras? de (?:recuperación|respaldo)\b|助记词|助記詞|リカバリーフレーズ|復元フレーズ)`
)

var (
	likelyStem = lazyregexp.New(`(?i)p/w|press|get|type|punch|wi-?fi|wlan|ssid|network|netzwerk|réseau|mit|rein|tipp|tape|marca|tecle|digits|ziffer|chiffres|dígitos|倉庫|进|進|门|lock|arm|entsp|entsch|verrou|bloque|keypad|key pad|words|wörter|worte|mots|palabras|combin|kombin|金庫|ロッカー|保|錠|锁|助|2fa|mfa|factor|key|lock|schlo|schlüs|clés|llaves|cadenas|candado|フレーズ|logins?|accounts?|konten|comptes|cuentas`)

	// loginList matches an account with a name and a password: "NAS: admin / kumquat99".
	loginList = lazyregexp.New(`(?i:\b(?:log-?ins?|accounts?|zugänge|konten|comptes|cuentas)\b)[^\n]{0,40}:\s*\n?(?:[^\n]*\n)*?[^\n:]{0,40}[:=]\s*[\w.@+-]+\s*/\s*\S*[\d#!$%&*?@]\S*`)

	// networkKey matches a network with its key: "wifi Plum / sunflower99", "network Plum, key: lamp".
	networkKey = lazyregexp.New(`(?i:\b(?:wi-?fi|wlan|ssid|network|netzwerk|réseau)\b)[^\n.!?]{0,40}(?:\s/\s*\S*\d|\b(?i:key|schlüssel|clé|clave)\s*[:=]\s*\S{4,})`)

	// countedBy matches a word before a number that is no secret: "in 2027", "room 1204".
	countedBy = lazyregexp.New(`(?i)^(?:in|since|until|till|by|from|before|after|for|of|every|per|each|least|most|than|about|around|room|port|version|page|floor|step|no|nr|number|chapter|ticket|issue|pr|line|` +
		`seit|bis|ab|im|am|von|vom|für|alle|jede|mindestens|raum|zimmer|seite|stock|zeile|depuis|jusqu'en|dans|chaque|tous|salle|page|étage|desde|hasta|cada|sala|página|piso|bus|tram|train|gleis|track|platform)$`)
	monthName = lazyregexp.New(`(?i)^(?:jan|feb|mar|m[aä]r|apr|avr|abr|ma[iy]|jui|jun|jul|aug|ao[uû]|ago|sep|o[ck]t|nov|de[czc]|ene|fév|dic)\p{L}*\.?$`)
	// numberCJK matches a number that counts something in Chinese and Japanese.
	numberCJK = lazyregexp.New(`\d+(?:日|天|文字|位|桁|回|次|年|月|分|時|小时|个|個|名|人|台|円|元|字)`)
	// unitAfter matches a word behind a number that counts something.
	unitAfter = lazyregexp.New(`^` + counted)
)

// states reports whether a sentence has a value beside the word at a place: behind it, up to
// another clause.
func (l likely) states(sentence string, at []int) bool {
	rest := sentence[at[1]:]
	if end := newClause.FindStringIndex(rest); end != nil {
		rest = rest[:end[0]]
	}
	words, digits, list, before := strings.Fields(rest), 0, 0, ""
	if strings.ContainsFunc(rest, isCJK) {
		words = strings.Fields(latinCJK.ReplaceAllString(numberCJK.ReplaceAllString(rest, ""), " $0 "))
	}
	for i, field := range words {
		word := strings.TrimSuffix(trimMarks(field), "'s")
		lower := strings.ToLower(word)
		switch {
		case word == "":
			continue
		case strings.Trim(word, "0123456789-.*#") == "":
			isCounted := unitAfter.MatchString(strings.Join(words[i:min(len(words), i+2)], " ")) || notPasswords.MatchString(word) ||
				monthName.MatchString(before) || i+1 < len(words) && monthName.MatchString(words[i+1])
			if !isCounted && !countedBy.MatchString(before) && !datePattern.MatchString(word) {
				digits += len(word) - strings.Count(word, "-") - strings.Count(word, ".")
			}
			list = 0
		case l.mixed != nil && l.mixed(word) && hasLetter(word) && !countedBy.MatchString(before):
			return true
		case l.digits > 0 && l.mixed == nil && isCode(word) && hasLetter(word) && !countedBy.MatchString(before):
			return true
		case functionWords[lower] || descriptions[lower] || participle.MatchString(word):
			list = 0
		default:
			if list++; l.list > 0 && list >= l.list {
				return true
			}
		}
		before = lower
	}
	return l.digits > 0 && digits >= l.digits && (l.mixed != nil || digits <= maxOpening)
}
