package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

const forgottenVault = "The staging vault swordfish is under seven blankets today"

// newForgottenWorld has a memory whose comment repeats a forgotten text.
func newForgottenWorld(t *testing.T) *captureWorld {
	c := newCaptureWorld(t, map[string]string{
		"MEMORY.md": "- " + forgottenVault + "\n- Anna likes apples and pears <!-- trust: untrusted --> <!-- " + forgottenVault + " -->\n"})
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(c.idOf(forgottenVault))}}))(t)
	return c
}

func TestFaultsRepeatNoForgottenText(t *testing.T) {
	c := newForgottenWorld(t)
	c.write("memory/t.md", "---\nmemories:\n  - {id: \"aaaaaaaaaaaa\", quote: \""+forgottenVault+"\", pinned: true}\n---\n- Tractors are parked in the barn\n")
	c.write("memory/u.md", "---\ntier: \""+forgottenVault+"\"\n---\n- Wagons are parked at the gate\n")
	c.write("memory/v.md", "- Carts are parked at the wall <!-- tier: "+forgottenVault+" -->\n")
	c.write("memory/w.md", "- Sledges are parked at the wall <!-- tier: a swordfish of another sea -->\n")
	a := must.Get(c.Index(t.Context(), memory.IndexRequest{}, nil))(t)
	status := must.Get(c.Status(t.Context()))(t)
	for _, faults := range [][]memory.Fault{a.Faults, status.Workspaces[0].Faults} {
		if len(faults) != 4 {
			t.Errorf("%d faults: %v", len(faults), faults)
		}
		for _, f := range faults {
			if strings.Contains(f.Message, "vault") || !strings.Contains(f.Message, "…") && f.Path != "memory/w.md" {
				t.Errorf("%s: %s", f.Path, f.Message)
			}
			if f.Path == "memory/w.md" && !strings.Contains(f.Message, "a swordfish of another sea") {
				t.Errorf("another text is hidden: %s", f.Message)
			}
		}
	}
}
