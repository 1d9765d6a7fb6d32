package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/transformer"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// cacheName is the file in the state folder that holds the cache.
const cacheName = "embedding.json"

// cache keeps facts about embedders from one start to the next. It only
// saves time: without it, the program determines the facts again.
type cache struct {
	Models     map[string]Settings `json:"models"`     // the settings of each embedder, by the name of its model
	Dimensions map[string]int      `json:"dimensions"` // by server and model

	onDisk []byte // the content of the file
}

// readCache reads the cache of a state folder. A damaged file is an empty cache.
func readCache(stateDir string) (*cache, error) {
	src, err := os.ReadFile(filepath.Join(stateDir, cacheName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, memory.Unavailable(err, "read the cache of embedding models")
	}
	c := &cache{}
	if json.Unmarshal(src, c) != nil || c.Models == nil || c.Dimensions == nil {
		c = &cache{Models: map[string]Settings{}, Dimensions: map[string]int{}}
	}
	c.onDisk = src
	return c, nil
}

// record stores what made an embedder, so that it can be made again. It does not copy a
// key that the configuration contains itself.
func (c *cache) record(e embed.Embedder, s Settings) {
	if !config.IsReference(s.Key) {
		s.Key = ""
	}
	if e.Dim() > 0 && !strings.HasPrefix(e.Model(), "static/") && e.Model() != transformer.Model {
		c.Models[e.Model()] = s
	}
}

// write replaces the file if the cache has changed. An error is ignored: what
// cannot be written is found out again.
func (c *cache) write(stateDir string) {
	src, err := json.MarshalIndent(c, "", "  ")
	if src = append(src, '\n'); err == nil && len(c.Models)+len(c.Dimensions) > 0 && !bytes.Equal(src, c.onDisk) {
		_ = atomicfile.Write(filepath.Join(stateDir, cacheName), src, 0o600)
	}
}
