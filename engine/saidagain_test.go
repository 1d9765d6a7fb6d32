package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

func TestWhatIsSaidAgainHoldsAgain(t *testing.T) {
	const text = "The parking permit of the van is valid for zone B"
	for _, tt := range []struct{ name, notes, reason string }{
		{"expired", "- " + text + " <!-- expires: 2020-01-01 -->\n", "expired"},
		{"under an outdated heading", "## Outdated\n- " + text + "\n", "outdated"},
		{"struck out", "- ~~" + text + "~~\n", ""},
		{"archived", "- " + text + " <!-- tier: archive -->\n", "archived"},
		{"expired and private", "- " + text + " <!-- private --> <!-- expires: 2020-01-01 -->\n", "expired"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- The owl sleeps\n" + tt.notes})
			c.index()
			answer, err := c.Store(t.Context(), memory.StoreRequest{Text: text})
			if err != nil || answer.Duplicate {
				t.Fatalf("Store: %+v, %v; want it stored again", answer, err)
			}
			if notices := strings.Join(answer.Notices, "\n"); tt.reason != "" && !strings.Contains(notices, "is "+tt.reason) {
				t.Errorf("Store tells %q, want that the old one is %s", notices, tt.reason)
			}
			if answer.Memory.Private != strings.Contains(tt.name, "private") {
				t.Errorf("the new memory is private: %t", answer.Memory.Private)
			}
			if again, err := c.Store(t.Context(), memory.StoreRequest{Text: text}); err != nil || !again.Duplicate {
				t.Errorf("Store once more: %+v, %v; want a duplicate", again, err)
			}
		})
		t.Run("captured, "+tt.name, func(t *testing.T) {
			c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- The owl sleeps\n" + tt.notes})
			c.index()
			request := memory.CaptureRequest{Messages: []memory.CaptureMessage{{Role: "user", Content: "Remember that the parking permit of the van is valid for zone B."}}}
			answer, err := c.Capture(t.Context(), request)
			if err != nil || len(answer.Stored) != 1 {
				t.Fatalf("Capture: %+v, %v; want it kept again", answer, err)
			}
		})
	}
}
