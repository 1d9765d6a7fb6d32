package main

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/machine"
	"github.com/memory-tiered/memory/internal/secrets"
)

// engine opens the engine that the configuration describes. only lists the
// workspaces to open; nil opens all of them.
func (a *app) engine(ctx context.Context, cfg *config.Loaded, stateDir string, only []string, readOnly bool) (*engine.Engine, error) {
	o, err := a.engineOptions(cfg, stateDir, only)
	if err != nil {
		return nil, err
	}
	o.ReadOnly, o.Hold = readOnly, a.hold
	return engine.Open(ctx, o)
}

// engineOptions returns the options that the configuration describes, for the
// workspaces in only; nil means all. An error names the setting that is not valid.
func (a *app) engineOptions(cfg *config.Loaded, stateDir string, only []string) (engine.Options, error) {
	r := &registry.Registry{File: cfg.File, Environ: a.environ, StateDir: stateDir}
	var workspaces []engine.WorkspaceConfig
	for _, name := range cfg.WorkspaceNames() {
		if only != nil && !slices.Contains(only, name) {
			continue
		}
		w, err := r.WorkspaceConfig(cfg, name)
		if err != nil {
			return engine.Options{}, err
		}
		workspaces = append(workspaces, w)
	}
	o, err := configuredOptions(cfg)
	if err != nil {
		return engine.Options{}, err
	}
	o.Version, o.StateDir, o.Workspaces, o.Registry = version, stateDir, workspaces, r
	o.Hosts, o.ModelFiles = hostsetup.Hosts{ServiceDir: stateDir}, provider.ModelFiles
	o.Provider, o.Embedders = cfg.Embedding.Provider, a.embedders(cfg, stateDir)
	return o, nil
}

func (a *app) embedders(cfg *config.Loaded, stateDir string) *provider.Registry {
	return provider.New(cfg, provider.Options{Environ: a.environ, Getenv: a.env, StateDir: stateDir, Mask: secrets.Mask,
		RunTransformer: a.runTransformer, Machine: provider.Machine{Cores: machine.Cores(), Bytes: machine.Memory()}})
}
