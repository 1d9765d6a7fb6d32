package recall

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxTrivialWords is how many words (of CJK, characters) a prompt may have and
// still be small talk: more than politeness takes, few enough to stay cheap.
const maxTrivialWords = 40

// IsTrivial says whether a prompt asks for nothing that a memory could help with:
// a greeting, an acknowledgement, emoji or punctuation, a host's heartbeat, a
// slash command; in any width and in the languages of smallTalk.
func IsTrivial(prompt string) bool {
	folded := fold(truncate(clean(prompt)))
	if isHeartbeat(folded) || isSlashCommand(folded) {
		return true
	}
	words := splitGateWords(emoticons.ReplaceAllString(folded, " "))
	return len(words) <= maxTrivialWords && (isBlankOrShortNumber(words) || isSmallTalk(words))
}

// fold takes away what does not tell small talk from small talk: width, case,
// accents, which kana. It is applied to the prompt and to the phrases alike.
func fold(s string) string {
	const katakana, lastKatakana, toHiragana = 'ァ', 'ヶ', 'ァ' - 'ぁ'
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
			return -1
		case r >= katakana && r <= lastKatakana:
			return r - toHiragana
		case r == '’':
			return '\''
		}
		return r
	}, norm.NFKD.String(s))
	return strings.ToLower(norm.NFC.String(s))
}

// isHeartbeat knows the prompt by which a host wakes an agent at intervals.
func isHeartbeat(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "read heartbeat.md") || s == "heartbeat_ok" ||
		strings.Contains(s, "heartbeat.md") && strings.Contains(s, "heartbeat_ok")
}

var slashCommand = regexp.MustCompile(`^/([a-z][a-z0-9_-]*)(?::[a-z0-9_:-]+)?(?:\s|$)`)

// rootFolders are names that stand behind a slash because they are paths.
var rootFolders = wordSet(`applications bin boot dev etc home lib library media mnt opt private proc root sbin srv sys tmp usr users var volumes`)

func isSlashCommand(s string) bool {
	m := slashCommand.FindStringSubmatch(strings.TrimSpace(s))
	return m != nil && !rootFolders[m[1]]
}

// emoticons are emoticons and emoji written as words, which hold letters.
var emoticons = regexp.MustCompile(`:[a-z0-9_+-]+:|(?:^|\s)[:;=8x]['-]?[dpo03)(/\\|]+(?:$|\s)|@\w+`)

// splitGateWords gives runs of letters and digits without their apostrophes, and
// each CJK character alone, as those scripts do not part their words.
func splitGateWords(s string) []string {
	var spaced strings.Builder
	for _, r := range s {
		switch {
		case r == '\'':
		case !isAlnum(r):
			spaced.WriteByte(' ')
		case scriptOf(r) != noCJK:
			spaced.WriteString(" " + string(r) + " ")
		default:
			spaced.WriteRune(r)
		}
	}
	return strings.Fields(spaced.String())
}

// isBlankOrShortNumber says that nothing was said, or a number too short to ask for: a
// choice from a list, a keycap emoji.
func isBlankOrShortNumber(words []string) bool {
	all := strings.Join(words, "")
	return strings.Trim(all, "0123456789") == "" && len(all) <= 2
}

// isSmallTalk says whether the words are phrases of small talk and nothing
// else, longest phrase first; fillers count only beside one.
func isSmallTalk(words []string) bool {
	said := false
	for len(words) > 0 {
		n, ok := matchPhrase(words)
		switch {
		case ok:
			said = true
		case fillers[words[0]]:
			n = 1
		default:
			return false
		}
		words = words[n:]
	}
	return said
}

func matchPhrase(words []string) (n int, ok bool) {
	for n = min(len(words), maxPhraseWords); n > 0; n-- {
		if phrases[strings.Join(words[:n], " ")] {
			return n, true
		}
	}
	return 1, laughter.MatchString(words[0]) || isElongated(words[0])
}

// laughter is the same syllable over and over, in several alphabets.
var laughter = regexp.MustCompile(`^(?:a?(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|(?:ho){2,}|(?:ja){2,}|(?:je){2,}|(?:rs){2,}|k{3,}|w{3,}|5{3,}|(?:ха){2,}х?|(?:хе){2,}|l+o+l+|lmf?a+o+|х+м+|h+m+|m+h*m+|u+h+|a+h+|o+h+|a+w+)$`)

// isElongated finds a phrase behind letters that were held: heyyyy, okkk, sooo.
func isElongated(word string) bool {
	for _, keep := range []int{1, 2} {
		if s := shortenRuns(word, keep); s != word && (phrases[s] || fillers[s]) {
			return true
		}
	}
	return false
}

// shortenRuns shortens runs of three and more of a letter.
func shortenRuns(word string, keep int) string {
	runes := []rune(word)
	var out []rune
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && runes[j] == runes[i] {
			j++
		}
		n := j - i
		if n >= 3 {
			n = keep
		}
		out = append(out, runes[i:i+n]...)
		i = j
	}
	return string(out)
}
