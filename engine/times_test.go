package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
)

// TestAnswerCountsWhatItsDatesLeaveOut checks every answer that dates restrict.
func TestAnswerCountsWhatItsDatesLeaveOut(t *testing.T) {
	w := newWorld(t, map[string]string{
		"memory/2020-05-01.md": "- The zebra house has port 8081\n",
		"memory/2021-05-01.md": "---\ncreated: 2019-01-01\n---\n- The zebra stable has port 8082\n",
		"memory/2022-05-01.md": "- The zebra garden has port 8083\n- A zebra secret <!-- private -->\n",
	})
	list, err := w.List(t.Context(), memory.ListRequest{AsOf: "2021-12-31"})
	if err != nil || list.Total != 2 || list.LeftOutByDate != 2 {
		t.Errorf("list: %d, %d left out, %v; want 2 and 2", list.Total, list.LeftOutByDate, err)
	}
	list, err = w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Since: "2020-01-01", Until: "2021-12-31"}})
	if err != nil || list.Total != 1 || list.LeftOutByDate != 3 {
		t.Errorf("list of a span: %d, %d left out, %v; created wins over the name", list.Total, list.LeftOutByDate, err)
	}
	found, err := w.Search(t.Context(), memory.SearchRequest{Query: "zebra port", AsOf: "2021-12-31"})
	if err != nil || found.LeftOutByDate != 2 {
		t.Errorf("search: %d left out, %v", found.LeftOutByDate, err)
	}
	block, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: "Which port does the zebra house have?", AsOf: "2021-12-31"})
	if err != nil || block.LeftOutByDate != 1 {
		t.Errorf("recall: %d left out, %v; private memories do not count", block.LeftOutByDate, err)
	}
	if found, err = w.Search(t.Context(), memory.SearchRequest{Query: "zebra port"}); err != nil || found.LeftOutByDate != 0 {
		t.Errorf("without a date: %d left out, %v", found.LeftOutByDate, err)
	}
}

func TestSinceTakesTodayAndYesterday(t *testing.T) {
	w := newWorld(t, nil)
	tokyo := now.In(time.FixedZone("JST", 9*60*60)) // the zone of the workspace: a day ahead of UTC
	for at, text := range map[int]string{-2: "Old zebra fact here", -1: "Yesterday zebra fact here", 0: "Today zebra fact here"} {
		day := tokyo.AddDate(0, 0, at).Format("2006-01-02")
		w.write("memory/"+day+".md", "- "+text+"\n")
	}
	w.index()
	for since, want := range map[string]int{"today": 1, "yesterday": 2, "Yesterday": 2} {
		list, err := w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Since: since}})
		if err != nil || list.Total != want {
			t.Errorf("since %s: %d memories, %v; want %d", since, list.Total, err, want)
		}
	}
	if _, err := w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Since: "tomorrowish"}}); err == nil {
		t.Error("an unknown word is a time")
	}
}

func TestContextNeedsAPositiveTimeToLive(t *testing.T) {
	w := newWorld(t, nil)
	for _, hours := range []float64{-5.0 / 60, 0, 1e6} {
		_, err := w.SetContext(t.Context(), memory.ContextRequest{Text: "On a call", TTLHours: &hours})
		if err == nil || !strings.Contains(err.Error(), "must be more than 0 and at most 10 years") {
			t.Errorf("%v hours: %v", hours, err)
		}
	}
}
