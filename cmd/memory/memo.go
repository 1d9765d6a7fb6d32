package main

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
)

// memo is what is remembered of embedders from one start to the next, in the
// state folder. Without it only time is lost: it is found out or made again.
type memo struct {
	Models     map[string]choice `json:"models"`     // how each was made, by its model's name
	Dimensions map[string]int    `json:"dimensions"` // by server and model
	Auto       *resolved         `json:"auto,omitempty"`

	was *memo
}

// resolved is what auto turned out to be.
type resolved struct {
	Of choice `json:"of"`
	Is choice `json:"is"`
}

func (m *embedders) memoFile() string { return filepath.Join(m.stateDir, "embedding.json") }

func (m *embedders) remembered() (*memo, error) {
	kept := &memo{Models: map[string]choice{}, Dimensions: map[string]int{}}
	src, err := os.ReadFile(m.memoFile())
	if err == nil && json.Unmarshal(src, kept) != nil {
		kept = &memo{} // damaged: as if there were none
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, memory.Unavailable(err, "read what is remembered of embedding models")
	}
	if kept.Models == nil {
		kept.Models = map[string]choice{}
	}
	if kept.Dimensions == nil {
		kept.Dimensions = map[string]int{}
	}
	kept.was = &memo{Models: maps.Clone(kept.Models), Dimensions: maps.Clone(kept.Dimensions), Auto: kept.Auto}
	return kept, nil
}

// note remembers how an embedder was made. A key that stands in the configuration
// itself is not written down a second time.
func (k *memo) note(e embed.Embedder, c choice) {
	if !strings.HasPrefix(c.Key, "env:") && !strings.HasPrefix(c.Key, "file:") {
		c.Key = ""
	}
	if e.Dim() > 0 && !strings.HasPrefix(e.Model(), "static/") {
		k.Models[e.Model()] = c
	}
	if k.Auto != nil {
		for _, c := range []*choice{&k.Auto.Of, &k.Auto.Is} {
			if !strings.HasPrefix(c.Key, "env:") && !strings.HasPrefix(c.Key, "file:") && c.Key != "" {
				k.Auto = nil // resolved again each time
				return
			}
		}
	}
}

// remember writes what has changed, whole or not at all. What cannot be written
// is found out again.
func (m *embedders) remember(k *memo) {
	if was := k.was; reflect.DeepEqual(was.Models, k.Models) && reflect.DeepEqual(was.Dimensions, k.Dimensions) && was.Auto == k.Auto {
		return
	}
	src, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return
	}
	temp, err := os.CreateTemp(m.stateDir, ".embedding-*.tmp")
	if err != nil {
		return
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(append(src, '\n'))
	if err := errors.Join(err, temp.Close()); err == nil {
		_ = os.Rename(temp.Name(), m.memoFile())
	}
}
