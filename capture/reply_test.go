package capture_test

import (
	"testing"

	"github.com/memory-tiered/memory/capture"
)

func TestASecretInTheNextMessageIsNotKept(t *testing.T) {
	for _, turn := range [][]capture.Message{
		{{Role: capture.RoleAssistant, Text: "What is your PIN?"}, {Role: capture.RoleUser, Text: "It is two five eight zero. Remember this."}},
		{{Role: capture.RoleUser, Text: "My password for the bank changed."}, {Role: capture.RoleUser, Text: "Remember that it is now kumquat7."}},
		{{Role: capture.RoleUser, Text: "Das Passwort hat sich geändert."}, {Role: capture.RoleAssistant, Text: "Verstanden."}, {Role: capture.RoleUser, Text: "Merk dir, dass es jetzt tulpe88 ist."}},
		{{Role: capture.RoleUser, Text: "Remember that it is now kumquat7.", Before: []string{"My password for the bank changed."}}},
		{{Role: capture.RoleAssistant, Text: "What is your PIN?"}, {Role: capture.RoleUser, Text: "One moment."}, {Role: capture.RoleAssistant, Text: "Sure, I will wait until you have found it."}, {Role: capture.RoleUser, Text: "Remember: two five eight zero."}},
		{{Role: capture.RoleUser, Text: "My wifi password follows."}, {Role: capture.RoleAssistant, Text: "OK."}, {Role: capture.RoleUser, Text: "Remember: sunflower meadow blue."}},
		{{Role: capture.RoleAssistant, Text: "Which password do you use for the router?"}, {Role: capture.RoleUser, Text: "I always use sunflower meadow there."}},
		{{Role: capture.RoleUser, Text: "Remember: sunflower meadow blue. That's the wifi password."}},
		{{Role: capture.RoleUser, Text: "Remember: sunflower meadow blue."}, {Role: capture.RoleAssistant, Text: "Noted."}, {Role: capture.RoleUser, Text: "That's the wifi password, by the way."}},
		{{Role: capture.RoleUser, Text: "Here comes the door code.\n\nRemember: four four seven one."}},
	} {
		found := capture.Extract(capture.Turn{Owner: true, Messages: turn}, defaults)
		if got := kept(found); len(got) > 0 {
			t.Errorf("%v: kept %q", turn, got)
		}
	}
	for _, turn := range [][]capture.Message{
		{{Role: capture.RoleAssistant, Text: "What is your PIN?"}, {Role: capture.RoleUser, Text: "Remember that the bins go out on Tuesday."}},
		{{Role: capture.RoleAssistant, Text: "What is your PIN?"}, {Role: capture.RoleUser, Text: "It is on the little card that lies in the drawer of the desk in the hall."}, {Role: capture.RoleUser, Text: "Remember: rye bread for Anna."}},
		{{Role: capture.RoleUser, Text: "My wifi password changed."}, {Role: capture.RoleUser, Text: "Remember: rye bread for Anna."}},
	} {
		if got := kept(capture.Extract(capture.Turn{Owner: true, Messages: turn}, defaults)); len(got) != 1 {
			t.Errorf("%v: kept %q", turn, got)
		}
	}
}
