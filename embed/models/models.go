// Package models downloads and stores the files of embedding models. It contains the
// catalogue of models, in which each file is pinned to a revision and a SHA-256.
package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// File is one file of a model.
type File struct {
	Name   string `json:"name"`           // in the model's folder
	Path   string `json:"path,omitempty"` // below the source; empty: Name
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Model describes a model.
type Model struct {
	Name     string `json:"name"`
	About    string `json:"about,omitempty"`
	License  string `json:"license,omitempty"`
	Source   string `json:"source,omitempty"` // URL that its files are pulled from
	Revision string `json:"revision,omitempty"`
	Dim      int    `json:"dim"`
	Files    []File `json:"files"`

	PulledAt time.Time `json:"pulled_at,omitzero"`
}

// Catalogue lists the models that can be pulled by name. Files of another size or
// SHA-256 than listed are refused.
var Catalogue = []Model{{
	Name:     "all-MiniLM-L6-v2",
	About:    "English sentences, six layers; the smallest model that is much better than the built-in one",
	License:  "Apache-2.0",
	Source:   "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
	Revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
	Dim:      384,
	Files: []File{
		{"model.onnx", "onnx/model.onnx", 90405214, "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452"},
		{"tokenizer.json", "", 466247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"},
		{"config.json", "", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"},
	},
}}

// Bytes returns the size of all files.
func (m Model) Bytes() (n int64) {
	for _, f := range m.Files {
		n += f.Bytes
	}
	return n
}

// Digest returns a digest of the model's files.
func (m Model) Digest() string {
	h := sha256.New()
	for _, f := range m.Files {
		fmt.Fprintf(h, "%s %s\n", f.Name, f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Store is a folder with one folder per model.
type Store struct {
	Dir       string
	Catalogue []Model // that can be pulled by name
}

// inCatalogue finds a model of the catalogue.
func (s Store) inCatalogue(name string) (Model, bool) {
	i := slices.IndexFunc(s.Catalogue, func(m Model) bool { return m.Name == name })
	if i < 0 {
		return Model{}, false
	}
	return s.Catalogue[i], true
}

const manifestFile = "manifest.json"

// validName matches the names of models, which are also names of folders.
var validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func checkName(name string) error {
	if !validName.MatchString(name) {
		return memory.Invalid("model", "%q is not a valid name for a model", name).
			WithHint("a name has letters, digits, '.', '-' and '_', and starts with a letter or digit")
	}
	return nil
}

// Path returns a model's folder.
func (s Store) Path(name string) string { return filepath.Join(s.Dir, name) }

// Get returns a complete model. It checks the sizes of the files, to find truncated
// ones before they are used.
func (s Store) Get(name string) (Model, error) {
	if err := checkName(name); err != nil {
		return Model{}, err
	}
	src, err := os.ReadFile(filepath.Join(s.Path(name), manifestFile))
	if errors.Is(err, os.ErrNotExist) {
		return Model{}, &memory.Error{Kind: memory.ErrNotFound, Field: "model", Message: "the model " + name + " is not installed",
			Hint: "memory model pull " + name}
	}
	var m Model
	if err == nil {
		err = json.Unmarshal(src, &m)
	}
	for _, f := range m.Files {
		info, statErr := os.Stat(filepath.Join(s.Path(name), f.Name))
		if err == nil && statErr == nil && info.Size() != f.Bytes {
			statErr = fmt.Errorf("%s has %d bytes, not %d", f.Name, info.Size(), f.Bytes)
		}
		if err == nil {
			err = statErr
		}
	}
	if err != nil {
		return Model{}, memory.Unavailable(err, "the model %s is damaged", name).
			WithHint("memory model remove %s, then memory model pull %s", name, name)
	}
	m.Name = name
	return m, nil
}

// List returns the complete models, sorted by name, and the errors of the others.
func (s Store) List() (found []Model, faults []error, err error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, memory.Unavailable(err, "read the models")
	}
	for _, e := range entries {
		if !e.IsDir() || !validName.MatchString(e.Name()) {
			continue
		}
		if m, err := s.Get(e.Name()); err == nil {
			found = append(found, m)
		} else {
			faults = append(faults, err)
		}
	}
	return found, faults, nil
}

// Remove deletes a model, or what an interrupted pull left of it.
func (s Store) Remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	found := false
	for _, dir := range []string{s.Path(name), s.partialPath(name)} {
		if _, err := os.Stat(dir); err == nil {
			found = true
		}
		if err := os.RemoveAll(dir); err != nil {
			return memory.Unavailable(err, "remove the model %s", name)
		}
	}
	if !found {
		return &memory.Error{Kind: memory.ErrNotFound, Field: "model", Message: "the model " + name + " is not installed",
			Hint: "memory model list shows the installed models"}
	}
	return nil
}

// hashFile returns a file's size and SHA-256.
func hashFile(path string) (n int64, digest string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	n, err = io.Copy(h, f)
	return n, hex.EncodeToString(h.Sum(nil)), err
}
