package migrate

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// annotatedBullet returns a bullet with a text and a comment that declares d. It reads back
// as both, and nothing else. It returns nil if no form of it does.
func annotatedBullet(text string, d memory.Declared) *string {
	bullet, comment := strings.TrimSuffix(string(chunker.Bullet(text)), "\n"), comment(d)
	for _, form := range []string{bullet + " " + comment, bullet + "\n  " + comment, "- " + comment + "\n  " + strings.TrimPrefix(bullet, "- ")} {
		form += "\n"
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

// comment returns the annotation that declares d. It is never empty, because each entry
// has a source reference.
func comment(d memory.Declared) string {
	var pairs []string
	add := func(key, value string) {
		if value != "" {
			pairs = append(pairs, key+": "+value)
		}
	}
	if d.Private != nil {
		pairs = append(pairs, "private")
	}
	add("trust", string(d.Trust))
	add("user", strings.ReplaceAll(url.PathEscape(d.User), "--", "-%2D"))
	add("scope", string(d.Scope))
	if d.Pinned != nil {
		pairs = append(pairs, "pinned")
	}
	add("category", string(d.Category))
	add("memory_type", string(d.Type))
	if d.Importance != nil {
		add("importance", decimal(*d.Importance))
	}
	add("importance_label", string(d.ImportanceLabel))
	add("created", timeText(d.Created))
	add("expires", timeText(d.Expires))
	add("tags", strings.Join(d.Tags, ", "))
	add("source_ref", d.SourceRef)
	return "<!-- " + strings.Join(pairs, "; ") + " -->"
}

// decimal writes a number with a decimal point: a bare 1 means the lowest importance.
func decimal(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

func timeText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
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
