package entity

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// These sources of a name decide something.
const (
	sourceTitle    = "title"
	sourceLink     = "link"
	sourceAlias    = "alias"
	sourceEmail    = "email"
	sourceDecided  = "decided"
	sourceRelation = "relation"
)

var (
	isLabel = lang.Words("notes", "label")
	isTime  = lang.Set(func() []string {
		return append(lang.List("question", "time", "relative time", "month", "more time"),
			lang.List("dates", "month", "weekday", "plural weekday")...)
	})
)

// add adds a name, as it is written in one place. It returns nil for what is no name.
func (b *builder) add(name, source string, isName bool) *thing {
	key := KeyOf(name)
	isSure := source == sourceLink || source == sourceAlias || source == sourceDecided
	if key == "" || !isSure && (isLabel(key) || isTime(key)) {
		return nil
	}
	t := b.byKey[key]
	if t == nil {
		t = &thing{key: key, forms: map[string]int{}}
		b.byKey[key] = t
	}
	if !slices.Contains(t.Sources, source) {
		t.addSources(source)
	}
	t.isName = t.isName || isName
	t.forms[name]++
	return t
}

// state adds the names that the notes state.
func (b *builder) state() {
	for i := range b.notes.Memories {
		m := &b.notes.Memories[i]
		for _, h := range m.Heading {
			b.add(h, "heading", false)
		}
		for _, name := range m.Entities {
			source := sourceLink
			if slices.Contains(m.Tags, name) {
				source = "tag"
			}
			b.add(titleOf(name), source, true)
		}
		for field := range strings.FieldsSeq(m.Text) {
			if strings.ContainsAny(field, "@/") {
				b.addAddress(strings.Trim(field, "<>()[]{},;:.!?\"'`*_"))
			}
		}
		if _, known := b.titles[m.Path]; !known {
			b.titles[m.Path] = b.addTitle(m)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(b.notes.Aliases)) { // an alias of several means the first one first
		if title := b.titles[file]; title != nil {
			title.isName = true
			for _, name := range b.notes.Aliases[file] {
				title.addAlias(b.add(name, sourceAlias, true))
			}
		}
	}
}

// decide adds what a person decided, the oldest first. A later decision may show another name.
func (b *builder) decide() {
	for _, names := range b.notes.Decided {
		shown := b.add(names[0], sourceDecided, true)
		for _, name := range names[1:] {
			other := b.add(name, sourceDecided, true)
			if shown == nil || other == nil || other == shown {
				continue
			}
			if shown.isAliasOf(other) {
				shown.of, shown.decided = nil, true
			}
			shown.Name, other.Name = names[0], name
			other.of, other.decided = []*thing{shown}, true
		}
	}
}

// titleOf returns the name of the note that a path or a link means, without folder, extension
// and section.
func titleOf(target string) string {
	target, _, _ = strings.Cut(target, "#")
	return strings.TrimSuffix(path.Base(target), ".md")
}

// addTitle adds the title of a memory's file: its first heading, with the file's name as
// another name. A heading that is a sentence is no title: "How Kit works".
func (b *builder) addTitle(m *memory.Memory) *thing {
	isSentence := func(w word) bool { return isCased(w) && !w.capital && !isInside(w.key) }
	if len(m.Heading) == 0 || slices.ContainsFunc(split(m.Heading[0]), isSentence) {
		return b.add(titleOf(m.Path), sourceTitle, false)
	}
	title := b.add(m.Heading[0], sourceTitle, false)
	if title != nil {
		title.addAlias(b.add(titleOf(m.Path), "file", false))
	}
	return title
}

// addAddress adds a field of a text that is an email address or the address of a repository. A
// person whose name is before the @ has the address as another name: lena.koehler@example.org is
// that of Lena Koehler, if a text names her.
func (b *builder) addAddress(field string) {
	user, host, found := strings.Cut(field, "@")
	if dot := strings.LastIndexByte(host, '.'); found && user != "" && dot > 0 && dot < len(host)-1 && !strings.ContainsAny(field, "/:\\") {
		mail := b.add(field, sourceEmail, true)
		if name := strings.FieldsFunc(user, func(r rune) bool { return !lang.IsAlnum(r) }); len(name) > 1 {
			if person := b.add(strings.ToLower(strings.Join(name, " ")), sourceEmail, false); person != nil {
				person.addAlias(mail)
			}
		}
		return
	}
	u, err := url.Parse(field)
	if err != nil || u.Host == "" || u.Scheme == "" {
		return
	}
	parts := strings.Split(strings.Trim(strings.TrimSuffix(u.Path, ".git"), "/"), "/")
	if len(parts) == 2 && (strings.HasPrefix(u.Host, "git") || strings.HasSuffix(u.Path, ".git")) {
		b.add(parts[0]+"/"+parts[1], "repository", true)
	}
}
