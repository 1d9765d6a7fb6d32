package api

import (
	"context"
	_ "embed" // openapi.yaml
	"io"
	"net/http"
	"slices"

	"github.com/memory-tiered/memory"
)

// openAPI describes every route. A test compares it with the routes.
//
//go:embed openapi.yaml
var openAPI []byte

const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete

// routes lists every route: the use cases of the backend as HTTP shows them.
func routes(b Backend) []route {
	return slices.Concat(memoryRoutes(b), serviceRoutes(b), []route{
		writes(get, "/v1/openapi.yaml", func(_ *server, w *response) error { return w.send("application/yaml", openAPI) }),
		writes(get, "/metrics", (*server).writeMetrics),
	})
}

// memoryRoutes lists the routes about memories, and about what is put before a model.
func memoryRoutes(b Backend) []route {
	return []route{
		answers(post, "/v1/recall", b.Recall, "prompt").with(traits{receipt: recallReceipt}),
		answers(post, "/v1/search", b.Search, "query").with(traits{receipt: searchReceipt}),
		answers(post, "/v1/hook", b.Hook, "client", "event").with(traits{receipt: hookReceipt}),
		answers(get, "/v1/memories", b.List),
		answers(get, "/v1/memories/{id}", b.Show),
		answers(get, "/v1/files", b.Files),
		answers(get, "/v1/context", b.Context),
		answers(put, "/v1/context", b.SetContext, "text"),
		answers(del, "/v1/context", b.ClearContext),
		answers(post, "/v1/memories", b.Store, "text"),
		answers(post, "/v1/capture", b.Capture, "messages"),
		reports(post, "/v1/decide", func(ctx context.Context, r memory.DecideRequest, progress func(memory.Progress)) (memory.DecideAnswer, error) {
			r.Progress = progress
			return b.Decide(ctx, r)
		}, "action"),
		answers(post, "/v1/memories/{id}/{action}", func(ctx context.Context, r decideOneRequest) (memory.DecideAnswer, error) {
			action, err := memory.ParseAction(r.Action)
			if err != nil {
				return memory.DecideAnswer{}, err
			}
			return b.Decide(ctx, memory.DecideRequest{Action: action, Workspace: r.Workspace, IDs: []string{r.ID}, Preview: r.Preview,
				Only: r.Only, Tier: r.Tier, Source: r.Source, Sender: r.Sender, For: r.For})
		}),
		answers(del, "/v1/memories/{id}", func(ctx context.Context, r destroyRequest) (memory.DecideAnswer, error) {
			return b.Decide(ctx, memory.DecideRequest{Action: memory.ActionDestroy, Workspace: r.Workspace, IDs: []string{r.ID}, Preview: r.Preview,
				Confirm: r.Confirm, Source: r.Source, Sender: r.Sender, For: r.For})
		}).with(traits{long: true}),
		answers(patch, "/v1/memories/{id}", b.Edit, "text", "was"),
		answers(post, "/v1/feedback", b.Feedback, "id", "verdict"),
		answers(get, "/v1/audit", b.Audit),
		answers(get, "/v1/review", b.Review),
		answers(post, "/v1/review", b.ReviewStep, "action"),
		answers(get, "/v1/memories/{id}/explain", b.Explain),
		answers(get, "/v1/memories/{id}/why-not", b.WhyNot),
		answers(get, "/v1/receipts", b.Receipts),
		answers(get, "/v1/last", b.Last),
		answers(get, "/v1/export", b.Export).with(traits{long: true, lines: func(request any, out io.Writer) { request.(*memory.ExportRequest).Out = out }}),
		reports(post, "/v1/import", b.Import).with(traits{long: true, events: true, upload: func(request any, in io.Reader) { request.(*memory.ImportRequest).In = in }}),
		answers(post, "/v1/snapshots", b.Snapshots, "action").with(traits{long: true}),
		reports(post, "/v1/verify", b.Verify),
	}
}

// serviceRoutes lists the routes about the index, the workspaces and the service.
func serviceRoutes(b Backend) []route {
	return []route{
		answers(post, "/v1/decay", b.Decay).with(traits{long: true}),
		answers(get, "/v1/decay", func(ctx context.Context, r workspaceRequest) (memory.DecayStatus, error) {
			return b.DecayStatus(ctx, r.Workspace)
		}),
		answers(post, "/v1/grade", b.Grade).with(traits{long: true}),
		reports(post, "/v1/index", b.Index),
		reports(post, "/v1/doctor", b.Doctor),
		answers(post, "/v1/reload", withoutRequest(b.Reload)),
		answers(post, "/v1/ui", withoutRequest(b.OpenInspector)),
		answers(get, "/v1/stats", b.Stats),
		answers(get, "/v1/status", withoutRequest(b.Status)),
		answers(get, "/v1/health", withoutRequest(b.Health)).with(traits{always: true}),
		answers(get, "/v1/workspaces", withoutRequest(b.Workspaces)),
		reports(post, "/v1/workspaces", func(ctx context.Context, r memory.WorkspaceRequest, progress func(memory.Progress)) (memory.WorkspaceInfo, error) {
			r.Progress = progress
			return b.AddWorkspace(ctx, r)
		}, "path"),
		answers(patch, "/v1/workspaces/{name}", func(ctx context.Context, r renameRequest) (memory.WorkspaceInfo, error) {
			return b.RenameWorkspace(ctx, r.From, r.Name)
		}, "name"),
		answers(del, "/v1/workspaces/{name}", func(ctx context.Context, r removeRequest) (removed, error) {
			return removed{r.Name}, b.RemoveWorkspace(ctx, r.Name)
		}),
	}
}

// withoutRequest gives a use case that takes no request an empty one.
func withoutRequest[A any](use func(context.Context) (A, error)) func(context.Context, emptyRequest) (A, error) {
	return func(ctx context.Context, _ emptyRequest) (A, error) { return use(ctx) }
}

// Requests that only the protocol needs: package memory passes their fields as plain
// arguments.
type (
	emptyRequest     struct{}
	workspaceRequest struct {
		Workspace string `json:"workspace"`
	}
	removeRequest struct {
		Name string `json:"-" path:"name"`
	}
	renameRequest struct {
		From string `json:"-" path:"name"`
		Name string `json:"name"`
	}
)

// removed names the workspace that is no longer served.
type removed struct {
	Removed string `json:"removed"`
}

// recallReceipt returns the receipt of a recall, unless the request asks not to
// count uses.
func recallReceipt(request, answer any) (workspace, receipt string) {
	r := request.(*memory.RecallRequest)
	if r.Record != nil && !*r.Record {
		return "", ""
	}
	return r.Workspace, answer.(memory.RecallAnswer).Receipt
}

// searchReceipt returns the receipt of a search by a tool. A person's search
// does not count as use.
func searchReceipt(request, answer any) (workspace, receipt string) {
	r := request.(*memory.SearchRequest)
	if !r.Record {
		return "", ""
	}
	return r.Workspace, answer.(memory.SearchAnswer).Receipt
}

// hookReceipt returns the receipt of what a hook gives to a session.
func hookReceipt(_, answer any) (workspace, receipt string) {
	a := answer.(memory.HookAnswer)
	return a.Workspace, a.Receipt
}

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
