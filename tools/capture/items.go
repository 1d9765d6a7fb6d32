package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
)

// item is one labelled turn.
type item struct {
	ID         string            `json:"id"`
	Lang       string            `json:"lang"`
	Kind       string            `json:"kind"` // what the turn tests: preference, question, secret …
	Why        string            `json:"why"`
	Sender     string            `json:"sender"` // other: not the owner
	Trigger    string            `json:"trigger"`
	Categories []memory.Category `json:"categories"` // empty: the default setting
	Messages   []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Memories []expected `json:"memories"` // what must be captured; empty: nothing
}

// expected is a memory that a turn contains.
type expected struct {
	Category memory.Category `json:"category"`
	Text     string          `json:"text"` // the captured text contains all of it
}

// split returns the half of the set that an item belongs to. Tables are tuned with
// the items of tune only.
func (i item) split() string {
	if sha256.Sum256([]byte(i.ID))[0]&1 == 1 {
		return "test"
	}
	return "tune"
}

// secretExamples are joined from parts, so that no scanner takes them for real
// secrets.
var secretExamples = strings.NewReplacer(
	"{{github}}", "gh"+"p_"+strings.Repeat("a1B2", 9),
	"{{openai}}", "sk"+"-proj-"+strings.Repeat("aB3d", 8),
	"{{bearer}}", "eyJhbGciOiJI"+"."+"eyJzdWIiOiIx"+"."+"c2lnbmF0dXJl",
	"{{aws}}", "AK"+"IA"+"ABCDEFGHIJKLMNOP",
)

// turn returns an item as capture gets it.
func (i item) turn() (capture.Turn, capture.Settings) {
	t := capture.Turn{Trigger: i.Trigger, Owner: i.Sender != "other"}
	for n, m := range i.Messages {
		t.Messages = append(t.Messages, capture.Message{Key: fmt.Sprint(n), Role: m.Role, Text: secretExamples.Replace(m.Content)})
	}
	s := capture.Settings{Categories: i.Categories}
	if len(s.Categories) == 0 {
		s.Categories = []memory.Category{memory.CategoryPreference, memory.CategoryDecision}
	}
	return t, s
}

// readItems reads every .jsonl file of a folder.
func readItems(folder string) (items []item, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	for _, name := range files {
		var file *os.File
		if file, err = os.Open(name); err != nil {
			return nil, err
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		for n := 1; lines.Scan(); n++ {
			var i item
			if err := json.Unmarshal(lines.Bytes(), &i); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			items = append(items, i)
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	if len(items) == 0 && err == nil {
		err = fmt.Errorf("%s contains no labelled turns", folder)
	}
	return items, err
}
