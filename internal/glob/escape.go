package glob

import (
	"path/filepath"
	"strings"
)

// Escape returns a pattern of [filepath.Glob] that matches a path alone.
func Escape(path string) string {
	pairs := []string{"*", `[*]`, "?", `[?]`, "[", `[[]`}
	if filepath.Separator != '\\' { // there a backslash escapes nothing
		pairs = append(pairs, `\`, `\\`)
	}
	return strings.NewReplacer(pairs...).Replace(path)
}
