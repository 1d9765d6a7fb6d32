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

// item is an entry on its way into a file.
type item struct {
	Entry
	text        string // in the form that a block has
	fingerprint memory.Fingerprint
	bullet      []byte // with its annotation
}

// newItem returns an entry as an item that has no bullet yet.
func newItem(e Entry) *item {
	text := chunker.Clean(e.Text)
	return &item{Entry: e, text: text, fingerprint: chunker.Fingerprint(text)}
}

// fit sets the bullet of the item. The bullet reads back the text and what is declared
// about it, and nothing else. It reports false if there is no such bullet.
func (it *item) fit() bool {
	for _, form := range bulletForms(it.text, comment(it.Declared)) {
		blocks := chunker.Blocks([]byte("- before\n"+form+"- after\n"), 0)
		if len(blocks) == 3 && blocks[0].Text == "before" && blocks[2].Text == "after" && it.isReadAs(blocks[1]) {
			it.bullet = []byte(form)
			return true
		}
	}
	return false
}

// bulletForms returns the ways to write a bullet with a comment. The comment is at the
// end of the text, on a line behind it, or on a line before it. A fence that the text
// leaves open needs the last one.
func bulletForms(text, comment string) (forms []string) {
	bullet := strings.TrimSuffix(string(chunker.Bullet(text)), "\n")
	bullets := []string{bullet + " " + comment, bullet + "\n  " + comment, "- " + comment + "\n  " + strings.TrimPrefix(bullet, "- ")}
	for _, gap := range []string{"", "\n"} {
		for _, bullet := range bullets {
			forms = append(forms, gap+bullet+"\n")
		}
	}
	return forms
}

// isReadAs reports whether a block has the text of the item and its declarations.
func (it *item) isReadAs(b memory.Block) bool {
	if b.Text != it.text {
		return false
	}
	is, err := json.Marshal(b.Annotations)
	want, wantErr := json.Marshal(it.Declared)
	return err == nil && wantErr == nil && string(is) == string(want)
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
