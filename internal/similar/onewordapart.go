package similar

import (
	"slices"
	"strconv"
	"strings"
)

// Limits of texts that differ in one word.
const (
	minApartWords = 4 // content words of a text
	maxApart      = 3 // texts that differ in the same place: more are a list
)

// OneWordApart returns the texts of a list that differ in exactly one ordinary word: "Anna's
// car is old" and "Anna's auto is old". The words may mean the same, or not. Names, numbers,
// negations and words such as "before" are no ordinary words. Near-duplicates are left out,
// and so are texts without spaces (CJK).
func OneWordApart(list []string) (pairs []Pair) {
	buckets, order := map[string][]int{}, []string{}
	words := make([][]string, len(list))
	for i, text := range list {
		if strings.ContainsFunc(text, isCJK) || strings.Contains(text, "\n") || countWords(text) > maxStatement {
			continue
		}
		words[i] = contentWords(text)
		if len(words[i]) < minApartWords {
			continue
		}
		for n := range words[i] {
			key := strconv.Itoa(n) + " " + strings.Join(slices.Concat(words[i][:n], words[i][n+1:]), " ")
			if buckets[key] == nil {
				order = append(order, key)
			}
			buckets[key] = append(buckets[key], i)
		}
	}
	for _, key := range order {
		bucket := buckets[key]
		if len(bucket) < 2 || len(bucket) > maxApart {
			continue
		}
		at, _ := strconv.Atoi(key[:strings.IndexByte(key, ' ')])
		for _, other := range bucket[1:] {
			if isApart(list[bucket[0]], list[other], words[bucket[0]][at], words[other][at]) {
				pairs = append(pairs, Pair{bucket[0], other})
			}
		}
	}
	return pairs
}

// isApart reports whether two texts that have other words in one place may say the same.
func isApart(text, other, word, otherWord string) bool {
	if areForms(word, otherWord) {
		return false
	}
	a, b := New(text), New(other)
	return a.SameNames(&b) && !a.NearDuplicate(&b)
}
