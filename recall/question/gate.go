package question

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/learn"
)

// maxTrivialWords is the most words (characters in CJK) of small talk: more than
// polite phrases need, and few enough to check quickly.
const maxTrivialWords = 40

// IsTrivial reports whether no memory can help with a prompt: a greeting, an
// acknowledgement, punctuation, a heartbeat of the host or a slash command. Emoji of a
// mood and words that name nothing are trivial too.
func IsTrivial(prompt string) bool {
	text := removeStamp(truncate(lang.Clean(prompt)))
	folded := learn.Fold(text)
	if isHeartbeat(folded) || isSlashCommand(folded) {
		return true
	}
	words := splitGateWords(emoticons().ReplaceAllString(folded, " "))
	switch {
	case len(words) > maxTrivialWords:
		return false
	case isBlankOrShortNumber(words):
		return !strings.ContainsFunc(folded, isThing)
	}
	return tellsNothing(prompt, folded) || isSmallTalk(words) || learn.IsTrivial(text)
}

// isHeartbeat recognises the prompt with which a host wakes an agent at intervals.
func isHeartbeat(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "read heartbeat.md") || s == "heartbeat_ok" ||
		strings.Contains(s, "heartbeat.md") && strings.Contains(s, "heartbeat_ok")
}

var slashCommand = lazyregexp.New(`^/([a-z][a-z0-9_-]*)(?::[a-z0-9_:-]+)?(?:\s|$)`)

// rootFolders lists names that make a path of a leading slash, not a command.
var rootFolders = strings.Fields(`applications bin boot dev etc home lib library media mnt opt private proc root sbin srv sys tmp usr users var volumes`)

func isSlashCommand(s string) bool {
	m := slashCommand().FindStringSubmatch(strings.TrimSpace(s))
	return m != nil && !slices.Contains(rootFolders, m[1])
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
		case !lang.IsAlnum(r):
			spaced.WriteByte(' ')
		case lang.ScriptOf(r) != lang.NoCJK:
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

// isSmallTalk reports whether the words are phrases of lang/*/smalltalk.txt alone. It takes the
// longest phrase first.
func isSmallTalk(words []string) bool {
	phrases := smallTalk()
	for len(words) > 0 {
		n := min(len(words), maxPhraseWords)
		for n > 0 && !phrases[strings.Join(words[:n], " ")] {
			n--
		}
		if n == 0 {
			return false
		}
		words = words[n:]
	}
	return true
}

// maxPhraseWords is the most words (characters in CJK) of a phrase of small talk.
const maxPhraseWords = 12

// smallTalk returns the folded phrases of small talk of the languages that [learn.Gate] has no
// examples of.
var smallTalk = sync.OnceValue(func() map[string]bool {
	phrases := map[string]bool{}
	for line := range lang.Section("smalltalk", "phrase") {
		phrases[strings.Join(splitGateWords(learn.Fold(line.Text)), " ")] = true
	}
	return phrases
})
