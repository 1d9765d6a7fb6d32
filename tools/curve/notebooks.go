package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory/eval"
)

// notebook is a file of tools/reader/notebooks.
type notebook struct {
	Notes     []string
	Questions []struct {
		Query  string `json:"q"`
		Answer *int   // the index of the note that answers
		Kind   string
	}
}

// notebookDate is a day before the questions. A fresh file would be younger than them.
const notebookDate = "2026-10-15"

const frontMatter = "---\ncreated: " + notebookDate + "\n---\n\n"

// writeNotebooks writes each notebook as a workspace with its notes as a list, and one file
// with the questions of all.
func writeNotebooks(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*", "*.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no notebook below %s: %w", from, err)
	}
	var golden bytes.Buffer
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var book notebook
		if err := json.Unmarshal(src, &book); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		author, name := filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".json")
		if err := book.write(to, author+"-"+name, &golden); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(to, "golden.jsonl"), golden.Bytes(), 0o600)
}

func (b notebook) write(to, name string, golden *bytes.Buffer) error {
	var text strings.Builder
	text.WriteString(frontMatter)
	for _, note := range b.Notes {
		text.WriteString("- " + strings.Join(strings.Fields(note), " ") + "\n")
	}
	if err := os.MkdirAll(filepath.Join(to, name), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, name, "MEMORY.md"), []byte(text.String()), 0o600); err != nil {
		return err
	}
	for _, q := range b.Questions {
		relevant := []eval.Line{}
		if q.Answer != nil {
			relevant = append(relevant, eval.Line{Path: "MEMORY.md", Line: strings.Count(frontMatter, "\n") + *q.Answer + 1})
		}
		line := map[string]any{"query": q.Query, "category": q.Kind, "workspace": name, "as_of": "2026-11-01", "relevant": relevant}
		if err := json.NewEncoder(golden).Encode(line); err != nil {
			return err
		}
	}
	return nil
}
