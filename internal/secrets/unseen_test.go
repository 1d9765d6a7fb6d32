package secrets_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

var (
	marks  = strings.NewReplacer("⟦", "", "⟧", "")
	values = regexp.MustCompile("⟦(.*?)⟧")
)

// The tables are tuned to the first line of each file, the third and so on. The others are the
// test half: look at its figures, and not at its lines.
func TestUnseenTexts(t *testing.T) {
	const minFound, maxFalse = 0.9, 0.05
	files, err := filepath.Glob("testdata/unseen/*.txt")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	found, masked, secret, wrong, harmless := 0, 0, 0, 0, 0
	for _, file := range files {
		texts, isSecret := readTexts(t, strings.TrimPrefix(filepath.ToSlash(file), "testdata/"))
		foundHere, secretHere := 0, 0
		for i, text := range texts {
			plain := marks.Replace(text)
			kind, ok := secrets.Find(plain)
			hidden := secrets.Mask(plain)
			isMasked := true
			for _, value := range values.FindAllStringSubmatch(text, -1) {
				for word := range strings.FieldsSeq(value[1]) {
					isMasked = isMasked && !strings.Contains(hidden, word)
				}
			}
			switch {
			case i%2 == 0 && (ok != isSecret[i] || ok && !isMasked):
				t.Logf("tune: Find(%q) = %q, %t: %q", plain, kind, ok, hidden)
			case i%2 == 0:
			case isSecret[i]:
				secret++
				secretHere++
				if ok {
					foundHere++
				}
				if isMasked {
					masked++
				}
			default:
				harmless++
				if ok {
					wrong++
				}
			}
		}
		found += foundHere
		t.Logf("%s, test half: %d of %d found", filepath.Base(file), foundHere, secretHere)
	}
	t.Logf("test half: %d of %d secrets found, %d masked, %d of %d others taken for one", found, secret, masked, wrong, harmless)
	if float64(found) < minFound*float64(secret) || float64(wrong) > maxFalse*float64(harmless) {
		t.Error("the test half is not as good as it was")
	}
}
