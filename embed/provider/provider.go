// Package provider makes the embedder that the configuration names. It alone
// knows every provider, which one auto selects, and how an earlier embedder can
// be made again.
package provider

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/hugot"
	"github.com/memory-tiered/memory/embed/minilm"
	"github.com/memory-tiered/memory/embed/models"
	"github.com/memory-tiered/memory/embed/server"
	"github.com/memory-tiered/memory/embed/static"
)

// The names of the models inside the binary.
const (
	BuiltIn     = "static"      // the table
	Transformer = "transformer" // all-MiniLM-L6-v2
)

// The qualities of the models inside the binary, as the configuration names them.
const (
	QualityAuto = "auto" // the transformer if the machine is large enough; the table answers while it is not loaded
	QualityFast = "fast" // the table
	QualityBest = "best" // the transformer, on any machine
)

// The least machine on which the quality auto uses the transformer. The model takes some
// 400 MB while it is loaded, and its work in the background takes a core.
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
	Provider   string       `json:"provider"`
	Model      string       `json:"model,omitempty"`
	Key        string       `json:"key,omitempty"` // env:NAME, file:PATH, or the key itself
	Base       string       `json:"base,omitempty"`
	Dimensions int          `json:"dimensions,omitempty"`
	Path       string       `json:"path,omitempty"`
	Quality    string       `json:"quality,omitempty"` // empty: QualityAuto
	Limits     embed.Limits `json:"limits,omitzero"`
}

// SettingsOf returns the settings in a configuration.
func SettingsOf(c config.Embedding) Settings {
	s := Settings{Provider: c.Provider, Model: c.Model, Key: c.APIKey, Base: c.BaseURL, Dimensions: c.Dimensions, Path: c.Local.ModelPath,
		Limits: embed.Limits{MaxChars: c.MaxChars, HeadChars: c.HeadChars, MaxBytes: c.MaxBytes}}
	if c.Local.Quality != QualityAuto {
		s.Quality = c.Local.Quality
	}
	return s
}

// Options configures a Registry.
type Options struct {
	Environ  []string            // the environment that overrides the configuration file
	Getenv   func(string) string // reads the variables that hold keys
	StateDir string              // the folder of the cache and of the pulled models
	Mask     func(string) string // masks secrets in texts that go to another machine

	// RunTransformer returns the command that calls minilm.Serve with a folder. nil:
	// the transformer in the binary cannot run.
	RunTransformer func(dir string) *exec.Cmd
	Machine        Machine
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

	transformer func() (*minilm.Embedder, error) // returns the one transformer in the binary
}

// New makes a registry for a configuration that has just been loaded.
func New(cfg *config.Loaded, o Options) *Registry {
	r := &Registry{Options: o, file: cfg.File, settings: SettingsOf(cfg.Embedding)}
	r.transformer = sync.OnceValues(r.makeTransformer)
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
		if s, err = r.resolveAuto(s, c); err != nil {
			return nil, err
		}
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
	if model == minilm.Model {
		return r.loadable(r.settings.Quality)
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
	switch s.Provider {
	case "none":
		return embed.None{}, nil
	case "openai":
		return r.openAI(ctx, s, c)
	case "gemini":
		key, err := r.key(s, "GEMINI_API_KEY")
		if err != nil {
			return nil, err
		}
		return server.Gemini(server.Options{Base: s.Base, Model: s.Model, Key: key, Dimensions: s.Dimensions, Limits: s.Limits, Mask: r.Mask})
	}
	if s.Path != "" {
		return modelInFolder(s.Path)
	}
	switch {
	case s.Model == Transformer:
		return r.loadable(QualityBest)
	case s.Model == BuiltIn:
		return static.New()
	case s.Model != "":
		return r.pulledModel(s.Model)
	case s.Quality == QualityBest, s.Quality == "" && r.AllowsTransformer() == "":
		return r.loadable(s.Quality)
	}
	return static.New()
}

// Models returns the store of pulled models in a state folder.
func Models(stateDir string) models.Store {
	return models.Store{Dir: filepath.Join(stateDir, "models"), Catalogue: models.Catalogue}
}

// ModelFiles returns the SHA-256 of the model files that the program knows, with their
// sizes. These are the transformer's in the binary, and those of the catalogue.
func ModelFiles() map[string]int64 {
	known := minilm.Digests()
	for _, m := range models.Catalogue {
		for _, f := range m.Files {
			known[f.SHA256] = f.Bytes
		}
	}
	return known
}

const noModelHint = "memory model use static takes the model inside the binary; embedding.baseUrl names a server"

func (r *Registry) pulledModel(name string) (embed.Embedder, error) {
	if !hugot.Available {
		return nil, memory.Unavailable(hugot.ErrUnavailable, "run the model %s", name).WithHint(noModelHint)
	}
	store := Models(r.StateDir)
	m, err := store.Get(name)
	if errors.Is(err, memory.ErrNotFound) {
		err = memory.Unavailable(nil, "the embedding model %s (embedding.model) is not on this machine", name).
			WithHint("memory model pull %s fetches it, if memory model list has it; memory model use static takes the model inside the binary", name)
	}
	if err != nil {
		return nil, err
	}
	return hugot.Open(hugot.Options{Dir: store.Path(name), Name: name, Digest: m.Digest()})
}

func modelInFolder(dir string) (embed.Embedder, error) {
	if !hugot.Available {
		return nil, memory.Unavailable(hugot.ErrUnavailable, "run the model in %s", dir).WithHint(noModelHint)
	}
	name := filepath.Base(filepath.Clean(dir))
	m, err := models.Describe(name, dir)
	if err != nil {
		return nil, memory.Unavailable(err, "the embedding model in %s (embedding.local.modelPath) cannot be used", dir).
			WithHint("memory model pull NAME fetches a model; memory model use static takes the model inside the binary")
	}
	return hugot.Open(hugot.Options{Dir: dir, Name: name, Digest: m.Digest()})
}

// openAI makes the embedder of OpenAI or of a compatible server. It asks another
// server than OpenAI's once for the length of its vectors.
func (r *Registry) openAI(ctx context.Context, s Settings, c *cache) (embed.Embedder, error) {
	keyVariable := ""
	if s.Base == "" { // the variable with OpenAI's key is for OpenAI's own server only
		keyVariable = "OPENAI_API_KEY"
	}
	key, err := r.key(s, keyVariable)
	if err != nil {
		return nil, err
	}
	o := server.Options{Base: s.Base, Model: s.Model, Key: key, Dimensions: s.Dimensions, Limits: s.Limits, Mask: r.Mask}
	at := s.Base + " " + s.Model
	if o.Dimensions == 0 && s.Base != "" {
		if c.Dimensions[at] == 0 {
			if c.Dimensions[at], err = server.ProbeOpenAI(ctx, o); err != nil {
				delete(c.Dimensions, at)
				return nil, err
			}
		}
		o.Dimensions = c.Dimensions[at]
	}
	return server.OpenAI(o)
}

// key returns the key of the settings, or else the value of a variable.
func (r *Registry) key(s Settings, variable string) (string, error) {
	if s.Key == "" && variable != "" {
		return r.Getenv(variable), nil
	}
	return config.Reveal("embedding.apiKey", s.Key, r.Getenv)
}

// resolveAuto selects the provider for auto. The first choice is a sentence
// transformer or a server on this machine. Then comes a cloud provider, if a key
// is configured for it, and last the model inside the binary. The result stays
// until the configuration changes, because another model needs new vectors of
// every text.
func (r *Registry) resolveAuto(s Settings, c *cache) (Settings, error) {
	if c.Auto != nil && c.Auto.From == s {
		return c.Auto.To, nil
	}
	to := s
	to.Provider = "local"
	store := Models(r.StateDir)
	pulled, _, err := store.List()
	base, badBase := url.Parse(s.Base)
	switch {
	case err != nil:
		return s, err
	case s.Path != "" && hugot.Available:
	case s.Base != "" && badBase == nil && strings.Contains(base.Host, "googleapis.com"):
		to.Provider = "gemini"
	case s.Base != "":
		to.Provider = "openai"
	case hugot.Available && len(pulled) > 0:
		if _, err := store.Get(s.Model); err != nil {
			to.Model = pulled[0].Name
		}
	case s.Key != "" && strings.HasPrefix(s.Model, "gemini"):
		to.Provider = "gemini"
	case s.Key != "":
		to.Provider = "openai"
	default:
		to.Model = ""
	}
	c.Auto = &autoChoice{From: s, To: to}
	return to, nil
}
