package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// openFences are texts that open a block of code and do not close it.
var openFences = []string{"~~~~ opens a code block in my notes", "````` opens a code block too", "the block of the plumber:\n~~~\ncall Bernd first"}

// TestTextThatOpensAFenceIsCaptured sends texts that would swallow a comment behind
// them. The texts after them are kept too.
func TestTextThatOpensAFenceIsCaptured(t *testing.T) {
	for _, text := range openFences[:2] {
		c := newCaptureWorld(t, nil)
		a := c.capture(memory.CaptureRequest{Session: "s", Messages: said("Remember that my bike is blue and has a bell.", "Remember that "+text, "Remember that the plumber is called Bernd.")})
		want := []string{"my bike is blue and has a bell.", text, "the plumber is called Bernd."}
		if !slices.Equal(storedTexts(a), want) {
			t.Errorf("stored %q, skipped %q, want %q", storedTexts(a), reasons(a), want)
		}
		for _, m := range a.Stored {
			if m.Path != capturedFile || m.Source != memory.SourceAutoCapture || m.SourceRef == nil {
				t.Errorf("%q: %+v", m.Text, m)
			}
		}
		if text := c.read(capturedFile); strings.Count(text, "\n- ") != 3 {
			t.Error(text)
		}
	}
}

// TestToolStoresATextThatOpensAFence checks that the comment with the trust is read
// back, and that the file still takes other texts.
func TestToolStoresATextThatOpensAFence(t *testing.T) {
	c := newCaptureWorld(t, nil)
	for _, text := range append(slices.Clone(openFences), "the heron nests behind the old mill pond") {
		a, err := c.Store(t.Context(), memory.StoreRequest{Text: text, Source: memory.SourceTool})
		if err != nil || a.Memory.Text != text || a.Memory.Trust != memory.TrustUntrusted || a.Memory.Path != capturedFile {
			t.Errorf("store %q: %+v, %v", text, a.Memory, err)
		}
	}
}
