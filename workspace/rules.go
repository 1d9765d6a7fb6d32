package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
)

// Glob adds files to a workspace, or says of built-in ones what else holds for
// them: where several match, the first wins, and all come before MEMORY.md,
// USER.md and memory/.
type Glob struct {
	Pattern string       // from the workspace, slashes, ** for any number of folders; a final / means all below
	Tier    memory.Tier  // where its memories start; empty: WARM
	Scope   memory.Scope // empty: says nothing
	Inject  bool         // whether its memories may be put before a model unasked
}

type include struct {
	glob
	defaults memory.Declared
	inject   bool
}

// builtin is what every workspace holds: names as agents write them, exactly.
var builtin = []Glob{
	{Pattern: "MEMORY.md", Tier: memory.TierWarm, Inject: true},
	{Pattern: "USER.md", Tier: memory.TierWarm, Inject: true},
	{Pattern: "memory/**", Tier: memory.TierHot, Inject: true},
}

func compileIncludes(globs []Glob) ([]include, error) {
	var out []include
	for _, g := range append(append([]Glob(nil), globs...), builtin...) {
		pattern := strings.TrimPrefix(g.Pattern, "./")
		if strings.HasSuffix(pattern, "/") {
			pattern += "**"
		}
		compiled, err := parseGlob(pattern)
		if err != nil || !local(pattern) {
			return nil, memory.Invalid("globs", "glob %q is no pattern below the workspace", g.Pattern).
				WithHint("relative, with slashes, without .., for instance notes/**/*.md")
		}
		last := &compiled[len(compiled)-1]
		if stem, found := strings.CutSuffix(*last, ".md"); found {
			*last = stem + ".[mM][dD]"
		}
		tier := g.Tier
		if tier == "" {
			tier = memory.TierWarm
		}
		out = append(out, include{compiled, memory.Declared{Tier: tier, Scope: g.Scope}, g.Inject})
	}
	return out, nil
}

// Defaults is what a file's place declares: the weakest word of all.
func (w *Workspace) Defaults(name string) memory.Declared {
	if in := w.included(name); in != nil {
		return in.defaults
	}
	return memory.Declared{}
}

// Injectable says whether memories of this file may be put before a model that
// did not ask for them.
func (w *Workspace) Injectable(name string) bool {
	in := w.included(name)
	return in != nil && in.inject
}

// Indexable says whether a regular file of this name would hold memories, by
// its name and the rules alone: it ends in .md in any case (other systems
// write .MD), the patterns name it, and nothing forbids it. As editors' swap
// and backup files never end in .md, or are hidden, they need no rule here.
func (w *Workspace) Indexable(name string) bool {
	return markdown(name) && w.included(name) != nil && !w.forbidden(name, false)
}

// SkipDir says that nothing at or below this folder is ever indexed, so that
// it need be neither read nor watched.
func (w *Workspace) SkipDir(name string) bool {
	if name == "." {
		return false
	}
	if w.forbidden(name, true) {
		return true
	}
	folder := strings.Split(name, "/")
	for _, in := range w.include {
		if in.below(folder) {
			return false
		}
	}
	return true
}

func (w *Workspace) included(name string) *include {
	segments := strings.Split(name, "/")
	for i := range w.include {
		if w.include[i].match(segments) {
			return &w.include[i]
		}
	}
	return nil
}

// forbidden says that no pattern may bring this name in.
func (w *Workspace) forbidden(name string, folder bool) bool {
	if !local(name) || name == dreaming || strings.HasPrefix(name, dreaming+"/") {
		return true
	}
	for _, part := range strings.Split(name, "/") {
		if part[0] == '.' || part == "node_modules" {
			return true
		}
	}
	if !folder && strings.EqualFold(path.Base(name), dreams) {
		return true
	}
	return w.ignored.Load().match(name, folder)
}

// What the agent's host writes while it is "dreaming": rewordings of memories
// that are in the workspace already.
const (
	dreaming = "memory/dreaming"
	dreams   = "DREAMS.md"
)

func markdown(name string) bool { return strings.EqualFold(path.Ext(name), ".md") }

// local says that name is a clean path that stays in the workspace.
func local(name string) bool {
	return name != "." && path.Clean(name) == name && !strings.Contains(name, "\x00") &&
		filepath.IsLocal(filepath.FromSlash(name))
}
