package frontmatter

import (
	"bytes"
	"slices"
)

// RemoveBlocks gives the file without the blocks at gone, which are spans of src
// behind m.Body: their own lines are cut out, every other byte stays. gap stands
// in the place of each, where what is above and below must not grow together.
func RemoveBlocks(src []byte, m Parsed, gone []Span, gap string) []byte {
	at := min(max(m.BodyStart, 0), len(src))
	out := slices.Clone(src[:at])
	for _, s := range wholeLines(src, at, gone) {
		out = append(out, src[at:s.Start]...)
		if gap != "" && len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, lineEnd(src)...)
		}
		out = append(out, gap...)
		at = s.End
	}
	return append(out, src[at:]...)
}
