package block

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/scene"
)

// WithScene returns a block with one line about the scene of most of its memories, if three or
// more share one. The line is left out where the block would have more than maxTokens. It is made
// of the memories of the block alone.
func WithScene(rendered string, entries []*Entry, maxTokens int) string {
	memories := make([]memory.Memory, len(entries))
	for i := range entries {
		memories[i] = *entries[i].Memory
		memories[i].Path = memories[i].Project + "/" + memories[i].Path // two projects may have the same path
	}
	all := scene.New(memories, nil)
	listed := all.Listed()
	if len(listed) == 0 {
		return rendered
	}
	most := slices.MaxFunc(listed, func(a, b *scene.Scene) int { return cmp.Compare(len(a.At), len(b.At)) })
	d := all.Describe(most)
	if d.Trust != memory.TrustTrusted { // its headings would have no mark
		return rendered
	}
	var ids []string
	for _, i := range most.At {
		ids = append(ids, entries[i].IDPrefix)
	}
	what := "conversation"
	if d.Kind != what {
		what = escapeInline(d.Title)
	}
	zone := entries[0].Zone
	if zone == nil {
		zone = time.UTC
	}
	days := slices.Compact([]string{d.From.In(zone).Format(time.DateOnly), d.To.In(zone).Format(time.DateOnly)})
	line := fmt.Sprintf("Of one %s (%s): %s\n", what, strings.Join(days, " to "), strings.Join(ids, ", "))
	if body, isBlock := strings.CutSuffix(rendered, blockClose); isBlock && TokenCount(rendered+line) <= maxTokens {
		return body + line + blockClose
	}
	return rendered
}
