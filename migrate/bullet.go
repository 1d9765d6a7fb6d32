package migrate

import (
	"encoding/json"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// annotatedBullet returns a bullet with a text and a comment that declares d. It reads back
// as both, and nothing else. It returns nil if no form of it does.
func annotatedBullet(text string, d memory.Declared) *string {
	for _, form := range chunker.MarkedBullets(text, d) {
		blocks := chunker.Blocks([]byte("- before\n"+form+"- after\n"), 0)
		if len(blocks) == 3 && blocks[0].Text == "before" && blocks[2].Text == "after" && blocks[1].Text == text && isSame(blocks[1].Annotations, d) {
			return &form
		}
	}
	return nil
}

func isSame(a, b memory.Declared) bool {
	one, err := json.Marshal(a)
	other, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && string(one) == string(other)
}

// maxRef is the length of a source reference. An id is shorter.
const maxRef = 80

// sourceRef names a memory of another system, without what could end a comment or an
// annotation.
func sourceRef(system, ref string) string {
	clean := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._:/@+#", c) {
			return c
		}
		return '_'
	}, ref)
	if isHex := len(ref) == 36 && strings.Count(ref, "-") == 4; isHex {
		clean = ref // a UUID: single hyphens end no comment
	}
	return system + "/" + clean[:min(len(clean), maxRef)]
}
