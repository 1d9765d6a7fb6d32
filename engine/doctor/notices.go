package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/capturing"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/workspace"
)

// Notices are the parts of a workspace that have something to tell.
type Notices struct{ *plan.Executor }

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
func (s Notices) Find(ctx context.Context, now time.Time, maxTokens int, isIndexing bool) (f Found, err error) {
	f.add(gitNotice(s.Dir))
	pending := ""
	if f.Pending, pending, err = s.PendingNotice(ctx, now); err != nil {
		return f, err
	}
	f.add(pending)
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
	f.add(restored)
	f.add(damagedForgotten(s.DB)...)
	if err := s.UnfinishedDestroy(); err != nil {
		f.add(err.Error())
	}
	current, err := commands.VisibleContext(ctx, s.DB, now, memory.View{}, []string{""})
	if err != nil {
		return f, err
	}
	f.add(commands.LongContextNotice(current, maxTokens))
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
func (s Notices) addDecided(ctx context.Context, f *Found, isIndexing bool) error {
	spared, err := s.SparedNotices(ctx)
	if err != nil {
		return err
	}
	f.add(spared...)
	elsewhere, err := s.DB.DestroyedElsewhere(ctx)
	if err != nil {
		return err
	}
	if len(elsewhere) > 0 {
		f.add(fmt.Sprintf("another of your machines destroyed %d of the texts in the files, which are hidden here, first %s; "+
			"memory destroy destroys it here too", len(elsewhere), elsewhere[0].Short()))
	}
	due, err := s.DueNotice(ctx)
	if err != nil {
		return err
	}
	f.add(due)
	if !isIndexing {
		superseded, err := store.SuccessionNotices(ctx, s.DB)
		if err != nil {
			return err
		}
		f.add(superseded...)
	}
	return nil
}

// damagedForgotten reports the lists of forgotten texts that were damaged together
// with the database. A person deletes such a file after having looked.
func damagedForgotten(db *index.DB) (notices []string) {
	for _, aside := range db.DamagedForgotten() {
		notices = append(notices, fmt.Sprintf("the list of forgotten texts was damaged together with the index, and is now %s: "+
			"texts that were forgotten after the last backup may be visible again, if no line in a file forgets them", aside))
	}
	return notices
}

// ReadOnlyNotices reports that a folder cannot be written, and what that means.
func ReadOnlyNotices(folder *workspace.Workspace) (notices []string) {
	if err := folder.CheckWritable(); err != nil {
		notices = append(notices, err.Error()+": nothing can be stored or captured, and decisions are only in the index until it can be written")
	}
	return notices
}

// gitNotice tells a person why lines that files lack do not count, and what to do. It is
// empty if they count.
func gitNotice(dir string) string {
	repository := git.Find(dir)
	const effect = "meanwhile a line that a file has lost changes nothing: what was forgotten, private or less trusted stays so"
	if lock := repository.Lock(); lock != "" {
		return fmt.Sprintf("git is at work: %s exists; %s. If no git command is running, delete that file", lock, effect)
	}
	if operation := repository.Operation(); operation != "" {
		return fmt.Sprintf("a git operation is not finished: %s exists; %s. git status shows how to finish or abort it", operation, effect)
	}
	return ""
}

// restoredNoticeAge is how long status reports restores that files made. A person looks at
// status within a week of a git stash.
const restoredNoticeAge = 7 * 24 * time.Hour

// restored reports how many memories files have restored because they lost their lines. A
// program may have removed these lines by accident.
func (s Notices) restored(ctx context.Context, now time.Time) (notice string, err error) {
	n, latest, err := s.DB.RestoredByFiles(ctx, now.Add(-restoredNoticeAge))
	if err == nil && n > 0 {
		notice = fmt.Sprintf("%d memories were restored because their lines were removed, the last ones from %s; memory audit --action restore lists them", n, latest)
	}
	return notice, err
}

// addStaleQuotes adds how many entries quote a text that was edited
// since. Without the index, such an entry may match no memory exactly.
func (s Notices) addStaleQuotes(ctx context.Context, f *Found) error {
	err := s.DB.VisitQuotes(ctx, nil, func(q index.Quoted) {
		if plan.IsStale(q.Quote, q.Text) {
			f.StaleQuotes++
		}
	})
	if f.StaleQuotes > 0 {
		f.add(fmt.Sprintf("the quotes of %d decisions are older than their texts; "+
			"the next decision in the same file refreshes them", f.StaleQuotes))
	}
	if err != nil {
		return err
	}
	lines, memories, err := s.DB.CountDoubts(ctx)
	if lines > 0 {
		f.StaleQuotes += lines
		f.add(fmt.Sprintf("the quotes of %d decisions match no text exactly; %d memories that they may be about are protected; "+
			"the faults name them", lines, memories))
	}
	return err
}

// metaKey is the key of the index's meta table: a JSON list of sentences for status, until the
// index is rebuilt by --force.
const metaKey = "notices"

// KeepOpening stores the notices of opening, so that status shows them until the
// index is rebuilt by --force.
func KeepOpening(ctx context.Context, db *index.DB, now time.Time) error {
	added := db.Notices()
	if len(added) == 0 {
		return nil
	}
	stored, err := StoredNotices(ctx, db)
	if err != nil {
		return err
	}
	for _, n := range added {
		stored = append(stored, now.Format(time.DateTime)+" UTC: "+n)
	}
	return StoreNotices(ctx, db, now, stored)
}

// StoredNotices returns the notices of opening that are stored.
func StoredNotices(ctx context.Context, db *index.DB) (stored []string, err error) {
	src, err := db.Meta(ctx, metaKey)
	if err != nil || src == "" {
		return nil, err
	}
	return stored, json.Unmarshal([]byte(src), &stored)
}

// StoreNotices replaces the stored notices.
func StoreNotices(ctx context.Context, db *index.DB, now time.Time, notices []string) error {
	src, err := json.Marshal(notices)
	if err != nil {
		return err
	}
	return db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaKey, string(src)) })
}
