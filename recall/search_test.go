package recall_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func wantInvalid(t *testing.T, err error, field string) {
	t.Helper()
	var e *memory.Error
	if !errors.As(err, &e) || !errors.Is(err, memory.ErrInvalid) || e.Field != field {
		t.Errorf("got %v, want invalid %s", err, field)
	}
}

func TestSearchMergesTheLanes(t *testing.T) {
	w := &world{}
	for _, name := range []memory.ID{"a", "b", "c"} {
		w.add(string(name), 0, "memory "+string(name))
	}
	w.text = map[memory.ID]float64{"a": 0.9, "b": 0.2}
	w.vector = map[memory.ID]float64{"b": 0.8, "c": 0.6}
	for _, tt := range []struct {
		name string
		lane memory.Lane
		set  func(*recall.Settings)
		want map[memory.ID]float64
	}{
		{"weighted", "", nil, map[memory.ID]float64{"a": 0.27, "b": 0.62, "c": 0.42}},
		{"text alone in full", memory.LaneText, nil, map[memory.ID]float64{"a": 0.9, "b": 0.2}},
		{"vector alone in full", memory.LaneVector, nil, map[memory.ID]float64{"b": 0.8, "c": 0.6}},
		{"other weights", memory.LaneHybrid, func(s *recall.Settings) { s.VectorWeight, s.TextWeight = 0.2, 0.6 }, map[memory.ID]float64{"a": 0.675, "b": 0.35, "c": 0.15}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := tt.set
			if set == nil {
				set = func(*recall.Settings) {}
			}
			got := search(t, recaller(w, set), recall.SearchOptions{Text: "memory", Lane: tt.lane})
			if len(got.Hits) != len(tt.want) {
				t.Errorf("%d hits, want %d", len(got.Hits), len(tt.want))
			}
			for _, h := range got.Hits {
				if math.Abs(h.Similarity-tt.want[h.ID]) > 1e-9 {
					t.Errorf("%s: similarity %v, want %v", h.ID, h.Similarity, tt.want[h.ID])
				}
			}
		})
	}
}

func TestALaneThatIsOutIsSaidAndTheOtherCountsInFull(t *testing.T) {
	w := &world{}
	w.add("a", 0.8, "the staging port is 9090")
	for _, tt := range []struct {
		name         string
		emb          oneVector
		textErr      error
		vectorErr    error
		text, vector string
	}{
		{"all is well", oneVector{}, nil, nil, "ok", "ok"},
		{"no embedding yet", oneVector{}, nil, memory.Unavailable(nil, "no embedding yet: 3 to go"), "ok", "no embedding yet: 3 to go"},
		{"provider down", oneVector{err: errors.New("connection refused")}, nil, nil, "ok", "embed the question: connection refused"},
		{"unknown words", oneVector{zero: true}, nil, nil, "ok", "the embedding model knows no word of the question"},
		{"vector lane broken", oneVector{}, nil, errors.New("disk I/O error"), "ok", "disk I/O error"},
		{"text lane broken", oneVector{}, errors.New("malformed"), nil, "malformed", "ok"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.textErr, w.vectorErr = tt.textErr, tt.vectorErr
			got := search(t, recall.New(w, tt.emb, weighted()), recall.SearchOptions{Text: "staging port"})
			if got.Lanes[memory.LaneText] != tt.text || got.Lanes[memory.LaneVector] != tt.vector {
				t.Errorf("lanes %v", got.Lanes)
			}
			if len(got.Hits) != 1 || math.Abs(got.Hits[0].Similarity-0.8) > 1e-9 {
				t.Errorf("hits %+v", got.Hits)
			}
		})
	}
}

func TestSearchFailsOnlyWhereNothingServes(t *testing.T) {
	w := &world{textErr: errors.New("malformed"), vectorErr: memory.Unavailable(nil, "no embedding yet")}
	if _, err := recaller(w).Search(t.Context(), now, recall.SearchOptions{Text: "port"}); err == nil || !strings.Contains(err.Error(), "malformed") {
		t.Errorf("got %v", err)
	}
	answer := search(t, recaller(w), recall.SearchOptions{Text: "port", Lane: memory.LaneVector})
	if answer.Lanes[memory.LaneVector] != "no embedding yet" || answer.Lanes[memory.LaneText] != "" || len(answer.Hits) != 0 {
		t.Errorf("got %+v", answer)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := recaller(&world{}).Search(ctx, now, recall.SearchOptions{Text: "port"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestWithoutAnEmbedderKeywordsServeAlone(t *testing.T) {
	w := &world{}
	w.add("a", 0.8, "the staging port is 9090")
	got := search(t, recall.New(w, nil, weighted()), recall.SearchOptions{Text: "staging port"})
	wantIDs(t, got.Hits, "a")
	if got.Lanes[memory.LaneVector] != "no embedding provider" || got.Hits[0].Similarity != 0.8 {
		t.Errorf("lanes %v, hits %+v", got.Lanes, got.Hits)
	}
}

func TestSearchRefusesWhatItCannotAnswer(t *testing.T) {
	for _, tt := range []struct {
		name, field string
		ask         recall.SearchOptions
	}{
		{"empty", "query", recall.SearchOptions{}},
		{"blank", "query", recall.SearchOptions{Text: " \n\x00\u200b"}},
		{"negative limit", "limit", recall.SearchOptions{Text: "a", Limit: -1}},
		{"huge limit", "limit", recall.SearchOptions{Text: "a", Limit: 1001}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := recaller(&world{}).Search(t.Context(), now, tt.ask)
			wantInvalid(t, err, tt.field)
		})
	}
}

func TestAQueryOfAMegabyteIsAnswered(t *testing.T) {
	w := &world{}
	w.add("a", 0.8, "the staging port is 9090")
	query := "staging \x00\xff\" NEAR( AND " + strings.Repeat("* OR col:x ^ ", 80_000) + " port?"
	got := search(t, recaller(w), recall.SearchOptions{Text: query})
	wantIDs(t, got.Hits, "a")
	if len(got.Query) > 4*6000 || len(w.query.Terms) > 64 {
		t.Errorf("%d bytes, %d terms reach the lanes", len(got.Query), len(w.query.Terms))
	}
}

func TestSearchListsHitsBelowTheFloorUpToItsLimit(t *testing.T) {
	w := &world{}
	for i := range 30 {
		w.add(string(id("m%02d", i)), 0.01, string(id("Subject%d", i)))
	}
	if got := search(t, recaller(w), recall.SearchOptions{Text: "x1"}); len(got.Hits) != 10 {
		t.Errorf("%d hits", len(got.Hits))
	}
	if got := search(t, recaller(w), recall.SearchOptions{Text: "x1", Limit: 25}); len(got.Hits) != 25 {
		t.Errorf("%d hits", len(got.Hits))
	}
}

func TestSearchCountsTheForgottenThatItLeavesOut(t *testing.T) {
	w := &world{}
	w.add("seen", 0.5, "Deploys go out on Tuesdays")
	w.add("gone", 0.9, "Staging password rotates monthly", forgotten)
	w.add("far", 0.1, "Gutters hang by one bracket", forgotten)
	got := search(t, recaller(w), recall.SearchOptions{Text: "password", Limit: 2})
	wantIDs(t, got.Hits, "seen")
	if got.ForgottenMatches != 1 {
		t.Errorf("%d forgotten matches", got.ForgottenMatches)
	}
	with := recall.SearchOptions{Text: "password", Limit: 2, Predicate: memory.Predicate{Forgotten: memory.Include}}
	got = search(t, recaller(w), with)
	wantIDs(t, got.Hits, "gone", "seen")
	if got.ForgottenMatches != 0 || !got.Hits[0].Forgotten {
		t.Errorf("asked for: %+v", got)
	}
}

func TestExplainShowsTheFactors(t *testing.T) {
	w := &world{}
	w.add("a", 0.8, "the staging port is 9090")
	plain := search(t, recaller(w), recall.SearchOptions{Text: "port"})
	explained := search(t, recaller(w), recall.SearchOptions{Text: "port", Explain: true})
	if len(plain.Hits[0].Factors) != 0 || len(explained.Hits[0].Factors) == 0 {
		t.Errorf("factors %v and %v", plain.Hits[0].Factors, explained.Hits[0].Factors)
	}
	if h := explained.Hits[0]; h.TextScore != 0.8 || h.VectorScore != 0.8 {
		t.Errorf("hit %+v", h)
	}
}

func TestOrder(t *testing.T) {
	old := created(now.AddDate(-2, 0, 0))
	build := func() *world {
		w := &world{}
		w.add("right", 0.70, "Alpha", old, tier(memory.TierCold))
		w.add("newer", 0.69, "Bravo")
		w.add("fresh", 0.45, "Charlie")
		return w
	}
	t.Run("recency decides among near equals and never buries the answer", func(t *testing.T) {
		wantIDs(t, search(t, recaller(build()), recall.SearchOptions{Text: "x1"}).Hits, "newer", "right", "fresh")
	})
	t.Run("prd goes by the composite alone", func(t *testing.T) {
		prd := recaller(build(), func(s *recall.Settings) { s.Preset = recall.PresetPRD })
		wantIDs(t, search(t, prd, recall.SearchOptions{Text: "x1"}).Hits, "newer", "fresh", "right")
	})
	t.Run("rank fusion goes by ranks", func(t *testing.T) {
		w := build()
		w.text = map[memory.ID]float64{"fresh": 0.2, "right": 0.1}
		w.vector = map[memory.ID]float64{"fresh": 0.2, "right": 0.19, "newer": 0.18}
		rrf := recaller(w, func(s *recall.Settings) { s.Fusion = recall.FusionRRF })
		if got := ids(search(t, rrf, recall.SearchOptions{Text: "x1"}).Hits); got[0] != "fresh" {
			t.Errorf("got %v", got)
		}
	})
}

func TestOrderIsTheSameHoweverCandidatesCome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		for i := range rapid.IntRange(2, 30).Draw(t, "n") {
			w.add(string(id("m%02d", i)), float64(rapid.IntRange(0, 20).Draw(t, "similarity"))/20, string(id("Subject%d", i)),
				created(now.AddDate(0, 0, -rapid.IntRange(0, 40).Draw(t, "days"))), tier(rapid.SampledFrom(memory.Tiers[:3]).Draw(t, "tier")))
		}
		preset := rapid.SampledFrom([]string{recall.PresetBalanced, recall.PresetPRD}).Draw(t, "preset")
		r := recaller(w, func(s *recall.Settings) { s.Preset = preset })
		first, err := r.Search(context.Background(), now, recall.SearchOptions{Text: "x1", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		w.memories = rapid.Permutation(w.memories).Draw(t, "another order")
		second, _ := r.Search(context.Background(), now, recall.SearchOptions{Text: "x1", Limit: 50})
		for i, h := range first.Hits {
			if second.Hits[i].ID != h.ID {
				t.Fatalf("%v and then %v", ids(first.Hits), ids(second.Hits))
			}
		}
	})
}

func TestAsOfAsksTheWorldAsItWas(t *testing.T) {
	then := now.AddDate(0, -3, 0)
	w := &world{}
	w.add("older", 0.8, "Alpha", created(then.AddDate(0, 0, -1)), func(m *memory.Memory) {
		m.LastAccessedAt, m.EditedAt = ptr(now), ptr(now)
	})
	w.add("younger", 0.9, "Bravo")
	r := recaller(w)
	got, err := r.Search(t.Context(), then, recall.SearchOptions{Text: "x1", Predicate: memory.Predicate{AsOf: then}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	wantIDs(t, got.Hits, "older")
	if recency := got.Hits[0].Factors[1].Value; recency > 0.99 {
		t.Errorf("what was used and edited later is %v recent", recency)
	}
	block, _, err := r.Recall(t.Context(), then, recall.Prompt{Text: "x1", Predicate: memory.Predicate{AsOf: then}})
	if err != nil {
		t.Fatal(err)
	}
	wantIDs(t, block.Hits, "older")
	today, _ := inject(t, r, recall.Prompt{Text: "x1"})
	wantIDs(t, today.Hits, "younger", "older")
}

// TestNothingFoundIsAnEmptyList: in JSON a list is never null.
func TestNothingFoundIsAnEmptyList(t *testing.T) {
	r := recall.New(&world{}, nil, recall.Defaults())
	found, err := r.Search(t.Context(), now, recall.SearchOptions{Text: "harbour"})
	if err != nil || found.Hits == nil {
		t.Errorf("search: %v, %v", found.Hits, err)
	}
	for _, prompt := range []string{"ok", "where is the harbour?"} {
		answer, _, err := r.Recall(t.Context(), now, recall.Prompt{Text: prompt})
		if err != nil || answer.Hits == nil || answer.Skipped == nil {
			t.Errorf("recall %q: %v, %v", prompt, answer.Hits, err)
		}
	}
}
