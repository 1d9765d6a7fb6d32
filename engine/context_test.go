package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func TestForgottenTextIsNoCurrentContext(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	set := func() error {
		_, err := w.SetContext(t.Context(), memory.ContextRequest{Text: heron})
		return err
	}
	must.Do(t, set())
	id := string(w.idOf(heron))
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{id}})
	answer, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: "what does the heron do in the pond"})
	if err != nil || strings.Contains(answer.Context, heron) {
		t.Errorf("recall after forget: %q, %v", answer.Context, err)
	}
	if current, err := w.Context(t.Context(), memory.ContextOf{}); err != nil || current.Context != nil {
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

// A context is put into every prompt, so it holds no secret.
func TestSecretIsNoCurrentContext(t *testing.T) {
	w := newReopenable(t, nil)
	for text, allowed := range map[string]bool{
		"The password of the NAS is Otter!77x": false,
		"Das WLAN-Passwort lautet Otter!77x":   false,
		"Migrating the NAS today":              true,
	} {
		_, err := w.SetContext(t.Context(), memory.ContextRequest{Text: text})
		if errors.Is(err, memory.ErrForbidden) == allowed || allowed && err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if err != nil && strings.Contains(err.Error(), "Otter") {
			t.Errorf("the error repeats the secret: %v", err)
		}
	}
}

// The context has a forgotten text beside other words.
func TestContextThatContainsAForgottenTextIsRefused(t *testing.T) {
	const short = "The code is 4711"
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + short + "\n"})
	texts := []string{
		"Billing today. " + heron + ". Ask Bob.",
		"Billing today\n\n" + heron,
		"Billing today\n- **" + strings.ToUpper(heron) + "**\n- ask Bob",
		"Remember that " + heron + " all year",
		"Billing today. " + short + ". Ask Bob.",
		"Billing today\n" + short,
	}
	set := func(text string) error {
		_, err := w.SetContext(t.Context(), memory.ContextRequest{Text: text})
		return err
	}
	ids := []string{string(w.idOf(heron)), string(w.idOf(short))}
	for _, text := range texts {
		must.Do(t, set(text))
		w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids})
		answer, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: "billing"})
		if err != nil || strings.Contains(answer.Context, "illing today") || strings.Contains(answer.Context, "Remember that") {
			t.Errorf("recall has the context %q: %q, %v", text, answer.Context, err)
		}
		if err := set(text); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("%q becomes the context: %v", text, err)
		}
		w.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: ids})
	}
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids})
	if err := set("Billing today. The code is in the vault. Ask Bob about the heron."); err != nil {
		t.Errorf("another text: %v", err)
	}
}

func TestContextIsCheckedAgainAfterADecision(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
	must.Get(w.SetContext(t.Context(), memory.ContextRequest{Text: heron}))(t)
	shown := func() bool {
		answer := must.Get(w.Context(t.Context(), memory.ContextOf{}))(t)
		return answer.Context != nil
	}
	for _, step := range []struct {
		action memory.Action
		of     string
		want   bool
	}{{memory.ActionForget, owl, true}, {memory.ActionForget, heron, false}, {memory.ActionRestore, owl, false}, {memory.ActionRestore, heron, true}} {
		w.decide(decideRequest(step.action, w.idOf(step.of)))
		if shown() != step.want {
			t.Errorf("after %s of %q the context is shown: %v", step.action, step.of, !step.want)
		}
	}
}

// The answer is the context as it was set, even if it has ended meanwhile.
func TestContextOfANanosecondIsSet(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	hours := 1 / 3600e9
	answer, err := w.SetContext(t.Context(), memory.ContextRequest{Text: "The bridge is closed", TTLHours: &hours})
	if err != nil || answer.Context == nil || !answer.Context.ExpiresAt.After(answer.Context.SetAt) {
		t.Errorf("%+v, %v", answer.Context, err)
	}
}
