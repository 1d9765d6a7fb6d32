package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

func (w *world) recallDelivered(r memory.RecallRequest) memory.RecallAnswer {
	w.t.Helper()
	a, err := w.Recall(w.t.Context(), r)
	if err == nil {
		err = w.Delivered(w.t.Context(), "", a.Receipt)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

func (w *world) last(r memory.LastRequest) memory.LastAnswer {
	w.t.Helper()
	a := must.Get(w.Last(w.t.Context(), r))(w.t)
	return a
}

func (w *world) receipts(r memory.ReceiptsRequest) []memory.Receipt {
	w.t.Helper()
	a := must.Get(w.Receipts(w.t.Context(), r))(w.t)
	return a.Receipts
}

const threeMemories = "- " + heron + "\n- " + owl + "\n- The printer in the office is on the third floor\n"

func TestReceiptListsInjectedMemoriesAndNearMisses(t *testing.T) {
	w := newWorldWith(t, map[string]string{"MEMORY.md": threeMemories}, nil)
	answer := w.recallDelivered(memory.RecallRequest{Prompt: question, Session: "s-1", Agent: "coder"})
	last := w.last(memory.LastRequest{})
	r := last.Receipt
	if r.ID != answer.Receipt || r.Session != "s-1" || r.Agent != "coder" || r.Kind != memory.ReceiptRecall || !r.At.Equal(now) {
		t.Errorf("receipt %+v", r)
	}
	if len(last.Injected) != len(answer.Hits) || last.Injected[0].Memory == nil || last.Injected[0].Memory.Text != heron ||
		last.Injected[0].Similarity != answer.Hits[0].Similarity {
		t.Errorf("injected: %+v", last.Injected)
	}
	if len(last.NearMisses) == 0 || last.NearMisses[0].Reason != memory.ReasonBelowFloor || !strings.Contains(last.NearMisses[0].Detail, " < 0.20") ||
		last.NearMisses[0].Memory == nil {
		t.Errorf("near misses: %+v", last.NearMisses)
	}
	if r.Candidates[memory.TierWarm] == 0 || r.Selected[memory.TierWarm] != len(answer.Hits) || r.Rejected[memory.ReasonBelowFloor] == 0 ||
		len(r.FusedTop) == 0 || r.Lanes[memory.LaneText] != "ok" || r.Filters.Chars != len(question) || r.Floor != recall.DefaultFloor {
		t.Errorf("figures of the receipt: %+v", r)
	}
	text, err := json.Marshal(r)
	if err != nil || strings.Contains(string(text), "heron") || strings.Contains(string(text), "pond") {
		t.Errorf("the receipt contains text: %s, %v", text, err)
	}
}

func TestReceiptRecordsThePolicyTier(t *testing.T) {
	const labelled = "---\nimportance_label: must_remember\n---\n- " + heron + "\n"
	for _, tt := range []struct {
		name, memoryMD, other, prompt, want string
	}{
		{"labelled memories were enough", labelled, "- The printer in the office is on the third floor\n", question, "must+nice"},
		{"others were injected too", labelled, "- " + owl + "\n", question + " and the owl", "must+nice+unknown"},
		{"nothing is labelled", "- " + heron + "\n", "", question, "must+nice+unknown"},
		{"nothing was injected", labelled, "", "Which printer do we use in the office?", "must+nice+unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorldWith(t, map[string]string{"MEMORY.md": tt.memoryMD, "memory/other.md": tt.other}, nil)
			w.recallDelivered(memory.RecallRequest{Prompt: tt.prompt})
			if got := w.receipts(memory.ReceiptsRequest{})[0]; got.PolicyTier != tt.want {
				t.Errorf("policy tier %s with %d injected memories", got.PolicyTier, len(got.Injected))
			}
		})
	}
}

func TestReceiptsAreKeptForDeliveredAnswers(t *testing.T) {
	w := newWorldWith(t, map[string]string{"MEMORY.md": threeMemories}, nil)
	if _, err := w.Last(t.Context(), memory.LastRequest{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("before any recall: %v", err)
	}
	no := false
	unrecorded := w.recallDelivered(memory.RecallRequest{Prompt: question, Record: &no})
	if _, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: question}); err != nil { // never delivered
		t.Fatal(err)
	}
	if found := w.receipts(memory.ReceiptsRequest{}); len(found) != 0 || unrecorded.Receipt != "" {
		t.Errorf("%d receipts without delivery; unrecorded recall has receipt %q", len(found), unrecorded.Receipt)
	}
	first := w.recallDelivered(memory.RecallRequest{Prompt: question, Session: "a"})
	w.recallDelivered(memory.RecallRequest{Prompt: "thanks", Session: "b"})
	w.search("owl") // as a tool
	kinds := func(r memory.ReceiptsRequest) (list []string) {
		for _, one := range w.receipts(r) {
			list = append(list, one.Kind+":"+one.Session)
		}
		return list
	}
	check := func(when string) {
		t.Helper()
		for _, tt := range []struct {
			r    memory.ReceiptsRequest
			want string
		}{
			{memory.ReceiptsRequest{}, "[search:s recall:b recall:a]"},
			{memory.ReceiptsRequest{Limit: 1}, "[search:s]"},
			{memory.ReceiptsRequest{Session: "b"}, "[recall:b]"},
			{memory.ReceiptsRequest{Kind: memory.ReceiptSearch}, "[search:s]"},
			{memory.ReceiptsRequest{ID: first.Receipt[:6]}, "[recall:a]"},
		} {
			if got := fmt.Sprint(kinds(tt.r)); got != tt.want {
				t.Errorf("%s: %+v gives %s, want %s", when, tt.r, got, tt.want)
			}
		}
		if s := w.last(memory.LastRequest{Session: "b"}).Receipt.Skipped; s == nil || *s != memory.SkippedTrivial {
			t.Errorf("%s: skipped %v", when, s)
		}
	}
	check("before the write")
	must.Do(t, w.FlushUses(t.Context()))
	check("after the write")
	w.recallDelivered(memory.RecallRequest{Prompt: question, Session: "c"}) // two are written, one is pending
	if got := fmt.Sprint(kinds(memory.ReceiptsRequest{Limit: 2})); got != "[recall:c search:s]" {
		t.Error(got)
	}
	for name, r := range map[string]memory.ReceiptsRequest{"kind": {Kind: "dream"}, "limit": {Limit: -1}} {
		if _, err := w.Receipts(t.Context(), r); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNoReceiptsWhenTurnedOff(t *testing.T) {
	w := newWorldWith(t, map[string]string{"MEMORY.md": threeMemories}, func(o *engine.Options) { o.Receipts.Off = true })
	w.recallDelivered(memory.RecallRequest{Prompt: question})
	_, err := w.Last(t.Context(), memory.LastRequest{})
	var known *memory.Error
	if !errors.As(err, &known) || !strings.Contains(known.Hint, "receipts.enabled") {
		t.Errorf("%v", err)
	}
	if found := w.search(heron); found[0].UseCount != 1 {
		t.Errorf("used %d times, want 1: uses count without receipts too", found[0].UseCount)
	}
}

// They are hidden as soon as they are too old, and dropped by the next write.
func TestReceiptsExpire(t *testing.T) {
	w := newWorldWith(t, map[string]string{"MEMORY.md": threeMemories}, nil)
	saved := now
	defer func() { now = saved }()
	w.recallDelivered(memory.RecallRequest{Prompt: question, Session: "old"})
	must.Do(t, w.FlushUses(t.Context()))
	now = saved.Add(31 * 24 * time.Hour)
	if found := w.receipts(memory.ReceiptsRequest{}); len(found) != 0 {
		t.Errorf("after a month receipts are still listed: %+v", found)
	}
	w.recallDelivered(memory.RecallRequest{Prompt: question, Session: "new"})
	must.Do(t, w.FlushUses(t.Context()))
	now = saved
	if found := w.receipts(memory.ReceiptsRequest{}); len(found) != 1 || found[0].Session != "new" {
		t.Errorf("receipts left in the index: %+v", found)
	}
}

// No answer that goes through a receipt has a text that was forgotten after it was
// injected.
func TestReceiptWithholdsTextForgottenSince(t *testing.T) {
	w := newWorldWith(t, map[string]string{"MEMORY.md": threeMemories}, nil)
	w.recallDelivered(memory.RecallRequest{Prompt: question})
	id, near := w.idOf(heron), w.idOf(owl)
	w.decide(decideRequest(memory.ActionForget, id))
	w.decide(decideRequest(memory.ActionForget, near))
	w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), "- The printer in the office is on the third floor\n", "", 1))
	w.index()
	last := w.last(memory.LastRequest{})
	withheld := map[memory.ID]string{}
	for _, line := range append(last.Injected, last.NearMisses...) {
		if line.Memory != nil {
			t.Errorf("the receipt shows %+v", line.Memory)
		}
		withheld[line.ID] = line.Withheld
	}
	if withheld[id] != memory.ReasonForgotten || withheld[near] != memory.ReasonForgotten {
		t.Errorf("withheld: %v", withheld)
	}
	if a := w.whyNot(near, memory.WhyNotRequest{Receipt: memory.LastReceipt}); len(a.Winners) != 0 || a.Reason != memory.ReasonBelowFloor {
		t.Errorf("why-not by receipt: %+v", a)
	}
	must.Do(t, w.FlushUses(t.Context()))
	for _, name := range []string{w.db, w.db + "-wal"} {
		src := must.Get(os.ReadFile(name))(t)
		if strings.Contains(string(src), question) {
			t.Errorf("%s contains the query", name)
		}
	}
}

func TestWhyNotExplainsByAReceipt(t *testing.T) {
	w := newWorldWith(t, map[string]string{"MEMORY.md": threeMemories}, func(o *engine.Options) { o.Recall.MaxItems = 20 })
	first := w.recallDelivered(memory.RecallRequest{Prompt: question})
	w.recallDelivered(memory.RecallRequest{Prompt: "thanks"})
	off := 0
	w.recallDelivered(memory.RecallRequest{Prompt: question, MaxItems: &off, Session: "off"})
	w.write("USER.md", "- Something about a lighthouse, written later\n")
	w.index()
	disabled := w.receipts(memory.ReceiptsRequest{Session: "off"})[0].ID
	trivial := w.receipts(memory.ReceiptsRequest{})[1].ID
	tests := []struct {
		name, text, receipt, want, detail string
		injected                          bool
	}{
		{"injected", heron, first.Receipt, "", "it was injected: similarity", true},
		{"a near miss", owl, first.Receipt[:8], memory.ReasonBelowFloor, " < 0.20", false},
		{"small talk", owl, trivial, memory.ReasonGate, "small talk", false},
		{"turned off", owl, memory.LastReceipt, memory.ReasonDisabled, "", false},
		{"turned off, by its id", owl, strings.ToUpper(disabled), memory.ReasonDisabled, "", false},
		{"created later", "Something about a lighthouse, written later", first.Receipt, memory.ReasonBelowFloor, "near misses", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := w.whyNot(w.idOf(tt.text), memory.WhyNotRequest{Receipt: tt.receipt})
			if a.Reason != tt.want || a.Injected != tt.injected || !strings.Contains(a.Detail, tt.detail) {
				t.Errorf("%q: %q, injected %v; want %q: %q", a.Reason, a.Detail, a.Injected, tt.want, tt.detail)
			}
		})
	}
	a := w.whyNot(w.idOf(owl), memory.WhyNotRequest{Receipt: first.Receipt})
	if len(a.Winners) != 1 || a.Winners[0].Text != heron {
		t.Errorf("winners: %+v", a.Winners)
	}
	for _, bad := range []struct {
		r    memory.WhyNotRequest
		want error
	}{{memory.WhyNotRequest{Receipt: "00000000"}, memory.ErrNotFound}, {memory.WhyNotRequest{Receipt: "0"}, memory.ErrInvalid},
		{memory.WhyNotRequest{Receipt: "last", Query: "x"}, memory.ErrInvalid}} {
		bad.r.ID = string(w.idOf(owl))
		if _, err := w.WhyNot(t.Context(), bad.r); !errors.Is(err, bad.want) {
			t.Errorf("%+v: %v", bad.r, err)
		}
	}
}
