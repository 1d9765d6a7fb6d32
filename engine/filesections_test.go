package engine_test

import (
	"testing"

	"github.com/memory-tiered/memory"
)

// TestFilesWithoutWhatBelongsToPrivateMemories asks for a file with a mark that belongs to no
// memory, and with links and footnotes of private memories. Their headings and targets were in it, and so
// were headings below which nothing else was left.
func TestFilesWithoutWhatBelongsToPrivateMemories(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"a private section", "# Divorce <!-- private -->\n\n## Lawyer: Catfish\n\n- The meeting is on Monday\n\n# Public\n\n## Garden\n\n- Gardens need water\n",
			""},
		{"the comment below the heading", "# Divorce\n<!-- private -->\n\n- The meeting is on Monday\n\n# Divorce\n\n## Law\n\n- Laws are public\n",
			""},
		{"a link", "- The contract is [here][C] <!-- private -->\n- [There][d] is [more][e]\n- [More][e] <!-- private -->\n\n[c]: https://files.example/?token=hagfish \"Hagfish\"\n[d]: https://d.example\n[e]: https://e.example\n",
			"- [There][d] is [more][e]\n\n[d]: https://d.example\n[e]: https://e.example\n"},
		{"a footnote", "- The contract is old[^1] <!-- private -->\n- Gardens need water[^2]\n\n[^1]: With Hagfish, of Monday\n\n[^2]: Every day\n",
			"- Gardens need water[^2]\n\n\n[^2]: Every day\n"},
		{"headings of hidden memories alone", "# Home\n\n## Party at the Heron\n\n- Forty guests <!-- private -->\n\nThe cake:\n\n- Lemon <!-- private -->\n- Almond <!-- private -->\n\n## Party at the Heron\n\n### Bins\n\n- They go out on Tuesday\n- The key is below the mat <!-- private -->\n\n## Later\n",
			"# Home\n\n\n\n\n\n## Party at the Heron\n\n### Bins\n\n- They go out on Tuesday\n\n## Later\n"},
	} {
		c := newCaptureWorld(t, map[string]string{"MEMORY.md": tt.file})
		a, err := c.Files(t.Context(), memory.FilesRequest{Paths: []string{"MEMORY.md"}})
		if err != nil || a.Files[0].Content != tt.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", tt.name, err, a.Files[0].Content, tt.want)
		}
	}
}
