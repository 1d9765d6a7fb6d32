package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine"
)

func TestAMessageTakesBackWhatAnEarlierRequestStored(t *testing.T) {
	for _, tt := range []struct {
		name  string
		turns []string // each a request of its own
		texts []string // of what models get in the end
	}{
		{"at once", []string{"I prefer tea over coffee.", "No, forget what I just said."}, nil},
		{"after thanks", []string{"I prefer tea over coffee.", "Thanks.", "Please don't remember that."}, nil},
		{"a correction", []string{"Remember that the staging port is 8080.", "Remember that the staging port is now 8081.", "Forget that, please."}, []string{"the staging port is 8080."}},
		{"only the last", []string{"I prefer rye bread.", "I prefer tea over coffee.", "Scratch that."}, []string{"I prefer rye bread."}},
		{"something new", []string{"I prefer tea over coffee.", "Scratch that. I prefer cocoa over tea."}, []string{"I prefer cocoa over tea."}},
		{"a file, perhaps", []string{"I prefer tea over coffee.", "Delete that."}, []string{"I prefer tea over coffee."}},
		{"dropping a plan", []string{"Remember that the depot opens at 7:30.", "Forget it, let's go."}, []string{"the depot opens at 7:30."}},
		{"a question", []string{"Remember that the depot opens at 7:30.", "Forget that I asked."}, []string{"the depot opens at 7:30."}},
		{"long ago", []string{"I prefer tea over coffee.", "Good.", "Fine.", "Well.", "Forget that, please."}, []string{"I prefer tea over coffee."}},
		{"a joke", []string{"I prefer tea over coffee.", "Just kidding."}, nil},
		{"a joke in German", []string{"I prefer tea over coffee.", "War nur Spaß."}, nil},
		{"only the last is a joke", []string{"I prefer rye bread.", "I prefer tea over coffee.", "Just kidding."}, []string{"I prefer rye bread."}},
		{"a joke after thanks", []string{"I prefer tea over coffee.", "Thanks.", "Just kidding."}, []string{"I prefer tea over coffee."}},
		{"a joke with more words", []string{"I prefer tea over coffee.", "Just kidding. What is the time?"}, []string{"I prefer tea over coffee."}},
		{"a question between", []string{"I prefer tea over coffee.", "What is the capital of France?", "Forget that, please."}, []string{"I prefer tea over coffee."}},
		{"another matter between", []string{"I prefer tea over coffee.", "I cannot find the screwdriver today.", "Forget that, please."}, []string{"I prefer tea over coffee."}},
		{"a long agreement between", []string{"I prefer tea over coffee.", "Thank you very much!", "Forget that, please."}, nil},
		{"again", []string{"I prefer tea over coffee.", "Forget that, please.", "Thanks.", "Forget that, please."}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCaptureWorld(t, nil)
			for i, text := range tt.turns {
				c.at = c.at.Add(time.Minute)
				c.tell("s", fmt.Sprint(i), text)
			}
			a, err := c.List(t.Context(), memory.ListRequest{})
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, m := range a.Memories {
				if !m.Forgotten && m.SupersededBy == nil {
					texts = append(texts, m.Text)
				}
			}
			if !slices.Equal(texts, tt.texts) {
				t.Errorf("%q stay, want %q", texts, tt.texts)
			}
		})
	}
}

func TestNobodyTakesBackWhatAnotherSessionOrPersonSaid(t *testing.T) {
	c := newCaptureWorld(t, nil, func(o *engine.Options) { o.Identities = map[string][]string{"owner": {"1"}, "lena": {"2"}} })
	tell := func(session, key, id, text string) memory.CaptureAnswer {
		c.at = c.at.Add(time.Minute)
		return c.capture(memory.CaptureRequest{Session: session, Sender: memory.Sender{User: id}, Messages: []memory.CaptureMessage{{Key: key, Role: "user", Content: memory.MessageContent(text)}}})
	}
	if a := tell("group", "1", "1", "I prefer tea over coffee."); len(a.Stored) != 1 {
		t.Fatalf("kept %q", storedTexts(a))
	}
	for _, a := range []memory.CaptureAnswer{tell("group", "2", "2", "Forget that, please."), tell("other", "3", "1", "Forget that, please.")} {
		if slices.ContainsFunc(a.Skipped, func(s memory.CaptureSkipped) bool { return s.ID != "" }) {
			t.Errorf("forgotten: %+v", a.Skipped)
		}
	}
	if a := tell("group", "4", "1", "Forget that, please."); !slices.ContainsFunc(a.Skipped, func(s memory.CaptureSkipped) bool { return s.ID != "" && s.Reason == capture.SkipForget }) {
		t.Errorf("not forgotten: %+v", a.Skipped)
	}
}
