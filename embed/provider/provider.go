// Package provider makes the embedder that the configuration names. It alone
// knows every provider, which one auto selects, and how an earlier embedder can
// be made again.
package provider

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/hugot"
	"github.com/memory-tiered/memory/embed/server"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/embed/transformer"
)

// The names of the models inside the binary.
const (
	BuiltIn     = "static"      // the table
	Transformer = "transformer" // all-MiniLM-L6-v2
)

// The qualities of the models inside the binary, as the configuration names them.
const (
	QualityAuto = "auto" // the transformer if the machine is large enough; the table answers until it has all vectors
	QualityFast = "fast" // the table
	QualityBest = "best" // the transformer, on any machine
)

// The least machine on which the quality auto uses the transformer. Its work in the
// background takes a core or two.
const (
	LeastCores = 2
	LeastBytes = 2000 << 20 // a machine sold with 2 GB has a little less than 2,048 MiB
)

// Machine is what a program may use.
type Machine struct {
	Cores int
	Bytes int64 // of memory; 0: not known
}

// Settings is all that is needed to make an embedder. The cache keeps it, without
// a literal key, for as long as vectors of the embedder may be in use.
type Settings struct {
	Provider   string `json:"provider"`
	Model      string `json:"model,omitempty"`
	Key        string `json:"key,omitempty"` // where the key is, or the key itself
	Base       string `json:"base,omitempty"`
	Dimensions int    `json:"dimensions,omitempty"`
	Path       string `json:"path,omitempty"`
	Quality    string `json:"quality,omitempty"` // empty: QualityAuto
}

// SettingsOf returns the settings in a configuration.
func SettingsOf(c config.Embedding) Settings {
	s := Settings{Provider: c.Provider, Model: c.Model, Key: c.APIKey, Base: c.BaseURL, Dimensions: c.Dimensions, Path: c.Local.ModelPath}
	if c.Local.Quality != QualityAuto {
		s.Quality = c.Local.Quality
	}
	return s
}

// Options configures a Registry.
type Options struct {
	Environ  []string            // the environment that overrides the configuration file
	Getenv   func(string) string // reads the variables that hold keys
	StateDir string              // the folder of the cache
	Mask     func(string) string // masks secrets in texts that go to another machine
	Machine  Machine
}

// Registry makes the configured embedder, and embedders that were configured
// before. It reads the configuration again when its file changes. It is safe for
// concurrent use.
type Registry struct {
	Options
	file string // the configuration file

	mu         sync.Mutex
	stamp      string // of the file when it was last read
	settings   Settings
	configured embed.Embedder // made from settings; nil: not yet
}

// New makes a registry for a configuration that has just been loaded.
func New(cfg *config.Loaded, o Options) *Registry {
	r := &Registry{Options: o, file: cfg.File, settings: SettingsOf(cfg.Embedding)}
	r.stamp = r.fileStamp()
	return r
}

// fileStamp changes when the configuration file changes.
func (r *Registry) fileStamp() string {
	info, err := os.Stat(r.file)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// Configured returns the embedder that the configuration names now.
func (r *Registry) Configured(ctx context.Context) (embed.Embedder, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if stamp := r.fileStamp(); stamp != r.stamp {
		cfg, err := config.Load(r.file, r.Environ)
		if err != nil {
			return nil, err
		}
		if s := SettingsOf(cfg.Embedding); s != r.settings {
			r.settings, r.configured = s, nil
		}
		r.stamp = stamp
	}
	if r.configured != nil {
		return r.configured, nil
	}
	e, err := r.Make(ctx, r.settings)
	if err == nil {
		r.configured = e
	}
	return e, err
}

// Make makes an embedder from settings and records them in the cache.
func (r *Registry) Make(ctx context.Context, s Settings) (embed.Embedder, error) {
	c, err := readCache(r.StateDir)
	if err != nil {
		return nil, err
	}
	if s.Provider == "auto" {
		s = resolveAuto(s)
	}
	e, err := r.makeWith(ctx, s, c)
	if err != nil {
		return nil, err
	}
	c.record(e, s)
	c.write(r.StateDir)
	return e, nil
}

// Previous makes an embedder that was in use before, from the settings that made
// it then.
func (r *Registry) Previous(ctx context.Context, model string) (embed.Embedder, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := readCache(r.StateDir)
	if err != nil {
		return nil, err
	}
	if model == transformer.Model {
		return withTable(r.settings.Quality), nil
	}
	s, known := c.Models[model]
	if !known && strings.HasPrefix(model, "static/") {
		s, known = Settings{Provider: "local"}, true
	}
	if !known {
		return nil, memory.Unavailable(nil, "the settings of the embedding model %s are lost", model)
	}
	return r.makeWith(ctx, s, c)
}

// makeWith makes the embedder of settings whose provider is not auto.
func (r *Registry) makeWith(ctx context.Context, s Settings, c *cache) (embed.Embedder, error) {
	switch {
	case s.Provider == "none":
		return embed.None{}, nil
	case s.Provider != "local":
		return r.onServer(ctx, s, c)
	case s.Path != "":
		if !hugot.Available {
			return nil, memory.Unavailable(hugot.ErrUnavailable, "run the model in %s", s.Path).WithHint(noModelHint)
		}
		return hugot.OpenFolder(s.Path)
	case s.Model == Transformer:
		return withTable(QualityBest), nil
	case s.Model != "" && s.Model != BuiltIn:
		return nil, memory.Unavailable(nil, "there is no model %s (embedding.model) in the binary", s.Model).
			WithHint("memory model use DIR takes a model in a folder; memory model use static takes the one in the binary")
	case s.Model == "" && (s.Quality == QualityBest || s.Quality == "" && r.AllowsTransformer() == ""):
		return withTable(s.Quality), nil
	}
	return static.New(), nil
}

const noModelHint = "memory model use static takes the model inside the binary; embedding.baseUrl names a server"

// onServer makes the embedder of a server. It asks another server than a vendor's own once
// for the length of its vectors.
func (r *Registry) onServer(ctx context.Context, s Settings, c *cache) (embed.Embedder, error) {
	o := server.Options{Provider: s.Provider, Base: s.Base, Model: s.Model, Dimensions: s.Dimensions, Mask: r.Mask}
	var err error
	if s.Key == "" && s.Base == "" { // the variable with a vendor's key is for the vendor's own server only
		o.Key = r.Getenv(server.Vendors[s.Provider].KeyVariable)
	} else if o.Key, err = config.Reveal(ctx, "embedding.apiKey", s.Key, r.Getenv); err != nil {
		return nil, err
	}
	if o.Dimensions == 0 && s.Base != "" {
		at := s.Base + " " + s.Model
		if c.Dimensions[at] == 0 {
			n, err := server.Probe(ctx, o)
			if err != nil {
				return nil, err
			}
			c.Dimensions[at] = n
		}
		o.Dimensions = c.Dimensions[at]
	}
	return server.Open(o)
}

// resolveAuto selects the provider for auto. The configured folder or server comes first,
// then the vendor of the configured key, and last the model inside the binary. A key in
// the environment alone sends nothing anywhere.
func resolveAuto(s Settings) Settings {
	switch {
	case s.Path != "" && hugot.Available:
		s.Provider = "local"
	case s.Base == "" && s.Key == "":
		s.Provider, s.Model = "local", ""
	case strings.HasPrefix(s.Model, "gemini"):
		s.Provider = "gemini"
	default:
		s.Provider = "openai"
	}
	return s
}
