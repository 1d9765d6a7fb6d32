package hooks

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/memory-tiered/memory/internal/clients"
)

// fieldNames lists, for each field of an event, the names that clients use for it.
type fieldNames struct {
	Session, Agent, Folder, Transcript, Source, Prompt, Response, Tool, Task []string
}

//go:embed fields.json
var tableFile []byte

// table is the content of fields.json.
var table = sync.OnceValue(func() (t struct {
	Fields fieldNames `json:"fields"`
	Blocks []string   `json:"blocks"` // tags around what hosts and this program put into prompts
}) {
	if err := json.Unmarshal(tableFile, &t); err != nil {
		panic("hooks: fields.json: " + err.Error()) // a bug that every test shows
	}
	return t
})

// The shapes of what hooks print.
type (
	specificOutput struct {
		Output contextOutput `json:"hookSpecificOutput"`
	}
	contextOutput struct {
		Event   string `json:"hookEventName,omitempty"`
		Context string `json:"additionalContext"`
	}
)

// output returns what a hook prints so that a text reaches the model.
func output(c clients.Client, event, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	added := contextOutput{Context: text}
	var printed any = added
	if !c.Flat {
		added.Event = event
		printed = specificOutput{added}
	}
	encoded, err := json.Marshal(printed)
	return string(encoded), err
}
