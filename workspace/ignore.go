package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/memory-tiered/memory"
)

// IgnoreFile names, at the workspace's top, what is never indexed: the lines
// of a .gitignore. A change takes effect with the next scan.
const IgnoreFile = ".memoryignore"

// maxIgnoreBytes bounds the ignore file: a longer one is a mistake, and each
// line costs a comparison a file.
const maxIgnoreBytes = 1 << 20

type ignoreRules struct {
	rules  []ignoreRule
	faults []memory.Fault
}

type ignoreRule struct {
	glob
	again  bool // "!": not ignored after all
	folder bool // trailing slash: folders only
}

// match says whether name or a folder above it is ignored. The last line that
// fits decides; what lies in an ignored folder cannot be brought back.
func (r *ignoreRules) match(name string, folder bool) bool {
	if len(r.rules) == 0 {
		return false
	}
	segments := strings.Split(name, "/")
	for n := 1; n <= len(segments); n++ {
		if r.ignores(segments[:n], folder || n < len(segments)) {
			return true
		}
	}
	return false
}

func (r *ignoreRules) ignores(segments []string, folder bool) bool {
	for i := len(r.rules) - 1; i >= 0; i-- {
		rule := r.rules[i]
		if (folder || !rule.folder) && rule.glob.match(segments) {
			return !rule.again
		}
	}
	return false
}

func parseIgnore(text string) *ignoreRules {
	out := &ignoreRules{}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		rule, ok, err := parseIgnoreLine(strings.TrimSuffix(line, "\r"))
		if err != nil {
			out.faults = append(out.faults, memory.Fault{Path: IgnoreFile, Line: i + 1,
				Message: "this line is no pattern and ignores nothing"})
		} else if ok {
			out.rules = append(out.rules, rule)
		}
	}
	return out
}

func parseIgnoreLine(line string) (rule ignoreRule, ok bool, err error) {
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return rule, false, nil
	}
	line, rule.again = strings.CutPrefix(line, "!")
	line, rule.folder = strings.CutSuffix(line, "/")
	if line == "" {
		return rule, false, nil
	}
	// A pattern without a slash fits at any depth, one with a slash from the top.
	if !strings.Contains(line, "/") {
		line = "**/" + line
	}
	line = strings.ReplaceAll(strings.TrimPrefix(line, "/"), "[!", "[^")
	// A final ** means what is below the folder, not the folder itself.
	if stem, found := strings.CutSuffix(line, "/**"); found {
		line = stem + "/**/*"
	}
	rule.glob, err = parseGlob(line)
	return rule, err == nil, err
}

// loadIgnore reads the ignore file again. One that is there and cannot be read
// stops everything: what it keeps out may be private.
func (w *Workspace) loadIgnore(root *os.Root) error {
	text, err := readSmall(root, IgnoreFile, maxIgnoreBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !dangling(root, IgnoreFile):
		w.ignored.Store(&ignoreRules{})
	case err != nil:
		return memory.Unavailable(err, "%s cannot be read", path.Join(w.dir, IgnoreFile)).
			WithHint("nothing is indexed until it can: mend or remove it")
	default:
		w.ignored.Store(parseIgnore(string(text)))
	}
	return nil
}

func dangling(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

func readSmall(root *os.Root, name string, most int64) (text []byte, err error) {
	f, err := root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("larger than %d bytes", most)
	}
	return text, err
}
