package hostsetup

import (
	"strings"

	"znkr.io/diff"

	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/textedit"
)

// takeBackBytes takes a change of setup back byte for byte. unwired is the file without our
// entries: the result must mean the same.
func (s *ClientSetup) takeBackBytes(f clients.File, former, now, unwired []byte) []byte {
	wired, err := s.wiring.wire(f, former)
	if r := s.record.of(s.Env.file(f)); err != nil || r == nil || r.After != hash(wired) {
		return unwired
	}
	for _, separator := range []string{"\n", ""} { // lines, then characters
		text, ok := takeBack(string(former), string(wired), string(now), separator)
		if ok && (f.Format == string(textedit.Text) || s.wiring.meanSame(f, []byte(text), unwired)) {
			return []byte(text)
		}
	}
	return unwired
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
