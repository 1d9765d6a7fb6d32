package ingest

import (
	"bytes"
	"unicode/utf8"
)

const (
	// sampleSize is how much of a file is looked at to tell text from junk.
	sampleSize = 64 << 10
	// maxInvalidShare is the share of bytes that no text has from which a file is none.
	// A note in Latin-1 has some three in a hundred; compressed data, images and
	// blocks of zeros that a crash left have a third and more.
	maxInvalidShare = 0.1
)

// binaryReason says why a file is no text; empty if it is. A few odd bytes in a text are
// read as they are.
func binaryReason(src []byte) string {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(src, []byte(mark)) {
			return "is written in UTF-16, not UTF-8: not read, and what was indexed last is served"
		}
	}
	src = src[:min(len(src), sampleSize)]
	odd := 0
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		cut := r == utf8.RuneError && len(src) == sampleSize && i > sampleSize-utf8.UTFMax
		if !cut && (r == utf8.RuneError && size == 1 || r < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r\x1b"), r)) {
			odd++
		}
		i += size
	}
	if float64(odd) > maxInvalidShare*float64(len(src)) {
		return "is no text: not read, and what was indexed last is served"
	}
	return ""
}
