package hostsetup

import (
	"bytes"
	"errors"
	"reflect"
	"strings"

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
	hadOurs, _ := s.wiring.isWired(f, before)
	return s.record.takeBack(path, now, rest, func(src []byte) (any, error) {
		if has, _ := s.wiring.isWired(f, src); has && !hadOurs {
			return nil, errors.New("an entry of ours is left")
		}
		src, err := s.cut(f, src)
		if err == nil {
			src, err = s.wiring.wire(f, src)
		}
		if err != nil {
			return nil, err
		}
		d, err := s.wiring.open(f, src)
		return d.Value(), err
	}), nil
}

// cut removes our entries and their trust from a file; nil: the whole file is ours.
func (s *ClientSetup) cut(f clients.File, src []byte) ([]byte, error) {
	src, err := s.wiring.unwire(f, src)
	if err != nil || f.Trusts == "" {
		return src, err
	}
	d, err := s.wiring.open(f, src)
	for _, key := range s.trustedKeys() {
		if err == nil {
			err = d.Cut(append(strings.Split(f.Trusts, "/"), key)...)
		}
	}
	return d.Bytes(), err
}

// takeBack returns a file without what the last setup changed in it, byte for byte if possible.
// rest is the file without our entries: the result must mean the same.
func (r *Record) takeBack(path string, now, rest []byte, meaning func([]byte) (any, error)) []byte {
	before, _, err := r.backup(path)
	written, writtenErr := r.written(path)
	want, meaningErr := meaning(rest)
	if errors.Join(err, writtenErr, meaningErr) != nil {
		return rest
	}
	for _, separator := range []string{"\n", ""} { // lines, then characters
		text, ok := takeBack(withLineEnds(before, now), withLineEnds(written, now), string(now), separator)
		if !ok {
			continue
		}
		got, err := meaning([]byte(text))
		switch {
		case err != nil || !reflect.DeepEqual(got, want):
		case before == nil && strings.TrimSpace(text) == "":
			return nil // setup made the file
		default:
			return []byte(text)
		}
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

// takeBack returns a text that others edited since, without the change from before to after. ok is
// false if they edited what the change wrote.
func takeBack(before, after, now, separator string) (text string, ok bool) {
	base := strings.SplitAfter(after, separator)
	ours, theirs := changeOf(base, strings.SplitAfter(before, separator)), changeOf(base, strings.SplitAfter(now, separator))
	var all strings.Builder
	for at := range len(base) + 1 {
		in, out := theirs.inserted[at], ours.inserted[at]
		inside := at > 0 && at < len(base) && ours.deleted[at-1] && ours.deleted[at]
		if in != "" && (out != "" || inside) {
			return "", false
		}
		all.WriteString(in + out)
		switch {
		case at == len(base):
		case ours.deleted[at] && theirs.deleted[at]:
			return "", false
		case !ours.deleted[at] && !theirs.deleted[at]:
			all.WriteString(base[at])
		}
	}
	return all.String(), true
}

// change is what a text becomes: which of its parts go, and what comes before each of them.
type change struct {
	deleted  []bool
	inserted []string
}

func changeOf(from, to []string) change {
	c, at := change{make([]bool, len(from)), make([]string, len(from)+1)}, 0
	for _, edit := range diff.Edits(from, to) {
		if edit.Op == diff.Insert {
			c.inserted[at] += edit.Y
			continue
		}
		c.deleted[at] = edit.Op == diff.Delete
		at++
	}
	return c
}
