package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// dentist is said on Saturday, 2026-11-21, in Tokyo.
const (
	dentist      = "Remember: the dentist is tomorrow at 10"
	dentistDated = "the dentist is tomorrow (2026-11-22) at 10"
)

// tellAt captures one message that was sent at a time; empty: the message does not tell.
func (c *captureWorld) tellAt(session, key, text, at string) memory.CaptureAnswer {
	c.t.Helper()
	return c.capture(memory.CaptureRequest{Session: session, Messages: []memory.CaptureMessage{{Key: key, Role: "user", Content: memory.MessageContent(text), At: at}}})
}

// TestRelativeDaysAreCapturedWithTheirDates counts from the time of the message, in the zone of
// the workspace.
func TestRelativeDaysAreCapturedWithTheirDates(t *testing.T) {
	for _, tt := range []struct{ at, text, want string }{
		{"", dentist, dentistDated},
		{"2026-11-20T22:00:00Z", dentist, dentistDated},                                                                // the 21st in Tokyo
		{"2026-11-16T14:00:00Z", dentist, "the dentist is tomorrow (2026-11-17) at 10"},                                // the 16th
		{"2026-11-16T15:00:00Z", dentist, "the dentist is tomorrow (2026-11-18) at 10"},                                // the 17th
		{"2026-11-16", "Merk dir: übermorgen kommt die Post.", "übermorgen (2026-11-18) kommt die Post."},              // a date alone
		{"2027-01-01", "请记住：明天上午10点看牙医。", "明天（2026年11月22日）上午10点看牙医。"},                                                  // in the future: now
		{"", "Remember: lunch on 2 May, and the train the day after.", "lunch on 2 May, and the train the day after."}, // no relative day
	} {
		c := newCaptureWorld(t, nil)
		if got := storedTexts(c.tellAt("s", "1", tt.text, tt.at)); !slices.Equal(got, []string{tt.want}) {
			t.Errorf("sent at %q: stored %q, want %q", tt.at, got, tt.want)
		}
	}
}

// TestMessageOfYesterdayIsNotStoredAgain sends the message of a day again on later days.
func TestMessageOfYesterdayIsNotStoredAgain(t *testing.T) {
	for _, at := range []string{"", "2026-11-21T08:00:00+09:00"} {
		for _, days := range []int{0, 1, 5} {
			for name, change := range map[string]func(*captureWorld, memory.ID){
				"duplicate": func(*captureWorld, memory.ID) {},
				"forgotten": func(c *captureWorld, id memory.ID) {
					c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(id)}})
				},
				"deleted": func(c *captureWorld, _ memory.ID) {
					c.write(capturedFile, "---\nsource: auto-capture\n---\n")
					c.index()
				},
			} {
				c := newCaptureWorld(t, nil)
				id := c.tellAt("s", "1", dentist, at).Stored[0].ID
				change(c, id)
				c.at = c.at.AddDate(0, 0, days)
				for _, session := range []string{"s", "another"} {
					if a := c.tellAt(session, "1", dentist, at); len(a.Stored) != 0 || session != "s" && !slices.Equal(reasons(a), []string{name}) {
						t.Errorf("sent at %q, %d days later, %s, in the session %s: stored %q, left out %q", at, days, name, session, storedTexts(a), reasons(a))
					}
				}
			}
		}
	}
}

// TestMessageIsNotStoredAgainAfterTheIndexIsLost sends a session again days later.
func TestMessageIsNotStoredAgainAfterTheIndexIsLost(t *testing.T) {
	for _, at := range []string{"", "2026-11-21T08:00:00+09:00", "2026-11-14T08:00:00+09:00"} {
		c := newCaptureWorld(t, nil)
		id := c.tellAt("s", "1", dentist, at).Stored[0].ID
		c.at = c.at.AddDate(0, 0, 3)
		c.loseIndex()
		a := c.tellAt("s", "1", dentist, at)
		if len(a.Stored) != 0 || !slices.Equal(reasons(a), []string{"duplicate"}) {
			t.Errorf("sent at %q: stored %q again, left out %q; the first was %s", at, storedTexts(a), reasons(a), id)
		}
	}
}

// TestSameWordsOfAnotherDayAreAnotherDay says the words again, a week later.
func TestSameWordsOfAnotherDayAreAnotherDay(t *testing.T) {
	c := newCaptureWorld(t, nil)
	first := c.tellAt("s", "1", dentist, "2026-11-16T08:00:00+09:00").Stored[0].ID
	a := c.tellAt("s", "2", dentist, "2026-11-20T08:00:00+09:00")
	if !slices.Equal(storedTexts(a), []string{"the dentist is tomorrow (2026-11-21) at 10"}) || !slices.Equal(a.Superseded, []memory.ID{first}) {
		t.Errorf("stored %q, superseded %v, left out %q", storedTexts(a), a.Superseded, reasons(a))
	}
	b := c.tellAt("s", "3", "Remember: we ate at Luigi's yesterday", "2026-11-16T08:00:00+09:00")
	d := c.tellAt("s", "4", "Remember: we ate at Luigi's yesterday", "2026-11-19T08:00:00+09:00")
	if len(b.Stored) != 1 || len(d.Stored) != 1 || len(d.Superseded) != 0 {
		t.Errorf("stored %q and %q, superseded %v", storedTexts(b), storedTexts(d), d.Superseded)
	}
}

// TestWordsWithoutATimeAreAnotherDayAfterAMonth says the words again in messages without a time.
func TestWordsWithoutATimeAreAnotherDayAfterAMonth(t *testing.T) {
	for days, want := range map[int][]string{29: nil, 31: {"the dentist is tomorrow (2026-12-23) at 10"}} {
		for _, isDeleted := range []bool{false, true} {
			c := newCaptureWorld(t, nil)
			c.tellAt("s", "1", dentist, "")
			if isDeleted {
				c.write(capturedFile, "---\nsource: auto-capture\n---\n")
				c.index()
			}
			c.at = c.at.AddDate(0, 0, days)
			if a := c.tellAt("another", "1", dentist, ""); !slices.Equal(storedTexts(a), want) {
				t.Errorf("%d days later, deleted %t: stored %q, left out %q", days, isDeleted, storedTexts(a), reasons(a))
			}
		}
	}
}

// TestDatedTextIsFoundForgottenAndUndone asks for the dentist, and takes the text back.
func TestDatedTextIsFoundForgottenAndUndone(t *testing.T) {
	c := newCaptureWorld(t, nil)
	a := c.capture(memory.CaptureRequest{Command: "5b0c7f3e-9f9b-4a43-9a37-7a3ad3b4f6d1", Messages: said(dentist)})
	if got := storedTexts(a); !slices.Equal(got, []string{dentistDated}) {
		t.Fatalf("stored %q", got)
	}
	block, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "when is the dentist?"})
	if err != nil || !strings.Contains(block.Context, "2026-11-22") {
		t.Errorf("injected %s, %v", block.Context, err)
	}
	c.undo(1)
	if left := c.list(memory.ListRequest{}); len(left) != 0 {
		t.Errorf("after undo: %v", left)
	}
	c.tell("t", "1", "Remember that the bins go out tonight.")
	if a := c.tell("t", "2", "No, forget what I just said."); !slices.Contains(reasons(a), "forget") || len(c.list(memory.ListRequest{})) != 0 {
		t.Errorf("taken back: %q, left: %v", reasons(a), c.list(memory.ListRequest{}))
	}
}

// TestToolsStoreDatesAndPersonsDoNot stores the same words as a tool and as a person.
func TestToolsStoreDatesAndPersonsDoNot(t *testing.T) {
	const words = "the dentist is tomorrow at 10"
	c := newCaptureWorld(t, nil)
	if m := c.storeAs(memory.StoreRequest{Text: words}).Memory; m.Text != words {
		t.Errorf("a person stored %q", m.Text)
	}
	tool := memory.StoreRequest{Text: words, Source: memory.SourceTool, For: memory.AudienceModel, UserMessage: dentist}
	m := c.storeAs(tool).Memory
	if m.Text != dentistDated || m.Trust != memory.TrustTrusted {
		t.Errorf("a tool stored %q, which is %s", m.Text, m.Trust)
	}
	if a := c.storeAs(tool); !a.Duplicate {
		t.Errorf("the tool stored %q again", a.Memory.Text)
	}
	if a := c.tell("s", "1", dentist); !slices.Equal(reasons(a), []string{"duplicate"}) {
		t.Errorf("capture stored %q beside the tool's", storedTexts(a))
	}
}

// TestForgottenWordsDoNotComeBackWithADate forgets a text without a date.
func TestForgottenWordsDoNotComeBackWithADate(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"memory/2026-11-19.md": "- the dentist is tomorrow at 10\n"})
	c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(c.idOf("the dentist is tomorrow at 10"))}})
	if a := c.tell("s", "1", dentist); !slices.Equal(reasons(a), []string{"forgotten"}) {
		t.Errorf("stored %q, left out %q", storedTexts(a), reasons(a))
	}
	_, err := c.Store(t.Context(), memory.StoreRequest{Text: "the dentist is tomorrow at 10", Source: memory.SourceTool, For: memory.AudienceModel})
	if err == nil {
		t.Error("a tool stored the forgotten words with a date")
	}
}
