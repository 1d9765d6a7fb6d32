package erasure

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/verify"
)

// Witness looks into every place that may have the texts of one workspace.
type Witness struct {
	Version, Workspace string
	Dir                string // of the workspace
	Captured           string // its folder of captured files
	StateDir           string // empty: there is none
	DB                 *index.DB
	HostDirs           []string            // OpenClaw's state folders
	ClientDirs         map[string][]string // the folders of agents' clients that are followed, by client
	Models             []embed.Embedder    // that make vectors of the texts; nil ones are left out

	// Files looks in every file that the program owns or indexes.
	Files func(context.Context, *verify.Matcher) (memory.VerifyAnswer, error)
}

// Begin looks before some memories are destroyed, and begins a receipt. texts are all that
// they have.
func (w Witness) Begin(ctx context.Context, now time.Time, ids []memory.ID, texts []string) (r Receipt, err error) {
	if len(texts) > verify.MostTexts {
		return r, memory.Invalid("receipt", "a receipt is for at most %d memories, and these are %d", verify.MostTexts, len(texts)).
			WithHint("destroy them in parts, each with a receipt of its own")
	}
	r = Receipt{Format: Format, Version: w.Version, Workspace: w.Workspace, Begun: now, LookedAt: now, State: Kept, Memories: ids}
	if r.Hashed, err = verify.HashTexts(verify.NewKey(), texts); err != nil {
		return r, err
	}
	l, _, err := w.lookEverywhere(ctx, verify.NewMatcher(texts...), r)
	r.Places = l.begin()
	r.judge()
	return r, err
}

// Covers returns an error unless the receipt was begun for exactly these texts.
func (r Receipt) Covers(texts []string) error {
	hashed, err := verify.HashTexts(r.Key, texts)
	if err == nil && !slices.EqualFunc(hashed.Texts, r.Texts, func(a, b verify.HashedText) bool { return a.Block == b.Block }) {
		err = memory.Conflict("the memories have changed since the receipt was begun; nothing was destroyed").WithHint("destroy them again")
	}
	return err
}

// Complete looks again, for texts that are known. files are those that the program owns or
// indexes.
func (w Witness) Complete(ctx context.Context, now time.Time, r Receipt, texts *verify.Matcher) (_ Receipt, files memory.VerifyAnswer, err error) {
	l, files, err := w.lookEverywhere(ctx, texts, r)
	if err == nil {
		r.State, err = w.state(ctx, r.Memories)
	}
	r.Places, r.LookedAt = l.again(r.Places, r.State), now
	r.judge()
	return r, files, err
}

// LookAgain looks for the texts of a receipt, of which only hashes are known.
func (w Witness) LookAgain(ctx context.Context, now time.Time, r Receipt) (Receipt, error) {
	hashes, err := r.Hashed.Matcher()
	if err == nil {
		r, _, err = w.Complete(ctx, now, r, hashes)
	}
	return r, err
}

// state returns how far the destroy of some memories is.
func (w Witness) state(ctx context.Context, ids []memory.ID) (string, error) {
	open, err := w.DB.Intents(ctx)
	if err != nil || slices.ContainsFunc(open, func(in index.Intent) bool {
		return in.TextsRemoved || slices.ContainsFunc(in.Destroy, func(id memory.ID) bool { return slices.Contains(ids, id) })
	}) {
		return Unfinished, err
	}
	left, err := w.DB.Declarations(ctx, ids)
	if err != nil || len(left) > 0 {
		return Kept, err
	}
	for _, id := range ids {
		audit, err := w.DB.Audit(ctx, memory.AuditRequest{ID: string(id), Action: string(memory.ActionDestroy), Limit: 1})
		if err != nil || audit.Total == 0 {
			return Unknown, err
		}
	}
	return Done, nil
}

// Elsewhere lists, without looking, where texts may be that destroy does not reach.
func (w Witness) Elsewhere() memory.List[string] {
	list := memory.List[string]{inGit, "other copies: checkouts, backups by other programs, synchronised folders", "editors' backup files", "freed disk blocks"}
	if w.DB.OnServer() {
		list = append(list, "the write-ahead log of the PostgreSQL server until its next checkpoints, and its replicas, archives and backups")
	}
	for _, model := range w.Models {
		if model != nil && model.Remote() {
			list = append(list, "what was sent to the embedding provider of "+model.Model())
		}
	}
	for _, dir := range w.HostDirs {
		list = append(list, "what OpenClaw itself stores in "+dir+" (memory verify looks there)")
	}
	return list
}
