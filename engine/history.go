package engine

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Git's objects are read only to tell a file that a commit deleted from one that
// somebody lost. What cannot be read (objects in packs are not) tells nothing,
// and then the file counts as lost.
const (
	maxObject = 16 << 20 // a folder's listing of a hundred thousand files is smaller
	lastMoves = 20       // of HEAD that are looked at: the file went with one of the last
)

// deletedByCommit says that a file of a folder is in no commit any more, and was
// in one that HEAD named a few moves ago.
func deletedByCommit(dir, name string) bool {
	git := gitFolder(dir)
	if git == "" {
		return false
	}
	within, ok := inRepository(dir, name)
	log, err := os.ReadFile(filepath.Join(git, "logs", "HEAD"))
	if err != nil || !ok {
		return false
	}
	objects := filepath.Join(commonGit(git), "objects")
	moves := strings.Split(strings.TrimSpace(string(log)), "\n")
	for n := len(moves) - 1; n >= max(0, len(moves)-lastMoves); n-- {
		from, rest, _ := strings.Cut(moves[n], " ")
		to, _, _ := strings.Cut(rest, " ")
		if n == len(moves)-1 {
			if there, err := commitHolds(objects, to, within); there || err != nil {
				return false
			}
		}
		if there, err := commitHolds(objects, from, within); there && err == nil {
			return true
		}
	}
	return false
}

// inRepository is where a file of a folder lies in the repository around it.
func inRepository(dir, name string) (within string, ok bool) {
	within = name
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return within, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		within, dir = path.Join(filepath.Base(dir), within), parent
	}
}

// commonGit is the folder with the objects, which worktrees share.
func commonGit(git string) string {
	text, err := os.ReadFile(filepath.Join(git, "commondir"))
	to := strings.TrimSpace(string(text))
	switch {
	case err != nil:
		return git
	case filepath.IsAbs(to):
		return to
	}
	return filepath.Join(git, to)
}

func commitHolds(objects, commit, name string) (bool, error) {
	body, err := readObject(objects, commit)
	if err != nil {
		return false, err
	}
	line, _, _ := strings.Cut(string(body), "\n")
	at, isCommit := strings.CutPrefix(line, "tree ")
	if !isCommit {
		return false, fmt.Errorf("%s is no commit", commit)
	}
	for _, part := range strings.Split(name, "/") {
		tree, err := readObject(objects, at)
		if err != nil {
			return false, err
		}
		var there bool
		if at, there = inTree(tree, part, len(commit)/2); !there {
			return false, nil
		}
	}
	return true, nil
}

// inTree finds a name in a listing: "mode name\x00hash", without end.
func inTree(tree []byte, name string, hashSize int) (hash string, there bool) {
	for len(tree) > 0 {
		head, rest, ok := bytes.Cut(tree, []byte{0})
		if !ok || len(rest) < hashSize {
			return "", false
		}
		if _, found, _ := strings.Cut(string(head), " "); found == name {
			return hex.EncodeToString(rest[:hashSize]), true
		}
		tree = rest[hashSize:]
	}
	return "", false
}

func readObject(objects, hash string) (body []byte, err error) {
	if len(hash) < 40 || strings.Trim(hash, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("%q names no object", hash)
	}
	f, err := os.Open(filepath.Join(objects, hash[:2], hash[2:]))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := zlib.NewReader(f)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxObject))
	if err != nil {
		return nil, err
	}
	_, body, _ = bytes.Cut(text, []byte{0}) // "commit 240\x00…"
	return body, nil
}
