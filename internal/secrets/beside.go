package secrets

import (
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// besideWord recognises the secrets that stand in one sentence with a word: behind it
// with other words between them, or before it.
type besideWord struct {
	kind   string
	word   *lazyregexp.Regexp
	after  []valueRule
	before []rule // for the whole text
}

// valueRule recognises a secret in the rest of a sentence behind its word.
type valueRule struct {
	pattern *lazyregexp.Regexp // its group is the secret
	confirm func(text string) bool
	change  bool // only in a sentence with a changeVerb
}

// Parts of the patterns for a value.
const (
	// equals matches what connects a word and its value.
	equals = `(?i:\s(?:is|are|was|will be|reads|remains|became|becomes|equals|ist|sind|war|wird|lautet|lauten|heißt|heisst|bleibt|est|sont|était|sera|c'est|devient|reste|es|son|era|será)\s+|'s\s+|\s*(?:[:=]|->|=>|→|[–—|])\s*|\s-\s+)`
	// changedTo matches the same in a sentence with a changeVerb.
	changedTo = `(?i:\s(?:to|into|auf|zu|en|à|par|por|a)\s+)`
	// filler matches words before the value that do not belong to it.
	filler = `(?i:(?:now|still|again|currently|just|only|simply|actually|the|following|jetzt|nun|noch|wieder|immer|nur|die|der|maintenant|désormais|toujours|le|la|ahora|todavía|el|:)\s+){0,2}`
	open   = "[\"'`“„«「『*(]*"
	mixed  = `([!-~À-ɏ]{0,40}\d[!-~À-ɏ]{0,40})`
	// number matches digits that may be apart. Four are a PIN.
	number = `(\d(?:(?:, ?|[ -]{0,3})\d){3,15})(?:\D|$)`
	// ending matches the end of a part of a sentence.
	ending = `["'”]?\s*(?:[.,;!)]|$)`
	// purposeNamed matches what a value is for, without a verb: "password of the NAS".
	purposeNamed = `^(?i:\s+(?:for|of|to|on|from|at|für|zum|zur|von|vom|des|der|am|du|de|de la|d'|del|para|pour))(?:\s+[\p{L}-]+){1,3}?,?\s+`
	// counted matches a number that counts something.
	counted = `\d[\d ]*[ -]?(?i:bits?|bytes?|[km]i?b|lines?|chars?|characters?|digits?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|euros?|dollars?|grams?|gramm|grammes?|gramos?|kg|cm|mm|zeichen|stellen|zeilen|tage|stunden|jahre|lignes?|caractères?|jours?|heures?|líneas?|caracteres?|días?|horas?)\b`
	// groups matches a code that may be in groups, such as ABCD-EFGH.
	groups = `([A-Z0-9]{2,8}(?: [A-Z0-9]{2,8}){1,11}|[!-~]{5,})`
	// The same in Chinese and Japanese.
	equalsCJK  = `(?:是|为|為|叫|成了?|设为|が|は|を|って|[:=])\s*`
	valueCJK   = `(\d(?:[ -]?\d){3,}|[!-~]{4,})`
	spelledCJK = `([〇零一二三四五六七八九]{4,})`
	// spelled matches four digits in words, or more.
	spelled = `\b((?:` + digitWord + `[\s,-]+){3,}` + digitWord + `)\b`
)

// changeVerb matches a verb that gives something another value.
var changeVerb = lazyregexp.New(`(?i:\b(?:chang|set|reset|updat|switch|rotat|renew|replac|geänder|änder|gesetz|setz|umgestell|gewechsel|modifi|mis\b|mettre|cambi|pus|actualiz|pas(?:é|se|ó))\p{L}*)`)

// newClause matches the beginning of another clause. A value behind it belongs to
// another thing: "passwords are rotated, and the port is 8081". Braces are code.
var newClause = lazyregexp.New(`(?i)[,;]\s*(?:and|but|so|while|und|aber|et|mais|y|pero)\s|[{}]`)

// sentenceEnd matches the end of a sentence. A full stop inside a word ends none.
var sentenceEnd = lazyregexp.New(`\n|。|[.!?](?:\s|$)`)

var besideWords = []besideWord{
	{"password", lazyregexp.New(passwordWord), []valueRule{
		value(equals+filler+open+mixed, isMixed),
		changed(changedTo+filler+open+mixed, isMixed),
		value(`\s`+open+mixed+`["'”]?\s+(?i:ist|lautet|war|heißt)\b`, isMixed),
		value(purposeNamed+open+mixed+ending, isMixed),
	}, []rule{{"password", valueFirst(mixed, passwordWord), isMixed}}},
	{"token", lazyregexp.New(keyWord), []valueRule{value(equals+filler+open+mixed, isKey)}, nil},
	{"password", lazyregexp.New(secretWord), []valueRule{
		changed(changedTo+`([`+quotes+`]?[\p{L}-]{3,}["'”]?)\s*(?:[,;]|$|\s(?:geändert|gesetzt|umgestellt))`, isValue),
	}, ordinaryFirst},
	{"password", lazyregexp.New(pinWord), numberRules, []rule{{"password", valueFirst(number, pinWord), nil}}},
	{"one-time code", lazyregexp.New(codeWord), append([]valueRule{
		value(`(?:^\s+|`+equals+filler+`)`+open+groups, isCode),
		changed(changedTo+filler+open+groups, isCode),
	}, numberRules...), []rule{{"one-time code", valueFirst(number, codeWord), nil}, {"one-time code", valueFirst(groups, codeWord), isCode}}},
	{"one-time code", lazyregexp.New(`(?i:\bcv[vc]2?\b)`), []valueRule{value(`^\D{0,20}(\d{3,4})(?:\D|$)`, nil)}, nil},
	{"one-time code", lazyregexp.New(codeCJK), rulesCJK, []rule{{"one-time code", firstCJK(codeCJK), isCode}}},
	{"password", lazyregexp.New(passwordCJK), rulesCJK, []rule{{"password", firstCJK(passwordCJK), isCode}}},
	{"password", lazyregexp.New(loginWord), []valueRule{value(`^[^:=]{0,40}?[:=]\s*[\w.@+-]+\s*[/,]\s*`+mixed, isMixed)}, nil},
}

var (
	// numberRules find a PIN or a code of digits behind its word.
	numberRules = []valueRule{
		value(`(?:^,?\s+|`+equals+filler+`)`+open+`(?:`+counted+`|`+number+`)`, nil),
		changed(changedTo+filler+open+number, nil),
		value(purposeNamed+open+`(\d(?:[ -]?\d){3,11})`+ending, nil),
		value(spelled, nil),
		value(`\s`+number+`\s*(?i:ist|lautet|war|heißt)\b`, nil),
	}
	// rulesCJK find a value behind its word in Chinese and Japanese.
	rulesCJK = []valueRule{value(equalsCJK+open+valueCJK, isCode), value(equalsCJK+spelledCJK, nil)}
)

func value(pattern string, confirm func(string) bool) valueRule {
	return valueRule{pattern: lazyregexp.New(pattern), confirm: confirm}
}

func changed(pattern string, confirm func(string) bool) valueRule {
	return valueRule{lazyregexp.New(pattern), confirm, true}
}

// kindOf returns the kind of the secrets beside the word.
func (w besideWord) kindOf() string { return w.kind }

// spans returns the first secret beside each occurrence of the word. Behind a word that
// begins a list, these are all secrets of the list.
func (w besideWord) spans(text string) (spans []span) {
	words := w.word.FindAllStringIndex(text, -1)
	if len(words) == 0 {
		return nil
	}
	for _, r := range w.before {
		if spans = r.spans(text); len(spans) > 0 {
			return spans
		}
	}
	end := 0 // of the last span
	for _, word := range words {
		if word[0] < end || otherCode.MatchString(text[:word[0]]) {
			continue
		}
		found := w.behind(text, word[0], word[1])
		if spans = append(spans, found...); len(found) > 0 {
			end = found[len(found)-1].to
		}
	}
	return spans
}

// behind returns the secrets behind the word at from.
func (w besideWord) behind(text string, from, to int) (spans []span) {
	rest, list := sentenceAfter(text, to)
	changes := changeVerb.MatchString(text[sentenceStart(text, from):to] + rest)
	for _, r := range w.after {
		if r.change && !changes {
			continue
		}
		for _, at := range r.pattern.FindAllStringSubmatchIndex(rest, -1) {
			if at[2] < 0 || newClause.MatchString(rest[:at[2]]) || r.confirm != nil && !r.confirm(rest[at[2]:at[3]]) {
				continue
			}
			spans = append(spans, span{to + at[2], to + at[3]})
			if !list {
				return spans
			}
		}
		if len(spans) > 0 {
			return spans
		}
	}
	return nil
}

// The reach of a word, in bytes.
const (
	maxBetween = 120  // up to its secret
	maxBefore  = 200  // of the sentence before it
	maxList    = 1000 // of a list below it
)

// sentenceAfter returns the rest of the sentence at from. If the line ends with a colon,
// the list below belongs to it.
func sentenceAfter(text string, from int) (rest string, list bool) {
	rest = text[from:min(len(text), from+maxList)]
	at := sentenceEnd.FindStringIndex(rest)
	if at != nil && rest[at[0]] == '\n' && strings.HasSuffix(strings.TrimSpace(rest[:at[0]]), ":") && strings.HasPrefix(strings.TrimSpace(rest[at[0]:]), "-") {
		return strings.ToValidUTF8(strings.Split(rest, "\n\n")[0], ""), true
	}
	if at != nil {
		rest = rest[:at[0]]
	}
	return strings.ToValidUTF8(rest[:min(len(rest), maxBetween)], ""), false
}

// sentenceStart returns where the sentence around a place begins.
func sentenceStart(text string, at int) int {
	from := max(0, at-maxBefore)
	ends := sentenceEnd.FindAllStringIndex(text[from:at], -1)
	if len(ends) == 0 {
		return from
	}
	return from + ends[len(ends)-1][1]
}
