package index

import (
	"time"

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
