package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/secrets"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// engine builds the engine that the configuration describes. only names the
// workspaces to open; nil: all of them.
func (a *app) engine(ctx context.Context, cfg *config.Loaded, stateDir string, only []string, readOnly bool) (*engine.Engine, error) {
	r := &registry{file: cfg.File, environ: a.environ, stateDir: stateDir}
	var folders []engine.WorkspaceConfig
	for _, name := range cfg.WorkspaceNames() {
		if only != nil && !slices.Contains(only, name) {
			continue
		}
		f, err := r.folder(cfg, name)
		if err != nil {
			return nil, err
		}
		folders = append(folders, f)
	}
	settings := recallSettings(cfg)
	var err error
	if settings.Expand, err = alikeOf(cfg); err != nil {
		return nil, err
	}
	if err := settings.Validate(); err != nil {
		return nil, err
	}
	return engine.Open(ctx, engine.Options{
		Version: version, StateDir: stateDir, Workspaces: folders, Registry: r,
		Provider: cfg.Embedding.Provider, Embedders: a.embedders(cfg, stateDir), Recall: settings, AutoRecall: cfg.AutoRecall,
		ContextTTL: hours(cfg.Context.TTLHours), Retention: hours(24 * cfg.Retention.MissingDays), NoInMemory: !cfg.Search.InMemory, ReadOnly: readOnly,
		Receipts: engine.ReceiptOptions{Off: !cfg.Receipts.Enabled, Verbose: cfg.Receipts.Verbosity == "high",
			Top: cfg.Receipts.MaxItems, Keep: hours(24 * cfg.Receipts.Days)},
	})
}

func (a *app) embedders(cfg *config.Loaded, stateDir string) *provider.Registry {
	return provider.New(cfg, provider.Options{Environ: a.environ, Getenv: a.env, StateDir: stateDir, Mask: secrets.Mask})
}

func hours(h float64) time.Duration { return time.Duration(h * float64(time.Hour)) }

// alikeOf gives the words that mean nearly the same as one, from the model in
// the binary, whichever embeds.
func alikeOf(cfg *config.Loaded) (func(string) []memory.Expansion, error) {
	if !cfg.Search.Alike {
		return nil, nil
	}
	model, err := static.New()
	if err != nil {
		return nil, err
	}
	return model.Thesaurus().Alike, nil
}

func recallSettings(cfg *config.Loaded) recall.Settings {
	s := recall.Defaults()
	s.Preset, s.Fusion = cfg.Scoring.Preset, cfg.Search.Fusion
	s.Similarity, s.Recency, s.Frequency = cfg.Scoring.Similarity, cfg.Scoring.Recency, cfg.Scoring.Frequency
	s.HalfLives = decay.HalfLives(cfg.Scoring.HalfLives)
	s.VectorWeight, s.TextWeight = cfg.Search.VectorWeight, cfg.Search.TextWeight
	s.MaxItems, s.MaxTokens, s.Floor = cfg.Injection.MaxItems, cfg.Injection.MaxTokens, cfg.Injection.Floor
	s.Budgets = recall.Budgets(cfg.Injection.Budgets)
	return s
}

// registry keeps the registered workspaces in the configuration file.
type registry struct {
	file     string
	environ  []string
	stateDir string
}

// folder is a workspace as the engine opens it.
func (r *registry) folder(cfg *config.Loaded, name string) (engine.WorkspaceConfig, error) {
	w := cfg.Workspaces[name]
	zone, err := w.Zone()
	if err != nil {
		return engine.WorkspaceConfig{}, err
	}
	o := workspace.Options{ReadOnly: w.ReadOnly, MaxBytes: int64(cfg.Index.MaxFileMiB) << 20}
	for _, g := range w.Globs {
		var tier memory.Tier
		if g.Tier != "" {
			if tier, err = memory.ParseTier(g.Tier); err != nil {
				return engine.WorkspaceConfig{}, err
			}
		}
		o.Globs = append(o.Globs, workspace.Glob{Pattern: g.Glob, Tier: tier, Scope: memory.Scope(g.Scope), Inject: g.Inject == nil || *g.Inject})
	}
	return engine.WorkspaceConfig{Name: name, Dir: w.Path, DBPath: r.database(cfg, name), Zone: zone, Options: o, DecisionsFile: w.Decisions == "file"}, nil
}

func (r *registry) database(cfg *config.Loaded, name string) string {
	if name == memory.DefaultWorkspace {
		if cfg.DBPath != "" {
			return cfg.DBPath
		}
		return filepath.Join(r.stateDir, "tiered.db")
	}
	return filepath.Join(r.stateDir, "workspaces", name, "tiered.db")
}

// Add registers a folder. The name is made from the folder's where none is given.
func (r *registry) Add(name, dir string) (engine.WorkspaceConfig, error) {
	cfg, err := config.Load(r.file, r.environ)
	if err != nil {
		return engine.WorkspaceConfig{}, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return engine.WorkspaceConfig{}, &memory.Error{Kind: memory.ErrNotFound, Field: "path", Message: dir + " is not a folder", Cause: err}
	}
	dir = resolve(dir)
	if name == "" {
		name = cfg.FreeName(dir)
	}
	if err := config.CheckWorkspaceName(name); err != nil {
		return engine.WorkspaceConfig{}, err
	}
	if w, taken := cfg.Workspaces[name]; taken && resolve(w.Path) != dir {
		return engine.WorkspaceConfig{}, memory.Conflict("%s is the name of %s already", name, w.Path).WithHint("choose another name")
	}
	if err := config.Set(r.file, "workspaces."+name+".path", dir); err != nil {
		return engine.WorkspaceConfig{}, err
	}
	return r.reload(name)
}

// Remove takes a workspace out of the configuration.
func (r *registry) Remove(name string) error { return config.Unset(r.file, "workspaces."+name) }

// Rename gives a workspace another name and moves its database along.
func (r *registry) Rename(from, to string) (engine.WorkspaceConfig, error) {
	cfg, err := config.Load(r.file, r.environ)
	if err != nil {
		return engine.WorkspaceConfig{}, err
	}
	if err := config.CheckWorkspaceName(to); err != nil {
		return engine.WorkspaceConfig{}, err
	}
	if _, taken := cfg.Workspaces[to]; taken {
		return engine.WorkspaceConfig{}, memory.Conflict("a workspace is named %s already", to).WithHint("choose another name")
	}
	if err := config.RenameWorkspace(r.file, from, to); err != nil {
		return engine.WorkspaceConfig{}, err
	}
	if err := moveDatabase(r.database(cfg, from), r.database(cfg, to)); err != nil {
		return engine.WorkspaceConfig{}, errors.Join(err, config.RenameWorkspace(r.file, to, from))
	}
	return r.reload(to)
}

func (r *registry) reload(name string) (engine.WorkspaceConfig, error) {
	cfg, err := config.Load(r.file, r.environ)
	if err != nil {
		return engine.WorkspaceConfig{}, err
	}
	return r.folder(cfg, name)
}

// moveDatabase moves a closed database and all that lies beside it under its
// name. What is at the destination already is never overwritten.
func moveDatabase(from, to string) error {
	if _, err := os.Stat(to); err == nil {
		return memory.Conflict("there is a database at %s already", to).WithHint("move it away first")
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return memory.Unavailable(err, "move the database")
	}
	beside, err := filepath.Glob(from + "*")
	if err != nil {
		return err
	}
	for _, file := range beside {
		if err := os.Rename(file, to+strings.TrimPrefix(file, from)); err != nil {
			return memory.Unavailable(err, "move the database")
		}
	}
	return nil
}
