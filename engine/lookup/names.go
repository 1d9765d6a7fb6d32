package lookup

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/entity"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/recall/notation"
)

// NamesFile is the path of the file with what the owner decided about names. Each line has names
// of one person or thing, the one to show first, with namesSeparator between them. A later line
// may show another one. The file is private, and tells nothing about anybody.
const NamesFile, namesSeparator = "memory/names.md", " = "

// Names are the people and things of a workspace, as a view gets them.
type Names struct {
	*entity.Gazetteer
	Memories []memory.Memory // by the indexes of the gazetteer
}

// NamesSource is what names are read from: an index.
type NamesSource interface {
	List(ctx context.Context, p memory.Predicate, sort string, limit, offset int) ([]memory.Memory, int, error)
	Files(ctx context.Context, paths ...string) ([]memory.FileState, error)
	Hidden(ctx context.Context, v memory.View) (*index.Hidden, error)
}

// ReadNames finds the names in the memories that pass a predicate. What the owner decided about
// names counts for every view, but a model or a user gets only names in memories that the view
// shows.
func ReadNames(ctx context.Context, db NamesSource, p memory.Predicate) (n Names, err error) {
	all, _, err := db.List(ctx, p, "path", 0, 0)
	if err != nil {
		return n, err
	}
	n.Memories = slices.DeleteFunc(all, func(m memory.Memory) bool { return m.Path == NamesFile })
	lines, _, err := db.List(ctx, memory.Predicate{View: memory.View{Users: p.Users}, Path: NamesFile, Archive: true}, "path", 0, 0)
	if err != nil {
		return n, err
	}
	notes := entity.Notes{Memories: n.Memories, Aliases: map[string][]string{}, IsOver: IsOver(p.At()), OnlyFound: p.Model || len(p.Users) > 0}
	for _, line := range lines {
		if names := strings.Split(line.Text, namesSeparator); line.Trust == memory.TrustTrusted && len(names) > 1 {
			notes.Decided = append(notes.Decided, names)
		}
	}
	files, err := db.Files(ctx)
	if err != nil {
		return n, err
	}
	hidden, err := db.Hidden(ctx, p.View)
	for _, f := range files {
		for _, name := range f.Declared.Aliases {
			if !hidden.Hides(name, nil) {
				notes.Aliases[f.Path] = append(notes.Aliases[f.Path], name)
			}
		}
	}
	n.Gazetteer = entity.New(notes)
	return n, err
}

// IsOver returns what reports whether a memory holds no longer at a time: it has expired, or its
// author marked it as outdated.
func IsOver(at time.Time) func(*memory.Memory) bool {
	marks := notation.Marks{}
	return func(m *memory.Memory) bool {
		return m.ExpiresAt != nil && !m.ExpiresAt.After(at) || marks.Of(m) == notation.Outdated
	}
}

// MaxHops bounds the distance between names. Beyond two hops, nearly everything is related.
const MaxHops = 2

// About restricts a predicate to the memories about the person or thing that a filter names, or
// with hops about what is related to it. If it names a scene, they are of that scene. It asks
// each of the indexes.
func About(ctx context.Context, p memory.Predicate, f memory.Filter, all ...NamesSource) (memory.Predicate, error) {
	if f.Hops < 0 || f.Hops > MaxHops || f.Hops > 0 && f.Entity == "" {
		return p, memory.Invalid("hops", "%d hops are not possible", f.Hops).WithHint("1 or 2, with a name")
	}
	if f.Entity == "" && f.Scene == "" {
		return p, nil
	}
	seen := everything(p)
	p.IDs = []memory.ID{noID}
	for _, db := range all {
		n, err := ReadNames(ctx, db, seen)
		if err != nil {
			return p, err
		}
		about, of := map[int]bool{}, map[int]bool{}
		found := n.Find(f.Entity)
		found = found[:min(1, len(found))]
		if f.Hops > 0 && len(found) > 0 {
			_, found = n.Graph(found[0].Name, f.Hops, 0)
		}
		for _, near := range found {
			mark(about, near.At)
		}
		for _, found := range n.scenesWith(f.Scene) {
			mark(of, found.At)
		}
		for i := range n.Memories {
			if (f.Entity == "" || about[i]) && (f.Scene == "" || of[i]) {
				p.IDs = append(p.IDs, n.Memories[i].ID)
			}
		}
	}
	return p, nil
}

func mark(set map[int]bool, at []int) {
	for _, i := range at {
		set[i] = true
	}
}

// everything returns a predicate of all that a view shows. Forgotten and missing memories are
// among them if another predicate has them.
func everything(p memory.Predicate) memory.Predicate {
	include := func(i memory.Inclusion) memory.Inclusion { return min(i, memory.Include) }
	return memory.Predicate{View: p.View, Archive: true, Forgotten: include(p.Forgotten), Missing: include(p.Missing)}
}

// noID is the id of no memory.
const noID memory.ID = "none"

// Entities returns the people and things that a name means, or all, and the names that are like
// it.
func (n Names) Entities(name string, offset, limit int) (a knowledge.EntitiesAnswer, err error) {
	found := n.Gazetteer.Entities()
	if name != "" {
		if found = n.Find(name); len(found) == 0 {
			return a, n.NotOne("entity", name)
		}
		a.Like = n.Like(name)
	}
	a.Total = len(found)
	found = found[min(offset, len(found)):]
	for _, f := range found[:min(limit, len(found))] {
		a.Entities = append(a.Entities, f.Entity)
	}
	return a, nil
}

// Decide returns the line of [NamesFile] that makes two names one, as a person decides. The one
// to show is first.
func (n Names) Decide(r knowledge.ChangeEntityRequest) (line string, err error) {
	other := strings.Join(strings.Fields(r.Other), " ")
	if entity.KeyOf(other) == "" || strings.Contains(other, strings.TrimSpace(namesSeparator)) {
		return "", memory.Invalid("other", "%q cannot be a name", r.Other).WithHint("a name has a letter and another letter or digit, eight words at most, and no =")
	}
	found, others := n.Find(r.Name), n.Find(other)
	if len(found) != 1 {
		return "", n.NotOne("name", r.Name)
	}
	shown := found[0].Name
	isKnown := len(others) == 1 && others[0].Name == shown
	isSame := isKnown
	switch r.Action {
	case "merge":
		if len(others) != 1 {
			return "", n.NotOne("other", other)
		}
		other = others[0].Name
	case "alias", "rename":
		if len(others) == 1 && !isKnown {
			return "", memory.Conflict("%s is another person or thing", others[0].Name).WithHint("memory entity merge %q %q makes them one", shown, others[0].Name)
		}
		isSame = isKnown && (r.Action == "alias" || other == shown)
	default:
		return "", memory.Invalid("action", "%q is no decision about a name", r.Action).WithHint("one of: alias, rename, merge")
	}
	if isSame {
		return "", memory.Conflict("%s has the name %s already", shown, other)
	}
	if r.Action == "rename" {
		shown, other = other, shown
	}
	return shown + namesSeparator + other, nil
}

// NotOne returns the error for a name that means no person or thing, or several.
func (n Names) NotOne(field, name string) error {
	const shown = 5
	if found := n.Find(name); len(found) > 1 {
		var names []string
		for _, f := range found {
			names = append(names, f.Name)
		}
		err := memory.Conflict("%q may be %s", name, strings.Join(slices.Compact(names), ", ")).WithHint("name one of them")
		err.Field = field
		return err
	}
	err := &memory.Error{Kind: memory.ErrNotFound, Field: field, Message: "no memory names " + name, Hint: "memory entity list lists the names; memory search finds words"}
	if like := n.Like(name); len(like) > 0 {
		err.Hint = "known are " + strings.Join(like[:min(shown, len(like))], ", ")
	}
	return err
}
