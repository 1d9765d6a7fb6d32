package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/migrate"
	"github.com/memory-tiered/memory/workspace"
)

// migration is the command migrate.
type migration struct {
	*app
	migrate.Reader
	preview, rollback, keepEdited bool
}

func (a *app) migrateCommand() *cobra.Command {
	m := migration{app: a}
	c := newCommand("migrate --from SYSTEM [PATH]", fileArgument(0, &m.Path), func(c *cobra.Command) error {
		m.Begin = time.Now()
		return m.run(c.Context())
	})
	flags := c.Flags()
	flags.StringVar(&m.System, "from", "", "the other `system`: "+strings.Join(migrate.Systems, ", "))
	flags.StringVar(&m.NDJSON, "ndjson", "", "read this `file` of JSON lines instead of the system's own data; - reads standard input")
	flags.StringVar(&m.Agent, "from-agent", "", "only the memories of this agent, where the system keeps agents apart")
	flags.BoolVar(&m.Untrusted, "untrusted", false, "mark the memories as untrusted: models get them last, and marked")
	flags.StringVar(&m.Node, "node", "", "the `program` node, to read LanceDB; default: the one in PATH")
	flags.BoolVar(&m.preview, "preview", false, "show what would come over, or be removed, and change nothing")
	flags.BoolVar(&m.rollback, "rollback", false, "remove what earlier migrations from the system wrote")
	flags.BoolVar(&m.keepEdited, "keep-edited", false, "with --rollback: keep files that somebody edited since")
	completeWords(c, "from", migrate.Systems)
	return c
}

// check returns an error if the command line cannot work.
func (m *migration) check() error {
	switch {
	case m.System == "":
		return memory.Invalid("from", "--from is missing").WithHint("one of: %s", strings.Join(migrate.Systems, ", "))
	case !slices.Contains(migrate.Systems, m.System):
		return memory.Invalid("from", "%q is no system that can be migrated", m.System).WithHint("one of: %s", strings.Join(migrate.Systems, ", "))
	case m.rollback && (m.NDJSON != "" || m.Path != "" || m.Agent != ""):
		return memory.Invalid("rollback", "--rollback takes no source").WithHint("memory migrate --from %s --rollback", m.System)
	case m.keepEdited && !m.rollback:
		return memory.Invalid("keep-edited", "--keep-edited belongs to --rollback")
	}
	return nil
}

func (m *migration) run(ctx context.Context) error {
	if err := m.check(); err != nil {
		return err
	}
	if m.rollback {
		return m.withSession(ctx, writesUnless(m.preview), func(s *session) error { return m.takeBack(ctx, s) })
	}
	_, err := m.bring(ctx)
	return err
}

// bring brings the memories of the system over, or shows what would come, and prints the answer.
func (m *migration) bring(ctx context.Context) (answer display.Migration, err error) {
	source, err := m.readSource(ctx)
	if err != nil {
		return answer, err
	}
	err = m.withSession(ctx, writesUnless(m.preview), func(s *session) error {
		if answer, err = m.bringOver(ctx, s, source); err != nil {
			return err
		}
		answer.TookMS = float64(time.Since(m.Begin).Microseconds()) / 1000
		if err := printAnswer(m.app, answer, display.PrintMigration); err != nil {
			return err
		}
		if len(answer.Failed) > 0 || !answer.SourceUnchanged {
			return errFound
		}
		return nil
	})
	return answer, err
}

// readSource reads what the command line names of the other system.
func (m *migration) readSource(ctx context.Context) (migrate.Source, error) {
	stateDir, err := m.stateDir()
	if err != nil {
		return migrate.Source{}, err
	}
	m.In, m.Environ, m.Env, m.Home, m.LanceDBFolder, m.Show = m.in, m.environ, m.env, m.home, lanceReaderFolder(stateDir), m.show
	m.Note = func(text string) { m.note("%s", text) }
	m.OpenDatabase = func(path string) (migrate.Database, error) { return index.OpenForeign(path) }
	return m.Read(ctx)
}

// bringOver imports the memories of a source into the workspace.
func (m *migration) bringOver(ctx context.Context, s *session, source migrate.Source) (answer display.Migration, err error) {
	answer = display.Migration{Action: "migrate", From: m.System, Path: source.Path, Workspace: s.Workspace, Preview: m.preview,
		Read: len(source.Entries) + len(source.Documents), Notes: source.Notes, SourceUnchanged: true}
	cfg, stateDir, err := m.load()
	if err != nil {
		return answer, err
	}
	config, err := (&registry.Registry{File: cfg.File, Environ: m.environ, StateDir: stateDir}).WorkspaceConfig(cfg, s.Workspace)
	if err != nil {
		return answer, err
	}
	if m.System == migrate.MemoryCore && workspace.SameFolder(source.Path, config.Dir) {
		answer.Notes = append(answer.Notes, "the files of memory-core are the workspace itself, and its memories already: nothing has to come over")
		return answer, nil
	}
	var lines bytes.Buffer
	exported, err := source.Export(m.System, config.Zone, &lines)
	if err != nil {
		return answer, err
	}
	imported, err := s.Import(ctx, memory.ImportRequest{Workspace: s.Workspace, DryRun: m.preview, In: &lines}, m.show)
	m.endProgress()
	if err != nil {
		return answer, err
	}
	answer.Imported, answer.Files, answer.Skipped, answer.Receipt = imported.Added, imported.Files, exported.Skipped, imported.Receipt
	for _, l := range imported.LeftOut {
		answer.Skipped = append(answer.Skipped, migrate.Skipped{Ref: exported.Ref(l.Line), Reason: l.Message})
	}
	for _, l := range imported.Private {
		answer.Private = append(answer.Private, display.PrivateMemory{Ref: exported.Ref(l.Line), Kind: l.Message})
	}
	for _, l := range imported.Failed {
		answer.Failed = append(answer.Failed, migrate.Skipped{Ref: exported.Ref(l.Line), Reason: l.Message})
	}
	answer.Notes = append(answer.Notes, imported.Notices...)
	answer.SourceUnchanged, err = source.Unchanged()
	return answer, err
}

// takeBack removes what migrations from a system wrote.
func (m *migration) takeBack(ctx context.Context, s *session) error {
	undone, err := s.Import(ctx, memory.ImportRequest{Workspace: s.Workspace, DryRun: m.preview, TakeBack: m.System, KeepEdited: m.keepEdited, In: strings.NewReader("")}, m.show)
	if err != nil {
		return err
	}
	answer := display.Rollback{Action: "rollback", From: m.System, Workspace: s.Workspace, Preview: m.preview, Removed: undone.Removed, Kept: undone.Kept}
	return printAnswer(m.app, answer, display.PrintRollback)
}
