package stray

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

var (
	// rule matches a line that opens or closes front matter, or that an editor may have
	// made of one.
	rule = regexp.MustCompile(`^\\?(?:---[a-z]*|\+\+\+|;;;|\.\.\.|[-–—−]{2,}|—|\*{3,}|_{3,})[ \t]*(?:#.*)?$`)
	// keyLine matches a line of YAML, TOML or JSON.
	keyLine = regexp.MustCompile(`^(?:[ \t]+[^ \t]|- |["']?[\w.-]+["']?[ \t]*[:=](?:[ \t]|$)|\[\[?\w+\]\]?$|[\]}],?$)`)
	// topKey matches the first line of a key.
	topKey = regexp.MustCompile(`^(?:["']?([\w.-]+)["']?[ \t]*[:=](?:[ \t]|$)|\[\[?(\w+)\]\]?$)`)
	// listKey matches the key of the list of entries, perhaps misspelled.
	listKey = regexp.MustCompile(`(?mi)^[ \t"'\[]*mem[a-z]{3,6}["'\]]*[ \t]*(?:[:=]|$)`)

	// indented matches a line behind blanks.
	indented = regexp.MustCompile(`(?m)^[ \t].*$`)

	// entryMark matches what may be before the brace of an entry.
	entryMark = regexp.MustCompile(`^(?:[-*+>][ \t]+)*`)
	itemMark  = regexp.MustCompile(`^(?:[-*+]|\d{1,9}[.)])[ \t]`)
	entryID   = regexp.MustCompile(`(?i)\bid["']?[ \t]*[:=][ \t]*["'“”„]?[0-9a-f][0-9a-f-]{3,}`)
	quote     = regexp.MustCompile(`(?i)\bquote["']?[ \t]*[:=]`)
	forgets   = regexp.MustCompile(`(?i)\bforg[eo]t\w*["']?[ \t]*[:=]`)
	decision  = regexp.MustCompile(`(?i)\b(?:forg[eo]t\w*|pinned|tier|private|trust|user|superseded_by|expires|scope|importance)["']?[ \t]*[:=]`)
)

func isRule(text string) bool {
	switch {
	case text == "" || strings.IndexByte("-+;.*_\\\xe2\xef", text[0]) < 0:
		return false
	case text[0] == '\xef': // full-width
		text = norm.NFKC.String(text)
	}
	return rule.MatchString(text)
}

// isExactRule reports whether a line opens front matter as the program writes it, or in
// TOML.
func isExactRule(text string) bool {
	text = strings.TrimPrefix(uncommented(text), `\`)
	return text == "---" || text == "+++"
}

// uncommented returns a rule without the comment behind it.
func uncommented(text string) string {
	text, _, _ = strings.Cut(text, "#")
	return strings.TrimRight(text, " \t")
}

// isEntry reports whether a text is an entry as the program writes it: a mapping with an id,
// a quote and a decision.
func isEntry(text string) bool { return beginsEntry(text) && declaresEntry(text) }

// beginsEntry reports whether a line begins a mapping with an id or a quote.
func beginsEntry(text string) bool {
	return strings.Contains(text, "{") && (strings.Contains(text, "id") || strings.Contains(text, "quote")) &&
		strings.HasPrefix(entryMark.ReplaceAllString(text, ""), "{")
}

// curlyID matches an id between the quotation marks that a word processor makes.
var curlyID = regexp.MustCompile(`(?i)\bid[ \t]*:[ \t]*[“”„]`)

// straighten replaces the quotation marks of an entry if a word processor changed them.
func straighten(text string) string {
	if !curlyID.MatchString(text) {
		return text
	}
	return strings.NewReplacer("“", `"`, "”", `"`, "„", `"`).Replace(text)
}

func declaresEntry(text string) bool {
	return entryID.MatchString(text) && quote.MatchString(text) && decision.MatchString(text)
}

// decides reports whether lines are front matter with a decision. In strict lines, each
// key must be ours, because other programs have a key private too. A user may be the
// speaker of a conversation, so that this holds for it too.
func decides(raw []byte, closed, strict bool) bool {
	text := string(raw)
	if listKey.MatchString(text) && declaresEntry(text) {
		return true
	}
	if !strict {
		raw = indented.ReplaceAll(raw, nil) // the value of another key
	}
	for _, m := range protecting.InHead(raw, false) {
		ofUser := m.Name == "user"
		if m.Sure && (!ofUser && !strict || (!ofUser || closed) && hasOnlyOurKeys(text)) {
			return true
		}
	}
	return false
}

// commonKeys are keys of other programs that often stand beside ours.
var commonKeys = []string{"title", "date", "aliases"}

func hasOnlyOurKeys(text string) bool {
	for l := range strings.SplitSeq(text, "\n") {
		m := topKey.FindStringSubmatch(strings.TrimLeft(l, " \t"))
		if m == nil {
			continue
		}
		key := m[1] + m[2]
		if !strings.EqualFold(key, fields.MemoriesKey) && fields.Find(key, fields.FileLevel) == nil && !slices.Contains(commonKeys, key) {
			return false
		}
	}
	return true
}

// opensFence returns the fence that a line opens, or nothing.
func opensFence(text string) string {
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return ""
	}
	fence := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	if len(fence) < 3 || text[0] == '`' && strings.Contains(text[len(fence):], "`") {
		return ""
	}
	return fence
}

func closesFence(text, fence string) bool {
	return len(text) >= len(fence) && strings.Trim(text, fence[:1]) == ""
}
