package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// UnfinishedDestroy returns why the last destroy is not finished; nil if it is.
func (f *Executor) UnfinishedDestroy() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cause
}

func (f *Executor) noteUnfinished(cause error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cause = cause
}

// WithCopies returns the memories with these ids, then every copy of their texts.
func (f *Executor) WithCopies(ctx context.Context, ids []memory.ID) (all []memory.Memory, err error) {
	copies, err := f.DB.ExactCopies(ctx, ids)
	if err != nil {
		return nil, err
	}
	declarations, err := f.DB.Declarations(ctx, slices.Concat(ids, copies))
	for _, decl := range declarations {
		all = append(all, decl.Memory)
	}
	return all, err
}

// Texts returns the texts of some memories as their files have them.
func (f *Executor) Texts(ctx context.Context, ids []memory.ID) (texts []string, err error) {
	declarations, err := f.DB.Declarations(ctx, ids)
	for _, decl := range declarations {
		texts = append(texts, decl.WrittenText)
	}
	return texts, err
}

// pathsToEdit lists the files of an intent, and those of copies that were added
// since it was recorded.
func pathsToEdit(in index.Intent, all []memory.Memory) []string {
	paths := slices.Clone(in.Paths)
	for _, m := range all {
		if !m.Missing {
			paths = append(paths, m.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// inFailedFiles returns the memories that are in files which could not be edited,
// or have an entry there. If the index knows none, it returns all.
func (f *Executor) inFailedFiles(ctx context.Context, all []memory.Memory, fileErrs map[string]error) (map[memory.ID]bool, error) {
	stay := map[memory.ID]bool{}
	if len(fileErrs) == 0 {
		return stay, nil
	}
	declarations, err := f.DB.Declarations(ctx, memory.IDsOf(all))
	for _, decl := range declarations {
		for path := range fileErrs {
			if decl.Memory.Path == path && !decl.Memory.Missing || hasEntryIn(decl, path) {
				stay[decl.Memory.ID] = true
			}
		}
	}
	if len(stay) == 0 {
		for _, m := range all {
			stay[m.ID] = true
		}
	}
	return stay, err
}

func hasEntryIn(decl index.Declarations, path string) bool {
	return slices.ContainsFunc(decl.Entries, func(entry index.FileEntry) bool { return entry.Path == path })
}

// addPresent adds the memories whose text or entry a file still contains, as the
// index has just read it. It returns the error that names all that stay, or nil.
func (f *Executor) addPresent(ctx context.Context, in index.Intent, stay map[memory.ID]bool, fileErrs map[string]error) (failed, err error) {
	all, err := f.WithCopies(ctx, in.Destroy)
	if err != nil {
		return nil, err
	}
	declarations, err := f.DB.Declarations(ctx, memory.IDsOf(all))
	if err != nil {
		return nil, err
	}
	var places []string
	for _, decl := range declarations {
		if !decl.Memory.Missing || len(decl.Entries) > 0 {
			stay[decl.Memory.ID] = true
		}
		if stay[decl.Memory.ID] {
			places = append(places, fmt.Sprintf("%s in %s", decl.Memory.ID.Short(), cmp.Or(decl.Memory.Path, "no file")))
		}
	}
	if len(stay) == 0 {
		return nil, nil
	}
	return destroyFailure(places, len(declarations), fileErrs), nil
}

// destroyFailure returns the error that names the memories which were not destroyed.
func destroyFailure(places []string, total int, fileErrs map[string]error) error {
	const shown = 10 // enough to act on; status lists all
	n := len(places)
	if n > shown {
		places = append(places[:shown:shown], fmt.Sprintf("and %d more", n-shown))
	}
	var causes []error
	for _, path := range slices.Sorted(maps.Keys(fileErrs)) {
		causes = append(causes, fileErrs[path])
	}
	return becauseOf(errors.Join(causes...), fmt.Sprintf("%d of %d memories were not destroyed: %s", n, total, strings.Join(places, ", ")),
		"remove the cause; they stay forgotten, and the next decision or start destroys them")
}

// DestroyFaults lists the places of memories that an unfinished destroy left in files.
func (f *Executor) DestroyFaults(ctx context.Context) (faults []memory.Fault, err error) {
	ids, err := BeingDestroyed(ctx, f.DB)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	const message = "this text is to be destroyed and is still here; the next decision or start destroys it"
	declarations, err := f.DB.Declarations(ctx, ids)
	for _, decl := range declarations {
		if !decl.Memory.Missing {
			faults = append(faults, memory.Fault{Path: decl.Memory.Path, Line: decl.Memory.LineStart, Message: message})
		}
		for _, entry := range decl.Entries {
			faults = append(faults, memory.Fault{Path: entry.Path, Line: entry.Entry.Line, Message: message})
		}
	}
	return faults, err
}

// SparedNotices reports the texts that were edited before destroy could remove them.
// They are forgotten, until a person destroys or restores them.
func (f *Executor) SparedNotices(ctx context.Context) (notices []string, err error) {
	ids, err := f.DB.Spared(ctx)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	declarations, err := f.DB.Declarations(ctx, ids)
	for _, decl := range declarations {
		short := decl.Memory.ID.Short()
		notices = append(notices, fmt.Sprintf("%s was to be destroyed, and its text was edited before: it stays in %s:%d and is forgotten; "+
			"memory destroy %s removes it, memory restore %s shows it", short, decl.Memory.Path, decl.Memory.LineStart, short, short))
	}
	return notices, err
}
