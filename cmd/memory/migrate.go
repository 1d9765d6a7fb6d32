package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
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
	c := &cobra.Command{
		Use:  "migrate --from SYSTEM [PATH]",
		Args: argumentCount(0, 1, ""),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				m.Path = args[0]
			}
			m.Begin = time.Now()
			return m.run(c.Context())
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
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

// migrateAnswer is the answer of migrate.
type migrateAnswer struct {
	Action          string                       `json:"action"` // "migrate"
	From            string                       `json:"from"`
	Path            string                       `json:"path"`
	Workspace       string                       `json:"workspace"`
	Preview         bool                         `json:"preview"`
	Read            int                          `json:"read"`     // memories and files of the other system
	Imported        int                          `json:"imported"` // memories that were written, and are in the index
	Files           memory.List[string]          `json:"files"`
	Skipped         memory.List[migrate.Skipped] `json:"skipped"`
	Private         memory.List[privateMemory]   `json:"private"`
	Failed          memory.List[migrate.Skipped] `json:"failed"`
	Notes           memory.List[string]          `json:"notes"`
	SourceUnchanged bool                         `json:"source_unchanged"`
	Receipt         string                       `json:"receipt,omitempty"`
	TookMS          float64                      `json:"took_ms"`
}

// privateMemory is a memory that no model gets, because it looks like a secret.
type privateMemory struct {
	Ref  string `json:"ref"`
	Kind string `json:"kind"`
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
	source, err := m.readSource(ctx)
	if err != nil {
		return err
	}
	return m.withSession(ctx, writesUnless(m.preview), func(s *session) error {
		answer, err := m.bringOver(ctx, s, source)
		if err != nil {
			return err
		}
		answer.TookMS = float64(time.Since(m.Begin).Microseconds()) / 1000
		if err := printAnswer(m.app, answer, printMigration); err != nil {
			return err
		}
		if len(answer.Failed) > 0 || !answer.SourceUnchanged {
			return errFound
		}
		return nil
	})
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
func (m *migration) bringOver(ctx context.Context, s *session, source migrate.Source) (answer migrateAnswer, err error) {
	answer = migrateAnswer{Action: "migrate", From: m.System, Path: source.Path, Workspace: s.Workspace, Preview: m.preview,
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
		answer.Private = append(answer.Private, privateMemory{exported.Ref(l.Line), l.Message})
	}
	for _, l := range imported.Failed {
		answer.Failed = append(answer.Failed, migrate.Skipped{Ref: exported.Ref(l.Line), Reason: l.Message})
	}
	answer.Notes = append(answer.Notes, imported.Notices...)
	answer.SourceUnchanged, err = source.Unchanged()
	return answer, err
}

// rollbackAnswer is the answer of migrate --rollback.
type rollbackAnswer struct {
	Action    string              `json:"action"` // "rollback"
	From      string              `json:"from"`
	Workspace string              `json:"workspace"`
	Preview   bool                `json:"preview"`
	Removed   memory.List[string] `json:"removed"` // files
	Kept      memory.List[string] `json:"kept"`    // files that somebody edited
}

// takeBack removes what migrations from a system wrote.
func (m *migration) takeBack(ctx context.Context, s *session) error {
	undone, err := s.Import(ctx, memory.ImportRequest{Workspace: s.Workspace, DryRun: m.preview, TakeBack: m.System, KeepEdited: m.keepEdited, In: strings.NewReader("")}, m.show)
	if err != nil {
		return err
	}
	answer := rollbackAnswer{Action: "rollback", From: m.System, Workspace: s.Workspace, Preview: m.preview, Removed: undone.Removed, Kept: undone.Kept}
	return printAnswer(m.app, answer, printRollback)
}

// printMigration prints what came over, and what did not.
func printMigration(w io.Writer, a migrateAnswer) {
	what := fmt.Sprintf("imported into %d files", len(a.Files))
	if a.Preview {
		what = "would be imported"
	}
	fmt.Fprintf(w, "%d read from %s, %d %s\n", a.Read, display.Name(a.Path), a.Imported, what)
	for _, name := range a.Files {
		fmt.Fprintf(w, "  %s\n", display.Name(name))
	}
	counts := map[string]int{}
	for _, s := range a.Skipped {
		counts[s.Reason]++
	}
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "left out: %d %s (%s)\n", counts[reason], reason, skippedRefs(a.Skipped, reason))
	}
	if n := len(a.Private); n > 0 {
		fmt.Fprintf(w, "private, because they look like secrets: %d; no model gets them\n", n)
	}
	for _, note := range a.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	for i, f := range a.Failed {
		if i == display.MaxFailures {
			fmt.Fprintf(w, "  and %d more; --json lists all\n", len(a.Failed)-i)
			break
		}
		fmt.Fprintf(w, "failed: %s: %s\n", display.Name(f.Ref), f.Reason)
	}
	if !a.Preview && len(a.Files) > 0 {
		fmt.Fprintf(w, "verified: %d of %d texts are in the index, each as it was\n", a.Imported, a.Imported+len(a.Failed))
	}
	if !a.SourceUnchanged {
		fmt.Fprintln(w, "the source changed meanwhile: run the command again for what is new")
	}
}

// skippedRefs names the first memories that were left out for a reason.
func skippedRefs(skipped []migrate.Skipped, reason string) string {
	const most = 3
	var refs []string
	for _, s := range skipped {
		if s.Reason == reason {
			refs = append(refs, display.Name(s.Ref))
		}
	}
	if len(refs) > most {
		refs = append(refs[:most], "…")
	}
	return strings.Join(refs, ", ")
}

func printRollback(w io.Writer, answer rollbackAnswer) {
	verb := "removed"
	if answer.Preview {
		verb = "would remove"
	}
	fmt.Fprintf(w, "%s %d files that were migrated from %s\n", verb, len(answer.Removed), answer.From)
	for _, name := range answer.Kept {
		fmt.Fprintf(w, "kept, because somebody edited it: %s\n", display.Name(name))
	}
}
