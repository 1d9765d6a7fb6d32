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
		"No, forget what I just said.", "Wait, that's wrong, forget it.", "On second thought, better not remember that.", "You don't need to remember that.", "Forget that I said that.", "Undo that.",
		"Nein, doch nicht.", "Vergiss, was ich gerade gesagt habe.", "Das musst du dir nicht merken.", "Das war falsch, vergiss es.", "Speicher das doch lieber nicht.",
		"Non, oublie ce que je viens de dire.", "Finalement, oublie ça.", "Pas la peine de retenir ça.", "No, olvida lo que acabo de decir.", "Mejor no lo guardes.", "No hace falta que lo recuerdes.",
		"やっぱり覚えなくていいです。", "いや、今のはなし。", "不，忘了我刚才说的。", "算了，别记了。", "还是不要记了。",
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
	for _, other := range []string{"Don't forget that, please.", "Vergiss das nicht.", "Remember that.", "Forget the milk, buy bread.", "No lo olvides.",
		"Actually, I prefer coffee.", "No, I don't smoke.", "Nein, ich rauche nicht.", "Undo that commit in the branch.", "Forget that movie, it was bad.", "Non, je ne fume pas.", "No, no fumo.", "いや、タバコは吸いません。", "不，我不抽烟。"} {
		if capture.TakesBack(other) {
			t.Errorf("TakesBack(%q) = true", other)
		}
	}
}

func TestThanksStandBetweenWhatIsSaidAndTakenBack(t *testing.T) {
	for back, want := range map[string][]string{
		"Forget that, please.": nil, "Merk dir das doch nicht.": nil,
		"Just kidding.": {"I prefer tea over coffee."}, // the thanks, and not the tea
	} {
		if got := kept(extract("I prefer tea over coffee.", "Thanks.", back)); !slices.Equal(got, want) {
			t.Errorf("after %q: kept %q, want %q", back, got, want)
		}
	}
}

func TestNothingIsTakenBackOverAnotherMatter(t *testing.T) {
	for _, between := range []string{"What is the capital of France?", "Please book a table for four at the Italian place.", "明天帮我订一张去上海的火车票吧。"} {
		if got, want := kept(extract("I prefer tea over coffee.", between, "Forget that, please.")), []string{"I prefer tea over coffee."}; !slices.Equal(got, want) {
			t.Errorf("after %q: kept %q, want %q", between, got, want)
		}
	}
	for _, aside := range []string{"Thanks.", "Vielen Dank!", "Merci beaucoup.", "谢谢！", "ありがとう。", "Yes, that sounds good to me."} {
		if !capture.IsAside(aside) {
			t.Errorf("IsAside(%q) = false", aside)
		}
	}
}
