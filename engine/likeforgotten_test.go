package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

const minka = "My cat is called Minka and sleeps on the red sofa"

// likeMinka are texts that nearly repeat minka.
var likeMinka = []string{
	strings.ToUpper(minka),
	"My cat is called Minka\u200b and sleeps on the red sofa",
	"My cat is called Minka and she sleeps on the red sofa",
	"My cat is called MINKA and she sle\u200beps on the red sofa",
	"1. " + minka,
	"Remember: " + minka,
	minka + " every day",
	"My cat is called Minka and sleeps on the sofa",
}

// forgottenMinka returns a world in which minka is forgotten.
func forgottenMinka(t *testing.T) *captureWorld {
	t.Helper()
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "# Pets\n- " + minka + "\n"})
	c.decide(decideRequest(memory.ActionForget, c.idOf(minka)))
	return c
}

func TestTextLikeAForgottenOneIsNotStored(t *testing.T) {
	c := forgottenMinka(t)
	for _, text := range likeMinka {
		_, err := c.Store(t.Context(), memory.StoreRequest{Text: text, Force: true})
		var refused *memory.Error
		if !errors.As(err, &refused) || refused.Kind != memory.ErrConflict || !strings.Contains(refused.Hint, "memory restore ") {
			t.Errorf("store %q: %v", text, err)
		}
	}
	if _, err := c.Store(t.Context(), memory.StoreRequest{Text: "My dog is called Rex and sleeps on the red sofa"}); err != nil {
		t.Errorf("another pet: %v", err)
	}
}

func TestTextLikeAForgottenOneIsNotCaptured(t *testing.T) {
	for _, text := range likeMinka {
		c := forgottenMinka(t)
		a := c.tell("s", "1", "Remember that "+text)
		if len(a.Stored) != 0 || !slices.Equal(reasons(a), []string{"forgotten"}) {
			t.Errorf("%q: stored %q, skipped %q", text, storedTexts(a), reasons(a))
		}
	}
}

// TestLiveTextDoesNotHideAForgottenOne forces a text that repeats a live memory and a
// forgotten one.
func TestLiveTextDoesNotHideAForgottenOne(t *testing.T) {
	c := forgottenMinka(t)
	c.write("memory/live.md", "- My cat is called Minka and he sleeps on the red sofa\n")
	c.index()
	_, err := c.Store(t.Context(), memory.StoreRequest{Text: "My cat is called Minka and she sleeps on the red sofa", Force: true})
	if !errors.Is(err, memory.ErrConflict) {
		t.Errorf("store: %v", err)
	}
}

// TestCaseAloneIsADuplicate stores a live text again in capitals, with a zero-width
// space in it.
func TestCaseAloneIsADuplicate(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "# Pets\n- " + minka + "\n"})
	a, err := c.Store(t.Context(), memory.StoreRequest{Text: "\u200b" + strings.ToUpper(minka)})
	if err != nil || !a.Duplicate || a.Memory.ID != c.idOf(minka) {
		t.Errorf("%+v, %v", a, err)
	}
}
