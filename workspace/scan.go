package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// ScanResult is one look at the whole workspace.
type ScanResult struct {
	Files   []File            // everything indexable, once each, by path bytewise
	Folders []string          // all that was looked into, and where linked files are: what to watch
	Links   map[string]string // other names of listed files, and the path each is listed by
	Outside []string          // links that lead outside, in circles or nowhere; not followed

	// Faults are folders that could not be read and files over the limit, and
	// lines of the ignore file. What was known at or below such a path is not
	// gone: nobody could look.
	Faults []memory.Fault
}

// maxDepth is how deep folders may nest: people's trees stay below twenty, and
// each level is opened by way of all those above it.
const maxDepth = 100

// Scan looks at everything. It reads folders and no file but the ignore file:
// some 5 ms for 2,000 files.
func (w *Workspace) Scan(ctx context.Context) (ScanResult, error) {
	root, err := w.open()
	if err != nil {
		return ScanResult{}, err
	}
	if err := w.loadIgnore(root); err != nil {
		return ScanResult{}, err
	}
	s := &scan{w: w, root: root, now: time.Now(), folders: map[string]string{}, linked: map[string]bool{}}
	s.out.Faults = append(s.out.Faults, w.ignored.Load().faults...)
	if err := s.folder(ctx, ".", ".", 0); err != nil {
		return ScanResult{}, w.scanError(err)
	}
	for len(s.links) > 0 {
		links := s.links
		s.links = nil
		sort.Slice(links, func(i, j int) bool { return links[i].name < links[j].name })
		for _, l := range links {
			if err := s.follow(ctx, l); err != nil {
				return ScanResult{}, w.scanError(err)
			}
		}
	}
	w.names.Store(s.finish())
	return s.out, nil
}

// Walk is the files and faults of Scan, and the file of decisions where there is
// one.
func (w *Workspace) Walk(ctx context.Context) ([]File, []memory.Fault, error) {
	l, err := w.Scan(ctx)
	if err != nil {
		return nil, nil, err
	}
	f, there, err := w.Stat(memory.DecisionsFile)
	var large *TooLarge
	switch {
	case errors.As(err, &large):
		l.Faults = append(l.Faults, large.Fault())
	case errors.Is(err, memory.ErrUnavailable):
		return nil, nil, err
	case err != nil:
		l.Faults = append(l.Faults, memory.Fault{Path: memory.DecisionsFile, Message: "cannot be looked at: " + reason(err)})
	case there:
		at, _ := slices.BinarySearchFunc(l.Files, f.Path, func(f File, path string) int { return strings.Compare(f.Path, path) })
		l.Files = slices.Insert(l.Files, at, f)
	}
	return l.Files, l.Faults, nil
}

// scanError tells a folder that vanished underneath from one never there.
func (w *Workspace) scanError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return w.gone(err)
}

// scan goes over real folders first and follows links afterwards, so that a
// file is listed by its own name wherever that is indexable.
type scan struct {
	w       *Workspace
	root    *os.Root
	now     time.Time
	out     ScanResult
	found   []candidate
	links   []link
	folders map[string]string // real folder → the name it is watched by
	linked  map[string]bool   // real folders reached by a link
}

// candidate is a name of a file, and where that leads.
type candidate struct {
	file File
	real string
}

type link struct {
	name, real string // real: the link's own place, all folders above it followed
	depth      int
}

func (s *scan) folder(ctx context.Context, name, real string, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		s.fault(name, "nested too deep: not looked into")
		return nil
	}
	listed, err := s.list(real)
	if err != nil {
		return s.unlisted(name, err)
	}
	if _, seen := s.folders[real]; !seen {
		s.folders[real] = name
	}
	for _, item := range listed {
		if err := s.item(ctx, item, path.Join(name, item.Name()), path.Join(real, item.Name()), depth); err != nil {
			return err
		}
	}
	return nil
}

// unlisted is an error for the workspace's own folder, and a fault for others,
// unless they went away meanwhile.
func (s *scan) unlisted(name string, err error) error {
	if name == "." {
		return err
	}
	if !absent(err) {
		s.fault(name, "cannot be read: "+reason(err))
	}
	return nil
}

func (s *scan) list(real string) (listed []fs.DirEntry, err error) {
	f, err := s.root.Open(real)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return f.ReadDir(-1)
}

func (s *scan) item(ctx context.Context, item fs.DirEntry, name, real string, depth int) error {
	switch {
	case item.IsDir():
		if s.w.SkipDir(name) || s.w.forbidden(real, true) {
			return nil
		}
		return s.folder(ctx, name, real, depth+1)
	case item.Type()&fs.ModeSymlink != 0:
		if s.w.Indexable(name) || !s.w.SkipDir(name) {
			s.links = append(s.links, link{name, real, depth})
		}
	case item.Type().IsRegular() && s.w.Indexable(name) && (name == real || s.w.linkable(real)):
		if info, err := item.Info(); err == nil {
			s.file(name, real, info)
		}
	}
	return nil
}

func (s *scan) follow(ctx context.Context, l link) error {
	real, info, ok := s.target(l)
	switch {
	case !ok:
		s.out.Outside = append(s.out.Outside, l.name)
	case info.IsDir():
		if s.linked[real] || s.w.SkipDir(l.name) || s.w.forbidden(real, true) {
			return nil
		}
		s.linked[real] = true
		return s.folder(ctx, l.name, real, l.depth+1)
	case info.Mode().IsRegular() && s.w.Indexable(l.name) && s.w.linkable(real):
		s.file(l.name, real, info)
	}
	return nil
}

// target gives where a link leads; not where that is outside, nowhere or back
// to a folder that it stands in.
func (s *scan) target(l link) (real string, info os.FileInfo, ok bool) {
	real, info, err := s.w.locate(s.root, l.real)
	if err != nil || info.IsDir() && holds(real, path.Dir(l.real)) {
		return "", nil, false
	}
	return real, info, true
}

// holds says whether inner is folder or lies below it.
func holds(folder, inner string) bool {
	return folder == "." || inner == folder || strings.HasPrefix(inner, folder+"/")
}

func (s *scan) file(name, real string, info os.FileInfo) {
	s.found = append(s.found, candidate{newFile(name, info, s.now), real})
}

func (s *scan) fault(name, message string) {
	s.out.Faults = append(s.out.Faults, memory.Fault{Path: name, Message: message})
}

// finish lists each file by one of its names: its own where that is indexable,
// else the first bytewise.
func (s *scan) finish() *nameTable {
	sort.Slice(s.found, func(i, j int) bool {
		a, b := s.found[i], s.found[j]
		if own := a.file.Path == a.real; own != (b.file.Path == b.real) {
			return own
		}
		return a.file.Path < b.file.Path
	})
	names := &nameTable{}
	s.out.Links = map[string]string{}
	for _, c := range s.found {
		chosen, first := names.choose(c)
		if c.real != chosen {
			s.out.Links[c.real] = chosen
			s.watch(path.Dir(c.real))
		}
		switch {
		case !first:
			s.out.Links[c.file.Path] = chosen
		case c.file.Size > s.w.max:
			s.out.Faults = append(s.out.Faults, (&TooLarge{c.file.Path, c.file.Size, s.w.max}).Fault())
		default:
			s.out.Files = append(s.out.Files, c.file)
		}
	}
	slices.SortFunc(s.out.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for _, name := range s.folders {
		s.out.Folders = append(s.out.Folders, name)
	}
	slices.Sort(s.out.Folders)
	return names
}

func (s *scan) watch(real string) {
	if _, seen := s.folders[real]; !seen {
		s.folders[real] = real
	}
}

// reason is a file system error without the path, which the fault has already.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}
