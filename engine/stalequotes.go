package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

// addStaleQuotes adds to a status how many entries quote a text that was edited
// since. Without the index, such an entry may match no memory exactly.
func (s *workspaceState) addStaleQuotes(ctx context.Context, w *memory.WorkspaceStatus) error {
	err := s.db.VisitQuotes(ctx, func(quote, text string) {
		if !strings.HasPrefix(comparableQuote(frontmatter.Quote(text)), comparableQuote(quote)) {
			w.StaleQuotes++
		}
	})
	if w.StaleQuotes > 0 {
		w.Notices = append(w.Notices, fmt.Sprintf("the quotes of %d decisions are older than their texts; "+
			"decide about the memories again to refresh them", w.StaleQuotes))
	}
	return err
}

// comparableQuote removes what people change when they type a quote by hand.
func comparableQuote(quote string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.TrimRight(quote, " .…")), " "))
}
