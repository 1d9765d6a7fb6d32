package embedding

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestSlownessHasToBeSeenTwice(t *testing.T) {
	now, slow := time.Now(), fmt.Errorf("%w: 700 ms", errSlow)
	var h health
	for n, tt := range []struct {
		result       error
		fails, isDue bool
	}{{slow, false, true}, {nil, false, false}, {slow, false, true}, {slow, true, true}, {slow, true, true}, {nil, false, false}, {errors.New("down"), true, true}} {
		h.set(now, tt.result)
		if fails := h.err() != nil; fails != tt.fails || h.isDue(now) != tt.isDue {
			t.Errorf("check %d: fails %v, due %v", n, fails, h.isDue(now))
		}
	}
}

func TestFailingOrSlowQuestionsMakeACheckDue(t *testing.T) {
	for _, tt := range []struct {
		name         string
		failed, slow int
		want         bool
	}{{"good", 2, 9, false}, {"errors", 3, 0, true}, {"slow", 0, 12, true}} {
		var h health
		now := time.Now()
		h.set(now, nil)
		for n := range window {
			took := time.Millisecond
			if n < tt.slow {
				took = time.Second
			}
			h.note(took, n < tt.failed)
		}
		if due := h.isDue(now); due != tt.want {
			t.Errorf("%s: due %v", tt.name, due)
		}
	}
	var h health
	h.set(time.Now(), nil)
	for range enough - 1 {
		h.note(time.Second, true)
	}
	if h.isDue(time.Now()) {
		t.Error("a handful of questions is not enough to judge")
	}
}
