// Command parts is a developer's tool. It measures what each part of the knowledge adds to the
// answers about a workspace, question by question with and without it:
//
//	go -C tools run ./parts BINARY ../docs ../eval/workspaces/talk …
//
// The first folder has documents that answer nothing. Each other one is a workspace with
// golden.jsonl, of which the second, fourth, sixth … question of a category is asked. A memory
// counts as right if its text is in the block, so that passages and profiles count too.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/knowledge"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "parts BINARY DOCUMENTS WORKSPACE…")
		os.Exit(2)
	}
	m := measurement{parts: map[string]*part{}}
	for _, folder := range os.Args[3:] {
		if err := errors.Join(m.all(folder, os.Args[2]), m.documents(folder, os.Args[2], "documents about something else"), m.documents(folder, split, "documents with half of the files")); err != nil {
			fmt.Fprintln(os.Stderr, "parts:", folder+":", err)
			os.Exit(1)
		}
	}
	m.print()
}

type measurement struct {
	parts map[string]*part
	order []string
}

// add notes the outcomes of one question without and with a part.
func (m *measurement) add(name string, without, with outcome) {
	if m.parts[name] == nil {
		m.parts[name], m.order = &part{}, append(m.order, name)
	}
	m.parts[name].pairs = append(m.parts[name].pairs, [2]outcome{without, with})
}

// all measures the parts that need no other files.
func (m *measurement) all(folder, docs string) error {
	s, err := start(folder, docs)
	if err != nil {
		return err
	}
	defer s.stop()
	golden, err := s.questions()
	if err != nil {
		return err
	}
	ctx := context.Background()
	page, err := s.Profile(ctx, knowledge.ProfileRequest{For: memory.AudienceModel})
	if err != nil {
		return err
	}
	profile := strings.SplitAfter(page.Markdown(false), "\n")
	entities, err := s.Entities(ctx, memory.ListRequest{})
	if err != nil {
		return err
	}
	blocks := make([]outcome, len(golden))
	for i, g := range golden {
		if blocks[i], err = s.block(ctx, g); err != nil {
			return err
		}
		m.add("profile at session start", blocks[i], blocks[i].plus(s.texts(g.Relevant), profile))
		name := nameIn(entities.Entities, g.Query)
		if name == "" || len(g.Relevant) == 0 {
			continue
		}
		var found [3]outcome
		for hops, filter := range []memory.Filter{{}, {Entity: name}, {Entity: name, Hops: 2}} {
			if found[hops], err = s.search(ctx, g, filter); err != nil {
				return err
			}
		}
		m.add("search: name of the question as filter", found[0], found[1])
		m.add("search: the same with two hops", found[0], found[2])
	}
	for _, part := range []struct {
		name   string
		enable func() error
	}{
		{"scene line", func() error { return s.run("config", "set", "injection.sceneLine", "true") }},
		{"unused scenes as extracts", s.compact},
	} {
		if err := part.enable(); err != nil {
			return err
		}
		for i, g := range golden {
			with, err := s.block(ctx, g)
			if err != nil {
				return err
			}
			m.add(part.name, blocks[i], with)
		}
	}
	return nil
}

// documents measures the passages of documents in a block.
func (m *measurement) documents(folder, docs, name string) error {
	s, err := start(folder, docs)
	if err != nil {
		return err
	}
	defer s.stop()
	if _, err := os.Stat(s.docs); err != nil {
		return nil // the workspace has one file
	}
	golden, err := s.questions()
	if err != nil {
		return err
	}
	before, began, size := make([]outcome, len(golden)), s.processorTime(), s.bytes()
	for i, g := range golden {
		if before[i], err = s.block(context.Background(), g); err != nil {
			return err
		}
	}
	asked := s.processorTime() - began
	if err := errors.Join(s.run("workspace", "add", "--docs", s.docs, "--name", "manuals"), s.run("config", "set", "workspaces.manuals.inject", "true")); err != nil {
		return err
	}
	s.settle()
	began = s.processorTime()
	for i, g := range golden {
		with, err := s.block(context.Background(), g)
		if err != nil {
			return err
		}
		m.add(name, before[i], with)
	}
	p := m.parts[name]
	p.bytes += s.bytes() - size
	p.took += s.processorTime() - began - asked
	return nil
}

// compact lets all memories age, and archives scenes but for their extracts.
func (s *service) compact() error {
	ctx := context.Background()
	if _, err := s.Decay(ctx, memory.DecayRequest{Release: true}); err != nil {
		return err
	}
	_, err := s.Decay(ctx, memory.DecayRequest{Compact: true, Unused: 30})
	return err
}

// nameIn returns the longest known name in a question.
func nameIn(entities []knowledge.Entity, query string) (longest string) {
	words := strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune(" ?!.,;:'’\"()", r) })
	for _, e := range entities {
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if len(name) > len(longest) && containsRun(words, strings.Fields(name)) {
				longest = name
			}
		}
	}
	return longest
}

func containsRun(words, run []string) bool {
	for i := 0; i+len(run) <= len(words); i++ {
		if slices.Equal(words[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

// texts returns the texts of lines, without their list markers and marks.
func (s *service) texts(lines []eval.Line) (texts []string) {
	for _, l := range lines {
		src, err := os.ReadFile(filepath.Join(s.source, l.Path))
		if all := strings.Split(string(src), "\n"); err == nil && l.Line <= len(all) {
			text, _, _ := strings.Cut(all[l.Line-1], "<!--")
			texts = append(texts, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(text), "-*#>[] ")))
		}
	}
	return texts
}

const settleTime = 2 * time.Second // longer than the service takes to notice a change
