package workspace

import (
	"bytes"
	"unicode/utf8"
)

const (
	// sampleSize is how many bytes of a file are checked.
	sampleSize = 64 << 10
	// maxInvalidShare is the share of bytes that are invalid in text, from
	// which a file is binary. A note in Latin-1 has about three percent.
	// Compressed data, images and the zeros after a crash have a third or more.
	maxInvalidShare = 0.1
)

// BinaryReason returns the fault of a file that is not UTF-8 text, or "". A
// text may contain a few invalid bytes.
func BinaryReason(src []byte) string {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(src, []byte(mark)) {
			return "file is UTF-16: save it as UTF-8; until then the last indexed version stays in use"
		}
	}
	src = src[:min(len(src), sampleSize)]
	invalid := 0
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		isCut := r == utf8.RuneError && len(src) == sampleSize && i > sampleSize-utf8.UTFMax
		if !isCut && (r == utf8.RuneError && size == 1 || r < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r\x1b"), r)) {
			invalid++
		}
		i += size
	}
	if float64(invalid) > maxInvalidShare*float64(len(src)) {
		return "file is not text: replace it with UTF-8 text or remove it; until then the last indexed version stays in use"
	}
	return ""
}
