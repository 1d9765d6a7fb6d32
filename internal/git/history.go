package git

import (
	"bufio"
	"context"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	recentMoves  = 20 // of HEAD in its log that DeletedByCommit examines
	minHashChars = 40 // of a SHA-1 in hexadecimal; SHA-256 has 64
)

// DeletedByCommit reports whether a commit deleted a file of the folder. HEAD's
// commit lacks it, and one that HEAD named a few moves ago has it. It reports
// false where it cannot tell.
func (r Repository) DeletedByCommit(ctx context.Context, name string) bool {
	moves := r.moves()
	if len(moves) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, maxSearch)
	defer cancel()
	file := ":" + path.Join(r.prefix, name)
	head := moves[len(moves)-1].to
	asked := []string{head, head + file}
	for _, m := range moves[max(0, len(moves)-recentMoves):] {
		asked = append(asked, m.from+file)
	}
	var there []bool
	err := runWith(ctx, r.gitDir, strings.NewReader(strings.Join(asked, "\n")+"\n"), func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			there = append(there, len(strings.Fields(lines.Text())) == 3) // hash, kind and size
		}
		return lines.Err()
	}, "--git-dir="+r.gitDir, "cat-file", "--batch-check")
	return err == nil && len(there) == len(asked) && there[0] && !there[1] && slices.Contains(there[2:], true)
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
