package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// trace finds texts among bytes, thousands of them in one pass: as they are, as
// JSON or YAML quote them, and however their words are wrapped.
type trace struct {
	needles []needle
	anchors map[uint32][]anchor // by the first four bytes of a needle's longest word
	likely  [likelyBits / 64]uint64
	short   []anchor // of needles whose words are all shorter than that
	overlap int      // bytes that a needle may stretch over
}

// needle is a text as its words.
type needle [][]byte

// anchor is the word of a needle that is looked for first.
type anchor struct{ needle, word int }

// likelyBits is how large the table is that nearly every place is dismissed by:
// 8 KiB, which stay in the processor's nearest cache.
const likelyBits = 1 << 16

func likelyBit(key uint32) uint32 { return key * 0x9e3779b1 >> 16 } // Fibonacci hashing: the 16 highest bits

func traceOf(texts ...string) *trace {
	t := &trace{anchors: map[uint32][]anchor{}}
	for _, text := range texts {
		plain := strings.Fields(text)
		t.add(plain)
		for _, html := range []bool{false, true} {
			if quoted := inJSON(plain, html); strings.Join(quoted, " ") != strings.Join(plain, " ") {
				t.add(quoted)
			}
		}
	}
	return t
}

func (t *trace) add(words []string) {
	if len(words) == 0 {
		return
	}
	var n needle
	a := anchor{needle: len(t.needles)}
	size := 0
	for i, w := range words {
		n = append(n, []byte(w))
		size += len(w)
		if len(w) > len(words[a.word]) {
			a.word = i
		}
	}
	const wrapped = 64 // bytes of line end and indentation between two words; more is another text
	t.needles, t.overlap = append(t.needles, n), max(t.overlap, 2*(size+wrapped*len(words)))
	if len(n[a.word]) < 4 {
		t.short = append(t.short, a)
		return
	}
	key := binary.LittleEndian.Uint32(n[a.word])
	t.anchors[key] = append(t.anchors[key], a)
	bit := likelyBit(key)
	t.likely[bit/64] |= 1 << (bit % 64)
}

// inJSON gives words as JSON writes them between quotes.
func inJSON(words []string, html bool) (quoted []string) {
	for _, w := range words {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(html)
		if e.Encode(w) != nil {
			return words // no string fails
		}
		text := strings.TrimSuffix(b.String(), "\n")
		quoted = append(quoted, text[1:len(text)-1])
	}
	return quoted
}

// tracePiece is how much is looked at in one piece.
const tracePiece = 1 << 20

// in gives the place of the first byte of a text, or -1 where none stands.
func (t *trace) in(r io.Reader) (at int64, err error) {
	buffer := make([]byte, tracePiece+t.overlap)
	kept, before := 0, int64(0)
	for {
		n, err := io.ReadFull(r, buffer[kept:])
		piece := buffer[:kept+n]
		if at := t.within(piece); at >= 0 {
			return before + int64(at), nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
		kept = min(t.overlap, len(piece))
		before += int64(len(piece) - kept)
		copy(buffer, piece[len(piece)-kept:])
	}
}

func (t *trace) within(b []byte) int {
	for i := 0; i+4 <= len(b); i++ {
		key := binary.LittleEndian.Uint32(b[i:])
		bit := likelyBit(key)
		if t.likely[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		for _, a := range t.anchors[key] {
			if at := t.needles[a.needle].around(b, i, a.word); at >= 0 {
				return at
			}
		}
	}
	for _, a := range t.short {
		word := t.needles[a.needle][a.word]
		for i := 0; ; i++ {
			j := bytes.Index(b[i:], word)
			if j < 0 {
				break
			}
			i += j
			if at := t.needles[a.needle].around(b, i, a.word); at >= 0 {
				return at
			}
		}
	}
	return -1
}

// around compares a needle whose k-th word would begin at i, and gives where its
// first one begins, or -1.
func (n needle) around(b []byte, i, k int) int {
	end := i
	for j := k; j < len(n); j++ {
		if j > k {
			next := skipSpace(b, end)
			if next == end {
				return -1
			}
			end = next
		}
		if !bytes.HasPrefix(b[end:], n[j]) {
			return -1
		}
		end += len(n[j])
	}
	for j := k - 1; j >= 0; j-- {
		before := skipSpaceBack(b, i)
		if before == i || !bytes.HasSuffix(b[:before], n[j]) {
			return -1
		}
		i = before - len(n[j])
	}
	return i
}

// skipSpace passes over what may stand between two words: white space, as it is
// or as JSON writes it, and the marks of a quote.
func skipSpace(b []byte, i int) int {
	for i < len(b) {
		r, size := utf8.DecodeRune(b[i:])
		switch {
		case r == '>' || unicode.IsSpace(r):
			i += size
		case r == '\\' && i+1 < len(b) && strings.IndexByte("ntr", b[i+1]) >= 0:
			i += 2
		default:
			return i
		}
	}
	return i
}

func skipSpaceBack(b []byte, i int) int {
	for i > 0 {
		r, size := utf8.DecodeLastRune(b[:i])
		switch {
		case r == '>' || unicode.IsSpace(r):
			i -= size
		case i > 1 && b[i-2] == '\\' && strings.IndexByte("ntr", b[i-1]) >= 0:
			i -= 2
		default:
			return i
		}
	}
	return i
}
