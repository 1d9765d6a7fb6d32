package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// A question that names a time and no subject gets what was written then, although it
// shares no word with it.
func TestQuestionsAboutADayGetWhatWasWrittenThen(t *testing.T) {
	day := func(month time.Month, n int) func(*memory.Memory) {
		return func(m *memory.Memory) { m.CreatedAt = time.Date(2026, month, n, 0, 0, 0, 0, time.UTC) }
	}
	src := &fakeSource{}
	src.add("kettle", 0, "Bought a kettle", day(11, 19))
	src.add("fence", 0, "The fence is green", day(11, 19))
	src.add("stairs", 0, "Swept the stairs", day(11, 18))
	src.add("lamp", 0, "The lamp is broken", day(11, 20))
	src.add("boat", 0, "The boat is sold", day(8, 3))
	src.add("undated", 0, "Likes tea", func(m *memory.Memory) { m.CreatedAt = time.Date(2026, 11, 19, 9, 30, 0, 0, time.UTC) })
	for ask, want := range map[string][]memory.ID{ // asked on Friday, 20 November
		"What did I do yesterday?":                {"fence", "kettle"},
		"what happened today?":                    {"lamp"},
		"what did I do the day before yesterday?": {"stairs"},
		"Was habe ich gestern gemacht?":           {"fence", "kettle"},
		"Qu'est-ce que j'ai fait hier ?":          {"fence", "kettle"},
		"¿Qué hice ayer?":                         {"fence", "kettle"},
		"我昨天做了什么":                                 {"fence", "kettle"},
		"昨日何をしましたか":                               {"fence", "kettle"},
		"what did I note on 2026-08-03?":          {"boat"},
		"what happened on 3 August?":              {"boat"},
		"what happened in August?":                {"boat"},
		"what happened since Thursday?":           {"fence", "kettle", "lamp"},
		"what happened last week?":                nil,
		"what did I paint yesterday?":             nil,
		"who sold the car on 3 August?":           nil,
		"yesterday, all my troubles":              nil,
		"what did we do before the trip?":         nil,
	} {
		answer, _, err := newSignalRecaller(src).Recall(t.Context(), now, recall.Prompt{Text: ask})
		if err != nil {
			t.Fatal(err)
		}
		var got []memory.ID
		for _, h := range answer.Hits {
			got = append(got, h.ID)
		}
		if slices.Contains(got, "lamp") && got[0] != "lamp" {
			t.Errorf("%q gets %v: the newest is not first", ask, got)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q gets %v, want %v", ask, got, want)
		}
	}
}

// TestWordsOfARelativeDateLeaveTheSearch looks at what the lanes are asked for.
func TestWordsOfARelativeDateLeaveTheSearch(t *testing.T) {
	for _, tt := range []struct{ ask, terms, embedded string }{ // asked on Friday, 20 November
		{"What did I plant the day before yesterday?", "plant", "What did I plant the ?"},
		{"Which tulips did I plant two days ago?", "tulips plant", "Which tulips did I plant ?"},
		{"What did I plant last week?", "plant last week", "What did I plant last week?"}, // nothing was written then
		{"When do tulips come?", "tulips come", "When do tulips come?"},
		{"What did Ann plant the day before yesterday?", "ann plant day yesterday", "What did plant the day before yesterday?"}, // it may be a quotation
		{"yesterday, two days ago", "yesterday two days ago", "yesterday, two days ago"},
	} {
		src := &fakeSource{speakers: []string{"ann"}}
		src.add("tulips", 0, "Planted tulips", func(m *memory.Memory) { m.CreatedAt = time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC) })
		emb := &recordingEmbedder{}
		mustSearch(t, recall.New(src, emb, recall.Defaults()), recall.SearchOptions{Text: tt.ask})
		var terms []string
		for _, term := range src.query.Terms {
			terms = append(terms, term.Text)
		}
		if got := strings.Join(terms, " "); got != tt.terms || emb.texts[0] != tt.embedded {
			t.Errorf("%q searches for %q and embeds %q", tt.ask, got, emb.texts[0])
		}
	}
}
