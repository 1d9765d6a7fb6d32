package edits

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// lineSpan returns the bytes of some lines, with the end of the last one. first and
// last are 1-based. Lines that do not exist are empty.
func lineSpan(src []byte, first, last int) (start, end int) {
	line := 1
	for line < first && start < len(src) {
		start = nextLine(src, start)
		line++
	}
	for end = start; line <= last && end < len(src); line++ {
		end = nextLine(src, end)
	}
	return start, end
}

func nextLine(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// LinesOf returns the lines of a memory in its file, without the last line end.
func LinesOf(src []byte, m memory.Memory) string {
	start, end := lineSpan(src, m.LineStart, m.LineEnd)
	return trimLineEnd(string(src[start:end]))
}

// HashLines returns a value that names lines, whatever ends them.
func HashLines(lines string) string {
	hash := sha256.Sum256([]byte(UnixLines(lines)))
	return "sha256:" + hex.EncodeToString(hash[:])
}

// UnixLines makes lines comparable, whatever ends them.
func UnixLines(lines string) string { return trimLineEnd(strings.ReplaceAll(lines, "\r\n", "\n")) }

// asInFile returns new lines with the line ends of the file that they go into.
func asInFile(old, src []byte, lines string) []byte {
	if lines = UnixLines(lines); strings.TrimSpace(lines) == "" {
		return nil
	}
	if bytes.HasSuffix(old, []byte("\n")) {
		lines += "\n"
	}
	if bytes.Contains(src, []byte("\r\n")) {
		lines = strings.ReplaceAll(lines, "\n", "\r\n")
	}
	return []byte(lines)
}

func trimLineEnd(lines string) string { return strings.TrimRight(lines, "\r\n") }

// findLines returns where the changed lines of a file are now. They are in their
// old place, or in the only other one with the same lines around it.
func findLines(src []byte, l index.FormerLines) (at int, found bool) {
	around := bytes.Join([][]byte{l.Above, l.After, l.Below}, nil)
	if from := l.Start - len(l.Above); from >= 0 && from <= len(src) && bytes.HasPrefix(src[from:], around) && (len(around) > 0 || from == len(src)) {
		return l.Start, true
	}
	if len(around) == 0 || bytes.Count(src, around) != 1 {
		return 0, false
	}
	return bytes.Index(src, around) + len(l.Above), true
}

// KeepBytes returns edited lines with the bytes of the former lines that are not UTF-8. In
// JSON, and so in edited lines, each of them is U+FFFD. ok is false if it is not clear which
// of them stay.
func KeepBytes(was, edited string) (kept string, ok bool) {
	if utf8.ValidString(was) || !utf8.ValidString(edited) || !strings.ContainsRune(edited, utf8.RuneError) {
		return edited, true
	}
	var lost []string
	for rest := was; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError { // a byte, or a U+FFFD of the file itself
			lost = append(lost, rest[:size])
		}
		rest = rest[size:]
	}
	parts := strings.Split(edited, string(utf8.RuneError))
	if len(parts)-1 != len(lost) {
		return "", false
	}
	for i, part := range parts {
		if kept += part; i < len(lost) {
			kept += lost[i]
		}
	}
	return kept, true
}
