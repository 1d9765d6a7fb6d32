package engine

import (
	"github.com/memory-tiered/memory/engine/backup"
	"github.com/memory-tiered/memory/engine/capturing"
	"github.com/memory-tiered/memory/engine/contexts"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/destroy"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/engine/githistory"
	"github.com/memory-tiered/memory/engine/relations"
	"github.com/memory-tiered/memory/engine/review"
	"github.com/memory-tiered/memory/engine/selection"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/engine/succession"
	"github.com/memory-tiered/memory/engine/undo"
	"github.com/memory-tiered/memory/engine/uses"
	"github.com/memory-tiered/memory/index"
)

// rooms are the parts of a workspace that has an index. Each is a subpackage with one idea.
// Those that write are guarded by the turn to ingest.
type rooms struct {
	db       *index.DB
	uses     *uses.Buffer
	models   *embedding.Models
	dates    *githistory.Dates
	branch   githistory.Branch // guarded by the turn to ingest
	backups  *backup.Copies
	contexts *contexts.Contexts
	replaced *replacedFiles

	relations relations.Finder
	points    *review.Points
	selection selection.Selector

	decisions  *decisions.Files
	destroys   *destroy.Files
	succession succession.Files
	undo       undo.Commands
	store      store.Writer
	capture    capturing.Keeper
	steps      review.Steps
}

// connect makes the rooms of a workspace. They continue the work of a previous state of the
// workspace, which may be nil.
func (s *workspaceState) connect(db *index.DB, o Options, previous *workspaceState) {
	s.db, s.uses = db, uses.NewBuffer()
	s.dates, s.branch = githistory.NewDates(s.Dir, db, s.readFile), githistory.NewBranch(s.Dir)
	s.backups, s.contexts = backup.New(db, s.DBPath), contexts.New(db)
	s.replaced = &replacedFiles{}
	if previous != nil {
		s.inherit(previous)
	}
	s.models = embedding.New(db, o.Recall, s.Zone, o.modelWanted, o.Hold != nil)
	s.relations = relations.Finder{DB: db, Models: s.models, Deduplicator: o.Extensions.Deduplicator}
	s.selection = selection.Selector{DB: db, Models: s.models, Zone: s.Zone}
	s.points = review.NewPoints(db, s.zone())
	s.connectWriters(o)
}

// connectWriters makes the rooms that write Markdown.
func (s *workspaceState) connectWriters(o Options) {
	readOnly := s.Options.ReadOnly
	s.decisions = &decisions.Files{DB: s.db, Zone: s.Zone, Dir: s.Dir, ReadOnly: readOnly, InDecisionsFile: s.DecisionsFile, Host: s}
	s.destroys = destroy.New(s.db, s.zone(), s.Name, readOnly, s)
	s.succession = succession.Files{DB: s.db, Decisions: s.decisions}
	s.undo = undo.Commands{DB: s.db, Decisions: s.decisions, Contexts: s.contexts}
	s.store = store.Writer{DB: s.db, Zone: s.zone(), Decisions: s.decisions, Models: s.models,
		Relations: s.relations, Succession: s.succession}
	s.capture = capturing.Keeper{Writer: s.store, Dir: s.Dir}
	s.steps = review.Steps{DB: s.db, Zone: s.zone(), Decisions: s.decisions, Undo: s.undo}
}
