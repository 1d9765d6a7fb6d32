package workspace

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/glob"
)

// Glob adds files to a workspace, or changes the defaults of MEMORY.md, USER.md
// and the files below memory/. Where several globs match a file, the first one
// applies.
type Glob struct {
	Pattern string       // relative to the workspace, with slashes; ** matches any number of folders, a folder everything below
	Tier    memory.Tier  // in which its memories start; empty: HOT below memory/, else WARM
	Scope   memory.Scope // empty: none
	Inject  bool         // whether its memories may be injected
}

type include struct {
	glob.Pattern
	defaults memory.Declared
}

// builtinGlobs are the files of every workspace. Their names are case-sensitive,
// because agents write them exactly so.
var builtinGlobs = []Glob{
	{Pattern: "MEMORY.md", Inject: true},
	{Pattern: "USER.md", Inject: true},
	{Pattern: "memory/**", Inject: true},
}

// CheckGlobs returns an error for a pattern that no path can match.
func CheckGlobs(globs []Glob) error {
	_, err := compileGlobs(globs, nil)
	return err
}

func compileGlobs(globs, builtin []Glob) ([]include, error) {
	var out []include
	for _, g := range slices.Concat(globs, builtin) {
		pattern := strings.TrimPrefix(g.Pattern, "./")
		pattern = everythingBelow(pattern)
		compiled, err := glob.Parse(pattern)
		if err == nil && !isLocal(pattern) {
			err = errors.New("it is not a clean path in the workspace")
		}
		if err != nil {
			return nil, memory.Invalid("globs", "%q is not a valid glob: %s", g.Pattern, err).
				WithHint("a glob is a path in the workspace, with slashes and without .., for example notes/**/*.md")
		}
		last := &compiled[len(compiled)-1]
		if stem, found := strings.CutSuffix(*last, ".md"); found {
			*last = stem + ".[mM][dD]"
		}
		in := include{compiled, memory.Declared{Tier: g.Tier, Scope: g.Scope}}
		if !g.Inject {
			in.defaults.ImportanceLabel = memory.ImportanceIgnore // a label of the file or the memory wins over it
		}
		out = append(out, in)
	}
	return out, nil
}

// everythingBelow completes the pattern of a folder. A name without ** or .md at its
// end can only be a folder's.
func everythingBelow(pattern string) string {
	switch {
	case strings.HasSuffix(pattern, "/"):
		return pattern + "**"
	case pattern != "" && !strings.ContainsAny(path.Base(pattern), `*?[\`) && path.Ext(pattern) == "":
		return pattern + "/**"
	}
	return pattern
}

// Defaults returns what the location of a file declares. Every other declaration
// takes precedence.
func (w *Workspace) Defaults(name string) memory.Declared {
	in := w.includeFor(name)
	if in == nil {
		return memory.Declared{}
	}
	d := in.defaults
	if d.Tier == "" {
		d.Tier = builtinTier(name)
	}
	if w.documents {
		d.Trust = memory.TrustUntrusted
	}
	return d
}

// builtinTier returns in which tier the memories of a file start if no pattern says it.
func builtinTier(name string) memory.Tier {
	if strings.HasPrefix(name, "memory/") {
		return memory.TierHot
	}
	return memory.TierWarm
}

// Indexable reports whether a regular file of this name contains memories. It
// decides by the name alone: the name ends in .md, in any case (other systems
// write .MD), matches a glob, and is not excluded. Swap and backup files of
// editors need no rule: they are hidden or do not end in .md. A name that is not
// UTF-8 is not indexed: no request could name the file.
func (w *Workspace) Indexable(name string) bool {
	return utf8.ValidString(name) && w.matches(name)
}

// matches is [Workspace.Indexable] for names that need not be UTF-8.
func (w *Workspace) matches(name string) bool {
	return w.reads(name) && w.includeFor(name) != nil && !w.excluded(name, false)
}

// managed reports whether a file may be read and written here: a file of memories,
// or the file of decisions about them. Documents decide nothing.
func (w *Workspace) managed(name string) bool {
	return name == memory.DecisionsFile && !w.documents || w.Indexable(name)
}

// SkipDir reports whether nothing below this folder is ever indexed. Such a folder
// needs neither to be read nor to be watched.
func (w *Workspace) SkipDir(name string) bool {
	if name == "." {
		return false
	}
	if w.excluded(name, true) {
		return true
	}
	folder := strings.Split(name, "/")
	for _, in := range w.includes {
		if in.MayMatchBelow(folder) {
			return false
		}
	}
	return true
}

func (w *Workspace) includeFor(name string) *include {
	segments := strings.Split(name, "/")
	for i := range w.includes {
		if w.includes[i].Match(segments) {
			return &w.includes[i]
		}
	}
	return nil
}

// excluded reports whether this name is never indexed, whatever the globs match.
func (w *Workspace) excluded(name string, folder bool) bool {
	return neverIndexed(name, folder) || w.ignore.Load().match(name, folder)
}

// neverIndexed reports whether this name is excluded in every workspace.
func neverIndexed(name string, folder bool) bool {
	if !isLocal(name) || Contains(dreamingFolder, name) {
		return true
	}
	for _, part := range strings.Split(name, "/") {
		if part[0] == '.' || part == "node_modules" {
			return true
		}
	}
	return !folder && strings.EqualFold(path.Base(name), dreamsFile)
}

// What the agent's host writes while it is "dreaming": rewordings of memories that
// are already in the workspace.
const (
	dreamingFolder = "memory/dreaming"
	dreamsFile     = "DREAMS.md"
)

// reads reports whether files with the ending of a name are read.
func (w *Workspace) reads(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md":
		return true
	case ".txt", ".html", ".htm", ".pdf":
		return w.documents
	}
	return false
}

// isLocal reports whether name is a clean path that stays in the workspace.
func isLocal(name string) bool {
	return name != "." && path.Clean(name) == name && !strings.Contains(name, "\x00") &&
		filepath.IsLocal(filepath.FromSlash(name))
}
