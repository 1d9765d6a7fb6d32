package mcp

import "encoding/json"

// ReadArguments reads the arguments of a tool with a required text and a number. It returns
// them, and what was ignored.
func ReadArguments(raw json.RawMessage) (text string, number *int, notes []string, err error) {
	a, err := readArguments(raw, []field{{name: "text", kind: "string", required: true, aliases: []string{"content"}}, {name: "max_items", kind: "integer"}})
	return a.text("text"), a.number("max_items"), a.notes, err
}
