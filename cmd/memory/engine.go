package main

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/engine/extracting"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/extract"
	"github.com/memory-tiered/memory/internal/machine"
	"github.com/memory-tiered/memory/internal/modelserver"
	"github.com/memory-tiered/memory/internal/secrets"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall"
)

// engine opens the engine that the configuration describes. only lists the
// workspaces to open; nil opens all of them.
func (a *app) engine(ctx context.Context, cfg *config.Loaded, stateDir string, only []string, readOnly bool) (*engine.Engine, error) {
	o, err := a.engineOptions(ctx, cfg, stateDir, only)
	if err != nil {
		return nil, err
	}
	o.ReadOnly, o.Hold, o.Extensions.Extract = readOnly, a.hold, new(extract.Reader).Read
	return engine.Open(ctx, o)
}

// engineOptions returns the options that the configuration describes, for the
// workspaces in only; nil means all. An error names the setting that is not valid.
func (a *app) engineOptions(ctx context.Context, cfg *config.Loaded, stateDir string, only []string) (engine.Options, error) {
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
	if cfg.Index.Backend == "postgres" {
		if o.Server, err = config.Reveal(ctx, "index.url", cfg.Index.URL, a.env); err != nil {
			return engine.Options{}, cfg.Locate(err)
		}
		if o.Server == "" {
			return engine.Options{}, cfg.Locate(memory.Invalid("index.url", "index.url is empty, and index.backend is postgres").
				WithHint("memory config set index.url postgres://user@host/database"))
		}
	}
	o.Version, o.StateDir, o.Workspaces, o.Registry = version, stateDir, workspaces, r
	o.Hosts = hostsetup.Hosts{ServiceDir: stateDir}
	o.ClientDirs, _ = registry.ClientDirs(cfg) // the service reports a row that is not valid
	if home, err := a.home(); err == nil {     // without a home folder, a client has no usual place
		o.ClientDir = func(c clients.Client) string { return c.Dir(home, a.env) }
	}
	m := cfg.Model
	o.Language = engine.LanguageModel{Base: m.BaseURL, Name: m.Name, Key: m.APIKey, TokensPerDay: m.TokensPerDay, Open: a.openLanguageModel}
	o.Provider, o.Embedders = cfg.Embedding.Provider, a.embedders(cfg, stateDir)
	return o, nil
}

func (a *app) embedders(cfg *config.Loaded, stateDir string) *provider.Registry {
	return provider.New(cfg, provider.Options{Environ: a.environ, Getenv: a.env, StateDir: stateDir, Mask: secrets.Mask,
		Machine: provider.Machine{Cores: machine.Cores(), Bytes: machine.Memory()}})
}

// openLanguageModel returns a model that reads conversations.
func (a *app) openLanguageModel(ctx context.Context, l engine.LanguageModel) (extracting.Model, error) {
	key, err := config.Reveal(ctx, "model.apiKey", l.Key, a.env)
	if err != nil {
		return nil, err
	}
	return modelserver.NewChat(modelserver.Options{Base: l.Base, Key: key, Mask: secrets.Mask,
		Settings: modelserver.Settings{Base: "model.baseUrl", Key: "model.apiKey", Model: "model.name"}}, l.Name)
}

// configuredOptions returns the options of the engine that the configuration alone decides. An error names the
// setting that is not valid.
func configuredOptions(cfg *config.Loaded) (engine.Options, error) {
	ranking := recallSettings(cfg)
	useThesaurus(&ranking)
	if err := ranking.Validate(); err != nil {
		return engine.Options{}, cfg.Locate(err)
	}
	captured, err := captureOptions(cfg)
	if err != nil {
		return engine.Options{}, cfg.Locate(err)
	}
	sweeps, err := decay.ParseSchedule(cfg.Decay.Schedule)
	grading, gradingErr := decay.ParseSchedule(cfg.Grade.Schedule)
	if err = cmp.Or(err, gradingErr); err != nil {
		return engine.Options{}, cfg.Locate(err)
	}
	return engine.Options{
		Recall: ranking, AutoRecall: cfg.AutoRecall,
		Capture: captured, Identities: identities(cfg), Scopes: cfg.Scopes.Rules(),
		Tiers: thresholds(cfg), Schedule: sweeps, Grading: grading, CompactUnused: cfg.Decay.CompactDays,
		ContextTTL: hours(cfg.Context.TTLHours), Retention: hours(24 * cfg.Retention.MissingDays), NoInMemory: !cfg.Search.InMemory,
		Receipts: engine.ReceiptOptions{Off: !cfg.Receipts.Enabled, Keep: hours(24 * cfg.Receipts.Days)},
	}, nil
}

func hours(h float64) time.Duration { return time.Duration(h * float64(time.Hour)) }

// thresholds returns when memories age. The configuration accepts only numbers above
// zero.
func thresholds(cfg *config.Loaded) decay.Thresholds {
	t := cfg.Tiers
	return decay.Thresholds{HotAge: hours(t.Hot.TTLHours), WarmUnused: hours(24 * t.Warm.DemotionDays),
		ColdUses: t.Cold.PromotionUses, ColdDays: t.Cold.PromotionDays}
}

// useThesaurus sets the functions that find and compare words of nearly the same
// meaning. They use the model inside the binary, whichever model makes the vectors.
func useThesaurus(s *recall.Settings) {
	t := static.New().Thesaurus()
	s.Expand, s.Align = t.SimilarWords, t.Align
}

// captureOptions returns what is kept of conversations.
func captureOptions(cfg *config.Loaded) (o engine.CaptureOptions, err error) {
	o.Off = !cfg.AutoCapture
	for _, name := range cfg.Capture.Categories {
		category, err := memory.ParseCategory(name)
		if err != nil {
			return o, memory.Invalid("capture.categories", "capture.categories: %s", err)
		}
		o.Settings.Categories = append(o.Settings.Categories, category)
	}
	for _, text := range cfg.Capture.Triggers {
		pattern, err := lang.ParsePhrase(text)
		if err != nil {
			return o, memory.Invalid("capture.triggers", "capture.triggers: %s", err)
		}
		o.Settings.Triggers = append(o.Settings.Triggers, pattern)
	}
	return o, nil
}

// identities returns the channel ids of each identity.
func identities(cfg *config.Loaded) memory.Identities {
	all := memory.Identities{}
	for name, ids := range cfg.Identities {
		folded := memory.FoldUser(name)
		all[folded] = nil
		for _, id := range ids {
			all[folded] = append(all[folded], memory.FoldUser(id))
		}
	}
	return all
}

func recallSettings(cfg *config.Loaded) recall.Settings {
	s := recall.Defaults()
	s.Preset = cfg.Scoring.Preset
	s.Similarity, s.Recency, s.Frequency = cfg.Scoring.Similarity, cfg.Scoring.Recency, cfg.Scoring.Frequency
	s.HalfLives = decay.HalfLives(cfg.Scoring.HalfLives)
	s.VectorWeight, s.TextWeight = cfg.Search.VectorWeight, cfg.Search.TextWeight
	s.MaxItems, s.MaxTokens, s.Floor = cfg.Injection.MaxItems, cfg.Injection.MaxTokens, cfg.Injection.Floor
	s.Budgets, s.Profile, s.Reader, s.SceneLine = recall.Budgets(cfg.Injection.Budgets), cfg.Injection.Profile, cfg.Injection.Reader, cfg.Injection.SceneLine
	return s
}
