package capture_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory/capture"
)

func TestWhatTheUserTakesBackIsNotKept(t *testing.T) {
	for _, back := range []string{
		"Please don't remember that.", "Forget that, please.", "Just kidding.", "Oh, forget it.", "Never mind, forget it.", "Scratch that.", "I was joking!", "I take that back.",
		"Merk dir das bitte nicht.", "Bitte vergiss das.", "War nur ein Scherz.", "Oublie ça, s'il te plaît.", "Je plaisante.",
		"No lo guardes, por favor.", "Olvida eso.", "Era broma.", "今のは忘れてください。", "冗談です。", "请不要记住这个。", "我只是开玩笑。", "当我没说。",
	} {
		turn := capture.Turn{Owner: true, Messages: []capture.Message{
			{Key: "1", Role: capture.RoleUser, Text: "I prefer tea over coffee."},
			{Key: "2", Role: capture.RoleAssistant, Text: "Noted."},
			{Key: "3", Role: capture.RoleUser, Text: back + " What is the time?"},
		}}
		if got := kept(capture.Extract(turn, defaults)); len(got) > 0 {
			t.Errorf("after %q: kept %q", back, got)
		}
		if got := kept(extract("I prefer tea over coffee. " + back)); len(got) > 0 {
			t.Errorf("%q in the same message: kept %q", back, got)
		}
		if !capture.TakesBack(back) {
			t.Errorf("TakesBack(%q) = false", back)
		}
	}
}

func TestOnlyTheMessageBeforeIsTakenBack(t *testing.T) {
	got := kept(extract("I prefer rye bread.", "I prefer tea over coffee.", "Just kidding. I prefer cocoa over tea."))
	if want := []string{"I prefer rye bread.", "I prefer cocoa over tea."}; !slices.Equal(got, want) {
		t.Errorf("kept %q, want %q", got, want)
	}
	for _, other := range []string{"Don't forget that, please.", "Vergiss das nicht.", "Remember that.", "Forget the milk, buy bread.", "No lo olvides."} {
		if capture.TakesBack(other) {
			t.Errorf("TakesBack(%q) = true", other)
		}
	}
}
