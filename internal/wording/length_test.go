package wording_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/wording"
)

func TestACharacterOfChineseOrJapaneseCountsAsTwo(t *testing.T) {
	for text, want := range map[string]bool{"": true, "short text": false, " short te ": true, "我对花生过敏": false, "我怕花生": true, "猫はミケだよ": false, "Kira ❤ tea": false} {
		if got := wording.IsFragment(text); got != want {
			t.Errorf("IsFragment(%q) = %t", text, got)
		}
	}
}
