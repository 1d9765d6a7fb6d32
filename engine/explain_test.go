package engine_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// slow is an embedder whose vectors are made after their texts are written.
type slow struct{ embed.Embedder }

// newWorldWith returns an engine with options of its own. Its ranking is the
// weighted merge, whose figures are easy to foresee.
func newWorldWith(t *testing.T, files map[string]string, configure func(*engine.Options)) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db")}
	for path, text := range files {
		w.write(path, text)
	}
	embedder := static.New()
	settings := recall.Defaults()
	settings.Fusion = recall.FusionWeighted
	o := engine.Options{Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: w.db, Zone: time.UTC}},
		Embedder: embedder, Recall: settings, AutoRecall: true, ContextTTL: time.Hour, Now: func() time.Time { return now },
		Receipts: engine.ReceiptOptions{Keep: 30 * 24 * time.Hour}}
	if configure != nil {
		configure(&o)
	}
	var err error
	if w.Engine, err = engine.Open(t.Context(), onBackend(t, o)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() }) // a test that closes it checks the error itself
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

const question = "Where does the blue heron live, by which pond?"

func TestWhyNotReportsEachReason(t *testing.T) {
	line := "- " + heron + "\n"
	first := func(o *engine.Options) { o.Recall.MaxItems = 1 }
	tests := []struct {
		name, want, detail string
		files              map[string]string
		configure          func(*engine.Options)
		prepare            func(*world, memory.ID)
		request            memory.WhyNotRequest
	}{
		{name: "injected", detail: "it is injected: similarity"},
		{name: "no query", detail: "nothing in its state excludes it", request: memory.WhyNotRequest{Query: " "}},
		{name: "recall turned off", want: memory.ReasonDisabled, configure: func(o *engine.Options) { o.AutoRecall = false }},
		{name: "small talk", want: memory.ReasonGate, request: memory.WhyNotRequest{Query: "thanks!"}},
		{name: "forgotten", want: memory.ReasonForgotten, prepare: func(w *world, id memory.ID) { w.decide(decideRequest(memory.ActionForget, id)) }},
		{name: "private", want: memory.ReasonPrivate, files: map[string]string{"MEMORY.md": "- " + heron + " <!-- private -->\n"}},
		{name: "missing", want: memory.ReasonMissing, detail: "MEMORY.md", prepare: func(w *world, _ memory.ID) {
			w.write("MEMORY.md", "- Something else stands here now, about boats\n")
			w.index()
		}},
		{name: "archived", want: memory.ReasonArchived, prepare: func(w *world, id memory.ID) { w.decide(decideRequest(memory.ActionArchive, id)) }},
		{name: "expired", want: memory.ReasonExpired, detail: "2026-11-01", files: map[string]string{"MEMORY.md": "---\nexpires: 2026-11-01\n---\n" + line}},
		{name: "expired since then", detail: "it is injected", files: map[string]string{"MEMORY.md": "---\ncreated: 2026-10-01\nexpires: 2026-11-01\n---\n" + line},
			request: memory.WhyNotRequest{Query: question, AsOf: "2026-10-20"}},
		{name: "created after that time", want: memory.ReasonMissing, detail: "created after that time", files: map[string]string{"MEMORY.md": "---\ncreated: 2026-10-01\n---\n" + line},
			request: memory.WhyNotRequest{Query: question, AsOf: "2026-09-20"}},
		{name: "other scope", want: memory.ReasonScope, detail: "work, not home", files: map[string]string{"MEMORY.md": "---\nscope: work\n---\n" + line},
			request: memory.WhyNotRequest{Query: question, Scope: "home"}},
		{name: "quarantined", want: memory.ReasonTrust, files: map[string]string{"MEMORY.md": "---\ntrust: quarantined\n---\n" + line}},
		{name: "unimportant", want: memory.ReasonImportance, files: map[string]string{"MEMORY.md": "---\nimportance_label: ignore\n---\n" + line}},
		{name: "superseded", want: memory.ReasonSuperseded, detail: "by 12345678", prepare: func(w *world, id memory.ID) {
			must.Do(w.t, w.Supersede(w.t.Context(), id, "12345678-0000-8000-8000-000000000000"))
		}},
		{name: "in the prompt", want: memory.ReasonInPrompt, detail: "MEMORY.md", request: memory.WhyNotRequest{Query: question, InPrompt: []string{"MEMORY.md"}}},
		{name: "no vector yet", want: memory.ReasonNotEmbedded, configure: func(o *engine.Options) { o.Embedder = slow{static.New()} }, files: map[string]string{"USER.md": ""}, prepare: func(w *world, _ memory.ID) {
			w.write("MEMORY.md", line)
			must.Get(w.IngestChanges(w.t.Context(), "", nil))(w.t)
		}, request: memory.WhyNotRequest{Query: "Which shorebirds nest there?"}},
		{name: "unrelated query", want: memory.ReasonBelowFloor, detail: " < 0.", request: memory.WhyNotRequest{Query: "Which printer is in the office?"}},
		{name: "duplicate", want: memory.ReasonDuplicate, detail: "has the same content",
			files: map[string]string{"MEMORY.md": line, "memory/2026-11-20.md": line},
			prepare: func(w *world, _ memory.ID) {
				w.decide(decideRequest(memory.ActionPin, w.listPath("memory/2026-11-20.md")[0].ID))
			}},
		{name: "tier budget", want: memory.ReasonTierBudget, detail: "all 1 places are taken (WARM 1); its similarity is 0.", configure: first,
			files: map[string]string{"MEMORY.md": line + "- The blue heron does live where the pond is, by the pond of the blue heron\n"}},
		{name: "token budget", want: memory.ReasonTokenBudget, detail: "of 48 tokens", configure: func(o *engine.Options) { o.Recall.MaxTokens = 48 },
			files: map[string]string{"MEMORY.md": line + "- The blue heron does live where the pond is, by the pond of the blue heron\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.files == nil {
				tt.files = map[string]string{"MEMORY.md": line}
			}
			w := newWorldWith(t, tt.files, tt.configure)
			id := memory.NewID(chunker.Fingerprint(heron), 0)
			if tt.prepare != nil {
				tt.prepare(w, id)
			}
			if tt.request.Query == "" {
				tt.request.Query = question
			}
			a := w.whyNot(id, tt.request)
			if a.Reason != tt.want || !strings.Contains(a.Detail, tt.detail) || a.Injected != strings.HasPrefix(tt.detail, "it is injected") {
				t.Errorf("%q: %q (injected %v), want %q: %q", a.Reason, a.Detail, a.Injected, tt.want, tt.detail)
			}
			if tt.want == memory.ReasonTierBudget && len(a.Winners) != 1 {
				t.Errorf("winners: %+v", a.Winners)
			}
		})
	}
}

func TestWhyNotReportsAnotherSession(t *testing.T) {
	const hardly = "Ann: The heron stands by the mill pond"
	w := newWorldWith(t, map[string]string{
		"memory/2026-11-18.md": "## Session 1\n\n- Ann: The draft of the winter ferry timetable came from the harbour office\n- Bob: Then nobody has briefed the islands about the ferry plan\n- Ann: The harbour office plans the briefing of the islands next\n",
		"memory/2026-11-10.md": "## Session 1\n\n- Bob: How was your walk?\n- " + hardly + "\n- Bob: Nice to hear\n- Ann: It was\n",
	}, func(o *engine.Options) { o.Recall.Fusion = recall.FusionRanking })
	prompt := "So the winter ferry plan looks great, the draft timetable arrived from the harbour office, and nobody briefed the islands, where the heron stands by the pond. What comes next?"
	a := w.whyNot(w.idOf(hardly), memory.WhyNotRequest{Query: prompt})
	if a.Reason != memory.ReasonOtherSession || !strings.Contains(a.Detail, "other headings") || a.Injected {
		t.Errorf("%+v", a)
	}
}

func TestFactorPointsAddUpToTheScore(t *testing.T) {
	w := newWorldWith(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/2026-01-05.md": "- The ferry leaves at nine from the pier\n"}, nil)
	w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
	w.decide(decideRequest(memory.ActionArchive, w.idOf("The ferry leaves at nine from the pier")))
	w.search("heron")
	sum := func(what string, score float64, factors []memory.Factor) {
		t.Helper()
		total := 0.0
		for _, f := range factors {
			if math.Abs(f.Points-f.Value*f.Weight) > 1e-9 {
				t.Errorf("%s: points are not value times weight: %+v", what, f)
			}
			total += f.Points
		}
		if len(factors) == 0 || math.Abs(total-score) > 1e-9 {
			t.Errorf("%s: %d factors add up to %v, the score is %v", what, len(factors), total, score)
		}
	}
	for _, text := range []string{heron, owl, "The ferry leaves at nine from the pier"} {
		for _, query := range []string{"", question, "ferry"} {
			a := must.Get(w.Explain(t.Context(), memory.ExplainRequest{ID: string(w.idOf(text)), Query: query}))(t)
			sum(text+" for "+query, a.Score, a.Factors)
		}
	}
	answer, err := w.Search(t.Context(), memory.SearchRequest{Query: question, Explain: true})
	if err != nil || len(answer.Hits) == 0 {
		t.Fatal(err)
	}
	const rounding = 1e-4 // the in-memory index keeps 16 bits a number, and one of the two may have asked the tables
	for _, h := range answer.Hits {
		sum("the hit "+h.Text, h.Score, h.Factors)
		a, err := w.Explain(t.Context(), memory.ExplainRequest{ID: string(h.ID), Query: question})
		if err != nil || math.Abs(a.Score-h.Score) > rounding || math.Abs(a.Similarity-h.Similarity) > rounding {
			t.Errorf("explain gives score %v and similarity %v, search %v and %v (%v)", a.Score, a.Similarity, h.Score, h.Similarity, err)
		}
	}
}

func TestExpiryFollowsTheEnginesClock(t *testing.T) {
	expires := time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, expires := range []time.Time{expires, expires.AddDate(-98, 0, 0)} { // years from the machine's clock
		clock := expires.Add(-time.Hour)
		w := newWorldWith(t, map[string]string{"MEMORY.md": "---\nexpires: " + expires.Format(time.RFC3339) + "\n---\n- " + heron + "\n"},
			func(o *engine.Options) { o.Now = func() time.Time { return clock } })
		recalled := func() int {
			t.Helper()
			a := must.Get(w.Recall(t.Context(), memory.RecallRequest{Prompt: question}))(t)
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
