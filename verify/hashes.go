package verify

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
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

// Hashes finds texts of which only keyed hashes are known. It finds them where a [Matcher]
// does. Only one goroutine may use it.
type Hashes struct {
	mac     hash.Hash
	blocks  map[string]bool
	starts  map[int]startSet // by the number of bytes that Start is of
	bits    int              // of Start
	overlap int              // the most bytes that one match can cover
	most    int              // bytes of a form
	plain   []byte           // a piece with joined white space

	start0, start1, start2 uint64 // the key of Start
}

// startSet are the forms by their Start, with a bit for each that there is.
type startSet struct {
	bits  []uint64
	forms map[int][]Form
}

// maxStart is how many bytes at the beginning of a text are compared first.
const maxStart = 8

// falseStarts is the share of the places in a file whose first bytes look like those of a
// text, as a power of two. Each of them costs one hash of the whole length. The hashes tell
// as many bits of the first bytes, and as many as number the texts.
const falseStarts = 8

// MostTexts is how many texts can be hashed together. A request of 1 MiB has room for their
// hashes and their ids.
const MostTexts = 3000

const bitsOfMost = 12 // that number them

// maxLength is the length of a text above which a receipt is none: no file of memories is as
// large.
const maxLength = 1 << 26

// NewKey returns a new key, in hexadecimal digits.
func NewKey() string {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // it never fails
	return hex.EncodeToString(key)
}

// HashTexts returns keyed hashes of texts.
func HashTexts(key string, texts []string) (r Hashed, err error) {
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	r = Hashed{Key: key, StartBits: falseStarts + bits.Len(uint(len(texts)))}
	h, err := newHashes(key, r.StartBits)
	if err != nil {
		return r, err
	}
	for _, text := range texts {
		t := HashedText{Block: h.hashBlock(chunker.Fingerprint(text))}
		for _, form := range formsOf(text) {
			t.Forms = append(t.Forms, Form{Length: len(form), Start: h.startOf(form), Hash: h.hash(form)})
		}
		r.Texts = append(r.Texts, t)
	}
	return r, nil
}

func newHashes(hexKey string, bits int) (*Hashes, error) {
	key, err := hex.DecodeString(hexKey)
	if err != nil || len(key) != sha256.Size || bits < falseStarts || bits > falseStarts+bitsOfMost {
		return nil, memory.Invalid("receipt", "the receipt has no valid key").WithHint("verify needs the receipt as destroy wrote it")
	}
	word := func(n int) uint64 { return binary.LittleEndian.Uint64(key[8*n:]) }
	return &Hashes{mac: hmac.New(sha256.New, key), blocks: map[string]bool{}, starts: map[int]startSet{}, bits: bits,
		start0: word(0), start1: word(1) | 1, start2: word(2) | 1}, nil
}

// NewHashes returns what finds texts by their hashes.
func NewHashes(r Hashed) (*Hashes, error) {
	h, err := newHashes(r.Key, r.StartBits)
	if err != nil {
		return nil, err
	}
	for _, t := range r.Texts {
		h.blocks[t.Block] = true
		for _, form := range t.Forms {
			if form.Length < 1 || form.Length > maxLength || form.Start < 0 || form.Start>>h.bits != 0 {
				return nil, memory.Invalid("receipt", "the receipt has a text that is none").WithHint("verify needs the receipt as destroy wrote it")
			}
			h.add(form)
		}
	}
	return h, nil
}

func (h *Hashes) add(form Form) {
	size := min(form.Length, maxStart)
	starts, known := h.starts[size]
	if !known {
		starts = startSet{make([]uint64, 1<<h.bits/64), map[int][]Form{}}
		h.starts[size] = starts
	}
	starts.bits[form.Start/64] |= 1 << (form.Start % 64)
	starts.forms[form.Start] = append(starts.forms[form.Start], form)
	const moreSpace = 1 << 18 // of wrapped lines and their indentation
	h.overlap, h.most = max(h.overlap, 2*form.Length+moreSpace), max(h.most, form.Length)
}

// formsOf returns how a text may be written, with joined white space.
func formsOf(text string) (forms [][]byte) {
	words := strings.Fields(text)
	ways := quotedJSON(words)
	for _, written := range append([][]string{words}, ways[:]...) {
		for _, escapes := range []bool{false, true} {
			src := []byte(strings.Join(written, " "))
			form, _ := joinSpace(nil, src, escapes, len(src))
			if trimmed := bytes.TrimSpace(form); !escapes {
				form = trimmed
			} else if len(trimmed) < len(form) {
				continue // without a \n at its end it would be another text
			}
			if len(form) > 0 && !slices.ContainsFunc(forms, func(f []byte) bool { return bytes.Equal(f, form) }) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// joinSpace appends src to plain, with one space for each run of what may separate words. It
// stops at a length of plain, and returns how many bytes of src it read. escapes includes white
// space as JSON escapes it.
func joinSpace(plain, src []byte, escapes bool, stop int) ([]byte, int) {
	inSpace, i := false, 0
	for i < len(src) && len(plain) < stop {
		c, size, space := src[i], 1, false
		switch {
		case c == '>' || c == ' ' || c >= '\t' && c <= '\r':
			space = true
		case c == '\\':
			if n := escapedSpaceAt(src[i:]); escapes && n > 0 {
				size, space = n, true
			}
		case c >= utf8.RuneSelf:
			var r rune
			r, size = utf8.DecodeRune(src[i:])
			space = unicode.IsSpace(r)
		}
		switch {
		case space && !inSpace:
			plain = append(plain, ' ')
		case !space && size == 1:
			plain = append(plain, c)
		case !space:
			plain = append(plain, src[i:i+size]...)
		}
		i, inSpace = i+size, space
	}
	return plain, i
}

// Index returns the offset at which a text begins in b, or -1.
func (h *Hashes) Index(b []byte) int {
	for _, escapes := range []bool{false, true} {
		if escapes && bytes.IndexByte(b, '\\') < 0 {
			continue
		}
		h.plain, _ = joinSpace(h.plain[:0], b, escapes, len(b))
		for size, starts := range h.starts {
			if i := h.indexOf(size, starts); i >= 0 {
				_, size := utf8.DecodeRune(h.plain[i:])
				_, end := joinSpace(h.plain[:0], b, escapes, i+1)
				return end - size
			}
		}
	}
	return -1
}

// indexOf looks for the forms whose Start is of so many bytes.
func (h *Hashes) indexOf(size int, starts startSet) int {
	var first [maxStart]byte
	for i := 0; i+size <= len(h.plain); i++ {
		if h.plain[i] == ' ' {
			continue // no text begins with it
		}
		copy(first[:], h.plain[i:i+size])
		start := h.start(binary.LittleEndian.Uint64(first[:]))
		if starts.bits[start/64]&(1<<(start%64)) == 0 {
			continue
		}
		for _, form := range starts.forms[start] {
			if i+form.Length <= len(h.plain) && h.hash(h.plain[i:i+form.Length]) == form.Hash {
				return i
			}
		}
	}
	return -1
}

// IndexReader returns the offset of the first match in r, or -1.
func (h *Hashes) IndexReader(r io.Reader) (int64, error) { return indexReader(r, h.overlap, h.Index) }

func (h *Hashes) longest() int { return 2 * h.most }

// HasBlock reports whether a block of Markdown is one of the texts.
func (h *Hashes) HasBlock(f memory.Fingerprint) bool { return h.blocks[h.hashBlock(f)] }

// startOf returns the Start of a text.
func (h *Hashes) startOf(text []byte) int {
	var first [maxStart]byte
	copy(first[:], text)
	return h.start(binary.LittleEndian.Uint64(first[:]))
}

// start returns a few bits of a keyed hash of the first bytes of a text. However weak it is,
// it tells no more than these bits.
func (h *Hashes) start(first uint64) int {
	x := (first ^ h.start0) * h.start1
	return int((x ^ x>>32) * h.start2 >> (64 - h.bits))
}

func (h *Hashes) hash(text []byte) string { return h.sum("text", text) }

func (h *Hashes) hashBlock(f memory.Fingerprint) string { return h.sum("block", f[:]) }

// sum returns 16 bytes of a keyed hash, which no two texts share by chance.
func (h *Hashes) sum(kind string, b []byte) string {
	h.mac.Reset()
	h.mac.Write([]byte(kind + "\x00"))
	h.mac.Write(b)
	return hex.EncodeToString(h.mac.Sum(nil)[:16])
}
