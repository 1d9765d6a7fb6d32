package git

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
)

const (
	maxObject    = 16 << 20 // bytes of an object; the tree of a folder with a hundred thousand files is smaller
	recentMoves  = 20       // of HEAD in its log that DeletedByCommit examines
	minHashChars = 40       // of a SHA-1 in hexadecimal; SHA-256 has 64
)

// DeletedByCommit reports whether a commit deleted a file of the folder. HEAD's
// commit lacks it, and one that HEAD named a few moves ago has it. It reports
// false where it cannot tell, because it reads loose objects only, no packs.
func (r Repository) DeletedByCommit(name string) bool {
	if !r.Exists() {
		return false
	}
	inTree := path.Join(r.prefix, name)
	objects := filepath.Join(r.commonDir(), "objects")
	moves := r.moves()
	for n := len(moves) - 1; n >= max(0, len(moves)-recentMoves); n-- {
		from, to := moves[n].from, moves[n].to
		if n == len(moves)-1 {
			if there, err := commitHolds(objects, to, inTree); there || err != nil {
				return false
			}
		}
		if there, err := commitHolds(objects, from, inTree); there && err == nil {
			return true
		}
	}
	return false
}

// move is a move of HEAD from one commit to another.
type move struct{ from, to, line string }

// moves returns the moves of HEAD that its log has, oldest first.
func (r Repository) moves() (moves []move) {
	log, err := readFile(filepath.Join(r.gitDir, "logs", "HEAD"))
	if !r.Exists() || err != nil {
		return nil
	}
	for line := range strings.Lines(string(log)) {
		from, rest, _ := strings.Cut(line, " ")
		to, _, _ := strings.Cut(rest, " ")
		moves = append(moves, move{from, to, line})
	}
	return moves
}

// commonDir returns the folder with the objects, which worktrees share.
func (r Repository) commonDir() string {
	text, err := readFile(filepath.Join(r.gitDir, "commondir"))
	to := strings.TrimSpace(string(text))
	switch {
	case err != nil:
		return r.gitDir
	case filepath.IsAbs(to):
		return to
	}
	return filepath.Join(r.gitDir, to)
}

// commitHolds reports whether a commit has a file of this path.
func commitHolds(objects, commit, name string) (bool, error) {
	body, err := readObject(objects, commit, "commit")
	if err != nil {
		return false, err
	}
	line, _, _ := strings.Cut(string(body), "\n")
	hash := strings.TrimPrefix(line, "tree ")
	for _, part := range strings.Split(name, "/") {
		tree, err := readObject(objects, hash, "tree")
		if err != nil {
			return false, err
		}
		if hash, err = findInTree(tree, part, len(commit)/2); err != nil || hash == "" {
			return false, err
		}
	}
	return true, nil
}

// findInTree finds a name in a tree object, a sequence of "mode name\x00hash". The hash is
// empty if the tree lacks the name.
func findInTree(tree []byte, name string, hashSize int) (hash string, err error) {
	for len(tree) > 0 {
		head, rest, isEnded := bytes.Cut(tree, []byte{0})
		_, entry, hasMode := strings.Cut(string(head), " ")
		if !isEnded || !hasMode || len(rest) < hashSize {
			return "", errors.New("a tree is damaged")
		}
		if entry == name {
			return hex.EncodeToString(rest[:hashSize]), nil
		}
		tree = rest[hashSize:]
	}
	return "", nil
}

// readObject returns the body of a loose object of a kind, without its "commit 240\x00" head.
func readObject(objects, hash, kind string) (body []byte, err error) {
	if len(hash) < minHashChars || strings.Trim(hash, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("%q is not the hash of an object", hash)
	}
	packed, err := readFile(filepath.Join(objects, hash[:2], hash[2:]))
	if err != nil {
		return nil, err
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxObject))
	if err != nil {
		return nil, err
	}
	head, body, _ := bytes.Cut(text, []byte{0})
	if string(head) != fmt.Sprintf("%s %d", kind, len(body)) {
		return nil, fmt.Errorf("%s is no %s, or it is damaged or too large", hash, kind)
	}
	return body, nil
}
