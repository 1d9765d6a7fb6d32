package mcp_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api/mcp"
)

// FuzzReadArguments: what a model sends is refused as invalid, or read with its required
// text and a number in range. The same object inside a JSON string means the same.
func FuzzReadArguments(f *testing.F) {
	for _, seed := range []string{`{"text":"a","max_items":3}`, `{"content":"a","maxItems":"3"}`, `"{\"text\":\"a\"}"`, `{"text":["a","b"],"max-items":1e300}`, `{"text":null}`,
		`{"text":{"a":1},"other":2}`, `""`, `null`, `[]`, `{"text":"a","max_items":0.5}`, `{"TEXT":true,"max_items":"NaN"}`, `{"text":"a"} x`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, number, notes, err := mcp.ReadArguments(raw)
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Fatalf("%s: %v", raw, err)
			}
			return
		}
		if text == "" || number != nil && (*number < 1 || *number > 1e6) {
			t.Fatalf("%s: %q, %v, %q", raw, text, number, notes)
		}
		var object map[string]any
		if json.Unmarshal(raw, &object) != nil {
			return
		}
		inString, err := json.Marshal(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		if again, _, _, err := mcp.ReadArguments(inString); (again != text || err != nil) && len(object) == 1 {
			t.Fatalf("%s: %q, and as a JSON string %q, %v", raw, text, again, err)
		}
	})
}
