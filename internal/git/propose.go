package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// linkMode is how git writes the mode of a symbolic link.
const linkMode = "120000"

// Snapshot is a commit, with the paths of files relative to a folder.
type Snapshot struct {
	dir, prefix, commit string
}

// Latest returns the commit that a proposal is made from: that of the server's main branch, as it
// was fetched last. If its name is unknown, it is the last one here that the server has. So no
// commit goes with the proposal that was not pushed. Without a server it is the one that is
// checked out.
func Latest(ctx context.Context, dir string) (Snapshot, error) {
	s := Snapshot{dir: dir, prefix: Find(dir).prefix}
	git := command{dir: dir}
	for _, name := range []string{"HEAD", "main", "master"} {
		if s.commit = git.commit(ctx, "refs/remotes/origin/"+name); s.commit != "" {
			return s, nil
		}
	}
	head := git.commit(ctx, "HEAD")
	fetched, err := git.output(ctx, "for-each-ref", "--format=%(objectname)", "refs/remotes/origin")
	switch {
	case head == "" || err != nil:
		return s, errors.Join(fmt.Errorf("%w: it has no commit", ErrUnusable), err)
	case fetched == "":
		s.commit = head
		return s, nil
	}
	s.commit, err = git.output(ctx, append([]string{"merge-base", head}, strings.Fields(fetched)...)...)
	return s, err
}

// commit returns the id of a commit; empty if there is none of that name.
func (c command) commit(ctx context.Context, name string) string {
	id, err := c.output(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return ""
	}
	return id
}

// Contains reports whether a branch, as it is here or as it was fetched, exists and is a part of
// the commit.
func (s Snapshot) Contains(ctx context.Context, branch string) (exists, isPart bool) {
	git := command{dir: s.dir}
	isPart = true
	for _, ref := range []string{"refs/heads/" + branch, "refs/remotes/origin/" + branch} {
		if id := git.commit(ctx, ref); id != "" {
			_, err := git.output(ctx, "merge-base", "--is-ancestor", id, s.commit)
			exists, isPart = true, isPart && err == nil
		}
	}
	return exists, exists && isPart
}

// Each passes the files of the folder with a suffix to see, with their paths relative to it. It
// leaves out links.
func (s Snapshot) Each(ctx context.Context, suffix string, see func(name string, text []byte)) error {
	git := command{dir: s.dir}
	list, err := git.output(ctx, "ls-tree", "-r", "-z", s.commit)
	if err != nil {
		return err
	}
	var names, ids []string
	for entry := range strings.SplitSeq(list, "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		if fields := strings.Fields(about); len(fields) == 3 && fields[1] == "blob" && fields[0] != linkMode && strings.HasSuffix(name, suffix) {
			names, ids = append(names, name), append(ids, fields[2])
		}
	}
	git.in = strings.Join(append(ids, ""), "\n")
	text, err := git.bytes(ctx, "cat-file", "--batch")
	if err != nil {
		return err
	}
	return readObjects(bytes.NewReader(text), func(_ string, content io.Reader) error {
		text, err := io.ReadAll(content)
		see(names[0], text)
		names = names[1:]
		return err
	})
}

// Read returns the text of a file; nil if the commit has none.
func (s Snapshot) Read(ctx context.Context, name string) (text []byte, err error) {
	git := command{dir: s.dir}
	entry, err := git.output(ctx, "ls-tree", s.commit, "--", name)
	if err != nil || entry == "" {
		return nil, err
	}
	mode, rest, _ := strings.Cut(entry, " ")
	kind, rest, _ := strings.Cut(rest, " ")
	id, _, _ := strings.Cut(rest, "\t")
	if kind != "blob" || mode == linkMode {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return git.bytes(ctx, "cat-file", "blob", id)
}

// Identity is an author, as git's settings name the person, and now.
type Identity struct{ Name, Email, at string }

// Author returns whom git takes for the author of a commit. The settings of the person count,
// which env finds.
func Author(ctx context.Context, dir string, env func(string) string) (who Identity, err error) {
	c := command{dir: dir}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "USERPROFILE", "EMAIL", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE"} {
		if value := env(name); value != "" {
			c.variables = append(c.variables, name+"="+value)
		}
	}
	settings := cmp.Or(env("GIT_CONFIG_GLOBAL"), filepath.Join(env("HOME"), ".gitconfig"))
	if _, err := os.Stat(settings); err != nil {
		settings = filepath.Join(cmp.Or(env("XDG_CONFIG_HOME"), filepath.Join(env("HOME"), ".config")), "git", "config")
	}
	c.variables = append(c.variables, "GIT_CONFIG_GLOBAL="+settings)
	ident, err := c.output(ctx, "var", "GIT_AUTHOR_IDENT")
	name, rest, isNamed := strings.Cut(ident, " <")
	email, at, hasDate := strings.Cut(rest, "> ")
	if err == nil && (!isNamed || !hasDate) {
		err = fmt.Errorf("%w: it names no author", ErrUnusable)
	}
	return Identity{name, email, at}, err
}

// Propose commits one changed file on a new branch. It changes neither a file of the work tree
// nor what is checked out or staged.
func (s Snapshot) Propose(ctx context.Context, branch string, by Identity, name string, text []byte, message string) (err error) {
	folder, err := os.MkdirTemp("", "memory-proposal-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	git := command{dir: s.dir, variables: []string{"GIT_INDEX_FILE=" + filepath.Join(folder, "index"),
		"GIT_AUTHOR_NAME=" + by.Name, "GIT_AUTHOR_EMAIL=" + by.Email, "GIT_AUTHOR_DATE=" + by.at,
		"GIT_COMMITTER_NAME=" + by.Name, "GIT_COMMITTER_EMAIL=" + by.Email, "GIT_COMMITTER_DATE=" + by.at}}
	step := func(in string, args ...string) (out string) {
		if err == nil {
			git.in = in
			out, err = git.output(ctx, args...)
		}
		return out
	}
	step("", "read-tree", s.commit)
	blob := step(string(text), "hash-object", "-w", "--stdin")
	step("", "update-index", "--add", "--cacheinfo", "100644,"+blob+","+path.Join(s.prefix, name))
	commit := step(message+"\n", "commit-tree", step("", "write-tree"), "-p", s.commit)
	step("", "update-ref", "refs/heads/"+branch, commit, "")
	return err
}

// Branch is a branch with what its last commit is.
type Branch struct {
	Name, Author, Title string
	At                  time.Time
}

// Open returns the branches below a folder of names, here and as they were fetched, that are not
// part of what is checked out. Each name is in it once.
func Open(ctx context.Context, dir, below string) (branches []Branch, err error) {
	text, err := command{dir: dir}.output(ctx, "for-each-ref", "--no-merged=HEAD", "--sort=authordate",
		"--format=%(refname)%00%(authorname)%00%(authordate:iso-strict)%00%(subject)", "refs/heads/"+below, "refs/remotes")
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		_, rest, isBelow := strings.Cut(fields[0], "/"+below)
		if len(fields) != 4 || !isBelow || seen[rest] {
			continue
		}
		seen[rest] = true
		at, _ := time.Parse(time.RFC3339, fields[2]) // git wrote it
		branches = append(branches, Branch{below + rest, fields[1], fields[3], at})
	}
	return branches, err
}

// Authors counts the commits of each author about a folder, as what is checked out has them.
func Authors(ctx context.Context, dir string) (commits map[string]int, err error) {
	text, err := command{dir: dir}.output(ctx, "log", "--no-show-signature", "--no-merges", "--format=%an <%ae>", "HEAD", "--", ".")
	commits = map[string]int{}
	for line := range strings.Lines(text) {
		commits[strings.TrimSuffix(line, "\n")]++
	}
	return commits, err
}

// Tracked returns the files of the repository with a base name, as what is checked out has them,
// with slashes and relative to the top.
func Tracked(ctx context.Context, top, base string) (names []string, err error) {
	text, err := command{dir: top}.output(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD")
	for name := range strings.SplitSeq(text, "\x00") {
		if path.Base(name) == base {
			names = append(names, name)
		}
	}
	return names, err
}
