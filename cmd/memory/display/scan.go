package display

import (
	"fmt"
	"io"

	"github.com/memory-tiered/memory"
)

// Scan prints in which files a search for destroyed texts found one, and which it could not read.
func Scan(w io.Writer, scan memory.VerifyAnswer) {
	unread := 0
	for _, c := range scan.Checked {
		switch {
		case c.Found && c.At == nil:
			fmt.Fprintf(w, "STILL IN  %s (%s)\n", Name(c.File), c.Note)
		case c.Found && c.Note != "":
			fmt.Fprintf(w, "STILL IN  %s at byte %d (%s)\n", Name(c.File), *c.At, c.Note)
		case c.Found:
			fmt.Fprintf(w, "STILL IN  %s at byte %d\n", Name(c.File), *c.At)
		case !c.Found && c.Note != "":
			unread++
			fmt.Fprintf(w, "unread    %s: %s\n", Name(c.File), c.Note)
		}
	}
	result := "0 bytes of the text are left"
	if scan.Found > 0 {
		result = fmt.Sprintf("%d of them still contain the text", scan.Found)
	}
	fmt.Fprintf(w, "searched %d files: %s\n", len(scan.Checked)-unread, result)
}
