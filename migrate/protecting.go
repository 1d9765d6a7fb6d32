package migrate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

// foreignKeys maps keys of other programs, without separators, to ours.
var foreignKeys = map[string]string{"userid": "user", "trusttier": "trust", "isprivate": "private",
	"deleted": "forgotten", "isdeleted": "forgotten", "deletedat": "forgotten", "isforgotten": "forgotten"}

// nestedKeys are the keys of objects with fields of their own.
var nestedKeys = []string{"metadata", "meta", "attributes", "properties"}

// protectingKeys are the keys that can hide a memory.
var protectingKeys = []string{"private", "trust", "user", "forgotten"}

// keySeparators are the characters between the words of a key.
var keySeparators = strings.NewReplacer("_", "", "-", "", " ", "")

// protectingKey returns the key under which front matter reads a field of a row; empty if
// the field cannot hide a memory. A key that is probably misspelled counts as the right one.
func protectingKey(key string, value any) string {
	lower := strings.ToLower(strings.TrimSpace(key))
	word, foreign := foreignKeys[keySeparators.Replace(lower)]
	switch {
	case foreign && value == "" && (word == "user" || word == "trust"): // the program has no value
		return ""
	case foreign && word == "forgotten":
		if _, isText := value.(string); value != nil && (isText && value != "" || trueOrNil(value) != nil) {
			return word
		}
		return ""
	case foreign:
		return word
	case slices.Contains(protectingKeys, lower):
		return lower
	case memory.SuggestKey(lower, protectingKeys) != "":
		return memory.SuggestKey(lower, protectingKeys)
	case memory.MeansUser(lower, fmt.Sprint(value)):
		return "user"
	}
	return ""
}

// readProtecting reads the fields of a row that can hide a memory, as front matter reads
// them. A mistake hides the memory and never publishes it. null is no value. It adds the
// mistakes to r.
func (r *rowReader) readProtecting(row map[string]any, ref string) (d memory.Declared) {
	pairs := protectingPairs(row)
	if len(pairs) == 0 {
		return d
	}
	head := "---\nmemories: [{id: '000000000000', quote: '-', " + strings.Join(pairs, ", ") + "}]\n---\n" // JSON is YAML
	parsed := frontmatter.Parse([]byte(head), time.UTC)
	for _, f := range parsed.Faults {
		r.mistakes = append(r.mistakes, ref+": "+f.Message)
	}
	if len(parsed.Entries) != 1 {
		yes := true
		return memory.Declared{Private: &yes, User: memory.NobodyUser}
	}
	d = parsed.Entries[0].Declared
	if d.Private != nil && !*d.Private {
		d.Private = nil
	}
	return d
}

// protectingPairs returns the fields of a row, and of the objects in it, that can hide a
// memory.
func protectingPairs(row map[string]any) (pairs []string) {
	for _, key := range slices.Sorted(maps.Keys(row)) {
		value := row[key]
		if slices.Contains(nestedKeys, strings.ToLower(key)) {
			pairs = append(pairs, protectingPairs(nestedFields(value))...)
		} else if name := protectingKey(key, value); name != "" && value != nil {
			if name == "forgotten" && strings.ToLower(key) != name { // deletedAt: a time
				value = true
			}
			pairs = append(pairs, jsonText(name)+": "+jsonText(value))
		}
	}
	return pairs
}

// nestedFields returns an object. Databases have it as a text.
func nestedFields(value any) (fields map[string]any) {
	switch v := value.(type) {
	case map[string]any:
		return v
	case []byte:
		_ = json.Unmarshal(v, &fields) // any other text has no fields
	case string:
		_ = json.Unmarshal([]byte(v), &fields)
	}
	return fields
}

// jsonText returns a value as JSON. A value that JSON cannot express is a mistake: an
// empty list.
func jsonText(value any) string {
	if b, ok := value.([]byte); ok {
		value = string(b)
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return "[]"
	}
	return string(raw)
}

// isForgottenThere reports whether the other system says that a memory is forgotten.
func isForgottenThere(d memory.Declared) bool { return d.Forgotten != nil && *d.Forgotten }

// maxNoted is the number of mistakes that a note lists.
const maxNoted = 3

// noteMistakes notes the mistakes in fields that protect.
func (c *Content) noteMistakes(r rowReader) {
	if n := len(r.mistakes); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d mistakes in fields that protect hide memories, as in front matter: %s", n, strings.Join(r.mistakes[:min(n, maxNoted)], "; ")))
	}
}
