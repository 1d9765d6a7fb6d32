package api_test

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// fakeBackend returns prepared answers and records its calls. It has only the
// methods that the tests of the server call; any other one panics.
type fakeBackend struct {
	api.Backend
	answers map[string]any                                                  // by method
	hook    func(ctx context.Context, method string, request any) error     // runs in every method; nil: none
	index   func(ctx context.Context, progress func(memory.Progress)) error // runs in Index; nil: none

	mu        sync.Mutex
	calls     [][]any // the arguments of each call, without context and progress
	delivered []string
}

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
func (f *fakeBackend) Workspaces(ctx context.Context) (memory.WorkspacesAnswer, error) {
	return reply[memory.WorkspacesAnswer](ctx, f, "Workspaces")
}
func (f *fakeBackend) Show(ctx context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	return reply[memory.ShowAnswer](ctx, f, "Show", r)
}
func (f *fakeBackend) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	return reply[memory.FilesAnswer](ctx, f, "Files", r)
}
func (f *fakeBackend) Reload(ctx context.Context) (memory.ReloadAnswer, error) {
	return reply[memory.ReloadAnswer](ctx, f, "Reload")
}
func (f *fakeBackend) Review(ctx context.Context, r memory.ReviewRequest) (memory.ReviewAnswer, error) {
	return reply[memory.ReviewAnswer](ctx, f, "Review", r)
}
func (f *fakeBackend) Edit(ctx context.Context, r memory.EditRequest) (memory.ChangeAnswer, error) {
	return reply[memory.ChangeAnswer](ctx, f, "Edit", r)
}

func (f *fakeBackend) Feedback(ctx context.Context, r memory.FeedbackRequest) (memory.ChangeAnswer, error) {
	return reply[memory.ChangeAnswer](ctx, f, "Feedback", r)
}

func (f *fakeBackend) OpenInspector(ctx context.Context) (memory.InspectorAnswer, error) {
	return reply[memory.InspectorAnswer](ctx, f, "OpenInspector")
}

func (f *fakeBackend) ReviewStep(ctx context.Context, r memory.ReviewStepRequest) (memory.ReviewStepAnswer, error) {
	return reply[memory.ReviewStepAnswer](ctx, f, "ReviewStep", r)
}
func (f *fakeBackend) Store(ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	return reply[memory.StoreAnswer](ctx, f, "Store", r)
}
func (f *fakeBackend) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	return reply[memory.DecideAnswer](ctx, f, "Decide", r)
}
func (f *fakeBackend) Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	if f.index != nil {
		if err := f.index(ctx, progress); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	return reply[memory.IndexAnswer](ctx, f, "Index", r)
}
func (f *fakeBackend) Stats(ctx context.Context, r memory.StatsRequest) (memory.Stats, error) {
	return reply[memory.Stats](ctx, f, "Stats", r)
}
func (f *fakeBackend) Health(ctx context.Context) (memory.Health, error) {
	return reply[memory.Health](ctx, f, "Health")
}

func (f *fakeBackend) Export(ctx context.Context, r memory.ExportRequest) (memory.ExportEnd, error) {
	out := r.Out
	r.Out = nil
	end, err := reply[memory.ExportEnd](ctx, f, "Export", r)
	if err == nil {
		err = json.NewEncoder(out).Encode(end)
	}
	return end, err
}

func (f *fakeBackend) Import(ctx context.Context, r memory.ImportRequest, progress func(memory.Progress)) (memory.ImportAnswer, error) {
	lines, err := io.ReadAll(r.In)
	if err != nil {
		return memory.ImportAnswer{}, err
	}
	r.In = nil
	progress(memory.Progress{Stage: "check", Done: len(lines), Total: len(lines)})
	return reply[memory.ImportAnswer](ctx, f, "Import", r)
}
