package verify

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"math/bits"
	"slices"

	"github.com/memory-tiered/memory"
)

// Hashed are texts of which only keyed hashes are known. Hashes are in hexadecimal digits.
type Hashed struct {
	Key       string       `json:"key"`
	StartBits int          `json:"start_bits"` // how many bits Form.Start has
	Texts     []HashedText `json:"texts"`
}

// HashedText has hashes of one text.
type HashedText struct {
	Block string `json:"block"` // of the text as a block of Markdown
	Forms []Form `json:"forms"` // of its bytes: plain, and as JSON quotes it
}

// Form finds a text among bytes whose white space is joined.
type Form struct {
	Length int    `json:"length"` // in bytes
	Start  int    `json:"start"`  // a few bits of a hash of the first bytes, so that a search is fast
	Hash   string `json:"hash"`
}

// MostTexts is how many texts can be hashed together. A request of 1 MiB has room for their
// hashes and their ids.
const MostTexts = 3000

const bitsOfMost = 12 // that number them

// maxLength is the length of a text above which a receipt is none: no file of memories is as
// large.
const maxLength = 1 << 26

// NewKey returns a new key, in hexadecimal digits.
func NewKey() string { return hex.EncodeToString(newKey()) }

func newKey() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // it never fails
	return key
}

// HashTexts returns keyed hashes of texts.
func HashTexts(key string, texts []string) (r Hashed, err error) {
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	r = Hashed{Key: key, StartBits: falseStarts + bits.Len(uint(len(texts)))}
	m, err := r.matcher()
	if err != nil {
		return r, err
	}
	for _, text := range texts {
		r.Texts = append(r.Texts, m.hashText(text))
	}
	return r, nil
}

// matcher returns a matcher with the key of the hashes.
func (r Hashed) matcher() (*Matcher, error) {
	key, err := hex.DecodeString(r.Key)
	if err != nil || len(key) != sha256.Size || r.StartBits < falseStarts || r.StartBits > falseStarts+bitsOfMost {
		return nil, memory.Invalid("receipt", "the receipt has no valid key").WithHint("verify needs the receipt as destroy wrote it")
	}
	return newMatcher(key, r.StartBits), nil
}

// Matcher returns what finds texts by their hashes.
func (r Hashed) Matcher() (*Matcher, error) {
	m, err := r.matcher()
	if err != nil {
		return nil, err
	}
	for _, t := range r.Texts {
		for _, form := range t.Forms {
			if form.Length < 1 || form.Length > maxLength || form.Start < 0 || form.Start>>m.bits != 0 {
				return nil, memory.Invalid("receipt", "the receipt has a text that is none").WithHint("verify needs the receipt as destroy wrote it")
			}
		}
		m.addText(t)
	}
	return m, nil
}
