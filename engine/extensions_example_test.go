package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// ticketNumbers finds numbers of tickets, such as OPS-17, besides links and tags.
type ticketNumbers struct{ ingest.LinksAndTags }

func (t ticketNumbers) Entities(b memory.Block) []string {
	names := t.LinksAndTags.Entities(b)
	for word := range strings.FieldsSeq(b.Text) {
		word = strings.Trim(word, ".,:;()")
		team, number, found := strings.Cut(word, "-")
		if found && team == strings.ToUpper(team) && strings.Trim(number, "0123456789") == "" {
			names = append(names, word)
		}
	}
	return names
}

func ExampleExtensions_entityExtractor() {
	e, closeEngine := exampleEngine(engine.Extensions{Entities: ticketNumbers{}},
		"memory/2026-11-20.md", "- The printer is repaired, see OPS-17 #office\n- The heron nests behind the mill\n")
	defer closeEngine()
	list, err := e.List(context.Background(), memory.ListRequest{Filter: memory.Filter{Entity: "ops-17"}})
	for _, m := range list.Memories {
		fmt.Println(m.Text, m.Entities)
	}
	fmt.Println(err)
	// Output:
	// The printer is repaired, see OPS-17 [office OPS-17]
	// <nil>
}

// weekly writes one memory for all COLD ones. A real one would ask a model.
type weekly struct{}

func (weekly) Compact(_ context.Context, memories []memory.Memory) ([]decay.Compaction, error) {
	var c decay.Compaction
	for _, m := range memories {
		if m.Tier == memory.TierCold && !m.Pinned {
			c.Replaced = append(c.Replaced, m.ID)
		}
	}
	if len(c.Replaced) < 2 {
		return nil, nil
	}
	c.Text = fmt.Sprintf("The bakery notes of March: %d mornings without rye bread", len(c.Replaced))
	return []decay.Compaction{c}, nil
}

func ExampleExtensions_compactor() {
	e, closeEngine := exampleEngine(engine.Extensions{Compactor: weekly{}},
		"memory/2026-03-02.md", "- No rye bread at the bakery on Monday\n- The bakery was out of rye bread again\n")
	defer closeEngine()
	ctx := context.Background()
	if _, err := e.Decay(ctx, memory.DecayRequest{}); err != nil { // makes both COLD
		fmt.Println(err)
	}
	answer, err := e.Decay(ctx, memory.DecayRequest{Compact: true})
	fmt.Printf("%d archived, %v.\n", answer.Total, err)
	list, err := e.List(ctx, memory.ListRequest{})
	for _, m := range list.Memories {
		fmt.Printf("%s: %s.\n", m.Tier, m.Text)
	}
	fmt.Println(err)
	// Output:
	// 2 archived, <nil>.
	// ARCHIVE: No rye bread at the bakery on Monday.
	// ARCHIVE: The bakery was out of rye bread again.
	// COLD: The bakery notes of March: 2 mornings without rye bread.
	// <nil>
}

// byLabel takes two texts with the same label as two values of one subject.
type byLabel struct{ capture.Similarity }

func (d byLabel) Compare(ctx context.Context, text string, memories []capture.Known) ([]capture.Relation, error) {
	relations, err := d.Similarity.Compare(ctx, text, memories)
	label, _, labelled := strings.Cut(text, ":")
	for i, m := range memories {
		if labelled && strings.HasPrefix(m.Text, label+":") {
			relations[i].Replaces = !relations[i].Same
		}
	}
	return relations, err
}

func ExampleExtensions_semanticDeduplicator() {
	e, closeEngine := exampleEngine(engine.Extensions{Deduplicator: byLabel{}}, "MEMORY.md", "")
	defer closeEngine()
	for i, text := range []string{"Remember that Lunch: soup at the canteen", "Remember that Lunch: everybody brings a sandwich"} {
		a, err := e.Capture(context.Background(), memory.CaptureRequest{Session: "s",
			Messages: []memory.CaptureMessage{{Key: fmt.Sprint(i), Role: "user", Content: memory.MessageContent(text)}}})
		fmt.Println(len(a.Stored), "stored,", len(a.Superseded), "superseded,", err)
	}
	// Output:
	// 1 stored, 0 superseded, <nil>
	// 1 stored, 1 superseded, <nil>
}

// exampleEngine serves a folder with one file, with the default embedder off.
func exampleEngine(x engine.Extensions, path, text string) (e *engine.Engine, closeEngine func()) {
	dir, err := os.MkdirTemp("", "extensions-")
	if err != nil {
		panic(err)
	}
	notes := filepath.Join(dir, "notes")
	if err := os.MkdirAll(filepath.Join(notes, filepath.Dir(path)), 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(notes, path), []byte(text), 0o600); err != nil {
		panic(err)
	}
	e, err = engine.Open(context.Background(), engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: notes, DBPath: filepath.Join(dir, "tiered.db"), Zone: time.UTC}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), Now: func() time.Time { return now }, Extensions: x,
	})
	if err == nil {
		_, err = e.Index(context.Background(), memory.IndexRequest{}, nil)
	}
	if err != nil {
		panic(err)
	}
	return e, func() {
		_ = e.Close()
		_ = os.RemoveAll(dir)
	}
}

// TestPageOfExtensionsShowsTheExamples compares the Go code of the page with this file.
func TestPageOfExtensionsShowsTheExamples(t *testing.T) {
	page := must.Get(os.ReadFile("../docs/extending.md"))(t)
	code := must.Get(os.ReadFile("extensions_example_test.go"))(t)
	fences := strings.Split(string(page), "\n```go\n")[1:]
	for _, fence := range fences {
		shown, _, _ := strings.Cut(fence, "\n```")
		if !strings.Contains(string(code), shown) {
			t.Errorf("no example has\n%s", shown)
		}
	}
	if len(fences) != 3 {
		t.Errorf("the page has %d examples", len(fences))
	}
}
