package engine_test

import (
	"encoding/json"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestStatsOfAUserTellNothingOfOthers counts the memories of the owner and of a model, with
// and without memories that these may not get.
func TestStatsOfAUserTellNothingOfOthers(t *testing.T) {
	own := map[string]string{"MEMORY.md": "- The ferry leaves at nine\n", "memory/owner.md": "---\nuser: owner\n---\n- The gate opens at six <!-- scope: work -->\n"}
	hidden := map[string]string{"memory/lena.md": "---\nuser: lena\n---\n- Lena rows on Mondays <!-- scope: lake; category: preference -->\n- Lena likes tea\n", "MEMORY.md": own["MEMORY.md"] + "- Ben has a boat <!-- user: ben -->\n"}
	private := map[string]string{"MEMORY.md": own["MEMORY.md"] + "- The gift is a bicycle <!-- private -->\n"}
	with := func(more map[string]string) map[string]string {
		files := map[string]string{}
		for _, from := range []map[string]string{own, more} {
			for path, text := range from {
				files[path] = text
			}
		}
		return files
	}
	for name, test := range map[string]struct {
		more map[string]string
		r    memory.StatsRequest
	}{
		"a user":       {hidden, memory.StatsRequest{Sender: memory.Sender{User: "telegram:1"}}},
		"a model":      {private, memory.StatsRequest{For: memory.AudienceModel, Sender: memory.Sender{User: "telegram:1"}}},
		"no sender":    {with(hidden), memory.StatsRequest{For: memory.AudienceModel}},
		"a stranger's": {hidden, memory.StatsRequest{Sender: memory.Sender{User: "9", Channel: "telegram"}}},
	} {
		t.Run(name, func(t *testing.T) {
			var answers [2]string
			for i, more := range []map[string]string{nil, test.more} {
				c := newFamily(t, with(more))
				c.use("s", "When does the ferry leave?")
				must.Do(t, c.FlushUses(t.Context()))
				stats, err := c.Stats(t.Context(), test.r)
				if err != nil || stats.Total == 0 || stats.Files == 0 {
					t.Fatalf("%+v, %v", stats, err)
				}
				text := must.Get(json.Marshal(stats))(t)
				answers[i] = string(text)
			}
			if answers[0] != answers[1] {
				t.Errorf("without hidden memories:\n%s\nwith them:\n%s", answers[0], answers[1])
			}
		})
	}
}
