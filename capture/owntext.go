package capture

import (
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/internal/markdown"
	"github.com/memory-tiered/memory/lang"
)

// body is what a person wrote into a message, without what was pasted, quoted or
// inserted.
type body struct {
	text       string // all of it, one paragraph a line
	paragraphs []paragraph
	quoted     bool     // something was removed
	lost       bool     // what was removed is what a request announced
	middle     []string // of a long message; it was removed
}

// Limits of a message. A longer message is mostly pasted; what the person wrote is
// at its ends.
const (
	maxOwn = 3000 // characters of prose that a person writes into one message
	atEnds = 600  // characters of a longer message that count, at each end
)

// ownText returns the text of a message that its author wrote. Work is linear in
// the length of the message.
func ownText(text string) body {
	text = clean(text)
	kept, quoted := dropBlocks(text)
	lines, more := dropLines(strings.Split(kept, "\n"))
	lost := blankDropped(lines)
	lines, pasted := dropPasted(lines)
	b := body{quoted: quoted || more || pasted, lost: blankDropped(lines) || lost}
	if n := totalLen(lines); n > maxOwn {
		lines, b.middle = ends(lines)
	}
	b.paragraphs = paragraphs(lines)
	b.text = strings.Join(lines, "\n")
	return b
}

// clean removes what cannot be shown: invalid UTF-8, control characters and
// invisible direction marks. Line ends become \n.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\t':
			return ' '
		case r == '\n':
			return r
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0xfffe ||
			r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f:
			return -1
		}
		return r
	}, text)
}

// blockStart matches a line that opens a tag block of ours or of a host.
var blockStart = lazyregexp.New(`(?m)^[ \t]*<([A-Za-z][\w-]*)(?: [^<>\n]*)?>`)

// maxBlocks bounds the tag blocks of a message.
const maxBlocks = 50

// dropBlocks removes HTML comments and blocks like <relevant-memories>. A block
// ends at the last closing tag of its name, so that text inside it cannot end it.
// A block that nothing closes ends with the message. Comments that say private
// stay as a mark.
func dropBlocks(text string) (kept string, dropped bool) {
	text, dropped = dropComments(text)
	var b strings.Builder
	for range maxBlocks {
		at := blockStart().FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		name, end := text[at[2]:at[3]], len(text)
		if after := strings.LastIndex(text, "</"+name); after >= at[1] {
			if n := strings.IndexByte(text[after:], '>'); n >= 0 {
				end = after + n + 1
			}
		}
		b.WriteString(text[:at[0]])
		b.WriteByte('\n')
		text, dropped = text[end:], true
	}
	if at := blockStart().FindStringIndex(text); at != nil { // too many blocks
		text = text[:at[0]]
	}
	b.WriteString(text)
	return b.String(), dropped
}

// dropComments removes HTML comments. An open one ends with the text.
func dropComments(text string) (kept string, dropped bool) {
	var b strings.Builder
	for {
		start := strings.Index(text, "<!--")
		if start < 0 {
			break
		}
		b.WriteString(text[:start])
		dropped = true
		end := strings.Index(text[start:], "-->")
		if end < 0 {
			end = len(text) - start
		} else {
			end += len("-->")
		}
		if strings.Contains(strings.ToLower(text[start:start+end]), "private") {
			b.WriteString("[private]")
		}
		text = text[start+end:]
	}
	b.WriteString(text)
	return b.String(), dropped
}

var (
	logLine  = lazyregexp.New(`^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b|(?:error|warning)(?:\[\w+\])?: )|^[\w.]*(?:Error|Exception): |^\s+at \S+\(|^\s+File "|^Traceback|^goroutine \d+|^panic: `)
	codeLine = lazyregexp.New(`^(?:import|from|def|func|class|const|let|var|return|package|public|private|static|if|for|while|#include|using|SELECT|INSERT|UPDATE|DELETE|CREATE)\b.*[;{(:)]\s*$|[;{}]\s*$|^\s*(?://|/\*|\*/|\$ |>>> |@@ |[+-]{3} |diff --git|[{}]|[\[\]]+[,;]?\s*$)|^\s*"[\w.-]+":|^\s*\|.*\|\s*$`)
	heading  = lazyregexp.New(`^#{1,6} \S`)
	envelope = lazyregexp.New(`^\[[^\[\]\n]*\d[^\[\]\n]*\] `)
	hostLine = lazyregexp.New(`^\[[\w -]+: [^\[\]\n]*\]$`)
)

// isMailHead reports whether a line begins with the name of a field of a mail.
func isMailHead(line string) bool {
	name, _, found := strings.Cut(strings.ReplaceAll(line, "：", ":"), ":")
	return found && isMailField(strings.ToLower(strings.TrimSpace(name)))
}

// droppedLine stands for lines that were removed. No line of a message is equal to it.
const droppedLine = string(lang.Hidden)

// blankDropped leaves a blank line for lines that were removed. It reports whether a request
// announced some of them: "Remember the table:".
func blankDropped(lines []string) (lost bool) {
	state := noRequest
	for i, line := range lines {
		if line == droppedLine {
			lines[i] = ""
			lost = lost || state != noRequest
		} else {
			state = state.behind(line)
		}
	}
	return lost
}

// announcement is what a request announces for the lines behind it.
type announcement uint8

const (
	noRequest announcement = iota // nothing
	anything                      // the line before is the head of the request
	itemsOnly                     // it announced a list
	prose                         // it announced other lines
)

// behind returns what is announced behind the next line.
func (a announcement) behind(line string) announcement {
	s := sentence{text: line}
	switch isItem := bullet().MatchString(line); {
	case line == "" || isItem && a != anything:
		return a
	case isItem:
		return itemsOnly
	case s.endsInColon() && isRequestHead(line):
		return anything
	case s.endsInColon() || a == itemsOnly || a == noRequest:
		return noRequest
	}
	return prose
}

// isRequestHead reports whether a line, which ends with a colon, asks to keep what follows it.
func isRequestHead(line string) bool {
	_, asks := stripRequest(sentence{text: line, seen: lang.Fold(line)})
	return len(line) <= maxHead && asks
}

// dropLines removes quoted lines, fenced code, logs, code, mails and pages.
func dropLines(lines []string) (kept []string, removed bool) {
	page := pageStart(lines)
	var fence markdown.Fence
	traceback, announced := false, noRequest
	for i, line := range lines {
		if i == 0 && !timedLine().MatchString(line) {
			line = strings.TrimPrefix(line, envelope().FindString(line))
		}
		bare := strings.TrimSpace(line)
		was := fence
		fence = fence.After(bare)
		switch {
		case i >= page:
			return append(kept, droppedLine), true
		case was != "":
			continue
		case fence != "":
			kept, removed = append(kept, droppedLine), true
			continue
		case bare == "":
			traceback = false
		case strings.HasPrefix(bare, ">"), strings.HasPrefix(bare, "＞"), traceback && line != bare, isMachineText(line) && !(announced != noRequest && bullet().MatchString(bare)):
			traceback = traceback || strings.HasPrefix(bare, "Traceback") || strings.HasPrefix(bare, "panic: ")
			kept, removed = append(kept, droppedLine), true
			continue
		}
		kept, announced = append(kept, bare), announced.behind(bare)
	}
	return kept, removed
}

// isMachineText reports whether a line looks like code, a log or a host's own line.
func isMachineText(line string) bool {
	return logLine().MatchString(line) || codeLine().MatchString(line) || hostLine().MatchString(strings.TrimSpace(line))
}

// pageStart returns the line where a pasted mail or page begins: two lines of a
// mail's head together, or the first of two headings. len(lines) means none.
func pageStart(lines []string) int {
	first, fence := -1, markdown.Fence("")
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		if fence = fence.After(bare); fence != "" {
			continue
		}
		if isMailHead(bare) && i+1 < len(lines) && isMailHead(strings.TrimSpace(lines[i+1])) {
			return i
		}
		if heading().MatchString(bare) {
			if first >= 0 {
				return first
			}
			first = i
		}
	}
	return len(lines)
}

func totalLen(lines []string) (n int) {
	for _, line := range lines {
		n += utf8.RuneCountInString(line)
	}
	return n
}

// ends returns the first and the last lines of a long message, and those between.
func ends(lines []string) (outer, middle []string) {
	head, tail := 0, len(lines)
	for n := 0; head < len(lines) && n+len(lines[head]) <= atEnds; head++ {
		n += len(lines[head])
	}
	for n := 0; tail > head && n+len(lines[tail-1]) <= atEnds; tail-- {
		n += len(lines[tail-1])
	}
	return append(append(lines[:head:head], ""), lines[tail:]...), lines[head:tail]
}
