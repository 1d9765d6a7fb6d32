// Package notices collects what status tells a person about a workspace, beside its figures.
package notices

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/capturing"
	"github.com/memory-tiered/memory/engine/contexts"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/destroy"
	"github.com/memory-tiered/memory/engine/succession"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Sources are the parts of a workspace that have something to tell.
type Sources struct {
	DB         *index.DB
	Zone       *time.Location // of the times in notices
	Decisions  *decisions.Files
	Destroys   *destroy.Files
	Contexts   *contexts.Contexts
	Succession succession.Files

	NotesProblem string // why daily notes are not where another program has them
}

// Found is what there is to tell.
type Found struct {
	List        []string
	Pending     int // decisions that are not in their files
	StaleQuotes int // entries whose quotes match no text exactly
}

// add adds notices. Empty ones are none.
func (f *Found) add(notices ...string) {
	for _, n := range notices {
		if n != "" {
			f.List = append(f.List, n)
		}
	}
}

// Find collects the notices. maxTokens is the size of a block, in which a long context is cut.
// Mistakes in superseded_by are left out while the index is built: it lacks texts then.
func (s Sources) Find(ctx context.Context, now time.Time, maxTokens int, isIndexing bool) (f Found, err error) {
	f.add(gitNotice(s.Decisions.Dir))
	pending := ""
	if f.Pending, pending, err = s.Decisions.PendingNotice(ctx, now); err != nil {
		return f, err
	}
	f.add(pending, s.NotesProblem)
	inherited, err := s.DB.InheritedDecisions(ctx)
	if err != nil {
		return f, err
	}
	if inherited > 0 {
		f.add(fmt.Sprintf("decisions about %d memories still hold, although their lines are gone with a file or branch", inherited))
	}
	restored, err := s.restored(ctx, now)
	if err != nil {
		return f, err
	}
	f.add(restored...)
	f.add(DamagedForgotten(s.DB)...)
	if err := s.Destroys.Unfinished(); err != nil {
		f.add(err.Error())
	}
	current, err := s.Contexts.Visible(ctx, now, memory.View{}, []string{""})
	if err != nil {
		return f, err
	}
	f.add(contexts.LongNotice(current, maxTokens))
	if err := s.addDecided(ctx, &f, isIndexing); err != nil {
		return f, err
	}
	stopped, err := capturing.Notices(ctx, s.DB, now)
	if err != nil {
		return f, err
	}
	f.add(stopped...)
	return f, s.addStaleQuotes(ctx, &f)
}

// addDecided adds what came of destroying, of entries that belong elsewhere, and of
// superseding.
func (s Sources) addDecided(ctx context.Context, f *Found, isIndexing bool) error {
	spared, err := s.Destroys.SparedNotices(ctx)
	if err != nil {
		return err
	}
	f.add(spared...)
	due, err := s.Decisions.DueNotice(ctx)
	if err != nil {
		return err
	}
	f.add(due)
	if !isIndexing {
		superseded, err := s.Succession.Notices(ctx)
		if err != nil {
			return err
		}
		f.add(superseded...)
	}
	return nil
}

// DamagedForgotten reports the lists of forgotten texts that were damaged together
// with the database. A person deletes such a file after having looked.
func DamagedForgotten(db *index.DB) (notices []string) {
	for _, aside := range db.DamagedForgotten() {
		notices = append(notices, fmt.Sprintf("the list of forgotten texts was damaged together with the index, and is now %s: "+
			"texts that were forgotten after the last backup may be visible again, if no line in a file forgets them", aside))
	}
	return notices
}

// ReadOnlyFolder reports that a folder cannot be written, and what that means.
func ReadOnlyFolder(folder *workspace.Workspace) (notices []string) {
	if err := folder.CheckWritable(); err != nil {
		notices = append(notices, err.Error()+": nothing can be stored or captured, and decisions are only in the index until it can be written")
	}
	return notices
}
