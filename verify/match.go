package verify

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Matcher finds texts among bytes, thousands of them in one pass. It finds each
// as written and as JSON or YAML quote it, however its words are wrapped.
type Matcher struct {
	patterns  []pattern
	anchors   map[uint32][]anchor // by the first four bytes of a pattern's longest word
	prefilter [prefilterBits / 64]uint64
	short     []anchor // of patterns whose longest word has fewer than four bytes
	overlap   int      // the most bytes that one match can cover
	most      int      // bytes of a pattern with one sign between its words
}

// pattern is a text as its words.
type pattern [][]byte

// anchor is the word of a pattern that the search looks for first.
type anchor struct{ pattern, word int }

// prefilterBits is the size of the bit table that rejects nearly every position:
// 8 KiB, which stay in the processor's first-level cache.
const prefilterBits = 1 << 16

func prefilterBit(key uint32) uint32 { return key * 0x9e3779b1 >> 16 } // Fibonacci hashing: the 16 highest bits

// NewMatcher returns a matcher for texts. A text without words matches nothing.
func NewMatcher(texts ...string) *Matcher {
	m := &Matcher{anchors: map[uint32][]anchor{}}
	for _, text := range texts {
		plain := strings.Fields(text)
		m.add(plain)
		for _, quoted := range quotedJSON(plain) {
			if strings.Join(quoted, " ") != strings.Join(plain, " ") {
				m.add(quoted)
			}
		}
	}
	return m
}

func (m *Matcher) add(words []string) {
	if len(words) == 0 {
		return
	}
	var p pattern
	a := anchor{pattern: len(m.patterns)}
	size := 0
	for i, w := range words {
		p = append(p, []byte(w))
		size += len(w)
		if len(w) > len(words[a.word]) {
			a.word = i
		}
	}
	const maxGap = 64 // bytes of line end and indentation between two words; with more it is another text
	m.patterns, m.overlap = append(m.patterns, p), max(m.overlap, 2*(size+maxGap*len(words)))
	m.most = max(m.most, size+len(words))
	if len(p[a.word]) < 4 {
		m.short = append(m.short, a)
		return
	}
	key := binary.LittleEndian.Uint32(p[a.word])
	m.anchors[key] = append(m.anchors[key], a)
	bit := prefilterBit(key)
	m.prefilter[bit/64] |= 1 << (bit % 64)
}

// quotedJSON returns words in the ways in which programs write them between quotes. Some also
// escape <, > and &, as encoding/json does by default. Some escape all that is not ASCII.
func quotedJSON(words []string) (ways [3][]string) {
	for _, w := range words {
		plain := quoteJSON(w, false)
		ways[0] = append(ways[0], plain)
		ways[1] = append(ways[1], quoteJSON(w, true))
		ways[2] = append(ways[2], asASCII(plain))
	}
	return ways
}

// quoteJSON returns a word as JSON writes it between quotes.
func quoteJSON(word string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	if e.Encode(word) != nil {
		return word // encoding a string never fails
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}

// asASCII escapes what is not ASCII by its units of UTF-16.
func asASCII(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		if unit < utf8.RuneSelf {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

func (m *Matcher) longest() int { return 2 * m.most }

// pieceSize is how many new bytes a search in a file takes at a time.
const pieceSize = 1 << 20

// IndexReader returns the offset of the first match in r, or -1.
func (m *Matcher) IndexReader(r io.Reader) (int64, error) { return indexReader(r, m.overlap, m.Index) }

// indexReader searches r piece by piece. overlap is the most bytes that one match can cover.
func indexReader(r io.Reader, overlap int, index func([]byte) int) (offset int64, err error) {
	buffer := make([]byte, pieceSize+overlap)
	carried, before := 0, int64(0)
	for {
		n, err := readFull(r, buffer[carried:])
		piece := buffer[:carried+n]
		if i := index(piece); i >= 0 {
			return before + int64(i), nil
		}
		if errors.Is(err, io.EOF) {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
		carried = min(overlap, len(piece))
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

// Index returns the offset at which a text begins in b, or -1. Where several
// texts match it may return any of them.
func (m *Matcher) Index(b []byte) int {
	for i := 0; i+4 <= len(b); i++ {
		key := binary.LittleEndian.Uint32(b[i:])
		bit := prefilterBit(key)
		if m.prefilter[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		for _, a := range m.anchors[key] {
			if start := m.patterns[a.pattern].matchAround(b, i, a.word); start >= 0 {
				return start
			}
		}
	}
	for _, a := range m.short {
		word := m.patterns[a.pattern][a.word]
		for i := 0; ; i++ {
			j := bytes.Index(b[i:], word)
			if j < 0 {
				break
			}
			i += j
			if start := m.patterns[a.pattern].matchAround(b, i, a.word); start >= 0 {
				return start
			}
		}
	}
	return -1
}

// matchAround compares a pattern whose k-th word would begin at i. It returns the
// offset of the first word, or -1. What may separate two words may also begin a word,
// as in "tea > coffee", so that each end of the space between them is tried.
func (p pattern) matchAround(b []byte, i, k int) int {
	if !bytes.HasPrefix(b[i:], p[k]) {
		return -1
	}
	end := i + len(p[k])
	for _, word := range p[k+1:] {
		at := end + spaceAt(b[end:])
		for at > end && !bytes.HasPrefix(b[at:], word) {
			end, at = at, at+spaceAt(b[at:])
		}
		if at == end {
			return -1
		}
		end = at + len(word)
	}
	for j := k - 1; j >= 0; j-- {
		before := i - spaceBefore(b[:i])
		for before < i && !bytes.HasSuffix(b[:before], p[j]) {
			i, before = before, before-spaceBefore(b[:before])
		}
		if before == i {
			return -1
		}
		i = before - len(p[j])
	}
	return i
}

// spaceAt returns the length of one sign at the start of b that may separate two words, or 0.
// It is white space, plain or as JSON escapes it, or the mark of a block quote.
func spaceAt(b []byte) int {
	if r, size := utf8.DecodeRune(b); r == '>' || unicode.IsSpace(r) {
		return size
	}
	return escapedSpaceAt(b)
}

// spaceBefore is spaceAt for the end of b.
func spaceBefore(b []byte) int {
	if r, size := utf8.DecodeLastRune(b); r == '>' || unicode.IsSpace(r) {
		return size
	}
	for _, size := range []int{shortEscape, longEscape} {
		if len(b) >= size && escapedSpaceAt(b[len(b)-size:]) == size {
			return size
		}
	}
	return 0
}

// The lengths of an escape such as \n, and of one such as \u2028.
const shortEscape, longEscape = 2, 6

// escapedSpaceAt returns the length of a white space at the start of b that JSON or YAML
// escapes, or 0.
func escapedSpaceAt(b []byte) int {
	if len(b) < shortEscape || b[0] != '\\' {
		return 0
	}
	if strings.IndexByte("ntrfv", b[1]) >= 0 {
		return shortEscape
	}
	if len(b) >= longEscape && b[1] == 'u' {
		if n, err := strconv.ParseUint(string(b[2:longEscape]), 16, 16); err == nil && unicode.IsSpace(rune(n)) {
			return longEscape
		}
	}
	return 0
}
