package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Target is the workspace of an import. The caller holds the lock of ingests.
type Target struct {
	DB     *index.DB
	Folder *workspace.Workspace
	Zone   *time.Location
	Spool  string // the folder of temporary files

	Refresh      func(ctx context.Context, now time.Time, paths []string) error // indexes files
	WatchAppends func(*workspace.LateAppends)
}

// importing is an import that runs.
type importing struct {
	Target
	request   memory.ImportRequest
	now       time.Time
	withText  bool
	foreign   *foreign // nil: an export of memory
	otherKey  bool     // the marks of the export mean nothing here
	destroyed func(memory.Block) bool
	answer    memory.ImportAnswer
}

// Import reads an export and brings its memories into the workspace. State comes first, so
// that what is forgotten or private is so before a file has its text. An import that was
// killed continues when it is started again.
func (t Target) Import(ctx context.Context, now time.Time, r memory.ImportRequest, progress func(memory.Progress)) (memory.ImportAnswer, error) {
	f, err := receive(ctx, r.In, t.Spool, progress)
	if err != nil {
		return memory.ImportAnswer{}, err
	}
	defer f.Close()
	i := &importing{Target: t, request: r, now: now, withText: f.Header.WithText, answer: memory.ImportAnswer{DryRun: r.DryRun}}
	if i.destroyed, err = t.DB.Destroyed(ctx); err != nil {
		return i.answer, err
	}
	if i.foreign, err = i.openForeign(ctx, f.Header.From); err != nil {
		return i.answer, err
	}
	if err := i.adoptMarks(ctx, f.Header); err != nil {
		return i.answer, err
	}
	done := 0
	err = f.each(func(rows []line) error {
		run := i.importRows
		if i.foreign != nil {
			run = i.importForeign
		}
		if err := run(ctx, rows); err != nil {
			return err
		}
		done += len(rows)
		progress(memory.Progress{Stage: "write", Done: done, Total: f.Header.Memories})
		return nil
	})
	return i.answer, err
}

// adoptMarks takes over the marks of the texts that are forgotten or destroyed there.
func (i *importing) adoptMarks(ctx context.Context, h memory.ExportHeader) error {
	if len(h.Marks) == 0 || h.From != "" || i.request.DryRun {
		return nil
	}
	err := i.DB.Update(ctx, i.now, func(tx *index.Tx) error {
		same, err := tx.ImportMarks(h.Marks)
		i.otherKey = !same
		return err
	})
	if err == nil && i.otherKey {
		i.answer.Notices = append(i.answer.Notices, "texts that were destroyed there, or forgotten and are in no file, are not known here: this workspace has forgotten texts of its own")
	}
	if err == nil && i.destroyed == nil {
		i.destroyed, err = i.DB.Destroyed(ctx)
	}
	return err
}

// importRows imports the memories of some files.
func (i *importing) importRows(ctx context.Context, rows []line) error {
	found, err := i.DB.FindImported(ctx, exportRows(rows), !i.withText || i.request.Dedupe == memory.DedupeIDText)
	if err != nil {
		return err
	}
	var write []line
	var changes []func(*index.Tx) error
	for n, l := range rows {
		if i.otherKey {
			delete(l.Tables, "former_texts")
		}
		state := found[n]
		switch {
		case l.Memory.Text != nil && i.destroyed != nil && i.destroyed(blockOf(l)):
			i.answer.Destroyed++
		case state.Present && (i.request.Dedupe != memory.DedupeNone || !i.withText):
			changes = append(changes, i.update(l, state)...)
		case l.Memory.Text == nil:
			i.answer.NoText++
		default:
			if state.Present {
				l = asCopy(l)
			}
			if state.ID == "" || state.Present || state.Newer {
				changes = append(changes, func(tx *index.Tx) error { return atLine(l, tx.Import(l.ExportRow)) })
			}
			write = append(write, l)
		}
	}
	if i.request.DryRun {
		i.answer.Added += len(write)
		return nil
	}
	err = i.DB.Update(ctx, i.now, func(tx *index.Tx) error {
		for _, change := range changes {
			if err := change(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return i.writeFiles(ctx, write)
}

// update counts a memory that is here, and returns the change of its state.
func (i *importing) update(l line, state index.ImportedState) []func(*index.Tx) error {
	if state.ID != l.Memory.ID {
		i.answer.Duplicates++
	}
	if !state.Newer {
		i.answer.Unchanged++
		return nil
	}
	i.answer.Updated++
	return []func(*index.Tx) error{func(tx *index.Tx) error { return atLine(l, tx.ImportState(l.ExportRow, state.ID)) }}
}

func blockOf(l line) memory.Block {
	b := memory.Block{Text: *l.Memory.Text, Heading: l.Memory.Heading}
	_, _ = hex.Decode(b.Fingerprint[:], []byte(l.Fingerprint)) // receive checked it
	return b
}

// atLine names the line of an error.
func atLine(l line, err error) error {
	if err == nil {
		return nil
	}
	if detail := (*memory.Error)(nil); errors.As(err, &detail) {
		return memory.Invalid("", "line %d: %s", l.number, detail.Message).WithHint("%s", detail.Hint)
	}
	return fmt.Errorf("line %d: %w", l.number, err)
}

// asCopy gives a memory another id, because its own is taken.
func asCopy(l line) line {
	l.Memory.ID = memory.ID(uuid.NewString())
	return l
}

// writeFiles writes memories into their files, and indexes them.
func (i *importing) writeFiles(ctx context.Context, lines []line) error {
	var written []string
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].Memory.Path == lines[0].Memory.Path && (i.foreign == nil || n < maxForeign) {
			n++
		}
		name, err := i.writeFile(lines[:n])
		if err != nil {
			return errors.Join(err, i.Refresh(ctx, i.now, written))
		}
		if name != "" && !slices.Contains(written, name) {
			written = append(written, name)
		}
		lines = lines[n:]
	}
	i.answer.Files = append(i.answer.Files, written...)
	return i.Refresh(ctx, i.now, written)
}

// maxTries is how often a file is written that another program changes meanwhile.
const maxTries = 3

// writeFile writes the memories of one file, and returns its path here.
func (i *importing) writeFile(lines []line) (name string, err error) {
	from := lines[0].Memory.Path
	for try := 1; ; try++ {
		name, current, err := i.place(from)
		if err != nil {
			return "", err
		}
		text, refused, err := note{i.Zone, name != from, lines}.text(current)
		if err != nil {
			return "", fmt.Errorf("write %s: %w", name, err)
		}
		if i.foreign != nil {
			text = marked(text, i.foreign.system)
		}
		hash := memory.Hash{}
		if current != nil {
			hash = sha256.Sum256(current)
		}
		if len(refused) < len(lines) {
			late, replaceErr := i.Folder.Replace(name, hash, text)
			i.WatchAppends(late)
			err = replaceErr
		}
		if errors.Is(err, memory.ErrConflict) && try < maxTries {
			continue
		}
		if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
			return "", err
		}
		for _, n := range refused {
			i.answer.Failed = append(i.answer.Failed, memory.ImportFailure{Line: lines[n].number, Message: "no Markdown reads back as this text"})
		}
		i.answer.Added += len(lines) - len(refused)
		return name, nil
	}
}

// maxNumber is the number of names that are tried for one file.
const maxNumber = 10_000

// importedFolder contains files whose path there is none of memories here.
const importedFolder = "memory/imported"

// place returns the path for a file, and what the file contains; nil: it does not exist.
func (i *importing) place(from string) (name string, current []byte, err error) {
	name = from
	if !filepath.IsLocal(filepath.FromSlash(from)) || path.Clean(from) != from || !i.Folder.Indexable(from) && !strings.HasPrefix(from, importedFolder+"/") {
		name = importedFolder + "/" + strings.ReplaceAll(strings.Trim(path.Clean("/"+from), "/"), "/", "-")
		if !strings.HasSuffix(name, ".md") {
			name += ".md"
		}
	}
	if !i.Folder.Indexable(name) {
		return "", nil, memory.Conflict("%s is no file of memories in this workspace", name).WithHint("memory workspace add DIR --glob PATTERN, or remove the line of .memoryignore that excludes it")
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	if !i.Folder.Indexable(stem + "-2" + path.Ext(name)) { // MEMORY.md alone has memories beside memory/
		stem = importedFolder + "/" + path.Base(stem)
	}
	for n := 2; i.Folder.Exists(name); n++ {
		text, _, err := i.Folder.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil, nil
		case err != nil && i.foreign == nil:
			return "", nil, err
		case i.request.Append && i.foreign == nil:
			return name, bytes.Clone(text), nil
		case n > maxNumber:
			return "", nil, memory.Conflict("there is no free name for %s", from)
		}
		name = fmt.Sprintf("%s-%d%s", stem, n, path.Ext(name))
	}
	return name, nil, nil
}
