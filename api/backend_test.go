package api_test

import (
	"context"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// fakeBackend returns prepared answers and records its calls.
type fakeBackend struct {
	answers map[string]any                                                  // by method
	hook    func(ctx context.Context, method string, request any) error     // runs in every method; nil: none
	index   func(ctx context.Context, progress func(memory.Progress)) error // runs in Index; nil: none

	mu        sync.Mutex
	calls     [][]any // the arguments of each call, without context and progress
	delivered []string
}

var _ api.Backend = (*fakeBackend)(nil)

// reply records a call and returns the prepared answer of its method.
func reply[A any](ctx context.Context, f *fakeBackend, method string, args ...any) (A, error) {
	f.mu.Lock()
	f.calls = append(f.calls, args)
	answer, _ := f.answers[method].(A)
	f.mu.Unlock()
	if f.hook != nil {
		var request any
		if len(args) > 0 {
			request = args[0]
		}
		if err := f.hook(ctx, method, request); err != nil {
			var zero A
			return zero, err
		}
	}
	return answer, nil
}

// lastCall returns the arguments of the last call, or nil if there was none.
func (f *fakeBackend) lastCall() []any {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.calls) == 0 {
		return nil
	}
	return append([]any{}, f.calls[len(f.calls)-1]...)
}

func (f *fakeBackend) deliveredReceipts() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.delivered...)
}

func (f *fakeBackend) Delivered(_ context.Context, workspace, receipt string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delivered = append(f.delivered, workspace+":"+receipt)
	return nil
}

func (f *fakeBackend) Recall(ctx context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	return reply[memory.RecallAnswer](ctx, f, "Recall", r)
}
func (f *fakeBackend) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	return reply[memory.SearchAnswer](ctx, f, "Search", r)
}
func (f *fakeBackend) List(ctx context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	return reply[memory.ListAnswer](ctx, f, "List", r)
}
func (f *fakeBackend) Show(ctx context.Context, workspace, id string) (memory.Memory, error) {
	return reply[memory.Memory](ctx, f, "Show", workspace, id)
}
func (f *fakeBackend) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	return reply[memory.FilesAnswer](ctx, f, "Files", r)
}
func (f *fakeBackend) Context(ctx context.Context, workspace string) (memory.ContextAnswer, error) {
	return reply[memory.ContextAnswer](ctx, f, "Context", workspace)
}
func (f *fakeBackend) Store(ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	return reply[memory.StoreAnswer](ctx, f, "Store", r)
}
func (f *fakeBackend) SetContext(ctx context.Context, r memory.ContextRequest) (memory.ContextAnswer, error) {
	return reply[memory.ContextAnswer](ctx, f, "SetContext", r)
}
func (f *fakeBackend) ClearContext(ctx context.Context, workspace string) error {
	_, err := reply[struct{}](ctx, f, "ClearContext", workspace)
	return err
}
func (f *fakeBackend) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	return reply[memory.DecideAnswer](ctx, f, "Decide", r)
}
func (f *fakeBackend) Audit(ctx context.Context, r memory.AuditRequest) (memory.AuditAnswer, error) {
	return reply[memory.AuditAnswer](ctx, f, "Audit", r)
}
func (f *fakeBackend) Explain(ctx context.Context, r memory.ExplainRequest) (memory.ExplainAnswer, error) {
	return reply[memory.ExplainAnswer](ctx, f, "Explain", r)
}
func (f *fakeBackend) WhyNot(ctx context.Context, r memory.WhyNotRequest) (memory.WhyNotAnswer, error) {
	return reply[memory.WhyNotAnswer](ctx, f, "WhyNot", r)
}
func (f *fakeBackend) Receipts(ctx context.Context, r memory.ReceiptsRequest) (memory.ReceiptsAnswer, error) {
	return reply[memory.ReceiptsAnswer](ctx, f, "Receipts", r)
}
func (f *fakeBackend) Last(ctx context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	return reply[memory.LastAnswer](ctx, f, "Last", r)
}
func (f *fakeBackend) Verify(ctx context.Context, r memory.VerifyRequest, _ func(memory.Progress)) (memory.VerifyAnswer, error) {
	return reply[memory.VerifyAnswer](ctx, f, "Verify", r)
}
func (f *fakeBackend) Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	if f.index != nil {
		if err := f.index(ctx, progress); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	return reply[memory.IndexAnswer](ctx, f, "Index", r)
}
func (f *fakeBackend) Stats(ctx context.Context, workspace string) (memory.Stats, error) {
	return reply[memory.Stats](ctx, f, "Stats", workspace)
}
func (f *fakeBackend) Status(ctx context.Context) (memory.Status, error) {
	return reply[memory.Status](ctx, f, "Status")
}
func (f *fakeBackend) Health(ctx context.Context) (memory.Health, error) {
	return reply[memory.Health](ctx, f, "Health")
}
func (f *fakeBackend) Workspaces(ctx context.Context) (memory.WorkspacesAnswer, error) {
	return reply[memory.WorkspacesAnswer](ctx, f, "Workspaces")
}
func (f *fakeBackend) AddWorkspace(ctx context.Context, r memory.WorkspaceRequest) (memory.WorkspaceInfo, error) {
	return reply[memory.WorkspaceInfo](ctx, f, "AddWorkspace", r)
}
func (f *fakeBackend) RemoveWorkspace(ctx context.Context, name string) error {
	_, err := reply[struct{}](ctx, f, "RemoveWorkspace", name)
	return err
}
func (f *fakeBackend) RenameWorkspace(ctx context.Context, from, to string) (memory.WorkspaceInfo, error) {
	return reply[memory.WorkspaceInfo](ctx, f, "RenameWorkspace", from, to)
}
