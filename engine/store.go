package engine

import (
	"context"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/store"
)

// Store writes a text into today's daily note; a tool's into today's captured file. It
// returns the new memory, or the existing one that says the same.
func (e *Engine) Store(ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	s, err := e.writable(r.Workspace, false)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if r.For == memory.AudienceModel && r.Source != memory.SourceAutoCapture {
		r.Source = memory.SourceTool // whatever the request calls it: no person's words without user_message
	}
	text, err := store.Validate(r)
	if err == nil {
		err = r.Scope.CheckName()
	}
	if err == nil {
		err = s.refuseReadOnlyFiles()
	}
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, store.AudienceOf(r))
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if !e.isOwner(r.Sender) {
		r.UserMessage = "" // another sender's words make nothing trusted
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	defer unlock()
	by := e.authorOf(r.Sender, store.AudienceOf(r), e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender))
	answer, err := s.store.Store(ctx, e.now(), store.Request{StoreRequest: r, Text: text, View: who, Author: by, Identities: e.options().Identities})
	if err != nil {
		return answer, err
	}
	count := map[bool]string{false: "stored", true: "duplicates"}[answer.Duplicate]
	e.keepReceipt(ctx, s, memory.Receipt{Kind: memory.ReceiptStore, Session: r.Session, Agent: r.Agent, User: r.Sender.ID(),
		Filters: memory.ReceiptFilters{Chars: utf8.RuneCountInString(r.Text), Scope: r.Scope}, IDs: []memory.ID{answer.Memory.ID}, Counts: map[string]int{count: 1}})
	shown := []memory.Memory{answer.Memory}
	err = s.db.Show(ctx, who, shown)
	answer.Memory = shown[0]
	return answer, err
}
