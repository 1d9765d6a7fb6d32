package erasure

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/engine/statefolder"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/verify"
)

// lookEverywhere looks for texts in every place. The places of a receipt add what only a
// receipt knows.
func (w Witness) lookEverywhere(ctx context.Context, texts *verify.Matcher, r Receipt) (_ *look, files memory.VerifyAnswer, err error) {
	l := &look{}
	w.listOwn(l)
	if err := w.lookInTables(ctx, l, texts); err != nil {
		return l, files, err
	}
	if files, err = w.Files(ctx, texts); err != nil {
		return l, files, err
	}
	exports, err := w.exports(ctx, r.Places)
	if err != nil {
		return l, files, err
	}
	more := slices.Clone(exports)
	var memories []clients.Folder
	for _, name := range slices.Sorted(maps.Keys(w.ClientDirs)) {
		for _, dir := range w.ClientDirs[name] {
			l.at(inConversations+name, dir)
			l.at(inMemories+name, dir)
			more = append(more, clients.Named(name).TranscriptFiles(dir)...)
			for _, folder := range clients.Named(name).Folders(dir) {
				more, memories = append(more, folder.Path), append(memories, folder)
			}
		}
	}
	seen := map[string]bool{}
	for _, c := range files.Checked {
		seen[c.File] = true
		if w.DB.OnServer() && strings.HasSuffix(c.File, w.DB.Server()) {
			continue // lookInTables has read them
		}
		place := l.at(w.placeOf(c.File), "")
		if other := w.placeOfOthers(l, c.File, memories); place.Name == inMarkdown && (other.Name != inExports || slices.Contains(exports, c.File)) {
			place = other
		}
		place.saw(c.File, c.Found, unread(c))
	}
	others, err := verify.Hosts{Dirs: w.HostDirs, Workspace: w.Dir, More: more}.Find(ctx, texts, nil)
	if err != nil {
		return l, files, err
	}
	for _, c := range others.Checked {
		if seen[c.File] {
			continue
		}
		seen[c.File] = true
		w.placeOfOthers(l, c.File, memories).saw(c.File, c.Found, unread(c))
	}
	held := heldIn(r.Places, inExports)
	for _, path := range exports {
		if !seen[path] && !slices.Contains(held, path) {
			seen[path] = true
			l.at(inExports, "").saw(path, false, "it is not there: it may be moved")
		}
	}
	w.lookInGit(ctx, l, texts)
	err = w.lookAtServers(ctx, l, r)
	l.at(elsewhere, "").After = nil
	return l, files, err
}

// listOwn lists the places of the program, also those that have nothing. Nobody can look into the
// files of a database server.
func (w Witness) listOwn(l *look) {
	db := w.DB.Path()
	for _, own := range []struct{ name, where string }{{inMarkdown, w.Dir}, {inCaptured, w.Captured}, {inTables, cmp.Or(w.DB.Server(), db)},
		{inPages, db}, {inLog, db + "-wal"}, {inBackup, statefolder.BackupPath(db)}, {inCopies, filepath.Dir(db)},
		{inSnapshots, statefolder.Snapshots(db)}, {inState, w.StateDir}, {inExports, ""}} {
		if !w.DB.OnServer() || own.name != inPages && own.name != inLog && own.name != inBackup {
			l.at(own.name, own.where)
		}
	}
	if w.DB.OnServer() {
		l.at(inDatabase, w.DB.Server()).After = nil
	}
}

// unread returns why a file could not be read.
func unread(c memory.CheckedPlace) string {
	if c.Found {
		return ""
	}
	return c.Note
}

// placeOf returns the place of a file of the program or of the workspace.
func (w Witness) placeOf(file string) string {
	db := w.DB.Path()
	dir, name := filepath.Split(file)
	besideDB := filepath.Clean(dir) == filepath.Dir(db)
	switch {
	case file == db:
		return inPages
	case file == db+"-wal", file == db+"-shm":
		return inLog
	case file == statefolder.BackupPath(db):
		return inBackup
	case folder.Contains(statefolder.Snapshots(db), file):
		return inSnapshots
	case besideDB && (strings.HasPrefix(name, filepath.Base(db)+".") || strings.HasPrefix(name, ".tiered.")):
		return inCopies
	case slices.Contains(strings.Split(file, string(filepath.Separator)), ".git"):
		return inGit
	case folder.Contains(w.Captured, file):
		return inCaptured
	case folder.Contains(w.Dir, file) && !folder.Contains(w.StateDir, file):
		return inMarkdown
	}
	return inState
}

// placeOfOthers returns the place of a file that is not the program's. memories are the folders
// of clients.
func (w Witness) placeOfOthers(l *look, file string, memories []clients.Folder) *Place {
	recalls := filepath.Join(w.Dir, "memory", ".dreams")
	if folder.Contains(recalls, file) {
		return l.at(inRecalls, recalls)
	}
	for _, of := range memories {
		if folder.Contains(of.Path, file) {
			return l.at(inMemories+of.Client, "")
		}
	}
	for name, dirs := range w.ClientDirs {
		if slices.ContainsFunc(dirs, func(dir string) bool { return folder.Contains(dir, file) }) {
			return l.at(inConversations+name, "")
		}
	}
	for _, dir := range w.HostDirs {
		if folder.Contains(dir, file) {
			return l.at(inHost, dir)
		}
	}
	return l.at(inExports, "")
}

// lookInTables looks at the rows of the database.
func (w Witness) lookInTables(ctx context.Context, l *look, texts *verify.Matcher) error {
	found := map[string]bool{}
	err := w.DB.EachText(ctx, func(table, row string) {
		found[table] = found[table] || texts.Index([]byte(row)) >= 0
	})
	for _, table := range slices.Sorted(maps.Keys(found)) {
		l.at(inTables, "").saw(table, found[table], "")
	}
	return err
}

// lookInGit looks at every object of the repository that the workspace is in, and of those in
// it.
func (w Witness) lookInGit(ctx context.Context, l *look, texts *verify.Matcher) {
	var tops []string
	if around := git.Find(w.Dir); around.Exists() {
		tops = append(tops, around.Top(w.Dir))
	}
	_ = filepath.WalkDir(w.Dir, func(path string, d fs.DirEntry, _ error) error { // what cannot be read is told with the files
		if d == nil || d.Name() != ".git" {
			return nil
		}
		if top := filepath.Dir(path); !slices.Contains(tops, top) {
			tops = append(tops, top)
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	for _, top := range tops {
		place := l.at(inGit, top)
		err := git.Objects(ctx, top, func(id string, content io.Reader) error {
			offset, err := texts.IndexReader(content)
			place.saw(id, offset >= 0, "")
			return err
		})
		if err != nil {
			place.saw(top, false, err.Error())
		}
	}
}

// exports returns the files that exports with texts wrote, as far as their receipts or that of
// the destroy tell.
func (w Witness) exports(ctx context.Context, before []Place) (paths []string, err error) {
	paths = heldIn(before, inExports)
	stored, err := w.DB.Receipts(ctx, index.ReceiptsFilter{Kinds: []string{memory.ReceiptExport}})
	for _, row := range stored {
		var r memory.Receipt
		if json.Unmarshal(row.Body, &r) == nil && r.File != "" && r.Filters.WithText {
			paths = append(paths, r.File)
		}
	}
	return paths, err
}

// heldIn returns what in a place had the texts.
func heldIn(places []Place, name string) []string {
	for _, p := range places {
		if p.Name == name {
			return slices.Clone(p.Held)
		}
	}
	return nil
}

// lookAtServers notes the models on other machines that have got the texts. What was sent
// cannot be looked for, so that a receipt keeps it.
func (w Witness) lookAtServers(ctx context.Context, l *look, r Receipt) error {
	for _, model := range heldIn(r.Places, inServer) {
		l.at(inServer, "").saw(model, true, "")
	}
	for _, model := range w.Models {
		switch {
		case r.Places != nil, model == nil:
		case embedding.IsUnavailable(model):
			l.at(inServer, "").saw(model.Model(), false, "it is not available, so that nobody knows whether it is on this machine")
		case model.Remote():
			sent, err := w.DB.EmbeddedCount(ctx, model.Model(), r.Memories)
			if err != nil {
				return err
			}
			l.at(inServer, "").saw(model.Model(), sent > 0, "")
		}
	}
	return nil
}
