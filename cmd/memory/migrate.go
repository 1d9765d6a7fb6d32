package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/cmd/memory/sources"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/migrate"
	"github.com/memory-tiered/memory/workspace"
)

// migration is the command migrate.
type migration struct {
	*app
	from, path, ndjson, agent, node string
	preview, rollback, keepEdited   bool
	untrusted                       bool
	begin                           time.Time
}

func (a *app) migrateCommand() *cobra.Command {
	m := migration{app: a}
	c := &cobra.Command{
		Use:   "migrate --from SYSTEM [PATH]",
		Short: "bring the memories of another memory system over, or take that back",
		Long: `migrate reads another memory system and writes its memories as Markdown into
memory/imported/ of the workspace. It changes nothing of the other system. Text,
category, importance and date come over. Duplicates, and texts that were forgotten or
destroyed here, are left out and reported. What looks like a secret becomes private: no
model gets it. Afterwards migrate compares every text with the index. --rollback
removes everything that migrate wrote, and the folders that it made.

  --from lancedb       OpenClaw's memory-lancedb; PATH is the folder of the database.
                       It needs Node 22 or later. npm installs @lancedb/lancedb once,
                       into the cache of the user.
  --from memory-core   OpenClaw's own memory; PATH is an agent's folder with MEMORY.md
  --from openclaw-mem  PATH is openclaw-mem.sqlite, or the LanceDB folder of its engine
  --from clawmem       PATH is index.sqlite
  --from oc-memory     PATH is the SQLite database

--ndjson FILE reads lines of JSON instead, with the fields id, text, category,
importance, createdAt, agentId, scope, tags. Only text is needed.`,
		Example: `  memory migrate --from lancedb --preview
  memory migrate --from lancedb ~/.openclaw/memory/lancedb
  memory migrate --from lancedb --ndjson memories.ndjson
  memory migrate --from lancedb --rollback`,
		Args: argumentCount(0, 1, ""),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				m.path = args[0]
			}
			m.begin = time.Now()
			return m.locked(c.Context())
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	flags := c.Flags()
	flags.StringVar(&m.from, "from", "", "the other `system`: "+strings.Join(migrate.Systems, ", "))
	flags.StringVar(&m.ndjson, "ndjson", "", "read this `file` of JSON lines instead of the system's own data; - reads standard input")
	flags.StringVar(&m.agent, "from-agent", "", "only the memories of this agent, where the system keeps agents apart")
	flags.BoolVar(&m.untrusted, "untrusted", false, "mark the memories as untrusted: models get them last, and marked")
	flags.StringVar(&m.node, "node", "", "the `program` node, to read LanceDB; default: the one in PATH")
	flags.BoolVar(&m.preview, "preview", false, "show what would come over, or be removed, and change nothing")
	flags.BoolVar(&m.rollback, "rollback", false, "remove what earlier migrations from the system wrote")
	flags.BoolVar(&m.keepEdited, "keep-edited", false, "with --rollback: keep files that somebody edited since")
	completeWords(c, "from", migrate.Systems)
	return c
}

// migrateAnswer is the answer of migrate.
type migrateAnswer struct {
	Action          string                       `json:"action"` // "migrate"
	From            string                       `json:"from"`
	Path            string                       `json:"path"`
	Workspace       string                       `json:"workspace"`
	Preview         bool                         `json:"preview"`
	Read            int                          `json:"read"`     // memories and files of the other system
	Imported        int                          `json:"imported"` // memories that were written
	Files           memory.List[migrate.File]    `json:"files"`
	Skipped         memory.List[migrate.Skipped] `json:"skipped"`
	Private         memory.List[migrate.Private] `json:"private"`
	Notes           memory.List[string]          `json:"notes"`
	Verified        *migrate.Verified            `json:"verified"` // null if nothing was written
	SourceUnchanged bool                         `json:"source_unchanged"`
	TookMS          float64                      `json:"took_ms"`
}

// migrationsFolder returns the folder of the journals.
func migrationsFolder(stateDir string) string { return filepath.Join(stateDir, "migrations") }

// locked runs the command while no other migration runs.
func (m *migration) locked(ctx context.Context) error {
	if err := m.check(); err != nil {
		return err
	}
	stateDir, err := m.stateDir()
	if err != nil {
		return err
	}
	return m.runAlone(ctx, migrationsFolder(stateDir), "migration", func() error { return m.run(ctx, stateDir) })
}

// check returns an error if the command line cannot work.
func (m *migration) check() error {
	switch {
	case m.from == "":
		return memory.Invalid("from", "--from is missing").WithHint("one of: %s", strings.Join(migrate.Systems, ", "))
	case !slices.Contains(migrate.Systems, m.from):
		return memory.Invalid("from", "%q is no system that can be migrated", m.from).WithHint("one of: %s", strings.Join(migrate.Systems, ", "))
	case m.rollback && (m.ndjson != "" || m.path != "" || m.agent != ""):
		return memory.Invalid("rollback", "--rollback takes no source").WithHint("memory migrate --from %s --rollback", m.from)
	case m.keepEdited && !m.rollback:
		return memory.Invalid("keep-edited", "--keep-edited belongs to --rollback")
	}
	return nil
}

func (m *migration) run(ctx context.Context, stateDir string) error {
	if m.rollback {
		return m.withWorkspace(ctx, func(t *migrationTarget) error { return m.takeBack(ctx, t) })
	}
	source, err := m.readSource(ctx, stateDir)
	if err != nil {
		return err
	}
	return m.withWorkspace(ctx, func(t *migrationTarget) error {
		answer, err := m.bringOver(ctx, t, source)
		if err != nil {
			return err
		}
		answer.TookMS = float64(time.Since(m.begin).Microseconds()) / 1000
		if err := printAnswer(m.app, answer, printMigration); err != nil {
			return err
		}
		if answer.Verified != nil && !answer.Verified.OK() || !answer.SourceUnchanged {
			return errFound
		}
		return nil
	})
}

// readSource reads what the command line names of the other system.
func (m *migration) readSource(ctx context.Context, stateDir string) (sources.Source, error) {
	r := sources.Reader{System: m.from, Path: m.path, NDJSON: m.ndjson, Agent: m.agent, Node: m.node, Untrusted: m.untrusted, Begin: m.begin,
		In: m.in, Environ: m.environ, Env: m.env, Home: m.home,
		CopyFolder: filepath.Join(migrationsFolder(stateDir), "copy"), LanceDBFolder: lanceReaderFolder(stateDir),
		Note: func(text string) { m.note("%s", text) }, Show: m.show}
	return r.Read(ctx)
}

// migrationTarget is the workspace that memories come into.
type migrationTarget struct {
	*session
	workspace *workspace.Workspace
	options   workspace.Options
	zone      *time.Location
	database  string
	journals  string // the folder of the journals
}

// withWorkspace opens the workspace for a migration.
func (m *migration) withWorkspace(ctx context.Context, run func(*migrationTarget) error) error {
	return m.withSession(ctx, writesUnless(m.preview), func(s *session) (err error) {
		cfg, stateDir, err := m.load()
		if err != nil {
			return err
		}
		config, err := (&registry.Registry{File: cfg.File, Environ: m.environ, StateDir: stateDir}).WorkspaceConfig(cfg, s.Workspace)
		if err != nil {
			return err
		}
		w, err := workspace.Open(config.Dir, config.Options)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.Close()) }()
		t := &migrationTarget{session: s, workspace: w, options: config.Options, zone: config.Zone, database: config.DBPath,
			journals: migrationsFolder(stateDir)}
		return run(t)
	})
}

// bringOver writes the memories of a source into the workspace.
func (m *migration) bringOver(ctx context.Context, t *migrationTarget, source sources.Source) (answer migrateAnswer, err error) {
	answer = migrateAnswer{Action: "migrate", From: m.from, Path: source.Path, Workspace: t.Workspace, Preview: m.preview,
		Read: len(source.Entries) + len(source.Documents), SourceUnchanged: true}
	if m.from == migrate.MemoryCore && workspace.SameFolder(source.Path, t.workspace.Dir()) {
		answer.Notes = append(answer.Notes, "the files of memory-core are the workspace itself, and its memories already: nothing has to come over")
		return answer, nil
	}
	journals, err := migrate.Journals(t.journals, t.workspace.Dir(), workspace.SameFolder)
	if err != nil {
		return answer, err
	}
	unfinished := slices.DeleteFunc(slices.Clone(journals), func(j *migrate.Journal) bool { return j.Done })
	if len(unfinished) > 0 {
		answer.Notes = append(answer.Notes, "an earlier migration was interrupted; what it had written is removed first")
		journals = slices.DeleteFunc(journals, func(j *migrate.Journal) bool { return !j.Done })
	}
	if len(unfinished) > 0 && !m.preview {
		if err := m.undo(ctx, t, unfinished, true); err != nil {
			return answer, err
		}
	}
	if err := t.workspace.FolderObstacle(migrate.Folder); err != nil {
		return answer, err
	}
	plan, err := m.plan(ctx, t, source.Content, journals, unfinished)
	if err != nil {
		return answer, err
	}
	answer.Imported, answer.Files, answer.Skipped, answer.Private = plan.Memories(), plan.Files, plan.Skipped, plan.Private
	answer.Notes = append(answer.Notes, plan.Notes...)
	if m.preview || len(plan.Files) == 0 {
		return answer, nil
	}
	if err := m.write(ctx, t, plan, source.Path); err != nil {
		return answer, err
	}
	verified, err := m.verify(ctx, t, plan)
	if err != nil {
		return answer, &memory.Error{Kind: memory.ErrUnavailable, Cause: err, Message: "the memories were written, and could not be compared with the index",
			Hint: "memory index reads the files; memory migrate --from " + m.from + " --rollback removes them"}
	}
	answer.Verified = &verified
	answer.SourceUnchanged, err = source.Unchanged()
	return answer, err
}

// plan decides what comes over. journals are those of earlier migrations.
func (m *migration) plan(ctx context.Context, t *migrationTarget, c migrate.Content, journals, unfinished []*migrate.Journal) (*migrate.Plan, error) {
	isLeftover := func(name string) bool {
		return slices.ContainsFunc(unfinished, func(j *migrate.Journal) bool { return j.Has(name) })
	}
	var known migrate.Known
	for _, list := range []struct {
		to        *[]memory.Memory
		forgotten bool
	}{{&known.Memories, false}, {&known.Forgotten, true}} {
		listed, err := listAll(t, ctx, memory.ListRequest{Workspace: t.Workspace, Filter: memory.Filter{Forgotten: list.forgotten}, Sort: "path"})
		if err != nil {
			return nil, err
		}
		*list.to = slices.DeleteFunc(listed.Memories, func(m memory.Memory) bool { return isLeftover(m.Path) })
	}
	forgotten, err := index.ReadForgottenTexts(t.database)
	if err != nil {
		return nil, memory.Unavailable(err, "read the forgotten texts").WithHint("memory doctor looks for what is wrong")
	}
	known.IsForgotten = forgotten.Contains
	known.WasMigrated = func(key string) bool {
		return slices.ContainsFunc(journals, func(j *migrate.Journal) bool { return j.Brought(key) })
	}
	maxBytes := t.options.MaxBytes
	if maxBytes <= 0 {
		maxBytes = workspace.DefaultMaxBytes
	}
	return migrate.NewPlan(c, known, migrate.Options{System: m.from, Zone: t.zone, MaxBytes: maxBytes,
		Exists: func(name string) bool { return t.workspace.Exists(name) && !isLeftover(name) }, Indexable: t.workspace.Indexable,
		FolderFree: func(name string) bool { return t.workspace.FolderObstacle(name) == nil }}), nil
}

// write writes the files of a plan.
func (m *migration) write(ctx context.Context, t *migrationTarget, plan *migrate.Plan, source string) error {
	first := plan.Files[0].Path
	if !t.workspace.Indexable(first) {
		return memory.Conflict("files in %s are no memories in this workspace", migrate.Folder).
			WithHint("remove the line of .memoryignore that excludes %s", first)
	}
	if err := t.workspace.WriteObstacle(first); err != nil {
		return err
	}
	j, err := migrate.NewJournal(plan, m.from, source, t.workspace.Dir(), m.begin, t.workspace.Exists)
	if err != nil {
		return err
	}
	if err := j.Save(t.journals); err != nil {
		return err
	}
	err = migrate.Write(ctx, t.workspace, plan, j, func(files int) {
		m.show(memory.Progress{Stage: "write", Done: files, Total: len(plan.Files)})
	})
	if err != nil {
		return err
	}
	j.Done = true
	return j.Save(t.journals)
}

// index indexes files that were written or removed.
func (m *migration) index(ctx context.Context, t *migrationTarget, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := t.Index(ctx, memory.IndexRequest{Workspace: t.Workspace, Paths: paths, EmbedWithin: refreshTimeout}, m.show)
	return err
}

// verify indexes what was written, and compares every text with the index.
func (m *migration) verify(ctx context.Context, t *migrationTarget, plan *migrate.Plan) (migrate.Verified, error) {
	if err := m.index(ctx, t, plan.Paths()); err != nil {
		return migrate.Verified{}, err
	}
	var found []memory.Memory
	for _, forgotten := range []bool{false, true} {
		listed, err := listAll(t, ctx, memory.ListRequest{Workspace: t.Workspace, Filter: memory.Filter{Path: migrate.Folder + "/**", Forgotten: forgotten}, Sort: "path"})
		if err != nil {
			return migrate.Verified{}, err
		}
		found = append(found, listed.Memories...)
	}
	return migrate.Verify(plan, found), nil
}
