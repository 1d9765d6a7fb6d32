package api_test

import (
	"context"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// fake is a backend that gives prepared answers and remembers what it was asked.
type fake struct {
	answers map[string]any                                                  // by use case
	work    func(ctx context.Context, use string, request any) error        // runs in each; nil: nothing
	long    func(ctx context.Context, progress func(memory.Progress)) error // runs in Index

	mu        sync.Mutex
	asked     []any // requests
	delivered []string
}

var _ api.Backend = (*fake)(nil)

// Requests of the use cases that take plain arguments.
type (
	inWorkspace struct{ Workspace string }
	oneMemory   struct{ Workspace, ID string }
	rename      struct{ From, To string }
	nothing     struct{}
)

func give[A any](ctx context.Context, f *fake, use string, request any) (A, error) {
	f.mu.Lock()
	f.asked = append(f.asked, request)
	answer, _ := f.answers[use].(A)
	f.mu.Unlock()
	if f.work != nil {
		if err := f.work(ctx, use, request); err != nil {
			var none A
			return none, err
		}
	}
	return answer, nil
}

func (f *fake) last() any {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.asked) == 0 {
		return nil
	}
	return f.asked[len(f.asked)-1]
}

func (f *fake) receipts() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.delivered...)
}

func (f *fake) Delivered(_ context.Context, workspace, receipt string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delivered = append(f.delivered, workspace+":"+receipt)
	return nil
}

func (f *fake) Recall(ctx context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	return give[memory.RecallAnswer](ctx, f, "Recall", r)
}
func (f *fake) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	return give[memory.SearchAnswer](ctx, f, "Search", r)
}
func (f *fake) List(ctx context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	return give[memory.ListAnswer](ctx, f, "List", r)
}
func (f *fake) Show(ctx context.Context, workspace, id string) (memory.Memory, error) {
	return give[memory.Memory](ctx, f, "Show", oneMemory{workspace, id})
}
func (f *fake) Store(ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	return give[memory.StoreAnswer](ctx, f, "Store", r)
}
func (f *fake) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	return give[memory.DecideAnswer](ctx, f, "Decide", r)
}
func (f *fake) Explain(ctx context.Context, r memory.ExplainRequest) (memory.ExplainAnswer, error) {
	return give[memory.ExplainAnswer](ctx, f, "Explain", r)
}
func (f *fake) WhyNot(ctx context.Context, r memory.WhyNotRequest) (memory.WhyNotAnswer, error) {
	return give[memory.WhyNotAnswer](ctx, f, "WhyNot", r)
}
func (f *fake) Receipts(ctx context.Context, r memory.ReceiptsRequest) (memory.ReceiptsAnswer, error) {
	return give[memory.ReceiptsAnswer](ctx, f, "Receipts", r)
}
func (f *fake) Last(ctx context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	return give[memory.LastAnswer](ctx, f, "Last", r)
}
func (f *fake) Context(ctx context.Context, workspace string) (memory.ContextAnswer, error) {
	return give[memory.ContextAnswer](ctx, f, "Context", inWorkspace{workspace})
}
func (f *fake) SetContext(ctx context.Context, r memory.ContextRequest) (memory.ContextAnswer, error) {
	return give[memory.ContextAnswer](ctx, f, "SetContext", r)
}
func (f *fake) ClearContext(ctx context.Context, workspace string) error {
	_, err := give[nothing](ctx, f, "ClearContext", inWorkspace{workspace})
	return err
}
func (f *fake) Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	if f.long != nil {
		if err := f.long(ctx, progress); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	return give[memory.IndexAnswer](ctx, f, "Index", r)
}
func (f *fake) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	return give[memory.FilesAnswer](ctx, f, "Files", r)
}
func (f *fake) Verify(ctx context.Context, r memory.VerifyRequest, _ func(memory.Progress)) (memory.VerifyAnswer, error) {
	return give[memory.VerifyAnswer](ctx, f, "Verify", r)
}
func (f *fake) Stats(ctx context.Context, workspace string) (memory.Stats, error) {
	return give[memory.Stats](ctx, f, "Stats", inWorkspace{workspace})
}
func (f *fake) Audit(ctx context.Context, r memory.AuditRequest) (memory.AuditAnswer, error) {
	return give[memory.AuditAnswer](ctx, f, "Audit", r)
}
func (f *fake) Workspaces(ctx context.Context) (memory.WorkspacesAnswer, error) {
	return give[memory.WorkspacesAnswer](ctx, f, "Workspaces", nothing{})
}
func (f *fake) AddWorkspace(ctx context.Context, r memory.WorkspaceRequest) (memory.WorkspaceInfo, error) {
	return give[memory.WorkspaceInfo](ctx, f, "AddWorkspace", r)
}
func (f *fake) RemoveWorkspace(ctx context.Context, name string) error {
	_, err := give[nothing](ctx, f, "RemoveWorkspace", inWorkspace{name})
	return err
}
func (f *fake) RenameWorkspace(ctx context.Context, from, to string) (memory.WorkspaceInfo, error) {
	return give[memory.WorkspaceInfo](ctx, f, "RenameWorkspace", rename{from, to})
}
func (f *fake) Status(ctx context.Context) (memory.Status, error) {
	return give[memory.Status](ctx, f, "Status", nothing{})
}
func (f *fake) Health(ctx context.Context) (memory.Health, error) {
	return give[memory.Health](ctx, f, "Health", nothing{})
}
