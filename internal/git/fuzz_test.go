package git_test

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// FuzzFindInTree writes a tree with any names, and finds each of them. In any other bytes
// it finds nothing that they do not have.
func FuzzFindInTree(f *testing.F) {
	for _, seed := range []string{"MEMORY.md\nnotes", "a b\na", "100644 x", "", "a\x00bcdefghijklmnopqrstuvw"} {
		f.Add([]byte(seed), "notes")
	}
	f.Fuzz(func(t *testing.T, src []byte, name string) {
		const hashSize = 20
		hash, err := git.FindInTree(src, name, hashSize)
		if raw, _ := hex.DecodeString(hash); err == nil && hash != "" && !bytes.Contains(src, append([]byte(" "+name+"\x00"), raw...)) {
			t.Fatalf("%q is in %q", name, src)
		}
		var tree []byte
		names := strings.Split(strings.ReplaceAll(string(src), "\x00", ""), "\n")
		first := map[string]string{}
		for i, entry := range names {
			raw := bytes.Repeat([]byte{byte(i)}, hashSize)
			tree = append(append(tree, "100644 "+entry+"\x00"...), raw...)
			if first[entry] == "" {
				first[entry] = hex.EncodeToString(raw)
			}
		}
		for entry, want := range first {
			if hash, err := git.FindInTree(tree, entry, hashSize); hash != want || err != nil {
				t.Fatalf("%q is %q: %v, want %q", entry, hash, err, want)
			}
		}
		if len(src) > 0 {
			if hash, err := git.FindInTree(tree[:len(tree)-1], "\x00", hashSize); err == nil {
				t.Fatalf("a tree that is cut off has %q", hash)
			}
		}
	})
}

// FuzzDeletedByCommit replaces one file of a repository by any bytes. A file is never
// deleted by a commit that cannot be read.
func FuzzDeletedByCommit(f *testing.F) {
	hash := func(n byte) string { return strings.Repeat(fmt.Sprintf("%02x", n), 20) }
	object := func(kind, body string) []byte {
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		fmt.Fprintf(z, "%s %d\x00%s", kind, len(body), body)
		if err := z.Close(); err != nil {
			f.Fatal(err)
		}
		return packed.Bytes()
	}
	place := func(n byte) string { return filepath.Join("objects", hash(n)[:2], hash(n)[2:]) }
	files := map[string][]byte{
		"logs/HEAD": []byte(hash(1) + " " + hash(3) + " Ada\n"),
		place(1):    object("commit", "tree "+hash(2)+"\n"),
		place(2):    object("tree", "100644 MEMORY.md\x00"+strings.Repeat("\x05", 20)),
		place(3):    object("commit", "tree "+hash(4)+"\n"),
		place(4):    object("tree", "100644 other.md\x00"+strings.Repeat("\x05", 20)),
	}
	names := []string{"logs/HEAD", "HEAD", "commondir", place(1), place(2), place(3), place(4)}
	for i, name := range names {
		f.Add(uint8(i), files[name])
	}
	f.Add(uint8(6), object("tree", "100644 cut off"))
	f.Add(uint8(6), object("blob", "100644 other.md\x00"+strings.Repeat("\x05", 20)))
	f.Add(uint8(0), []byte(hash(1)+"\n"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, at uint8, content []byte) {
		changed := names[int(at)%len(names)]
		for _, name := range names {
			file, text := filepath.Join(dir, ".git", name), files[name]
			if name == changed {
				text = content
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(filepath.Join(dir, ".git", "commondir")); err != nil && changed != "commondir" {
			t.Fatal(err)
		}
		r := git.Find(dir)
		r.Head()
		r.LastMove()
		r.MainFolder(dir)
		isDeleted := r.DeletedByCommit("MEMORY.md")
		if isDeleted && changed == place(4) && !bytes.Equal(content, files[changed]) && !isTree(content) {
			t.Fatalf("MEMORY.md is deleted by a commit with the tree %q", content)
		}
	})
}

// isTree reports whether bytes are a whole tree object.
func isTree(packed []byte) bool {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return false
	}
	text, err := io.ReadAll(z)
	head, body, _ := bytes.Cut(text, []byte{0})
	return err == nil && string(head) == fmt.Sprintf("tree %d", len(body))
}
