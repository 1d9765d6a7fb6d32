package marks

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// comment matches an HTML comment and captures what it says.
var comment = regexp.MustCompile(`(?s)<!--(.*?)-->`)

// partKey is a part of a memory that may repeat a forgotten text: a tag, the scope, a
// line of a comment. heading is the heading path above it, as [headingKey] returns it.
type partKey struct{ heading, text string }

// parts collects the parts of memories and asks which of them are forgotten.
type parts struct {
	fingerprint func(string) memory.Fingerprint
	texts       map[partKey][]Text
	forgotten   Set
	gone        Gone
}

// HideParts removes, from memories, what repeats a forgotten text beside what they say:
// comments in the text, properties, tags, entities, scope and source. The arguments are those of
// [ShownHeadings]. It changes no slice, because memories may share them.
func HideParts(ctx context.Context, db sqlite.Reader, forgotten Set, gone Gone, fingerprint func(string) memory.Fingerprint, memories []memory.Memory) error {
	p := parts{fingerprint, map[partKey][]Text{}, forgotten, gone}
	for _, m := range memories {
		p.collect(m)
	}
	if len(p.texts) == 0 {
		return nil
	}
	if err := forgotten.AddMarked(ctx, db, slices.Concat(slices.Collect(p.all)...)); err != nil || forgotten.IsEmpty() && gone.IsEmpty() {
		return err
	}
	for i := range memories {
		p.hide(&memories[i])
	}
	return nil
}

// all yields the texts of all parts.
func (p parts) all(yield func([]Text) bool) {
	for _, texts := range p.texts {
		if !yield(texts) {
			return
		}
	}
}

// collect adds the parts of a memory.
func (p parts) collect(m memory.Memory) {
	key := headingKey(m.Heading)
	add := func(text string) {
		at := partKey{key, text}
		if text = strings.TrimSpace(text); text == "" || p.texts[at] != nil {
			return
		}
		var f memory.Fingerprint
		if p.fingerprint != nil {
			f = p.fingerprint(text)
		}
		p.texts[at] = []Text{NewText(sqlite.Hash(f), text, sqlite.JSONList(m.Heading)), NewText(sqlite.Hash(f), text, sqlite.JSONList([]string(nil)))}
	}
	for _, list := range [][]string{m.Tags, m.Entities, {string(m.Scope), sourceRef(m)}} {
		for _, text := range list {
			add(text)
		}
	}
	if m.IsProperties {
		for line := range strings.SplitSeq(m.Text, "\n") {
			for _, text := range propertyTexts(line) {
				add(text)
			}
		}
	}
	if strings.Contains(m.Text, "<!--") {
		for _, found := range comment.FindAllStringSubmatch(m.Text, -1) {
			for _, text := range commentTexts(found[1]) {
				add(text)
			}
		}
	}
}

// commentTexts returns what of a comment may repeat a text: all of it, or a line.
func commentTexts(body string) []string { return append(strings.Split(body, "\n"), body) }

// propertyTexts returns what of a property may repeat a text: all of it, its value, or one
// of several.
func propertyTexts(line string) []string {
	_, value, _ := strings.Cut(line, ": ")
	return append(strings.Split(value, ", "), value, line)
}

// hideProperties replaces the hidden values of properties.
func hideProperties(text string, isHidden func(string) bool) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if slices.ContainsFunc(propertyTexts(line), func(text string) bool { return isHidden(strings.TrimSpace(text)) }) {
			key, _, _ := strings.Cut(line, ": ")
			lines[i] = key + ": " + hiddenHeading
		}
	}
	return strings.Join(lines, "\n")
}

func sourceRef(m memory.Memory) string {
	if m.SourceRef == nil {
		return ""
	}
	return *m.SourceRef
}

// hide removes the forgotten parts of a memory.
func (p parts) hide(m *memory.Memory) {
	key := headingKey(m.Heading)
	isHidden := func(text string) bool {
		return slices.ContainsFunc(p.texts[partKey{key, text}], p.forgotten.Has) || p.gone.Repeats(text)
	}
	shown := func(list []string) []string {
		if !slices.ContainsFunc(list, isHidden) {
			return list
		}
		return slices.DeleteFunc(slices.Clone(list), isHidden)
	}
	m.Tags, m.Entities = shown(m.Tags), shown(m.Entities)
	if isHidden(string(m.Scope)) {
		m.Scope = hiddenHeading // an empty one would match every scope
	}
	if isHidden(sourceRef(*m)) {
		m.SourceRef = nil
	}
	if m.IsProperties {
		m.Text = hideProperties(m.Text, isHidden)
	}
	if !strings.Contains(m.Text, "<!--") {
		return
	}
	m.Text = strings.TrimSpace(comment.ReplaceAllStringFunc(m.Text, func(found string) string {
		body := comment.FindStringSubmatch(found)[1]
		if slices.ContainsFunc(commentTexts(body), isHidden) {
			return ""
		}
		return found
	}))
}
