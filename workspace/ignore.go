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
	"github.com/memory-tiered/memory/internal/glob"
	"github.com/memory-tiered/memory/internal/machine"
)

// IgnoreFile is the name of a file at the top of the workspace that lists what is
// never indexed, in the syntax of .gitignore. The next scan applies a change.
const IgnoreFile = ".memoryignore"

// maxIgnoreBytes is the size limit of the ignore file. A longer one is a mistake,
// and each line costs one comparison for every file.
const maxIgnoreBytes = 1 << 20

type ignoreRules struct {
	rules  []ignoreRule
	faults []memory.Fault
}

type ignoreRule struct {
	glob.Pattern
	negated     bool // "!": does not ignore what an earlier line ignores
	foldersOnly bool // a trailing slash
}

// match reports whether name or a folder above it is ignored. The last line that
// matches decides. A file in an ignored folder is always ignored.
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
		if (folder || !rule.foldersOnly) && rule.Pattern.Match(segments) {
			return !rule.negated
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
				Message: "this line is not a valid pattern and has no effect"})
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
	line, rule.negated = strings.CutPrefix(line, "!")
	line, rule.foldersOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return rule, false, nil
	}
	// A pattern without a slash matches at any depth, one with a slash from the top.
	if !strings.Contains(line, "/") {
		line = "**/" + line
	}
	line = strings.TrimPrefix(line, "/")
	// A final ** matches what is below the folder, but not the folder itself.
	if stem, found := strings.CutSuffix(line, "/**"); found {
		line = stem + "/**/*"
	}
	rule.Pattern, err = glob.Parse(line)
	return rule, err == nil, err
}

// loadIgnore reads the ignore file again. If the file exists but cannot be read,
// loadIgnore fails, because the files that it excludes may be private.
func (w *Workspace) loadIgnore(root *os.Root) error {
	text, err := readLimited(root, IgnoreFile, maxIgnoreBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isDanglingLink(root, IgnoreFile):
		w.ignore.Store(&ignoreRules{})
	case err != nil:
		return memory.Unavailable(err, "%s cannot be read", path.Join(w.dir, IgnoreFile)).
			WithHint("repair or remove the file; nothing is indexed until then")
	default:
		w.ignore.Store(parseIgnore(string(text)))
	}
	return nil
}

// isDanglingLink reports whether name is there, although opening it finds nothing.
func isDanglingLink(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

func readLimited(root *os.Root, name string, most int64) (text []byte, err error) {
	f, err := root.OpenFile(name, os.O_RDONLY|machine.OpenNoWait, 0)
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
