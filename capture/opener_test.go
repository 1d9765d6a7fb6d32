package capture_test

import (
	"slices"
	"testing"
)

func TestARequestIsUnderstoodBehindAnyOpening(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Also remember that the crane is in hall two.", "the crane is in hall two."},
		{"Please also remember that the crane is in hall two.", "the crane is in hall two."},
		{"Oh, and remember that the crane is in hall two.", "the crane is in hall two."},
		{"By the way, remember that the crane is in hall two.", "the crane is in hall two."},
		{"And please remember that the crane is in hall two.", "the crane is in hall two."},
		{"Oh, and also, can you remember that the crane is in hall two?", "the crane is in hall two"},
		{"The crane is in hall two, please remember.", "The crane is in hall two"},
		{"The crane is in hall two, and don't forget it!", "The crane is in hall two"},
		{"The crane is in hall two. Oh, and remember that.", "The crane is in hall two."},
		{"Remember that the crane also lifts boats.", "the crane also lifts boats."},
		{"Merk dir auch, dass der Kran in Halle zwei steht.", "der Kran in Halle zwei steht."},
		{"Übrigens, merk dir, dass der Kran in Halle zwei steht.", "der Kran in Halle zwei steht."},
		{"Der Kran steht in Halle zwei, bitte merken.", "Der Kran steht in Halle zwei"},
		{"Merk dir außerdem, dass der Kran in Halle zwei steht.", "der Kran in Halle zwei steht."},
		{"Notier dir des Weiteren, dass der Kran in Halle zwei steht.", "der Kran in Halle zwei steht."},
		{"Merken Sie sich bitte zusätzlich, dass der Kran in Halle zwei steht.", "der Kran in Halle zwei steht."},
		{"Remember, too, that the crane is in hall two.", "the crane is in hall two."},
		{"Remember in addition that the crane is in hall two.", "the crane is in hall two."},
		{"Besides, remember that the crane as well as the lift is in hall two.", "the crane as well as the lift is in hall two."},
		{"Retiens en plus qu'une grue est dans le hall deux.", "une grue est dans le hall deux."},
		{"Recuerda, por otra parte, que la grúa está en la nave dos.", "la grúa está en la nave dos."},
		{"ついでに覚えておいて：クレーンは第二倉庫にあります。", "クレーンは第二倉庫にあります。"},
		{"请另外记住：吊车在二号仓库。", "吊车在二号仓库。"},
		{"Retiens aussi que la grue est dans le hall deux.", "la grue est dans le hall deux."},
		{"Au fait, souviens-toi que la grue est dans le hall deux.", "la grue est dans le hall deux."},
		{"La grue est dans le hall deux, ne l'oublie pas.", "La grue est dans le hall deux"},
		{"Recuerda también que la grúa está en la nave dos.", "la grúa está en la nave dos."},
		{"Por cierto, recuerda que la grúa está en la nave dos.", "la grúa está en la nave dos."},
		{"La grúa está en la nave dos, no lo olvides.", "La grúa está en la nave dos"},
		{"クレーンは第二倉庫にあることも覚えておいてください。", "クレーンは第二倉庫にある"},
		{"对了，请也记住：吊车在二号仓库。", "吊车在二号仓库。"},
	} {
		if got := kept(extract(tt.text)); !slices.Equal(got, []string{tt.want}) {
			t.Errorf("%q: kept %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestARefusalIsUnderstoodBehindAnyOpening(t *testing.T) {
	for _, text := range []string{
		"Oh, and forget that I prefer tea in the morning.",
		"I prefer tea in the morning. By the way, please don't remember that.",
		"Übrigens, vergiss, dass ich lieber Tee trinke.",
	} {
		if got := kept(extract(text)); len(got) > 0 {
			t.Errorf("%q: kept %q", text, got)
		}
	}
}
