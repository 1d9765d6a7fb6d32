package engine_test

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// feedbackCase is a memory that was wrong for a question, with the right one.
type feedbackCase struct {
	half, wrong, right, asked string
	same, other               []string // the question in other words; questions that the first memory answers
}

func readFeedbackCases(t *testing.T) (cases []feedbackCase) {
	t.Helper()
	f := must.Get(os.Open("testdata/feedback.tsv"))(t)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		column := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(lines.Text(), "#") || len(column) != 3 {
			continue
		}
		if column[1] == "wrong" {
			cases = append(cases, feedbackCase{half: column[0]})
		}
		c := &cases[len(cases)-1]
		switch column[1] {
		case "wrong":
			c.wrong = column[2]
		case "right":
			c.right = column[2]
		case "asked":
			c.asked = column[2]
		case "same":
			c.same = append(c.same, column[2])
		case "other":
			c.other = append(c.other, column[2])
		}
	}
	return cases
}

// placeOf returns the place of a text in a search, from 0, and its hit; -1 if it is not
// found.
func (w *world) placeOf(query, text string) (int, memory.Hit) {
	w.t.Helper()
	answer := must.Get(w.Search(w.t.Context(), memory.SearchRequest{Query: query, Explain: true, Ranked: true}))(w.t)
	i := slices.IndexFunc(answer.Hits, func(h memory.Hit) bool { return h.Text == text })
	if i < 0 {
		return i, memory.Hit{}
	}
	return i, answer.Hits[i]
}

// TestFeedbackOnUnseenWordings measures wrong on questions that nobody tuned to: the half
// "test" of the file. The thresholds of recall were chosen on the other half.
func TestFeedbackOnUnseenWordings(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": feedbackNotes(readFeedbackCases(t))})
	for _, half := range []string{"tune", "test"} {
		var below, gone, unchanged, same, other int
		for _, c := range readFeedbackCases(t) {
			if c.half != half {
				continue
			}
			before := map[string]float64{}
			for _, q := range c.other {
				_, hit := w.placeOf(q, c.wrong)
				before[q] = hit.Similarity
			}
			w.feedback(memory.FeedbackRequest{ID: string(w.idOf(c.wrong)), Verdict: memory.VerdictWrong, Query: c.asked})
			for _, q := range append([]string{c.asked}, c.same...) {
				wrong, hit := w.placeOf(q, c.wrong)
				right, _ := w.placeOf(q, c.right)
				same++
				if right >= 0 && (wrong < 0 || wrong > right) {
					below++
				}
				if hit.Similarity < recall.DefaultFloor {
					gone++
				} else {
					t.Logf("%s: %q still finds it (%.2f)", half, q, hit.Similarity)
				}
			}
			for _, q := range c.other {
				other++
				if _, hit := w.placeOf(q, c.wrong); hit.Similarity >= before[q]-0.01 {
					unchanged++
				} else {
					t.Logf("%s: %q: %.2f, before %.2f", half, q, hit.Similarity, before[q])
				}
			}
			w.decide(memory.DecideRequest{Action: memory.ActionUndo})
		}
		t.Logf("%s: of %d wordings, the wrong one is below the right one for %d and below the floor for %d; unchanged for %d of %d other questions", half, same, below, gone, unchanged, other)
		if below < same || gone*10 < same*7 || unchanged*10 < other*8 {
			t.Errorf("%s: too few", half)
		}
	}
}

// What a person says of one memory makes no other one a better answer.
func TestFeedbackChangesNoOtherSimilarity(t *testing.T) {
	cases := readFeedbackCases(t)
	w := newWorld(t, map[string]string{"MEMORY.md": feedbackNotes(cases)})
	similarities := func(query string) map[string]float64 {
		answer := must.Get(w.Search(t.Context(), memory.SearchRequest{Query: query, Ranked: true}))(t)
		all := map[string]float64{}
		for _, h := range answer.Hits {
			all[h.Text] = h.Similarity
		}
		return all
	}
	for _, c := range cases {
		for _, verdict := range []memory.Verdict{memory.VerdictWrong, memory.VerdictUseful} {
			before := similarities(c.asked)
			w.feedback(memory.FeedbackRequest{ID: string(w.idOf(c.wrong)), Verdict: verdict, Query: c.asked})
			for text, after := range similarities(c.asked) {
				if was, found := before[text]; found && text != c.wrong && math.Abs(after-was) > 1e-9 {
					t.Errorf("%s after %q: %q has %.2f, before %.2f", verdict, c.asked, text, after, was)
				}
			}
			w.decide(memory.DecideRequest{Action: memory.ActionUndo})
		}
	}
}

func feedbackNotes(cases []feedbackCase) string {
	var b strings.Builder
	for _, c := range cases {
		b.WriteString("- " + c.wrong + "\n- " + c.right + "\n")
	}
	return b.String()
}

func (w *world) feedback(r memory.FeedbackRequest) memory.ChangeAnswer {
	w.t.Helper()
	a := must.Get(w.Feedback(w.t.Context(), r))(w.t)
	return a
}

func TestFeedbackIsNamedAndUndone(t *testing.T) {
	const wrong, asked = "Production listens on port 9443 behind the load balancer", "Which port does production use?"
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + wrong + "\n- The cat sleeps in the afternoon\n"})
	id := w.idOf(wrong)
	answer := w.recallDelivered(memory.RecallRequest{Prompt: asked})
	if len(answer.Hits) == 0 || answer.Hits[0].ID != id {
		t.Fatalf("recalled %v", answer.Hits)
	}
	if got := w.feedback(memory.FeedbackRequest{ID: string(id), Verdict: memory.VerdictWrong}); got.Query != asked {
		t.Errorf("the last recall asked %q, and not %q", asked, got.Query)
	}
	if again := w.recallDelivered(memory.RecallRequest{Prompt: asked}); len(again.Hits) != 0 {
		t.Errorf("recalled again: %v", again.Hits)
	}
	_, hit := w.placeOf(asked, wrong)
	if !slices.ContainsFunc(hit.Ranking, func(f memory.Factor) bool { return f.Name == "feedback" && f.Points < 0 }) {
		t.Errorf("the signals do not name the feedback: %v", hit.Ranking)
	}
	if why := w.whyNot(id, memory.WhyNotRequest{Query: asked}); why.Reason != memory.ReasonFeedback || !strings.Contains(why.Detail, "wrong") {
		t.Errorf("why-not: %s: %s", why.Reason, why.Detail)
	}
	if e := w.explain(id, asked); !strings.Contains(e.Reason, "wrong") {
		t.Errorf("explain: %s", e.Reason)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionUndo})
	if again := w.recallDelivered(memory.RecallRequest{Prompt: asked}); len(again.Hits) != 1 {
		t.Errorf("after undo: %v", again.Hits)
	}
}

func TestUsefulRaisesForSimilarQuestions(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- The ferry office opens at seven\n- The ferry office has a new roof since May\n- The ferry leaves from pier four\n"})
	const useful = "The ferry office has a new roof since May"
	before, _ := w.placeOf("Tell me about the ferry office", useful)
	w.feedback(memory.FeedbackRequest{ID: string(w.idOf(useful)), Verdict: memory.VerdictUseful, Query: "What is there to tell about the ferry office?"})
	if place, _ := w.placeOf("Tell me about the ferry office", useful); place != 0 {
		t.Errorf("place %d, before %d", place, before)
	}
}

func TestNeverIsDeclaredForEveryCopy(t *testing.T) {
	const text = "The vault code of the ferry office is on the calendar"
	w := newWorld(t, map[string]string{"MEMORY.md": "# Notes\n\n- " + text + "\n", "memory/copy.md": "- " + text + "\n"})
	w.feedback(memory.FeedbackRequest{ID: string(w.list(memory.ListRequest{})[0].ID), Verdict: memory.VerdictNever})
	for _, file := range []string{"MEMORY.md", "memory/copy.md"} {
		if !strings.Contains(w.read(file), "importance_label: ignore") {
			t.Errorf("%s does not declare it:\n%s", file, w.read(file))
		}
	}
	recalled := func() int {
		return len(w.recallDelivered(memory.RecallRequest{Prompt: "Where is the vault code of the ferry office?"}).Hits)
	}
	if n := recalled(); n != 0 {
		t.Errorf("recalled %d", n)
	}
	if len(w.searchHits("vault code ferry office")) == 0 {
		t.Error("search does not find it any more")
	}
	if _, err := w.Feedback(t.Context(), memory.FeedbackRequest{ID: string(w.list(memory.ListRequest{})[0].ID), Verdict: memory.VerdictNever}); err == nil {
		t.Error("never twice is no error")
	}
	w.decide(memory.DecideRequest{Action: memory.ActionUndo})
	if n := recalled(); n == 0 || w.read("MEMORY.md") != "# Notes\n\n- "+text+"\n" {
		t.Errorf("after undo %d are recalled, and the file is\n%s", n, w.read("MEMORY.md"))
	}
}

func TestDestroyRemovesFeedback(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- The vault code of the ferry office is zq4711\n- The ferry office opens at seven\n"})
	w.feedback(memory.FeedbackRequest{ID: string(w.idOf("The ferry office opens at seven")), Verdict: memory.VerdictWrong,
		Query: "The vault code of the ferry office is zq4711, is it not?"})
	a := w.decide(memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(w.idOf("The vault code of the ferry office is zq4711"))}, Confirm: true})
	if a.Scan == nil || a.Scan.Found != 0 {
		t.Errorf("found after destroy: %+v", a.Scan)
	}
}

func TestPromptsAreForTheOwnerWhoAsksForThem(t *testing.T) {
	const asked = "Where does the blue heron live, by which pond?"
	w := newWorld(t, map[string]string{"MEMORY.md": "- A blue heron lives by the mill pond\n"})
	w.recallDelivered(memory.RecallRequest{Prompt: asked})
	for _, test := range []struct {
		request memory.ReceiptsRequest
		want    string
	}{
		{memory.ReceiptsRequest{}, ""},
		{memory.ReceiptsRequest{Prompts: true}, asked},
		{memory.ReceiptsRequest{Prompts: true, For: memory.AudienceModel}, ""},
		{memory.ReceiptsRequest{Prompts: true, Sender: memory.Sender{User: "telegram:4711"}}, ""},
	} {
		for _, r := range w.receipts(test.request) {
			if r.Prompt != test.want {
				t.Errorf("%+v: %q", test.request, r.Prompt)
			}
		}
	}
	if last := w.last(memory.LastRequest{Prompts: true}); last.Receipt.Prompt != asked {
		t.Errorf("last: %q", last.Receipt.Prompt)
	}
}
