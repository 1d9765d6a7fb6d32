package marks

import (
	"context"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// hiddenHeading stands in a heading path for a heading that repeats a forgotten text.
const hiddenHeading = "…"

// HideHeadings replaces the headings of memories that repeat a forgotten text. forgotten
// is an empty set. fingerprint makes the fingerprint of a text, by which marks of older
// versions find it; it may be nil.
func HideHeadings(ctx context.Context, db sqlite.Reader, forgotten Set, fingerprint func(string) memory.Fingerprint, memories []memory.Memory) error {
	if found, err := anyMarked(ctx, db); err != nil || !found {
		return err
	}
	texts := map[headingKey]Text{}
	for _, m := range memories {
		for i := range m.Heading {
			key := newHeadingKey(m.Heading[:i+1])
			if _, known := texts[key]; !known {
				var f memory.Fingerprint
				if fingerprint != nil {
					f = fingerprint(key.text)
				}
				texts[key] = NewText(sqlite.Hash(f), key.text, key.above)
			}
		}
	}
	if err := forgotten.AddMarked(ctx, db, slices.Collect(maps.Values(texts))); err != nil || forgotten.IsEmpty() {
		return err
	}
	for n, m := range memories {
		for i := range m.Heading {
			if forgotten.Has(texts[newHeadingKey(m.Heading[:i+1])]) {
				memories[n].Heading = slices.Clone(memories[n].Heading) // the in-memory index has the same slice
				memories[n].Heading[i] = hiddenHeading
			}
		}
	}
	return nil
}

// headingKey names a heading: the path above it, as a JSON array, and its text.
type headingKey struct{ above, text string }

func newHeadingKey(path []string) headingKey {
	last := len(path) - 1
	return headingKey{sqlite.JSONList(path[:last]), path[last]}
}
