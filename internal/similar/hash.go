package similar

import "strings"

// Digits returns a hash of the digits of a text in their order. Near-duplicates have the
// same, because a word with a digit is salient. It takes a hundredth of the time of
// [New], so it shows quickly that two long texts differ.
func Digits(text string) uint64 {
	h := hashSeed
	for i := range len(text) {
		if c := text[i]; c >= '0' && c <= '9' {
			h = (h ^ uint64(c)) * hashPrime
		}
	}
	return h
}

// hashOf hashes a text in lower case and without punctuation.
func hashOf(text string) uint64 {
	h := hashSeed
	for field := range strings.FieldsSeq(text) {
		if field = trimPunctuation(field); field != "" {
			h = hash(hash(h, strings.ToLower(field)), " ")
		}
	}
	return h
}

// hashSeed and hash are FNV-1a, written out because every word of every candidate
// goes through it.
const (
	hashSeed  uint64 = 14695981039346656037
	hashPrime uint64 = 1099511628211
)

func hash(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * hashPrime
	}
	return h
}
