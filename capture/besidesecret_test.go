package capture_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
)

// TestASecretTakesNoOtherSentenceAlong writes sentences around a secret, in every order. The
// secret is left out and reported; each other sentence that the user asks to keep is kept.
func TestASecretTakesNoOtherSentenceAlong(t *testing.T) {
	const (
		secret = "The password of the NAS is Otter!77x."
		plain  = "Remember that the printer is in the cellar."
		other  = "Remember that the dentist is called Weber."
	)
	for name, test := range map[string]struct {
		text string
		kept []string
		told bool
	}{
		"alone":                     {"Remember: the password of the NAS is Otter!77x.", nil, true},
		"secret, then request":      {secret + " " + plain, []string{"printer"}, true},
		"request, then secret":      {plain + " " + secret, []string{"printer"}, true},
		"between two requests":      {plain + " " + secret + " " + other, []string{"printer", "dentist"}, true},
		"paragraphs":                {plain + "\n\n" + secret + "\n\n" + other, []string{"printer", "dentist"}, true},
		"a list":                    {"Remember:\n- the printer is in the cellar\n- the password of the NAS is Otter!77x\n- the dentist is called Weber", []string{"printer", "dentist"}, true},
		"two requests, one secret":  {plain + " Remember that the password of the NAS is Otter!77x.", []string{"printer"}, true},
		"name and value apart":      {"Remember the code of my bike lock: 4711.", nil, true},
		"a key of several lines":    {"Remember this key:\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----", nil, true},
		"nothing was asked":         {secret, nil, false},
		"private, and asked":        {"Keep this off the record. " + plain, nil, true},
		"a request before too much": {plain + "\n\n" + strings.Repeat("The rain goes on. ", 500), []string{"printer"}, true},
		"a request amid too much":   {strings.Repeat("The rain goes on.\n", 150) + other + "\n" + strings.Repeat("The rain goes on.\n", 150), nil, true},
		"no secret":                 {plain + " " + other, []string{"printer", "dentist"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			kept, told := "", false
			for _, c := range capture.Extract(capture.Turn{Owner: true, Messages: []capture.Message{{Key: "1", Role: capture.RoleUser, Text: test.text}}},
				capture.Settings{Categories: []memory.Category{memory.CategoryPreference, memory.CategoryDecision}}) {
				kept += c.Text + "\n"
				told = told || c.Explicit && !c.Kept()
			}
			for _, word := range []string{"printer", "dentist"} {
				want := strings.Contains(strings.Join(test.kept, " "), word)
				if strings.Contains(kept, word) != want {
					t.Errorf("%s is kept: %v, want %v; kept %q", word, !want, want, kept)
				}
			}
			for _, hidden := range []string{"Otter", "4711", "MIIE"} {
				if strings.Contains(kept, hidden) {
					t.Errorf("kept %q", kept)
				}
			}
			if told != test.told {
				t.Errorf("reported: %v, want %v", told, test.told)
			}
		})
	}
}
