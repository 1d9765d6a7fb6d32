package engine_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/recall"
)

// turned is an engine over a workspace, with options of its own. Its ranking is
// the plain merge, whose figures are easy to foresee.
func turned(t *testing.T, files map[string]string, turn func(*engine.Options)) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db")}
	for path, text := range files {
		w.write(path, text)
	}
	embedder, err := static.New()
	if err != nil {
		t.Fatal(err)
	}
	settings := recall.Defaults()
	settings.Fusion = recall.FusionWeighted
	o := engine.Options{Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: w.db, Zone: time.UTC}},
		Embedder: embedder, Recall: settings, AutoRecall: true, ContextTTL: time.Hour, Now: func() time.Time { return now },
		Receipts: engine.ReceiptOptions{Top: 3, Keep: 30 * 24 * time.Hour}}
	if turn != nil {
		turn(&o)
	}
	if w.Engine, err = engine.Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() }) // a test that closed it itself has checked that
	w.index()
	return w
}

func (w *world) whyNot(id memory.ID, r memory.WhyNotRequest) memory.WhyNotAnswer {
	w.t.Helper()
	r.ID = string(id)
	a, err := w.WhyNot(w.t.Context(), r)
	if err != nil {
		w.t.Fatalf("%+v: %v", r, err)
	}
	return a
}

const where = "Where does the blue heron live, by which pond?"

// Each word that why-not knows, brought about.
func TestWhyNotKnowsEachReason(t *testing.T) {
	line := "- " + heron + "\n"
	first := func(o *engine.Options) { o.Recall.MaxItems = 1 }
	tests := []struct {
		name, want, detail string
		files              map[string]string
		turn               func(*engine.Options)
		before             func(*world, memory.ID)
		ask                memory.WhyNotRequest
	}{
		{name: "nothing", detail: "it is injected: similarity"},
		{name: "nothing asked", detail: "nothing in its state excludes it", ask: memory.WhyNotRequest{Query: " "}},
		{name: "turned off", want: memory.ReasonDisabled, turn: func(o *engine.Options) { o.AutoRecall = false }},
		{name: "small talk", want: memory.ReasonGate, ask: memory.WhyNotRequest{Query: "thanks!"}},
		{name: "forgotten", want: memory.ReasonForgotten, before: func(w *world, id memory.ID) { w.decide(about(memory.ActionForget, id)) }},
		{name: "private", want: memory.ReasonPrivate, files: map[string]string{"MEMORY.md": "- " + heron + " <!-- private -->\n"}},
		{name: "its text is gone", want: memory.ReasonMissing, detail: "MEMORY.md", before: func(w *world, _ memory.ID) {
			w.write("MEMORY.md", "- Something else stands here now, about boats\n")
			w.index()
		}},
		{name: "archived", want: memory.ReasonArchived, before: func(w *world, id memory.ID) { w.decide(about(memory.ActionArchive, id)) }},
		{name: "expired", want: memory.ReasonExpired, detail: "2026-11-01", files: map[string]string{"MEMORY.md": "---\nexpires: 2026-11-01\n---\n" + line}},
		{name: "another scope", want: memory.ReasonScope, detail: "work, not home", files: map[string]string{"MEMORY.md": "---\nscope: work\n---\n" + line},
			ask: memory.WhyNotRequest{Query: where, Scope: "home"}},
		{name: "quarantined", want: memory.ReasonTrust, files: map[string]string{"MEMORY.md": "---\ntrust: quarantined\n---\n" + line}},
		{name: "unimportant", want: memory.ReasonImportance, files: map[string]string{"MEMORY.md": "---\nimportance_label: ignore\n---\n" + line}},
		{name: "superseded", want: memory.ReasonSuperseded, detail: "by 12345678", before: func(w *world, id memory.ID) {
			if err := w.Supersede(w.t.Context(), id, "12345678-0000-8000-8000-000000000000"); err != nil {
				w.t.Fatal(err)
			}
		}},
		{name: "in the prompt", want: memory.ReasonInPrompt, detail: "MEMORY.md", ask: memory.WhyNotRequest{Query: where, InPrompt: []string{"MEMORY.md"}}},
		{name: "no vector yet", want: memory.ReasonNotEmbedded, files: map[string]string{"USER.md": ""}, before: func(w *world, _ memory.ID) {
			w.write("MEMORY.md", line)
			if err := w.IngestChanges(w.t.Context(), "", nil); err != nil {
				w.t.Fatal(err)
			}
		}, ask: memory.WhyNotRequest{Query: "Which shorebirds nest there?"}},
		{name: "beside the point", want: memory.ReasonBelowFloor, detail: " < 0.", ask: memory.WhyNotRequest{Query: "Which printer is in the office?"}},
		{name: "said by another", want: memory.ReasonDuplicate, detail: "has the same content",
			files:  map[string]string{"MEMORY.md": line, "memory/2026-11-20.md": line},
			before: func(w *world, _ memory.ID) { w.decide(about(memory.ActionPin, w.in("memory/2026-11-20.md")[0].ID)) }},
		{name: "no place", want: memory.ReasonTierBudget, detail: "all 1 places are taken (WARM 1); its similarity is 0.", turn: first,
			files: map[string]string{"MEMORY.md": line + "- The blue heron does live where the pond is, by the pond of the blue heron\n"}},
		{name: "no room", want: memory.ReasonTokenBudget, detail: "of 48 tokens", turn: func(o *engine.Options) { o.Recall.MaxTokens = 48 },
			files: map[string]string{"MEMORY.md": line + "- The blue heron does live where the pond is, by the pond of the blue heron\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.files == nil {
				tt.files = map[string]string{"MEMORY.md": line}
			}
			w := turned(t, tt.files, tt.turn)
			id := memory.NewID(chunker.Fingerprint(heron), 0)
			if tt.before != nil {
				tt.before(w, id)
			}
			if tt.ask.Query == "" {
				tt.ask.Query = where
			}
			a := w.whyNot(id, tt.ask)
			if a.Reason != tt.want || !strings.Contains(a.Detail, tt.detail) || a.Injected != (tt.name == "nothing") {
				t.Errorf("%q: %q (injected %v), want %q: %q", a.Reason, a.Detail, a.Injected, tt.want, tt.detail)
			}
			if tt.want == memory.ReasonTierBudget && len(a.Winners) != 1 {
				t.Errorf("winners: %+v", a.Winners)
			}
		})
	}
}

// The factors' points add up to the score, whatever they are called.
func TestTheFactorsAddUpToTheScore(t *testing.T) {
	w := turned(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/2026-01-05.md": "- The ferry leaves at nine from the pier\n"}, nil)
	w.decide(about(memory.ActionPin, w.id(owl)))
	w.decide(about(memory.ActionArchive, w.id("The ferry leaves at nine from the pier")))
	w.search("heron")
	sum := func(what string, score float64, factors []memory.Factor) {
		t.Helper()
		total := 0.0
		for _, f := range factors {
			if math.Abs(f.Points-f.Value*f.Weight) > 1e-9 {
				t.Errorf("%s: %+v", what, f)
			}
			total += f.Points
		}
		if len(factors) == 0 || math.Abs(total-score) > 1e-9 {
			t.Errorf("%s: %d factors add up to %v, the score is %v", what, len(factors), total, score)
		}
	}
	for _, text := range []string{heron, owl, "The ferry leaves at nine from the pier"} {
		for _, query := range []string{"", where, "ferry"} {
			a, err := w.Explain(t.Context(), memory.ExplainRequest{ID: string(w.id(text)), Query: query})
			if err != nil {
				t.Fatal(err)
			}
			sum(text+" for "+query, a.Score, a.Factors)
		}
	}
	answer, err := w.Search(t.Context(), memory.SearchRequest{Query: where, Explain: true})
	if err != nil || len(answer.Hits) == 0 {
		t.Fatal(err)
	}
	const rounding = 1e-4 // vectors in memory are kept in 16 bits a number; one of the two may still have asked the tables
	for _, h := range answer.Hits {
		sum("the hit "+h.Text, h.Score, h.Factors)
		a, err := w.Explain(t.Context(), memory.ExplainRequest{ID: string(h.ID), Query: where})
		if err != nil || math.Abs(a.Score-h.Score) > rounding || math.Abs(a.Similarity-h.Similarity) > rounding {
			t.Errorf("explain says %v and %v, the search %v and %v (%v)", a.Score, a.Similarity, h.Score, h.Similarity, err)
		}
	}
}

// Expiry is decided at the engine's time, whatever the machine's clock shows.
func TestExpiryFollowsTheEnginesClock(t *testing.T) {
	expires := time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, expires := range []time.Time{expires, expires.AddDate(-98, 0, 0)} { // far from any machine's clock
		clock := expires.Add(-time.Hour)
		w := turned(t, map[string]string{"MEMORY.md": "---\nexpires: " + expires.Format(time.RFC3339) + "\n---\n- " + heron + "\n"},
			func(o *engine.Options) { o.Now = func() time.Time { return clock } })
		recalled := func() int {
			t.Helper()
			a, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: where})
			if err != nil {
				t.Fatal(err)
			}
			return len(a.Hits)
		}
		if recalled() != 1 {
			t.Errorf("expires %s: not recalled an hour before", expires)
		}
		if clock = expires.Add(time.Hour); recalled() != 0 {
			t.Errorf("expires %s: recalled an hour after", expires)
		}
	}
}
