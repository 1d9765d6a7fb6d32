package engine_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestReviewEditKeepsBytes edits a memory in Latin-1, as a client does that gets JSON.
func TestReviewEditKeepsBytes(t *testing.T) {
	const before = "- The caf\xe9 opens at \uFFFD nine, says Ren\xe9 <!-- trust: untrusted -->\n- Gardens need water\n"
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": before})
	edit := func(withHash bool, replace ...string) error {
		t.Helper()
		src, err := json.Marshal(c.review(memory.ReviewRequest{Kind: memory.ReviewUntrusted}).Items[0])
		if err != nil {
			t.Fatal(err)
		}
		var item memory.ReviewItem
		if err := json.Unmarshal(src, &item); err != nil {
			t.Fatal(err)
		}
		step := stepOn(item, memory.ReviewEdit)
		if withHash {
			step.LinesHash, step.Lines = item.LinesHash, ""
		}
		step.NewLines = strings.NewReplacer(replace...).Replace(item.Lines)
		_, err = c.ReviewStep(t.Context(), step)
		return err
	}
	if err := edit(true, "Ren\uFFFD", "Rene"); !errors.Is(err, memory.ErrInvalid) || c.read("MEMORY.md") != before {
		t.Errorf("one of them replaced: %v\n%q", err, c.read("MEMORY.md"))
	}
	for _, withHash := range []bool{true, false} {
		c.write("MEMORY.md", before)
		c.index()
		if err := edit(withHash, "nine", "ten"); err != nil || c.read("MEMORY.md") != strings.Replace(before, "nine", "ten", 1) {
			t.Errorf("another word: %v\n%q", err, c.read("MEMORY.md"))
		}
	}
	c.write("MEMORY.md", before)
	c.index()
	if err := edit(true, "caf\uFFFD", "café", "at \uFFFD", "at", "Ren\uFFFD", "René"); err != nil || !strings.HasPrefix(c.read("MEMORY.md"), "- The café opens at nine, says René <") {
		t.Errorf("all of them replaced: %v\n%q", err, c.read("MEMORY.md"))
	}
}
