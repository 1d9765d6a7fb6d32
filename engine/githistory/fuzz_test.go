package githistory_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/engine/githistory"
	"github.com/memory-tiered/memory/internal/git"
)

// FuzzAlignLines dates the lines of any file by those of any committed one. Each line has
// one date at most, which is that of a committed line with its text. A committed line dates
// one line at most. A file that is committed as it is has every date.
func FuzzAlignLines(f *testing.F) {
	for _, seed := range [][2]string{{"a\nb\nc\n", "a\nx\nc\n"}, {"a\r\na\r\n", "a\na\na"}, {"", "a"}, {"a\n---\n", "a\n---\n"}, {"b\na", "a\nb"}, {"a\n\n", "\n"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, present, before string) {
		committed := lines(before)
		times := githistory.AlignLines(strings.Split(present, "\n"), committed)
		texts := strings.Split(present, "\n")
		if len(times) != len(texts) {
			t.Fatalf("%d dates of %d lines", len(times), len(texts))
		}
		used := map[time.Time]bool{}
		for i, at := range times {
			if at.IsZero() {
				continue
			}
			n := int(at.Unix()) - 1
			if text := strings.TrimRight(texts[i], "\r"); committed[n].Text != text || used[at] {
				t.Fatalf("%q and %q: line %d has the date of line %d, %q", present, before, i, n, committed[n].Text)
			}
			used[at] = true
		}
		for i, at := range githistory.AlignLines(strings.Split(before, "\n"), committed) {
			if hasWord := strings.ContainsAny(before, "abc"); at.IsZero() && hasWord && strings.ContainsAny(strings.Split(before, "\n")[i], "abc") {
				t.Fatalf("%q is committed as it is, and line %d has no date", before, i)
			}
		}
	})
}

// lines returns a committed file. Each line has a date of its own.
func lines(text string) (committed []git.Line) {
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		committed = append(committed, git.Line{Text: strings.TrimRight(line, "\r"), AuthoredAt: time.Unix(int64(i+1), 0)})
	}
	return committed
}
