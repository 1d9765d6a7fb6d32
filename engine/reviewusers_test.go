package engine_test

import (
	"errors"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestReviewPairsOnlyMemoriesOfOneUser has texts of two users, and everybody's, that say the
// same or give other values. Only those of one user are points, and can be merged.
func TestReviewPairsOnlyMemoriesOfOneUser(t *testing.T) {
	const pool, same = "The key of the swimming pool hangs behind the kitchen door", "The key of the swimming pool really hangs behind the kitchen door"
	c := newFamily(t, map[string]string{"MEMORY.md": "# Home\n- The vault is on floor 3 <!-- user: lena -->\n- The vault is on floor 4 <!-- user: ben -->\n- " +
		pool + " <!-- user: lena -->\n- " + same + " <!-- user: ben -->\n- " + pool + "\n"})
	count := func() int {
		kinds := c.review(memory.ReviewRequest{}).Kinds
		return kinds[memory.ReviewContradiction] + kinds[memory.ReviewNearDuplicate]
	}
	if n := count(); n != 0 {
		t.Errorf("%d pairs of different users: %+v", n, c.review(memory.ReviewRequest{}).Items)
	}
	before, lena, ben := c.read("MEMORY.md"), memory.ID(""), c.idOf(same)
	for _, m := range c.listPath("MEMORY.md") {
		if m.Text == pool && m.User == "lena" {
			lena = m.ID
		}
	}
	_, err := c.ReviewStep(t.Context(), memory.ReviewStepRequest{Action: memory.ReviewMerge, Kind: memory.ReviewNearDuplicate, ID: string(lena), Other: string(ben)})
	if !errors.Is(err, memory.ErrInvalid) || c.read("MEMORY.md") != before {
		t.Errorf("a merge of two users' memories: %v\n%s", err, c.read("MEMORY.md"))
	}
	c.write("memory/lena.md", "---\nuser: lena\n---\n- The vault is on floor 5\n- "+same+"\n")
	c.index()
	if n := count(); n != 2 {
		t.Errorf("%d pairs of lena, want 2", n)
	}
}
