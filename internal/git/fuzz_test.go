package git_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/git"
)

// FuzzParseBlame: each line with a tab is a line of the file, in order. A date stands in
// the output.
func FuzzParseBlame(f *testing.F) {
	hash := strings.Repeat("ab", 20)
	for _, seed := range []string{"", hash + " 1 1 2\nauthor-time 1700000000\n\ta\r\n" + hash + " 2 2\n\tb\n", "\tno head", "author-time 9223372036854775807\n\tx\n",
		hash + "\nauthor-time -1\n\t\n", "previous " + hash + " a\n\t\tx", strings.Repeat("x", 5000) + "\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		lines, err := git.ParseBlame(bytes.NewReader(src))
		if err != nil {
			return
		}
		var want []string
		for line := range strings.Lines(string(src)) {
			if text, isText := strings.CutPrefix(line, "\t"); isText {
				want = append(want, strings.TrimRight(text, "\r\n"))
			}
		}
		if len(lines) != len(want) {
			t.Fatalf("%q has %d lines, want %d", src, len(lines), len(want))
		}
		for i, line := range lines {
			isDated := line.AuthoredAt.IsZero() || bytes.Contains(src, fmt.Append(nil, line.AuthoredAt.Unix()))
			if line.Text != want[i] || !isDated {
				t.Fatalf("line %d of %q is %+v, want %q", i, src, line, want[i])
			}
		}
	})
}

// FuzzReadObjects: the objects are read in their order, and have only what was printed.
func FuzzReadObjects(f *testing.F) {
	for _, seed := range []string{"", "a1 blob 5\nhello\nb2 tree 3\n\x00\x01\x02\nc3 commit 0\n\n", "a blob 99\nshort", "a blob -1\n\n", "a blob\n", "a blob 1\nx"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		rest, n := src, 0
		err := git.ReadObjects(bytes.NewReader(src), func(id string, content io.Reader) error {
			text, err := io.ReadAll(content)
			if err != nil {
				return err
			}
			at := bytes.Index(rest, append([]byte("\n"), text...))
			if at < 0 {
				t.Fatalf("object %s of %q has %q", id, src, text)
			}
			rest, n = rest[at+1+len(text):], n+1
			return nil
		})
		if err == nil && n > bytes.Count(src, []byte("\n"))/2 {
			t.Fatalf("%q has %d objects", src, n)
		}
	})
}
