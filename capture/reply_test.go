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
		{{Role: capture.RoleUser, Text: "Remember that it is now kumquat7.", Before: "My password for the bank changed."}},
	} {
		found := capture.Extract(capture.Turn{Owner: true, Messages: turn}, defaults)
		if got := kept(found); len(got) > 0 {
			t.Errorf("%v: kept %q", turn, got)
		}
	}
	turn := []capture.Message{{Role: capture.RoleAssistant, Text: "What is your PIN?"}, {Role: capture.RoleUser, Text: "Remember that the bins go out on Tuesday."}}
	if got := kept(capture.Extract(capture.Turn{Owner: true, Messages: turn}, defaults)); len(got) != 1 {
		t.Errorf("%v: kept %q", turn, got)
	}
}
