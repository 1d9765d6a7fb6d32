package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

func TestForgottenTextIsNoCurrentContext(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	set := func() error {
		_, err := w.SetContext(t.Context(), memory.ContextRequest{Text: heron})
		return err
	}
	if err := set(); err != nil {
		t.Fatal(err)
	}
	id := string(w.idOf(heron))
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{id}})
	answer, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: "what does the heron do in the pond"})
	if err != nil || strings.Contains(answer.Context, heron) {
		t.Errorf("recall after forget: %q, %v", answer.Context, err)
	}
	if current, err := w.Context(t.Context(), ""); err != nil || current.Context != nil {
		t.Errorf("context after forget: %+v, %v", current.Context, err)
	}
	if err := set(); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a forgotten text becomes the context: %v", err)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: []string{id}})
	if err := set(); err != nil {
		t.Errorf("after restore: %v", err)
	}
}
