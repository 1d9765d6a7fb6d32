package hooks

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
)

// moment is what an event means, whatever a client calls it.
type moment string

const (
	start      moment = "start"      // a session begins, goes on or begins anew
	prompt     moment = "prompt"     // before a prompt
	task       moment = "task"       // before a subagent gets its task
	subagent   moment = "subagent"   // a subagent begins
	compaction moment = "compaction" // before the client shortens the conversation
	stop       moment = "stop"       // the end of a turn
)

// client is a program that runs agents: a row of clients.json.
type client struct {
	Name            string            `json:"name"`
	Aliases         []string          `json:"aliases"`
	Events          map[string]moment `json:"events"`
	Flat            bool              `json:"flat"`               // its hooks print additionalContext by itself
	AgentsAreItsOwn bool              `json:"agents_are_its_own"` // subagents run for the client, and not for the user
	TaskTools       []string          `json:"task_tools"`         // the tools that start a subagent
	SideCalls       []string          `json:"side_calls"`         // how its own prompts begin, such as those for titles
}

// fieldNames lists, for each field of an event, the names that clients use for it.
type fieldNames struct {
	Session, Agent, Folder, Transcript, Source, Prompt, Response, Tool, Task []string
}

//go:embed clients.json
var tableFile []byte

// table is the content of clients.json.
var table = sync.OnceValue(func() (t struct {
	Clients []client   `json:"clients"`
	Fields  fieldNames `json:"fields"`
	Blocks  []string   `json:"blocks"` // tags around what hosts and this program put into prompts
}) {
	if err := json.Unmarshal(tableFile, &t); err != nil {
		panic("hooks: clients.json: " + err.Error()) // a bug that every test shows
	}
	return t
})

// find returns the client with a name.
func find(name string) (client, bool) {
	all := table().Clients
	i := slices.IndexFunc(all, func(c client) bool { return c.Name == name || slices.Contains(c.Aliases, name) })
	if i < 0 {
		return client{}, false
	}
	return all[i], true
}

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
func (c client) output(event, text string) (string, error) {
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
