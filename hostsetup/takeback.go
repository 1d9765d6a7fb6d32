package hostsetup

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"znkr.io/diff"

	"github.com/memory-tiered/memory/internal/clients"
)

// withoutOurs returns a file without our entries: as it was before the setup, with what others
// have edited since; nil: no file.
func (s *ClientSetup) withoutOurs(f clients.File, now []byte) ([]byte, error) {
	path := s.Env.file(f)
	if before, ok := s.record.former(path, now); ok {
		return before, nil
	}
	if now == nil || f.Content != "" && !bytes.Contains(now, []byte(contentMark)) {
		return now, nil
	}
	rest, err := s.cut(f, now)
	if err != nil || rest == nil || bytes.Equal(rest, now) {
		return rest, err
	}
	before, _, _ := s.record.backup(path)
	hadOurs, _ := s.isWired(f, before)
	return s.record.takeBack(path, now, rest, func(text []byte) ([]byte, any, error) {
		cut, err := s.cut(f, text)
		if err != nil {
			return nil, nil, err
		}
		if !hadOurs {
			text = cut
		}
		wired, err := s.wire(f, cut)
		if err != nil {
			return nil, nil, err
		}
		d, err := s.open(f, wired)
		return text, d.Value(), err
	}), nil
}

// cut removes our entries and their trust from a file; nil: the whole file is ours.
func (s *ClientSetup) cut(f clients.File, src []byte) ([]byte, error) {
	src, err := s.unwire(f, src)
	if err != nil || f.Trusts == "" {
		return src, err
	}
	return s.moveTrust(f, src)
}

// takeBack returns a file without what the last setup changed in it, byte for byte if possible.
// rest is the file without our entries. clean takes what is left of them out of a text, and
// returns the values that it has with them: those that now has.
func (r *Record) takeBack(path string, now, rest []byte, clean func([]byte) ([]byte, any, error)) []byte {
	before, _, err := r.backup(path)
	written, writtenErr := r.written(path)
	_, want, cleanErr := clean(now)
	if errors.Join(err, writtenErr, cleanErr) != nil {
		return rest
	}
	for _, split := range []func(string) []string{lines, words} {
		merged, ok := merge(split(withLineEnds(before, now)), split(withLineEnds(written, now)), split(string(now)))
		if !ok {
			continue
		}
		if text, values, err := clean([]byte(merged)); err == nil && reflect.DeepEqual(values, want) {
			rest = text
			break
		}
	}
	if left := string(bytes.TrimSpace(rest)); before == nil && (left == "" || left == "{}") {
		return nil // setup made the file
	}
	return rest
}

// withLineEnds returns a text with the line ends of another one, if those are of one kind.
func withLineEnds(text, other []byte) string {
	lines := strings.ReplaceAll(string(text), "\r\n", "\n")
	switch bytes.Count(other, []byte("\r\n")) {
	case 0:
		return lines
	case bytes.Count(other, []byte("\n")):
		return strings.ReplaceAll(lines, "\n", "\r\n")
	}
	return string(text)
}

func lines(text string) []string { return strings.SplitAfter(text, "\n") }

// words splits a text into words, and the characters between them.
func words(text string) (all []string) {
	for text != "" {
		end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end < 0 {
			end = len(text)
		} else if end == 0 {
			_, end = utf8.DecodeRuneInString(text)
		}
		all, text = append(all, text[:end]), text[end:]
	}
	return all
}

// merge returns a text that others edited since, without the change from before to after. ok is
// false if they edited what the change wrote.
func merge(before, after, now []string) (text string, ok bool) {
	ours, theirs := changeOf(after, before), changeOf(after, now)
	theirs.leave(ours, after)
	var all strings.Builder
	for at := range len(after) + 1 {
		in, out := theirs.inserted[at], ours.inserted[at]
		if len(in) > 0 && (len(out) > 0 || ours.isInside(at)) {
			return "", false
		}
		all.WriteString(strings.Join(append(in, out...), ""))
		switch {
		case at == len(after):
		case ours.deleted[at] && theirs.deleted[at]:
			return "", false
		case !ours.deleted[at] && !theirs.deleted[at]:
			all.WriteString(after[at])
		}
	}
	return all.String(), true
}

// change is what a text becomes: which of its parts go, and what comes before each of them.
type change struct {
	deleted  []bool
	inserted [][]string
}

func changeOf(from, to []string) change {
	c, at := change{make([]bool, len(from)), make([][]string, len(from)+1)}, 0
	for _, edit := range diff.Edits(from, to) {
		if edit.Op == diff.Insert {
			c.inserted[at] = append(c.inserted[at], edit.Y)
			continue
		}
		c.deleted[at] = edit.Op == diff.Delete
		at++
	}
	return c
}

// isInside reports whether a place is between parts that go.
func (c change) isInside(at int) bool {
	return at > 0 && at < len(c.deleted) && c.deleted[at-1] && c.deleted[at]
}

// leave moves insertions between parts that other deletes to their end, if the text stays the
// same. For example, "b, " before "b" is ", b" behind it.
func (c change) leave(other change, base []string) {
	for at, parts := range c.inserted {
		to, moved := at, slices.Clone(parts)
		for len(parts) > 0 && other.isInside(to) && base[to] == moved[0] && !c.deleted[to] && len(c.inserted[to+1]) == 0 {
			moved = append(moved[1:], moved[0])
			to++
		}
		if to > at && !other.isInside(to) {
			c.inserted[at], c.inserted[to] = nil, moved
		}
	}
}
