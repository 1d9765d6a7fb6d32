package memory

import "time"

// HookRequest is an event of an agent's client, as the client's hook got it.
type HookRequest struct {
	Client    string         `json:"client"` // such as claude-code; an unknown one gets no output
	Event     string         `json:"event"`  // by the client's name for it, such as UserPromptSubmit
	Input     map[string]any `json:"input"`  // what the client gave the hook
	Workspace string         `json:"workspace,omitempty"`
}

// HookAnswer is what a hook prints.
type HookAnswer struct {
	Output string `json:"output"` // in the client's own shape; empty: nothing

	// Receipt names the answer to [api.Backend.Delivered], with its workspace. Only
	// in-process; empty: nothing was given.
	Workspace string `json:"-"`
	Receipt   string `json:"-"`
}

// HookStatus counts what the prompts of a client got lately.
type HookStatus struct {
	Client   string    `json:"client"`
	Prompts  int       `json:"prompts"`  // the last ones, at most 20
	Answered int       `json:"answered"` // of these: read in time by the client, also those without a memory
	Given    int       `json:"given"`    // of these: memories came with them
	Late     int       `json:"late"`     // of these: the answer came too late, or the client was gone
	Last     time.Time `json:"last"`     // of the newest prompt
}
