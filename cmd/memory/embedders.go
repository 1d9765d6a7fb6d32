package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/gemini"
	"github.com/memory-tiered/memory/embed/hugot"
	"github.com/memory-tiered/memory/embed/models"
	"github.com/memory-tiered/memory/embed/none"
	"github.com/memory-tiered/memory/embed/openai"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/internal/secrets"
)

// embedders makes what the configuration names, and what it named before. It
// reads the configuration again when its file changes.
type embedders struct {
	file     string
	environ  []string
	env      func(string) string
	stateDir string

	mu     sync.Mutex
	stamp  string // of the file when it was last read
	of     choice
	wanted embed.Embedder // made of it; nil: not yet
}

// choice is what has to be known to make an embedder. It is remembered by the
// model's name for as long as vectors of it may serve; a key only by where it is.
type choice struct {
	Provider   string       `json:"provider"`
	Model      string       `json:"model,omitempty"`
	Key        string       `json:"key,omitempty"`
	Base       string       `json:"base,omitempty"`
	Dimensions int          `json:"dimensions,omitempty"`
	Path       string       `json:"path,omitempty"`
	Limits     embed.Limits `json:"limits,omitzero"`
}

func choiceOf(c config.Embedding) choice {
	return choice{Provider: c.Provider, Model: c.Model, Key: c.APIKey, Base: c.BaseURL, Dimensions: c.Dimensions, Path: c.Local.ModelPath,
		Limits: embed.Limits{MaxChars: c.MaxChars, HeadChars: c.HeadChars, MaxBytes: c.MaxBytes}}
}

func (a *app) embedders(cfg *config.Loaded, stateDir string) *embedders {
	m := &embedders{file: cfg.File, environ: a.environ, env: a.env, stateDir: stateDir, of: choiceOf(cfg.Embedding)}
	m.stamp = m.stampNow()
	return m
}

func (m *embedders) stampNow() string {
	info, err := os.Stat(m.file)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// Configured is what the configuration names now.
func (m *embedders) Configured(ctx context.Context) (embed.Embedder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if stamp := m.stampNow(); stamp != m.stamp {
		cfg, err := config.Load(m.file, m.environ)
		if err != nil {
			return nil, err
		}
		if of := choiceOf(cfg.Embedding); of != m.of {
			m.of, m.wanted = of, nil
		}
		m.stamp = stamp
	}
	if m.wanted != nil {
		return m.wanted, nil
	}
	made, err := m.choose(ctx, m.of)
	if err == nil {
		m.wanted = made
	}
	return made, err
}

// choose makes an embedder and remembers how.
func (m *embedders) choose(ctx context.Context, c choice) (embed.Embedder, error) {
	kept, err := m.remembered()
	if err != nil {
		return nil, err
	}
	if c.Provider == "auto" {
		if c, err = m.resolve(c, kept); err != nil {
			return nil, err
		}
	}
	made, err := m.make(ctx, c, kept)
	if err != nil {
		return nil, err
	}
	kept.note(made, c)
	m.remember(kept)
	return made, nil
}

// Previous makes what has served before, as it was made then.
func (m *embedders) Previous(ctx context.Context, model string) (embed.Embedder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept, err := m.remembered()
	if err != nil {
		return nil, err
	}
	c, known := kept.Models[model]
	if !known && strings.HasPrefix(model, "static/") {
		c, known = choice{Provider: "local"}, true
	}
	if !known {
		return nil, memory.Unavailable(nil, "how %s was made is not known any more", model)
	}
	return m.make(ctx, c, kept)
}

// make makes the embedder of a choice that is not auto.
func (m *embedders) make(ctx context.Context, c choice, kept *memo) (embed.Embedder, error) {
	switch c.Provider {
	case "none":
		return none.New(), nil
	case "openai":
		return m.openAI(ctx, c, kept)
	case "gemini":
		key, err := m.key(c, "GEMINI_API_KEY")
		if err != nil {
			return nil, err
		}
		return gemini.New(gemini.Options{Base: c.Base, Model: c.Model, Key: key, Dimensions: c.Dimensions, Limits: c.Limits, Mask: secrets.Mask})
	}
	if c.Path != "" {
		return m.inFolder(c.Path)
	}
	if c.Model == "" || c.Model == builtIn {
		return static.New()
	}
	return m.pulled(c.Model)
}

// builtIn names the model in the binary where one is chosen by name.
const builtIn = "static"

func (m *embedders) store() models.Store {
	return store(m.stateDir)
}

func (m *embedders) pulled(name string) (embed.Embedder, error) {
	if !hugot.Available {
		return nil, memory.Unavailable(hugot.ErrAbsent, "run the model %s", name).WithHint("memory model use static, or a server: embedding.baseUrl")
	}
	found, err := m.store().Get(name)
	if errors.Is(err, memory.ErrNotFound) {
		err = memory.Unavailable(nil, "the embedding model %s (embedding.model) is not on this machine", name).
			WithHint("memory model pull %s; or memory model use static", name)
	}
	if err != nil {
		return nil, err
	}
	return hugot.Open(hugot.Options{Dir: m.store().Path(name), Name: name, Digest: found.Digest()})
}

func (m *embedders) inFolder(dir string) (embed.Embedder, error) {
	if !hugot.Available {
		return nil, memory.Unavailable(hugot.ErrAbsent, "run the model in %s", dir).WithHint("memory model use static, or a server: embedding.baseUrl")
	}
	name := filepath.Base(filepath.Clean(dir))
	found, err := models.Describe(name, dir)
	if err != nil {
		return nil, memory.Unavailable(err, "the embedding model in %s (embedding.local.modelPath) cannot be used", dir).
			WithHint("memory model pull NAME brings one here; memory model use static takes the one in the binary")
	}
	return hugot.Open(hugot.Options{Dir: dir, Name: name, Digest: found.Digest()})
}

// openAI asks a server that is not OpenAI's own how long its vectors are, once.
func (m *embedders) openAI(ctx context.Context, c choice, kept *memo) (embed.Embedder, error) {
	fallback := ""
	if c.Base == "" { // a variable that names OpenAI's key is for nobody else
		fallback = "OPENAI_API_KEY"
	}
	key, err := m.key(c, fallback)
	if err != nil {
		return nil, err
	}
	o := openai.Options{Base: c.Base, Model: c.Model, Key: key, Dimensions: c.Dimensions, Limits: c.Limits, Mask: secrets.Mask}
	at := c.Base + " " + c.Model
	if o.Dimensions == 0 && c.Base != "" {
		if kept.Dimensions[at] == 0 {
			if kept.Dimensions[at], err = openai.Probe(ctx, o); err != nil {
				delete(kept.Dimensions, at)
				return nil, err
			}
		}
		o.Dimensions = kept.Dimensions[at]
	}
	return openai.New(o)
}

func (m *embedders) key(c choice, fallback string) (string, error) {
	if c.Key == "" && fallback != "" {
		return m.env(fallback), nil
	}
	return config.Reveal("embedding.apiKey", c.Key, m.env)
}

// resolve says what auto is: a sentence transformer or a server on this machine;
// else a cloud one, if a key is configured for it; else the model in the binary.
// Once resolved it stays so until the configuration says something else: vectors
// of another model have to be made of everything anew.
func (m *embedders) resolve(c choice, kept *memo) (choice, error) {
	if kept.Auto != nil && kept.Auto.Of == c {
		return kept.Auto.Is, nil
	}
	is := c
	is.Provider = "local"
	here, _, err := m.store().List()
	base, badBase := url.Parse(c.Base)
	switch {
	case err != nil:
		return c, err
	case c.Path != "" && hugot.Available:
	case c.Base != "" && badBase == nil && strings.Contains(base.Host, "googleapis.com"):
		is.Provider = "gemini"
	case c.Base != "":
		is.Provider = "openai"
	case hugot.Available && len(here) > 0:
		if _, err := m.store().Get(c.Model); err != nil {
			is.Model = here[0].Name
		}
	case c.Key != "" && strings.HasPrefix(c.Model, "gemini"):
		is.Provider = "gemini"
	case c.Key != "":
		is.Provider = "openai"
	default:
		is.Model = ""
	}
	kept.Auto = &resolved{Of: c, Is: is}
	return is, nil
}
