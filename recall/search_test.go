package recall_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

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
	src := &fakeSource{}
	for _, name := range []memory.ID{"a", "b", "c"} {
		src.add(string(name), 0, "memory "+string(name))
	}
	src.text = map[memory.ID]float64{"a": 0.9, "b": 0.2}
	src.vector = map[memory.ID]float64{"b": 0.8, "c": 0.6}
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
			got := mustSearch(t, newRecaller(src, set), recall.SearchOptions{Text: "memory", Lane: tt.lane})
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

func TestFailedLaneIsReportedAndTheOtherCountsInFull(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.8, "the staging port is 9090")
	for _, tt := range []struct {
		name         string
		emb          fixedEmbedder
		textErr      error
		vectorErr    error
		text, vector string
	}{
		{"both serve", fixedEmbedder{}, nil, nil, "ok", "ok"},
		{"no embedding yet", fixedEmbedder{}, nil, memory.Unavailable(nil, "no embedding yet: 3 to go"), "ok", "no embedding yet: 3 to go"},
		{"provider down", fixedEmbedder{err: errors.New("connection refused")}, nil, nil, "ok", "embed the question: connection refused"},
		{"unknown words", fixedEmbedder{zero: true}, nil, nil, "ok", "the embedding model knows no word of the question"},
		{"vector lane broken", fixedEmbedder{}, nil, errors.New("disk I/O error"), "ok", "disk I/O error"},
		{"text lane broken", fixedEmbedder{}, errors.New("malformed"), nil, "malformed", "ok"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src.textErr, src.vectorErr = tt.textErr, tt.vectorErr
			got := mustSearch(t, recall.New(src, tt.emb, weightedSettings()), recall.SearchOptions{Text: "staging port"})
			if got.Lanes[memory.LaneText] != tt.text || got.Lanes[memory.LaneVector] != tt.vector {
				t.Errorf("lanes %v", got.Lanes)
			}
			if len(got.Hits) != 1 || math.Abs(got.Hits[0].Similarity-0.8) > 1e-9 {
				t.Errorf("hits %+v", got.Hits)
			}
		})
	}
}

func TestSearchFailsOnlyIfNoLaneServes(t *testing.T) {
	src := &fakeSource{textErr: errors.New("malformed"), vectorErr: memory.Unavailable(nil, "no embedding yet")}
	if _, err := newRecaller(src).Search(t.Context(), now, recall.SearchOptions{Text: "port"}); err == nil || !strings.Contains(err.Error(), "malformed") {
		t.Errorf("got %v", err)
	}
	answer := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "port", Lane: memory.LaneVector})
	if answer.Lanes[memory.LaneVector] != "no embedding yet" || answer.Lanes[memory.LaneText] != "" || len(answer.Hits) != 0 {
		t.Errorf("got %+v", answer)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newRecaller(&fakeSource{}).Search(ctx, now, recall.SearchOptions{Text: "port"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestKeywordLaneServesWithoutAnEmbedder(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.8, "the staging port is 9090")
	got := mustSearch(t, recall.New(src, nil, weightedSettings()), recall.SearchOptions{Text: "staging port"})
	wantIDs(t, got.Hits, "a")
	if got.Lanes[memory.LaneVector] != "no embedding provider" || got.Hits[0].Similarity != 0.8 {
		t.Errorf("lanes %v, hits %+v", got.Lanes, got.Hits)
	}
}

func TestSearchRefusesInvalidOptions(t *testing.T) {
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
			_, err := newRecaller(&fakeSource{}).Search(t.Context(), now, tt.ask)
			wantInvalid(t, err, tt.field)
		})
	}
}

func TestSearchAnswersAQueryOfAMegabyte(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.8, "the staging port is 9090")
	query := "staging \x00\xff\" NEAR( AND " + strings.Repeat("* OR col:x ^ ", 80_000) + " port?"
	got := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: query})
	wantIDs(t, got.Hits, "a")
	if len(got.Query) > 4*6000 || len(src.query.Terms) > 64 {
		t.Errorf("the lanes get %d bytes and %d terms", len(got.Query), len(src.query.Terms))
	}
}

func TestSearchHasALimitButNoFloor(t *testing.T) {
	src := &fakeSource{}
	for i := range 30 {
		src.add(string(idf("m%02d", i)), 0.01, string(idf("Subject%d", i)))
	}
	if got := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "x1"}); len(got.Hits) != 10 {
		t.Errorf("%d hits", len(got.Hits))
	}
	if got := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "x1", Limit: 25}); len(got.Hits) != 25 {
		t.Errorf("%d hits", len(got.Hits))
	}
}

func TestDuplicatesDoNotUseUpTheHitsOfASearch(t *testing.T) {
	src := &fakeSource{}
	for i := range 7 {
		src.add(string(idf("copy%d", i)), 0.9, "Prefers tabs over spaces in Go")
	}
	src.add("other", 0.5, "The vet is closed on Wednesdays")
	got := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "x1", Limit: 2})
	wantIDs(t, got.Hits, "copy0", "other")
}

func TestSearchCountsForgottenMatches(t *testing.T) {
	src := &fakeSource{}
	src.add("seen", 0.5, "Deploys go out on Tuesdays")
	src.add("gone", 0.9, "Staging password rotates monthly", forgotten)
	src.add("far", 0.1, "Gutters hang by one bracket", forgotten)
	got := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "password", Limit: 2})
	wantIDs(t, got.Hits, "seen")
	if got.ForgottenMatches != 1 {
		t.Errorf("%d forgotten matches", got.ForgottenMatches)
	}
	with := recall.SearchOptions{Text: "password", Limit: 2, Predicate: memory.Predicate{Forgotten: memory.Include}}
	got = mustSearch(t, newRecaller(src), with)
	wantIDs(t, got.Hits, "gone", "seen")
	if got.ForgottenMatches != 0 || !got.Hits[0].Forgotten {
		t.Errorf("with forgotten memories included: %+v", got)
	}
}

func TestExplainReturnsTheFactors(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.8, "the staging port is 9090")
	plain := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "port"})
	explained := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "port", Explain: true})
	if len(plain.Hits[0].Factors) != 0 || len(explained.Hits[0].Factors) == 0 {
		t.Errorf("factors %v and %v", plain.Hits[0].Factors, explained.Hits[0].Factors)
	}
	if h := explained.Hits[0]; h.TextScore != 0.8 || h.VectorScore != 0.8 {
		t.Errorf("hit %+v", h)
	}
}

func TestAsOfIgnoresLaterMemoriesUsesAndEdits(t *testing.T) {
	then := now.AddDate(0, -3, 0)
	src := &fakeSource{}
	src.add("older", 0.8, "Alpha", created(then.AddDate(0, 0, -1)), func(m *memory.Memory) {
		m.LastAccessedAt, m.EditedAt = ptr(now), ptr(now)
	})
	src.add("younger", 0.9, "Bravo")
	r := newRecaller(src)
	got, err := r.Search(t.Context(), then, recall.SearchOptions{Text: "x1", Predicate: memory.Predicate{View: memory.View{AsOf: then}}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	wantIDs(t, got.Hits, "older")
	if recency := got.Hits[0].Factors[1].Value; recency > 0.99 {
		t.Errorf("later uses and edits make the recency %v", recency)
	}
	block, _, err := r.Recall(t.Context(), then, recall.Prompt{Text: "x1", Predicate: memory.Predicate{View: memory.View{AsOf: then}}})
	if err != nil {
		t.Fatal(err)
	}
	wantIDs(t, block.Hits, "older")
	today, _ := mustRecall(t, r, recall.Prompt{Text: "x1"})
	wantIDs(t, today.Hits, "younger", "older")
}

// In JSON a list is never null.
func TestNoHitsAreAnEmptyList(t *testing.T) {
	r := recall.New(&fakeSource{}, nil, recall.Defaults())
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
