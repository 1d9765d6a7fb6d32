package secrets

import (
	"regexp"
	"strings"
)

// maxNaming bounds the message before a reply: what is asked for stands at its end.
const maxNaming = 600

var (
	// anyWord matches the words for a secret of any kind.
	anyWord = regexp.MustCompile(secretWord + `|` + pinWord + `|` + passwordWord + `|` + codeWord + `|` + codeCJK + `|` + keyWord)

	// replies match a statement about what another message named, with its value.
	replies = []*regexp.Regexp{
		regexp.MustCompile(`(?i)^(?:(?:it|that|this|mine|ours|(?:the |my |our )?new one|es|sie|er|das|dies|(?:die|der|das) neue|il|elle|cela|ça|la nouvelle|le nouveau|la nueva|el nuevo)[\s,]*)?(?:(?:now|jetzt|nun|ahora)\s+)?` +
			`(?:'s|’s|is|was|will be|ist|lautet|heißt|est|c['’]est|es|será)\s+(?:(?:now|still|jetzt|nun|wieder|maintenant|désormais|toujours|ahora)\s+)?(.+)`),
		regexp.MustCompile(`(?i)^(?:es|sie|er|das|dies|die neue|der neue|das neue)\s+(?:(?:jetzt|nun|wieder|ab jetzt)\s+)?(.+?)\s+(?:ist|lautet|heißt)\b`),
		regexp.MustCompile(`^(?:(?:今は|今|それは|これは|新しいのは)[、,]?)?([!-~]{2,40}?)\s?(?:です|だ|になりました|に変わりました)`),
		regexp.MustCompile(`^(?:它|现在|目前|新的|就)*(?:是|改成了?|改为了?|换成了?|叫)\s*([!-~]{2,40})`),
		regexp.MustCompile(`^([!-~\p{Latin}]{2,40}(?: [!-~\p{Latin}]{2,40})?)$`),
	}
)

// Names reports whether a text has a word for a secret, so that a reply may be its value.
func Names(text string) bool {
	end := fold(endOf(text)).text
	return secretStem.MatchString(end) && anyWord.MatchString(end)
}

// FindReply returns the kind of the secret that a text states as the reply to another one:
// "What is your PIN?" and "It is 2580."
func FindReply(before, text string) (kind string, found bool) {
	if !Names(before) {
		return "", false
	}
	before = fold(strings.ReplaceAll(Mask(endOf(before)), mask, "")).text
	if kind, found = Find(before + " " + text); found {
		return kind, true
	}
	words := anyWord.FindAllString(before, -1)
	if len(words) == 0 {
		return "", false
	}
	word := words[len(words)-1]
	text = strings.TrimRight(strings.TrimSpace(fold(text).text), ".!。！ ")
	for _, reply := range replies {
		at := reply.FindStringSubmatch(text)
		if at == nil {
			continue
		}
		for _, stated := range []string{word + " is " + at[1], word + "は" + at[1] + "です", word + "是" + at[1]} {
			if kind, found = Find(stated); found {
				return kind, true
			}
		}
	}
	return "", false
}

// endOf returns the end of a long text.
func endOf(text string) string {
	return strings.ToValidUTF8(text[max(0, len(text)-maxNaming):], "")
}
