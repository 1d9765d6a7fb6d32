package marks

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// hiddenHeading stands in a heading path for a heading that repeats a forgotten text.
const hiddenHeading = "…"

// Headings remembers which heading paths contain a heading that repeats a forgotten
// text: every answer asks for some hundred of them. Its zero value is empty.
type Headings struct {
	mu      sync.Mutex
	version int                 // counts how often the marks changed
	shown   map[string][]string // by heading path: the path as an answer shows it
	gone    *Gone               // nil: not read yet
}

// maxHeadings bounds the paths that are remembered.
const maxHeadings = 100_000

// Clear forgets all paths. It must be called after marks, memories or lines changed.
func (h *Headings) Clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.version++
	h.shown, h.gone = nil, nil
}

// Gone returns the forgotten texts that are gone. read reads them after a change.
func (h *Headings) Gone(read func() (Gone, error)) (Gone, error) {
	h.mu.Lock()
	version, gone := h.version, h.gone
	h.mu.Unlock()
	if gone != nil {
		return *gone, nil
	}
	found, err := read()
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil && version == h.version {
		h.gone = &found
	}
	return found, err
}

// known adds the remembered paths to shown, and returns the version of the marks.
func (h *Headings) known(shown map[string][]string) (version int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key := range shown {
		shown[key] = h.shown[key]
	}
	return h.version
}

// remember keeps paths that were found while the marks had a version.
func (h *Headings) remember(version int, shown map[string][]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if version != h.version {
		return
	}
	if h.shown == nil || len(h.shown) > maxHeadings {
		h.shown = map[string][]string{}
	}
	maps.Copy(h.shown, shown)
}

// Hide replaces the headings of memories that repeat a forgotten text. find returns
// heading paths as answers show them.
func (h *Headings) Hide(memories []memory.Memory, find func(paths [][]string) ([][]string, error)) error {
	shown := map[string][]string{}
	for _, m := range memories {
		shown[headingKey(m.Heading)] = nil
	}
	version := h.known(shown)
	var unknown [][]string
	for _, m := range memories {
		if key := headingKey(m.Heading); len(m.Heading) > 0 && shown[key] == nil {
			shown[key] = m.Heading
			unknown = append(unknown, m.Heading)
		}
	}
	if len(unknown) > 0 {
		found, err := find(unknown)
		if err != nil {
			return err
		}
		for i, path := range unknown {
			shown[headingKey(path)] = found[i]
		}
		h.remember(version, shown)
	}
	for n, m := range memories {
		if len(m.Heading) > 0 {
			memories[n].Heading = shown[headingKey(m.Heading)]
		}
	}
	return nil
}

func headingKey(path []string) string { return strings.Join(path, "\x00") }

// ShownHeadings returns heading paths without the headings that repeat a forgotten
// text, or a part of one that is gone. forgotten is an empty set. fingerprint makes the
// fingerprint of a text; it may be nil.
func ShownHeadings(ctx context.Context, db sqlite.Reader, forgotten Set, gone Gone, fingerprint func(string) memory.Fingerprint, paths [][]string) ([][]string, error) {
	if found, err := Any(ctx, db); err != nil || !found && gone.IsEmpty() {
		return paths, err
	}
	texts := map[string]Text{}
	for _, path := range paths {
		for i, heading := range path {
			var f memory.Fingerprint
			if fingerprint != nil {
				f = fingerprint(heading)
			}
			texts[headingKey(path[:i+1])] = NewText(sqlite.Hash(f), heading, sqlite.JSONList(path[:i]))
		}
	}
	if err := forgotten.AddMarked(ctx, db, slices.Collect(maps.Values(texts))); err != nil || forgotten.IsEmpty() && gone.IsEmpty() {
		return paths, err
	}
	shown := make([][]string, len(paths))
	for n, path := range paths {
		shown[n] = slices.Clone(path)
		for i := range path {
			if forgotten.Has(texts[headingKey(path[:i+1])]) || gone.Repeats(path[i]) {
				shown[n][i] = hiddenHeading
			}
		}
	}
	return shown, nil
}
