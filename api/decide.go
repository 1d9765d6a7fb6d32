package api

import (
	"context"

	"github.com/memory-tiered/memory"
)

// decideOneRequest is a decision about one memory, which stands in the path
// with the action.
type decideOneRequest struct {
	ID        string      `json:"-" path:"id"`
	Action    string      `json:"-" path:"action"`
	Workspace string      `json:"workspace,omitempty"`
	Preview   bool        `json:"preview,omitempty"`
	Only      bool        `json:"only,omitempty"`
	Tier      memory.Tier `json:"tier,omitempty"`
	Source    string      `json:"source,omitempty"`
}

// about is the same as a decision about any memories.
func (r decideOneRequest) about(id string, action memory.Action) memory.DecideRequest {
	return memory.DecideRequest{Action: action, Workspace: r.Workspace, IDs: []string{id}, Preview: r.Preview,
		Only: r.Only, Tier: r.Tier, Source: r.Source}
}

func decideOne(b Backend, ctx context.Context, r decideOneRequest) (memory.DecideAnswer, error) {
	action, err := memory.ParseAction(r.Action)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	return b.Decide(ctx, r.about(r.ID, action))
}

// destroyRequest asks to destroy the memory that stands in the path.
type destroyRequest struct {
	ID        string `json:"-" path:"id"`
	Workspace string `json:"workspace,omitempty"`
	Confirm   bool   `json:"confirm,omitempty"`
	Preview   bool   `json:"preview,omitempty"`
	Source    string `json:"source,omitempty"`
}

func (r destroyRequest) about(id string) memory.DecideRequest {
	return memory.DecideRequest{Action: memory.ActionDestroy, Workspace: r.Workspace, IDs: []string{id}, Preview: r.Preview,
		Confirm: r.Confirm, Source: r.Source}
}

func destroyOne(b Backend, ctx context.Context, r destroyRequest) (memory.DecideAnswer, error) {
	return b.Decide(ctx, r.about(r.ID))
}
