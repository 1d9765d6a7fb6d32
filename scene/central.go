package scene

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// extractSize is how many memories an extract has.
const extractSize = 3

// repetition is what similarity to a memory that is chosen already counts against another one.
const repetition = 0.5

// words are the words of a text with their weights, of length 1.
type words map[string]float64

func wordsOf(text string) words {
	w := words{}
	isStopWord := lang.IsStopWordIn(text)
	for _, word := range lang.FoldedWords(text) {
		if !isStopWord(word) {
			w[word]++
		}
	}
	return w.unit()
}

func (w words) unit() words {
	sum := 0.0
	for _, n := range w {
		sum += n * n
	}
	for word := range w {
		w[word] /= math.Sqrt(sum)
	}
	return w
}

// dot returns the cosine of the shorter words and the longer ones.
func (w words) dot(longer words) (sum float64) {
	for word, n := range w {
		sum += n * longer[word]
	}
	return sum
}

// Central returns the positions of the memories that stand for all, at most n, in their order.
// Each is near the centre of all words, and says something else than the others.
func Central(memories []memory.Memory, n int) (chosen []int) {
	each, centre := make([]words, len(memories)), words{}
	for i := range memories {
		each[i] = wordsOf(memories[i].Text)
		for word, weight := range each[i] {
			centre[word] += weight
		}
	}
	centre.unit()
	score := func(i int) float64 {
		repeats := 0.0
		for _, j := range chosen {
			repeats = max(repeats, each[i].dot(each[j]))
		}
		return each[i].dot(centre) - repetition*repeats
	}
	for range min(n, len(memories)) {
		best, most := -1, math.Inf(-1)
		for i := range memories {
			if points := score(i); points > most && !slices.Contains(chosen, i) {
				best, most = i, points
			}
		}
		chosen = append(chosen, best)
	}
	slices.Sort(chosen)
	return chosen
}

// longestSentence is the length from which an extract has one sentence of a text, in bytes.
const longestSentence = 240

// Sentence returns a text, or of a long one the sentence that is nearest to all its words.
func Sentence(text string) string {
	if len(text) <= longestSentence {
		return text
	}
	centre, best, most := wordsOf(text), "", -1.0
	for _, s := range sentences(text) {
		if points := wordsOf(s).dot(centre); points > most {
			best, most = s, points
		}
	}
	return best
}

// sentences cuts a text behind the marks that end a sentence, and at the ends of lines.
func sentences(text string) (list []string) {
	start := 0
	for i, r := range text {
		end := i + len(string(r))
		next := lang.FirstRune(text[end:])
		isEnd := r == '\n' || strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?", r) && unicode.IsSpace(next) || end == len(text)
		if s := strings.TrimSpace(text[start:end]); isEnd && s != "" {
			list = append(list, s)
			start = end
		}
	}
	return list
}
