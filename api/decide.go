package api

import "github.com/memory-tiered/memory"

// decideOneRequest is a decision about one memory. The path holds the memory's
// id and the action.
type decideOneRequest struct {
	ID        string      `json:"-" path:"id"`
	Action    string      `json:"-" path:"action"`
	Workspace string      `json:"workspace,omitempty"`
	Preview   bool        `json:"preview,omitempty"`
	Only      bool        `json:"only,omitempty"`
	Tier      memory.Tier `json:"tier,omitempty"`
	Source    string      `json:"source,omitempty"`

	memory.Sender
	For memory.Audience `json:"for,omitempty"`
}

// decision returns the same decision in the form that takes any number of
// memories.
func (r decideOneRequest) decision(id string, action memory.Action) memory.DecideRequest {
	return memory.DecideRequest{Action: action, Workspace: r.Workspace, IDs: []string{id}, Preview: r.Preview,
		Only: r.Only, Tier: r.Tier, Source: r.Source, Sender: r.Sender, For: r.For}
}

// destroyRequest asks to destroy the memory whose id is in the path.
type destroyRequest struct {
	ID        string `json:"-" path:"id"`
	Workspace string `json:"workspace,omitempty"`
	Confirm   bool   `json:"confirm,omitempty"`
	Preview   bool   `json:"preview,omitempty"`
	Source    string `json:"source,omitempty"`

	memory.Sender
	For memory.Audience `json:"for,omitempty"`
}

func (r destroyRequest) decision(id string) memory.DecideRequest {
	return memory.DecideRequest{Action: memory.ActionDestroy, Workspace: r.Workspace, IDs: []string{id}, Preview: r.Preview,
		Confirm: r.Confirm, Source: r.Source, Sender: r.Sender, For: r.For}
}
