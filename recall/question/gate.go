package question

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/language"
)

// maxTrivialWords is the most words (characters in CJK) of small talk: more than
// polite phrases need, and few enough to check quickly.
const maxTrivialWords = 40

// IsTrivial reports whether no memory can help with a prompt: a greeting, an
// acknowledgement, punctuation, a heartbeat of the host or a slash command. Emoji of a
// mood and words that name nothing are trivial too.
// It knows the languages of smallTalk, in full and half width.
func IsTrivial(prompt string) bool {
	folded := fold(removeStamp(truncate(language.Clean(prompt))))
	if isHeartbeat(folded) || isSlashCommand(folded) {
		return true
	}
	words := splitGateWords(emoticons.ReplaceAllString(folded, " "))
	return len(words) <= maxTrivialWords && (isBlankOrShortNumber(words) && !strings.ContainsFunc(folded, isThing) || isSmallTalk(words) || tellsNothing(prompt, folded))
}

// fold removes the differences between spellings of a phrase: width, case, accents,
// and Katakana for Hiragana. It applies to prompts and phrases.
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

// isHeartbeat recognises the prompt with which a host wakes an agent at intervals.
func isHeartbeat(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "read heartbeat.md") || s == "heartbeat_ok" ||
		strings.Contains(s, "heartbeat.md") && strings.Contains(s, "heartbeat_ok")
}

var slashCommand = lazyregexp.New(`^/([a-z][a-z0-9_-]*)(?::[a-z0-9_:-]+)?(?:\s|$)`)

// rootFolders lists names that make a path of a leading slash, not a command.
var rootFolders = language.WordSet(`applications bin boot dev etc home lib library media mnt opt private proc root sbin srv sys tmp usr users var volumes`)

func isSlashCommand(s string) bool {
	m := slashCommand.FindStringSubmatch(strings.TrimSpace(s))
	return m != nil && !rootFolders[m[1]]
}

// emoticons matches emoticons, emoji shortcodes and mentions, which contain letters.
var emoticons = lazyregexp.New(`:[a-z0-9_+-]+:|(?:^|\s)[:;=8x]['-]?[dpo03)(/\\|]+(?:$|\s)|@\w+`)

// splitGateWords returns runs of letters and digits, without apostrophes. Each CJK
// character is a word, because these scripts do not separate their words.
func splitGateWords(s string) []string {
	var spaced strings.Builder
	for _, r := range s {
		switch {
		case r == '\'':
		case !language.IsAlnum(r):
			spaced.WriteByte(' ')
		case language.ScriptOf(r) != language.NoCJK:
			spaced.WriteString(" " + string(r) + " ")
		default:
			spaced.WriteRune(r)
		}
	}
	return strings.Fields(spaced.String())
}

// things has the emoji of animals, plants, food, vehicles and objects. The others are
// faces, gestures, people, hearts and signs: alone they tell a mood.
var things = &unicode.RangeTable{R32: []unicode.Range32{
	{0x1f300, 0x1f388, 1}, {0x1f38b, 0x1f3fa, 1}, {0x1f400, 0x1f440, 1}, {0x1f451, 0x1f463, 1}, {0x1f4b0, 0x1f4ff, 1}, {0x1f509, 0x1f524, 1},
	{0x1f526, 0x1f58f, 1}, {0x1f681, 0x1f6ff, 1}, {0x1f950, 0x1f96f, 1}, {0x1f980, 0x1f9cc, 1}, {0x1fa70, 0x1fadf, 1},
}}

func isThing(r rune) bool { return unicode.Is(things, r) }

// isBlankOrShortNumber reports whether there are no words, or a number of at most
// two digits: a choice from a list or a keycap emoji.
func isBlankOrShortNumber(words []string) bool {
	all := strings.Join(words, "")
	return strings.Trim(all, "0123456789") == "" && len(all) <= 2
}

// isSmallTalk reports whether the words are phrases of small talk alone. It takes
// the longest phrase first. Fillers count only together with a phrase.
func isSmallTalk(words []string) bool {
	hasPhrase := false
	for len(words) > 0 {
		n, ok := matchPhrase(words)
		switch {
		case ok:
			hasPhrase = true
		case fillers[words[0]]:
			n = 1
		default:
			return false
		}
		words = words[n:]
	}
	return hasPhrase
}

// matchPhrase returns the number of words of the longest phrase at the beginning.
func matchPhrase(words []string) (n int, ok bool) {
	for n = min(len(words), maxPhraseWords); n > 0; n-- {
		if phrases[strings.Join(words[:n], " ")] {
			return n, true
		}
	}
	return 1, laughter.MatchString(words[0]) || isElongated(words[0])
}

// laughter matches repeated syllables and drawn-out interjections in several
// alphabets.
var laughter = lazyregexp.New(`^(?:a?(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|(?:ho){2,}|(?:ja){2,}|(?:je){2,}|(?:rs){2,}|k{3,}|w{3,}|5{3,}|(?:ха){2,}х?|(?:хе){2,}|l+o+l+|lmf?a+o+|х+м+|h+m+|m+h*m+|u+h+|a+h+|o+h+|a+w+)$`)

// isElongated reports whether a word is a phrase or filler with repeated letters:
// heyyyy, okkk, sooo.
func isElongated(word string) bool {
	for _, keep := range []int{1, 2} {
		if s := shortenRuns(word, keep); s != word && (phrases[s] || fillers[s]) {
			return true
		}
	}
	return false
}

// shortenRuns cuts runs of three or more equal letters to keep letters.
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
