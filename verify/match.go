package verify

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"math/bits"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// Matcher finds texts among bytes, thousands of them in one pass, however their words are
// wrapped. It finds each as written and as JSON or YAML quote it. It knows only keyed hashes of
// them, so that a receipt finds a destroyed text as the text itself did. The mark of a block quote
// counts as a blank. Only one goroutine may use it.
type Matcher struct {
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

// newMatcher returns a matcher without texts. bits is the size of their [Form.Start].
func newMatcher(key []byte, bits int) *Matcher {
	word := func(n int) uint64 { return binary.LittleEndian.Uint64(key[8*n:]) }
	return &Matcher{mac: hmac.New(sha256.New, key), blocks: map[string]bool{}, starts: map[int]startSet{}, bits: bits,
		start0: word(0), start1: word(1) | 1, start2: word(2) | 1}
}

// mostBits limits the memory of a matcher that has the texts themselves.
const mostBits = 24

// NewMatcher returns a matcher for texts. A text without words matches nothing.
func NewMatcher(texts ...string) *Matcher {
	m := newMatcher(newKey(), min(2*falseStarts+bits.Len(uint(len(texts))), mostBits))
	for _, text := range texts {
		m.addText(m.hashText(text))
	}
	return m
}

// hashText returns the hashes of a text.
func (m *Matcher) hashText(text string) HashedText {
	t := HashedText{Block: m.hashBlock(chunker.Fingerprint(text))}
	for _, form := range formsOf(text) {
		t.Forms = append(t.Forms, Form{Length: len(form), Start: m.startOf(form), Hash: m.hash(form)})
	}
	return t
}

func (m *Matcher) addText(t HashedText) {
	m.blocks[t.Block] = true
	for _, form := range t.Forms {
		m.add(form)
	}
}

func (m *Matcher) add(form Form) {
	size := min(form.Length, maxStart)
	starts, known := m.starts[size]
	if !known {
		starts = startSet{make([]uint64, 1<<m.bits/64), map[int][]Form{}}
		m.starts[size] = starts
	}
	starts.bits[form.Start/64] |= 1 << (form.Start % 64)
	starts.forms[form.Start] = append(starts.forms[form.Start], form)
	const moreSpace = 1 << 18 // of wrapped lines and their indentation
	m.overlap, m.most = max(m.overlap, 2*form.Length+moreSpace), max(m.most, form.Length)
}

// Index returns the offset at which a text begins in b, or -1.
func (m *Matcher) Index(b []byte) int {
	for _, escapes := range []bool{false, true} {
		if escapes && bytes.IndexByte(b, '\\') < 0 {
			continue
		}
		m.plain, _ = joinSpace(m.plain[:0], b, escapes, len(b))
		for size, starts := range m.starts {
			if i := m.indexOf(size, starts); i >= 0 {
				_, size := utf8.DecodeRune(m.plain[i:])
				_, end := joinSpace(m.plain[:0], b, escapes, i+1)
				return end - size
			}
		}
	}
	return -1
}

// indexOf looks for the forms whose Start is of so many bytes.
func (m *Matcher) indexOf(size int, starts startSet) int {
	var first [maxStart]byte
	for i := 0; i+size <= len(m.plain); i++ {
		if m.plain[i] == ' ' {
			continue // no text begins with it
		}
		copy(first[:], m.plain[i:i+size])
		start := m.start(binary.LittleEndian.Uint64(first[:]))
		if starts.bits[start/64]&(1<<(start%64)) == 0 {
			continue
		}
		for _, form := range starts.forms[start] {
			if i+form.Length <= len(m.plain) && m.hash(m.plain[i:i+form.Length]) == form.Hash {
				return i
			}
		}
	}
	return -1
}

// pieceSize is how many new bytes a search in a file takes at a time.
const pieceSize = 1 << 20

// IndexReader returns the offset of the first match in r, or -1. It searches r piece by piece.
func (m *Matcher) IndexReader(r io.Reader) (offset int64, err error) {
	buffer := make([]byte, pieceSize+m.overlap)
	carried, before := 0, int64(0)
	for {
		n, err := readFull(r, buffer[carried:])
		piece := buffer[:carried+n]
		if i := m.Index(piece); i >= 0 {
			return before + int64(i), nil
		}
		if errors.Is(err, io.EOF) {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
		carried = min(m.overlap, len(piece))
		before += int64(len(piece) - carried)
		copy(buffer, piece[len(piece)-carried:])
	}
}

// readFull is io.ReadFull with io.EOF at every end. It passes on the error of a compressed file
// that was cut off, which io.ReadFull does not tell from an end.
func readFull(r io.Reader, buffer []byte) (n int, err error) {
	for n < len(buffer) && err == nil {
		var more int
		more, err = r.Read(buffer[n:])
		n += more
	}
	return n, err
}

// longest is the most bytes that a text takes where its words are not wrapped.
func (m *Matcher) longest() int { return 2 * m.most }

// HasBlock reports whether a block of Markdown is one of the texts.
func (m *Matcher) HasBlock(f memory.Fingerprint) bool { return m.blocks[m.hashBlock(f)] }

// startOf returns the Start of a text.
func (m *Matcher) startOf(text []byte) int {
	var first [maxStart]byte
	copy(first[:], text)
	return m.start(binary.LittleEndian.Uint64(first[:]))
}

// start returns a few bits of a keyed hash of the first bytes of a text. However weak it is,
// it tells no more than these bits.
func (m *Matcher) start(first uint64) int {
	x := (first ^ m.start0) * m.start1
	return int((x ^ x>>32) * m.start2 >> (64 - m.bits))
}

func (m *Matcher) hash(text []byte) string { return m.sum("text", text) }

func (m *Matcher) hashBlock(f memory.Fingerprint) string { return m.sum("block", f[:]) }

// sum returns 16 bytes of a keyed hash, which no two texts share by chance.
func (m *Matcher) sum(kind string, b []byte) string {
	m.mac.Reset()
	m.mac.Write([]byte(kind + "\x00"))
	m.mac.Write(b)
	return hex.EncodeToString(m.mac.Sum(nil)[:16])
}
