package recall_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// eventSource returns other signals for the query of an event than for the question.
type eventSource struct {
	fakeSource
	events  map[string][]memory.Signals // by the text of the query
	queries []string
}

func (src *eventSource) Search(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (memory.SearchResult, error) {
	src.queries = append(src.queries, q.Text)
	if s, ok := src.events[q.Text]; ok {
		return memory.SearchResult{Signals: s[:min(k, len(s))]}, nil
	}
	return src.fakeSource.Search(ctx, q, p, k, nearest)
}

func (src *eventSource) search(t *testing.T, o recall.SearchOptions) memory.SearchAnswer {
	t.Helper()
	o.Explain = true
	answer, err := recall.New(src, fixedEmbedder{}, recall.Defaults()).Search(t.Context(), now, o)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestQuestionNamesTheEventThatGivesItsTime(t *testing.T) {
	for _, tt := range []struct{ ask, relation, phrase string }{
		{"What did we drink before the move?", "before", "the move"},
		{"before we moved to Berlin, where did we live?", "before", "we moved to Berlin"},
		{"How was she after Anna's surgery?", "after", "Anna's surgery"},
		{"After the accident how did Melanie feel?", "after", "the accident"},
		{"What did they do after the road trip to relax?", "after", "the road trip"},
		{"what has changed since the trip to Rome", "since", "the trip to Rome"},
		{"until the wedding", "until", "the wedding"},
		{"what was said during the May meeting?", "during", "the May meeting"},
		{"who came around the wedding", "around", "the wedding"},
		{"what broke in the two weeks after the fair?", "after", "the fair"},
		{"What happened before breakfast?", "before", "breakfast"},
		{"Was ist seit dem Umzug anders?", "since", "dem Umzug"},
		{"Wo haben wir vor dem Umzug gewohnt?", "before", "dem Umzug"},
		{"Wie ging es ihr nach Annas Operation?", "after", "Annas Operation"},
		{"bevor wir nach Berlin zogen", "before", "wir nach Berlin zogen"},
		{"¿Qué comíamos antes de la mudanza?", "before", "la mudanza"},
		{"antes de que nos mudáramos a Madrid", "before", "nos mudáramos a Madrid"},
		{"desde la boda", "since", "la boda"},
		{"Que fait-on depuis le déménagement ?", "since", "le déménagement"},
		{"Où habitions-nous avant l'opération ?", "before", "l'opération"},
		{"jusqu'au mariage", "until", "mariage"},
		{"before we moved with all of our boxes to Berlin", "before", "we moved with all of our boxes to Berlin"}, // nine words

		{"before we moved with all of our heavy boxes to Berlin", "", ""},
		{"what happened after all?", "", ""},
		{"and what came after that", "", ""},
		{"since when do we live here", "", ""},
		{"since we have no time, what can I cook?", "", ""},
		{"Who looks after the cat?", "", ""},
		{"what was it like after two weeks", "", ""},
		{"from Berlin to Rome", "", ""},
		{"Wann sind wir nach Berlin gezogen?", "", ""},
		{"Wer war vor drei Wochen da?", "", ""},
		{"vor allem nachts", "", ""},
		{"¿Cuánto se tarda desde Madrid hasta Roma?", "", ""},
		{"avant tout", "", ""},
		{"what happened before May 2023", "", ""},
		{"before", "", ""},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			src := &eventSource{}
			src.add("a", 0.5, "Alpha")
			src.addSignals("a", memory.Signals{})
			var got memory.Event
			if e := src.search(t, recall.SearchOptions{Text: tt.ask}).Event; e != nil {
				got = *e
			}
			if got.Relation != tt.relation || got.Phrase != tt.phrase || got.Memory != "" {
				t.Errorf("got relation %q, phrase %q, memory %q", got.Relation, got.Phrase, got.Memory)
			}
		})
	}
}

func TestQuestionOfMoreThanSixtyWordsNamesNoEvent(t *testing.T) {
	for words, want := range map[int]bool{60: true, 61: false} {
		ask := strings.Repeat("tide ", words-3) + "before the move"
		src := sourceWithMove()
		if got := src.search(t, recall.SearchOptions{Text: ask}).Event != nil; got != want {
			t.Errorf("a question of %d words names an event: %t", words, got)
		}
	}
}

func TestRelationToADateSelectsASpan(t *testing.T) {
	for _, tt := range []struct{ ask, in, out string }{
		{"before May 2025", "2025-04-30", "2025-05-01"},
		{"after May 2025", "2025-06-01", "2025-05-31"},
		{"after 3 June 2024", "2024-06-04", "2024-06-03"},
		{"until June", "2026-06-30", "2026-07-01"},
		{"since 2022", "2022-01-01", "2021-12-31"},
		{"since last week", "2026-11-20", "2026-11-08"},
		{"depuis il y a 3 semaines", "2026-11-10", "2026-10-25"},
		{"since 2026-03-04", "2026-03-04", "2026-03-03"},
		{"between March and June", "2026-06-30", "2026-07-01"},
		{"between November and February", "2025-11-01", "2025-10-31"},
		{"from 3 May 2024 until 5 June 2024", "2024-05-03", "2024-06-06"},
		{"before December", "2026-11-30", "2026-12-01"},
		{"the week before August 3, 2024", "2024-07-27", "2024-07-26"},
		{"vor Mai 2025", "2025-04-30", "2025-05-01"},
		{"nach dem 3. Juni 2024", "2024-06-04", "2024-06-03"},
		{"zwischen März und Juni 2024", "2024-03-01", "2024-02-29"},
		{"antes de mayo de 2025", "2025-04-30", "2025-05-01"},
		{"desde marzo hasta junio", "2026-03-01", "2026-07-01"},
		{"avant mai 2025", "2025-04-30", "2025-05-01"},
		{"de mars à juin", "2026-06-30", "2026-02-28"},
		{"in May", "2024-05-02", "2024-06-02"}, // without a relation the month of any year
	} {
		t.Run(tt.ask, func(t *testing.T) {
			src := &eventSource{}
			for _, id := range []string{tt.in, tt.out} {
				at, err := time.Parse(time.DateOnly, id)
				if err != nil {
					t.Fatal(err)
				}
				src.add(id, 0.5, "Memory "+id, created(at))
				src.addSignals(memory.ID(id), memory.Signals{})
			}
			for _, h := range src.search(t, recall.SearchOptions{Text: "what happened " + tt.ask}).Hits {
				if got := factorValue(h.Ranking, "month"); (got == 1) != (h.ID == memory.ID(tt.in)) {
					t.Errorf("%s: signal month = %v", h.ID, got)
				}
			}
		})
	}
}

func factorValue(all []memory.Factor, name string) float64 {
	i := slices.IndexFunc(all, func(f memory.Factor) bool { return f.Name == name })
	return all[i].Value
}

// eventSignals returns the signals of a memory that is clearly about an event.
func eventSignals(id memory.ID) memory.Signals {
	return memory.Signals{Candidate: memory.Candidate{ID: id, Score: 1}, Context: 9, Coverage: 1, Cosine: 0.8, NeighbourCosine: 0.8}
}

// onDay dates a memory by the name of its file.
func onDay(day string) func(*memory.Memory) {
	return func(m *memory.Memory) {
		at, _ := time.Parse(time.DateOnly, day)
		m.CreatedAt, m.Path = at.Add(9*time.Hour), "memory/"+day+".md"
	}
}

// sourceWithMove returns a source with a drink before a move and another one after
// it. Without the move, the later drink ranks first.
func sourceWithMove() *eventSource {
	src := &eventSource{events: map[string][]memory.Signals{"the move": {eventSignals("move")}}}
	src.add("tea", 0.5, "They drink tea", onDay("2025-02-01"))
	src.add("move", 0.4, "The flat in Berlin is ours now", onDay("2025-06-10"))
	src.add("coffee", 0.5, "Coffee every morning", onDay("2025-09-01"))
	src.addSignals("tea", memory.Signals{Coverage: 1, Cosine: 0.5})
	src.addSignals("coffee", memory.Signals{Coverage: 1, Cosine: 0.6})
	src.addSignals("move", memory.Signals{})
	return src
}

func TestMemoriesDatedByTheEventComeFirst(t *testing.T) {
	for _, tt := range []struct {
		name, ask string
		change    func(*eventSource)
		want      memory.ID
		from, to  string // empty: open, or no time is preferred
	}{
		{"without an event", "what do they drink", nil, "coffee", "", ""},
		{"before", "what do they drink before the move", nil, "tea", "", "2025-06-10"},
		{"after", "what do they drink after the move", func(src *eventSource) { src.signals[0].Cosine = 0.7 }, "coffee", "2025-06-10", ""},
		{"a distance", "what do they drink in the three months after the move", func(src *eventSource) { src.signals[0].Cosine = 0.7 }, "coffee", "2025-06-10", "2025-09-12"},
		{"during: three days around it", "what do they drink during the move", nil, "coffee", "2025-06-07", "2025-06-14"},
		{"no memory is clearly about it", "what do they drink before the move", func(src *eventSource) {
			src.events["the move"] = []memory.Signals{{Candidate: memory.Candidate{ID: "move", Score: 0.2}, Context: 1, Cosine: 0.3}}
		}, "coffee", "", ""},
		{"the memory about it is forgotten", "what do they drink before the move", func(src *eventSource) { src.memories[1].Forgotten = true }, "coffee", "", ""},
		{"the memory about it has no date", "what do they drink before the move", func(src *eventSource) { src.memories[1].Path = "memory/flat.md" }, "coffee", "", ""},
		{"front matter dates it", "what do they drink before the move", func(src *eventSource) {
			src.memories[1].Path, src.memories[1].CreatedAt = "memory/flat.md", time.Date(2025, 6, 10, 0, 0, 0, 0, time.UTC)
		}, "tea", "", "2025-06-10"},
		{"the text of the memory dates it", "what do they drink before the move", func(src *eventSource) { src.memories[1].Text = "We move on 1 July" }, "tea", "", "2025-07-01"},
		{"a date four months ahead is of the year before", "what do they drink before the move", func(src *eventSource) { src.memories[1].Text = "We moved on 1 October" }, "coffee", "", "2024-10-01"},
		{"two memories about it", "what do they drink before the move", func(src *eventSource) {
			src.add("again", 0.4, "We moved once more", onDay("2026-01-05"))
			src.events["the move"] = append(src.events["the move"], eventSignals("again"))
		}, "coffee", "", "2026-01-05"},
		{"memories about it over weeks: no time is during it", "what do they drink during the move", func(src *eventSource) {
			src.events["the move"] = append(src.events["the move"], eventSignals("coffee"))
		}, "coffee", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := sourceWithMove()
			if tt.change != nil {
				tt.change(src)
			}
			got := src.search(t, recall.SearchOptions{Text: tt.ask})
			if got.Hits[0].ID != tt.want {
				t.Errorf("first hit is %s, want %s", got.Hits[0].ID, tt.want)
			}
			var e memory.Event
			if got.Event != nil {
				e = *got.Event
			}
			if formatDay(e.From) != tt.from || formatDay(e.Until) != tt.to || (e.Memory == "") != (tt.from+tt.to == "") {
				t.Errorf("from %q until %q, dated by %q", formatDay(e.From), formatDay(e.Until), e.Memory)
			}
		})
	}
}

// daysOfMove adds memories about the move, one a day from 10 June 2025 on.
func daysOfMove(src *eventSource, n int) {
	for i := 1; i < n; i++ {
		id := idf("day%02d", i)
		src.add(string(id), 0.4, string(idf("Box %d is unpacked", i)), onDay(time.Date(2025, 6, 10+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)))
		src.events["the move"] = append(src.events["the move"], eventSignals(id))
	}
}

func TestDuringNeedsAnEventOfAtMostTwoWeeks(t *testing.T) {
	for days, want := range map[int]string{14: "2025-06-07", 15: ""} {
		src := sourceWithMove()
		daysOfMove(src, days)
		e := src.search(t, recall.SearchOptions{Text: "what do they drink during the move"}).Event
		if got := formatDay(e.From); got != want {
			t.Errorf("an event of %d days begins on %q, want %q", days, got, want)
		}
	}
}

func TestTheTwentyBestMemoriesDateAnEvent(t *testing.T) {
	src := sourceWithMove()
	daysOfMove(src, 25)
	e := src.search(t, recall.SearchOptions{Text: "what do they drink before the move"}).Event
	if got, want := formatDay(e.Until), "2025-06-29"; got != want {
		t.Errorf("the event ends on %q, want %q", got, want)
	}
}

func TestOnlyASimilarMemoryDatesAnEvent(t *testing.T) {
	dated := map[bool]int{}
	for cosine := 0.0; cosine < 0.8; cosine += 0.01 {
		src := sourceWithMove()
		src.events["the move"] = []memory.Signals{{Candidate: memory.Candidate{ID: "move", Score: 0.5}, Context: 1, Coverage: 0.5, Cosine: cosine, NeighbourCosine: 0.4}}
		e := src.search(t, recall.SearchOptions{Text: "what do they drink before the move"}).Event
		if got, want := e.Memory != "", e.Similarity >= 0.6; got != want {
			t.Errorf("a memory of similarity %v dates the event: %t", e.Similarity, got)
		}
		if e.Similarity > 0.55 && e.Similarity < 0.65 {
			dated[e.Memory != ""]++
		}
	}
	if dated[true] == 0 || dated[false] == 0 {
		t.Errorf("similarities near 0.6 are missing: %v", dated)
	}
}

func TestMemoriesNearlyAsGoodAsTheBestDateAnEventToo(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cosine float64 // the best has 0.8, and a cosine weighs 5.7
		until  string
	}{
		{"1.9 points below the best", 0.8 - 1.9/5.7, "2025-06-11"},
		{"2.1 points below the best", 0.8 - 2.1/5.7, "2025-06-10"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := sourceWithMove()
			daysOfMove(src, 2)
			src.events["the move"][1].Cosine = tt.cosine
			e := src.search(t, recall.SearchOptions{Text: "what do they drink before the move"}).Event
			if got := formatDay(e.Until); got != tt.until {
				t.Errorf("the event ends on %q, want %q", got, tt.until)
			}
		})
	}
}

func formatDay(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.Format(time.DateOnly)
}

func TestEventIsSearchedOnceAndOnlyIfNamed(t *testing.T) {
	src := sourceWithMove()
	src.search(t, recall.SearchOptions{Text: "what do they drink", Predicate: memory.Predicate{Forgotten: memory.Include}})
	const mayBeName = "drink" // it is looked up, because notes may write it as a name
	if want := []string{mayBeName, "what do they drink"}; !slices.Equal(src.queries, want) {
		t.Errorf("queries %q, want %q", src.queries, want)
	}
	src.queries = nil
	src.search(t, recall.SearchOptions{Text: "what do they drink before the move", Predicate: memory.Predicate{Forgotten: memory.Include}})
	if want := []string{mayBeName, "the move", "what do they drink before the move"}; !slices.Equal(src.queries, want) {
		t.Errorf("queries %q, want %q", src.queries, want)
	}
}

func TestRecallPrefersTheTimeOfTheEvent(t *testing.T) {
	src := sourceWithMove()
	for i := range src.signals {
		src.signals[i].NeighbourCosine, src.signals[i].Coverage = 0.9, 1
	}
	r := recall.New(src, fixedEmbedder{}, recall.Defaults())
	got, _ := mustRecall(t, r, recall.Prompt{Text: "what do they drink before the move"})
	if len(got.Hits) == 0 || got.Hits[0].ID != "tea" {
		t.Errorf("hits %v, want tea first", ids(got.Hits))
	}
}
