package protecting

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed words.txt
var wordTable string

// words returns other words for keys, and what looks like a key with a value, and means
// something else.
var words = sync.OnceValues(readWords)

// isOther reports whether two words look like a key with a value, and mean something else.
func isOther(first, second string) bool {
	_, others := words()
	return others[first+" "+second]
}

func readWords() (meanings map[string]string, others map[string]bool) {
	meanings, others = map[string]string{}, map[string]bool{}
	for line := range strings.Lines(wordTable) {
		switch kind, rest, _ := strings.Cut(strings.TrimSpace(line), " "); kind {
		case "means":
			key, word, _ := strings.Cut(rest, " ")
			meanings[word] = key
		case "other":
			others[rest] = true
		}
	}
	return meanings, others
}

// joinedWord returns a word without the signs between its parts.
func joinedWord(word string) string { return strings.NewReplacer("_", "", "-", "").Replace(word) }
