package hooks

import (
	"bytes"
	"encoding/json"
	"strings"
)

// event is the input of a hook, whatever its client calls the fields.
type event struct {
	session    string // of the client
	agent      string // the subagent in which it happens; empty: the main agent
	folder     string // where the agent works
	transcript string // the file that the client writes the conversation to
	source     string // why a session starts: startup, resume, clear or compact
	prompt     string
	response   string // the last text of the assistant
	tool       string // that the model calls
	task       string // of a subagent that begins
}

// read reads the input of a hook. Unknown fields do not matter.
func read(input map[string]any) event {
	names := table().Fields
	return event{
		session: first(input, names.Session), agent: first(input, names.Agent), folder: first(input, names.Folder),
		transcript: first(input, names.Transcript), source: first(input, names.Source),
		prompt: first(input, names.Prompt), response: first(input, names.Response), tool: first(input, names.Tool), task: first(input, names.Task),
	}
}

// first returns the first text that is not empty, of fields named like "a" or "a.b".
func first(fields map[string]any, names []string) string {
	for _, name := range names {
		outer, inner, nested := strings.Cut(name, ".")
		value := fields[outer]
		if nested {
			value = object(value)[inner]
		}
		if text, isText := value.(string); isText && text != "" {
			return text
		}
	}
	return ""
}

// object returns a JSON object, also one inside of a text.
func object(value any) (fields map[string]any) {
	if text, isText := value.(string); isText {
		_ = json.Unmarshal([]byte(text), &fields) // no object has no fields
		return fields
	}
	fields, _ = value.(map[string]any)
	return fields
}

// pastedCode is the size in bytes from which a fenced block is pasted code. It says little of
// what the user asks, and would decide the search.
const pastedCode = 2 << 10

// ownWords returns a prompt as the user wrote it. It leaves out the blocks that hosts and
// this program put into it, pasted code, and quotation marks around the whole.
func ownWords(text string) string {
	for _, tag := range table().Blocks {
		text = cutAll(text, "<"+tag, "</"+tag+">", 0)
	}
	text = strings.TrimSpace(cutAll(text, "```", "```", pastedCode))
	if inner, quoted := strings.CutPrefix(text, `"`); quoted && strings.Count(text, `"`) == 2 && strings.HasSuffix(inner, `"`) {
		text = strings.TrimSuffix(inner, `"`)
	}
	return strings.TrimSpace(text)
}

// cutAll cuts every part out of a text that begins and ends with some marks and has at
// least some bytes. A part without an end goes on to the end of the text.
func cutAll(text, begin, end string, atLeast int) string {
	var kept bytes.Buffer
	for {
		before, rest, found := strings.Cut(text, begin)
		kept.WriteString(before)
		if !found {
			return kept.String()
		}
		part, after, ended := strings.Cut(rest, end)
		switch {
		case len(part) < atLeast && !ended:
			kept.WriteString(begin + part)
		case len(part) < atLeast:
			kept.WriteString(begin + part + end)
		}
		text = after
	}
}
