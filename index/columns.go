package index

import (
	"encoding/json"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// The column types of package sqlite under the names that this package gave
// them, until each use has the other name.
type (
	millis = sqlite.Millis
	hash   = sqlite.Hash
	text   = sqlite.NullText
)

func toMillis(t time.Time) millis      { return sqlite.ToMillis(t) }
func list[S ~string](words []S) string { return sqlite.JSONList(words) }
func numbers(all []int64) string       { return sqlite.JSONNumbers(all) }
func parseList(s string) []string      { return sqlite.ParseJSONList(s) }

func fingerprintList(fps []memory.Fingerprint) string {
	hex := make([]string, len(fps))
	for i, f := range fps {
		hex[i] = f.String()
	}
	return list(hex)
}

// toJSON writes a declaration or a list of faults. It fails on what JSON does
// not know, as a time after the year 9999.
func toJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

func declared(s string) (d memory.Declared, err error) {
	if s == "" || s == "{}" {
		return d, nil
	}
	err = json.Unmarshal([]byte(s), &d)
	return d, err
}
