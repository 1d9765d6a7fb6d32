package migrate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// nestedKeys are the keys of objects with fields of their own.
var nestedKeys = []string{"metadata", "meta", "attributes", "properties"}

// keySeparators are the characters between the words of a key.
var keySeparators = strings.NewReplacer("_", "", "-", "", " ", "")

// readProtecting reads the fields of a row that can hide a memory, also those of the objects in
// it. Of two values the one that hides more counts, and a value that cannot be read hides. null
// is no value.
func readProtecting(row map[string]any) (e Entry) {
	d := &e.Declared
	for key, value := range row {
		lower := strings.ToLower(strings.TrimSpace(key))
		word := keySeparators.Replace(lower)
		switch {
		case value == nil, value == "" && (word == "userid" || word == "trusttier"): // the program has no value
		case slices.Contains(nestedKeys, lower):
			e.protect(readProtecting(nestedFields(value)).Declared)
		case word == "user" || word == "userid":
			e.protect(memory.Declared{User: userOf(value)})
		case word == "trust" || word == "trusttier":
			trust, err := memory.ParseTrustTier(firstText(row, key))
			if err != nil {
				trust = memory.TrustQuarantined
			}
			e.protect(memory.Declared{Trust: trust})
		case isNo(value):
		case word == "private" || word == "isprivate":
			d.Private = new(true)
		case slices.Contains([]string{"forgotten", "isforgotten", "deleted", "isdeleted", "deletedat"}, word):
			d.Forgotten = new(true)
		}
	}
	return e
}

// protect adds what hides a memory.
func (e *Entry) protect(other memory.Declared) {
	e.merge(other)
	if other.User != "" {
		e.setUser(other.User)
	}
	if other.Forgotten != nil {
		e.Declared.Forgotten = other.Forgotten
	}
}

// userOf returns the user that a value names. A value that is no single name is nobody's.
func userOf(value any) string {
	name := firstText(map[string]any{"": value}, "")
	if isBool, ok := value.(bool); ok {
		name = fmt.Sprint(isBool)
	}
	return cmp.Or(memory.FoldUser(name), memory.NobodyUser)
}

// isNo reports whether a value says that something is not so.
func isNo(value any) bool {
	no, err := memory.ReadBool(firstText(map[string]any{"": value}, ""))
	return value == false || err == nil && !no
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

// isForgottenThere reports whether the other system says that a memory is forgotten.
func isForgottenThere(d memory.Declared) bool { return d.Forgotten != nil && *d.Forgotten }
