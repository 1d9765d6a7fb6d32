package frontmatter

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/internal/markdown"
)

var (
	// rule matches a line that opens or closes front matter, or that an editor may have
	// made of one.
	rule = lazyregexp.New(`^\\?(?:---[a-z]*|\+\+\+|;;;|\.\.\.|[-–—−]{2,}|—|\*{3,}|_{3,})[ \t]*(?:#.*)?$`)
	// keyLine matches a line of YAML, TOML or JSON, and captures a key at its beginning.
	keyLine = lazyregexp.New(`^(?:[ \t]+[^ \t]|- |["']?([\w.-]+)["']?[ \t]*[:=](?:[ \t]|$)|\[\[?(\w+)\]\]?$|[\]}],?$)`)
	// entryStart matches the beginning of an entry as the program writes it.
	entryStart = lazyregexp.New(`(?i)^[-*+> \t]*\{.*\b(?:id|quote)["']?[ \t]*[:=]`)
	listItem   = lazyregexp.New(`^(?:[-*+]|\d{1,9}[.)])[ \t]`)
)

const (
	maxWrapped   = 4   // lines over which an editor may have wrapped an entry
	maxItemLines = 500 // lines above a line in which its list item may begin
)

// bodyLine is a line below the head of a file. Its prefix has the quote marks and the
// indentation.
type bodyLine struct {
	prefix, text string
	code         bool // in a code block, where front matter is an example
}

// readBody withholds the file if front matter that protects is below its head. A note above
// it, an editor or a copy of two files put it there. Its entries apply.
func (r *parser) readBody(src []byte) {
	if !mayDecide(src[r.BodyStart:]) {
		return
	}
	first := fields.LineOf(src, r.BodyStart)
	lines := splitBody(src[r.BodyStart:])
	markCode(lines)
	if from, head := otherHead(lines); r.Format == fields.None {
		for _, m := range protecting.InHead([]byte(head), true) {
			r.withholdBody(first+from+m.Line, m.Name)
		}
	}
	for i, l := range lines {
		switch {
		case entryStart().MatchString(l.text):
			entry := entryAt(lines, i)
			if _, ok := r.readLoose([]byte(entry.text), first+i); ok {
				r.withholdBody(first+i, "an entry")
				r.addStray(first+i, entry.lines)
			}
		case !l.code && rule().MatchString(l.text) && !inItem(lines, i):
			for _, run := range []headLines{above(lines, i), below(lines, i)} {
				if m, ok := run.mark(); ok {
					r.withholdBody(first+run.from+m.Line, m.Name)
					r.addStrayOf(run, first)
				}
			}
		}
	}
	known := r.Faults
	r.Entries = r.mergeDuplicates(r.rawEntries)
	r.Faults = known // a copy of a file has the same lines
}

// otherHead returns the head of a file in a format that is not read, and its first line. Without
// an end, it ends at a blank line.
func otherHead(lines []bodyLine) (from int, head string) {
	from = slices.IndexFunc(lines, func(l bodyLine) bool { return l.text != "" })
	closer, ok := opensOther(lines[from].text)
	if !ok {
		return 0, ""
	}
	if !slices.ContainsFunc(lines[from+1:], func(l bodyLine) bool { return l.text == closer }) {
		closer = ""
	}
	var text []string
	for _, l := range lines[from:] {
		if l.text == closer && len(text) > 0 {
			break
		}
		text = append(text, l.text)
	}
	return from, strings.Join(text, "\n")
}

// opensOther reports whether a line opens a head in a format that is not read: a brace, or a line
// such as ;;; and ---json. closer is the line that ends the head; empty: a blank line.
func opensOther(line string) (closer string, ok bool) {
	fence := line[:min(3, len(line))]
	word := strings.TrimSpace(line[len(fence):])
	switch {
	case strings.HasPrefix(line, "{"):
		return "", true
	case fence == ";;;", (fence == "---" || fence == "+++") && word != "" && unicode.IsLetter(rune(word[0])):
		return fence, true
	}
	return "", false
}

func (r *parser) withholdBody(line int, mark string) {
	r.EntriesUnread = true
	r.withhold(line, mark, "belongs into the front matter at the beginning of the file; move this line or delete it")
	if r.ReadOnlyReason == "" {
		r.ReadOnlyReason = "there is front matter in its text"
	}
}

// mayDecide reports quickly whether a text may have front matter. Most have none.
func mayDecide(text []byte) bool {
	lower := bytes.ToLower(text)
	return slices.ContainsFunc(protecting.Keys, func(k protecting.Key) bool { return bytes.Contains(lower, []byte(k.Name[:4])) }) // perhaps misspelled
}

// splitBody returns the lines of a text. A line may end with LF, CRLF or CR.
func splitBody(text []byte) (lines []bodyLine) {
	plain := strings.NewReplacer("\r\n", "\n", "\r", "\n", "“", `"`, "”", `"`, "„", `"`).Replace(string(text))
	for whole := range strings.SplitSeq(strings.TrimSuffix(plain, "\n"), "\n") {
		whole = norm.NFKC.String(strings.TrimRight(whole, " \t"))
		text := strings.TrimLeft(whole, " \t>\ufeff\u200b")
		lines = append(lines, bodyLine{prefix: whole[:len(whole)-len(text)], text: text})
	}
	if plain == "" {
		return nil
	}
	return lines
}

// markCode marks the lines of code blocks. One at the beginning may be what an editor made
// of front matter, and one without an end may be the end of another file.
func markCode(lines []bodyLine) {
	var fence markdown.Fence
	opened := 0
	begin := slices.IndexFunc(lines, func(l bodyLine) bool { return l.text != "" })
	for i, l := range lines {
		now := fence.After(l.text)
		switch {
		case fence == "" && now != "":
			opened = i
		case fence != "" && now == "" && opened != begin:
			for n := opened; n <= i; n++ {
				lines[n].code = true
			}
		}
		fence = now
	}
}

// wrapped is an entry, over some lines.
type wrapped struct {
	text  string
	lines int
}

// entryAt returns the entry that begins on a line. An editor may have wrapped it.
func entryAt(lines []bodyLine, i int) wrapped {
	w := wrapped{lines[i].text, 1}
	for n := i + 1; n < min(i+maxWrapped, len(lines)) && !strings.Contains(w.text, "}") && lines[n].text != ""; n++ {
		w.text += " " + lines[n].text
		w.lines++
	}
	return w
}

// addStray records lines of the text that belong to an entry.
func (r *parser) addStray(from, n int) {
	for line := range n {
		r.StrayEntries = append(r.StrayEntries, from+line)
	}
}

// addStrayOf records the lines of front matter in the text that name a memory. first is the
// number of the first line.
func (r *parser) addStrayOf(h headLines, first int) {
	for i, text := range h.lines {
		at := strings.IndexAny(text, ":=")
		if at < 0 {
			continue
		}
		if key := strings.ToLower(strings.Trim(text[:at], " \t-\"'")); key == "id" || key == "quote" {
			r.addStray(first+h.from+i, 1)
		}
	}
}

// headLines are lines that may be front matter, without the prefix of their rule.
type headLines struct {
	from  int
	lines []string
	users bool // they may be about a user: between two rules, no conversation is
}

// below returns the lines from a rule to the next one, else to the first line that is no
// line of front matter.
func below(lines []bodyLine, i int) headLines {
	opener := lines[i]
	h := headLines{from: i + 1}
	for n := i + 1; n < len(lines); n++ {
		text := lines[n].below(opener.prefix)
		if h.users = rule().MatchString(lines[n].text); h.users || text != "" && text[0] != '#' && !keyLine().MatchString(text) {
			break
		}
		h.lines = append(h.lines, text)
	}
	if text, _, _ := strings.Cut(opener.text, " "); !h.users {
		if text != "---" && text != "+++" {
			return headLines{}
		}
		if n := slices.Index(h.lines, ""); n >= 0 {
			h.lines = h.lines[:n]
		}
	}
	return h
}

// above returns the lines that end with a rule and have none that opens them.
func above(lines []bodyLine, i int) headLines {
	closer := lines[i]
	if closer.text != "---" && closer.text != "+++" {
		return headLines{}
	}
	h := headLines{from: i}
	for h.from > 0 && i-h.from < maxItemLines {
		l := lines[h.from-1]
		text := l.below(closer.prefix)
		if l.text == "" || rule().MatchString(l.text) || !keyLine().MatchString(text) || strings.HasPrefix(text, "- ") && !entryStart().MatchString(text) {
			break
		}
		h.from--
		h.lines = append(h.lines, text)
	}
	slices.Reverse(h.lines)
	// A file without a line end may stand before the opening line.
	h.users = h.from > 0 && strings.HasSuffix(lines[h.from-1].text, closer.text)
	return h
}

// below returns the text of a line without the prefix of the rule above it.
func (l bodyLine) below(prefix string) string {
	if whole, found := strings.CutPrefix(l.prefix+l.text, prefix); found {
		return whole
	}
	return l.text
}

// otherProgramsKeys are keys of other programs that often stand beside ours.
var otherProgramsKeys = []string{"title", "date", "aliases"}

// mark returns the first mark that surely protects. An indented line is the value of another
// key, unless that is the list of entries.
func (h headLines) mark() (found protecting.Mark, ok bool) {
	ours, list := true, false
	for _, text := range h.lines {
		m := keyLine().FindStringSubmatch(text)
		if m == nil || m[1]+m[2] == "" {
			continue
		}
		key := m[1] + m[2]
		isList := memory.SuggestKey(key, []string{fields.MemoriesKey}) != "" || strings.EqualFold(key, fields.MemoriesKey)
		list = list || isList
		ours = ours && (isList || fields.Find(key, fields.FileLevel) != nil || fields.Find(key, fields.EntryLevel) != nil || slices.Contains(otherProgramsKeys, key))
	}
	for _, m := range protecting.InHead([]byte(strings.Join(h.lines, "\n")), false) {
		text := h.lines[m.Line]
		nested := strings.TrimLeft(text, " \t") != text
		if m.Sure && !nested && (m.Name != "user" || h.users && ours) {
			return m, true
		}
	}
	for i, text := range h.lines {
		if k, _ := protecting.InLine(text); list && k != nil {
			return protecting.Mark{Key: k, Line: i}, true
		}
	}
	return found, false
}

// inItem reports whether an indented line belongs to a list item. The text of a memory may
// have several lines, and none of them decides.
func inItem(lines []bodyLine, i int) bool {
	indented := len(lines[i].prefix)
	if indented == 0 || strings.Trim(lines[i].prefix, " \t") != "" {
		return false
	}
	for last := max(0, i-maxItemLines); i > last; {
		i--
		if l := lines[i]; l.text != "" && len(l.prefix) < indented {
			return listItem().MatchString(l.text)
		}
	}
	return false
}
