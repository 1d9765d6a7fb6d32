package similar

import "strings"

// Digits returns a hash of the digits of a text in their order. Near-duplicates have the
// same, because a word with a digit is salient. It takes a hundredth of the time of
// [New], so it shows quickly that two long texts differ.
func Digits(text string) uint64 {
	h := hashSeed
	for len(text) >= 8 {
		if mayHaveDigit(text[:8]) {
			h = hashDigits(h, text[:8])
		}
		text = text[8:]
	}
	return hashDigits(h, text)
}

func hashDigits(h uint64, text string) uint64 {
	for i := range len(text) {
		if c := text[i]; c >= '0' && c <= '9' {
			h = (h ^ uint64(c)) * hashPrime
		}
	}
	return h
}

// mayHaveDigit tests eight bytes at once: whether the upper half of any is that of a
// digit. The subtraction borrows into the high bit of a byte that is zero.
func mayHaveDigit(eight string) bool {
	const each, upper, high, digits = 0x0101010101010101, 0xf0f0f0f0f0f0f0f0, 0x8080808080808080, 0x3030303030303030
	e := eight[:8]
	x := uint64(e[0]) | uint64(e[1])<<8 | uint64(e[2])<<16 | uint64(e[3])<<24 | uint64(e[4])<<32 | uint64(e[5])<<40 | uint64(e[6])<<48 | uint64(e[7])<<56
	x = x&upper ^ digits
	return (x-each)&^x&high != 0
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
