package provider

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/minilm"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// cacheName is the file in the state folder that holds the cache.
const cacheName = "embedding.json"

// cache keeps facts about embedders from one start to the next. It only
// saves time: without it, the program determines the facts again.
type cache struct {
	Models     map[string]Settings `json:"models"`     // the settings of each embedder, by the name of its model
	Dimensions map[string]int      `json:"dimensions"` // by server and model
	Auto       *autoChoice         `json:"auto,omitempty"`

	onDisk *cache // the content of the file
}

// autoChoice is the result of resolving the provider auto.
type autoChoice struct {
	From Settings `json:"of"`
	To   Settings `json:"is"`
}

// readCache reads the cache of a state folder. A damaged file is an empty cache.
func readCache(stateDir string) (*cache, error) {
	c := &cache{Models: map[string]Settings{}, Dimensions: map[string]int{}}
	src, err := os.ReadFile(filepath.Join(stateDir, cacheName))
	if err == nil && json.Unmarshal(src, c) != nil {
		c = &cache{}
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, memory.Unavailable(err, "read the cache of embedding models")
	}
	if c.Models == nil {
		c.Models = map[string]Settings{}
	}
	if c.Dimensions == nil {
		c.Dimensions = map[string]int{}
	}
	c.onDisk = &cache{Models: maps.Clone(c.Models), Dimensions: maps.Clone(c.Dimensions), Auto: c.Auto}
	return c, nil
}

// record stores what made an embedder. It does not copy a key that the
// configuration contains itself.
func (c *cache) record(e embed.Embedder, s Settings) {
	if isKey(s.Key) {
		s.Key = ""
	}
	if e.Dim() > 0 && !strings.HasPrefix(e.Model(), "static/") && e.Model() != minilm.Model {
		c.Models[e.Model()] = s
	}
	if c.Auto != nil && (isKey(c.Auto.From.Key) || isKey(c.Auto.To.Key)) {
		c.Auto = nil // resolved again each time
	}
}

// isKey reports whether a setting is a key itself, rather than the name of a
// variable or of a file with the key.
func isKey(setting string) bool {
	return setting != "" && !strings.HasPrefix(setting, "env:") && !strings.HasPrefix(setting, "file:")
}

// write replaces the file if the cache has changed. An error is ignored: what
// cannot be written is found out again.
func (c *cache) write(stateDir string) {
	if old := c.onDisk; reflect.DeepEqual(old.Models, c.Models) && reflect.DeepEqual(old.Dimensions, c.Dimensions) && old.Auto == c.Auto {
		return
	}
	src, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return
	}
	_ = atomicfile.Write(filepath.Join(stateDir, cacheName), append(src, '\n'), 0o600)
}
