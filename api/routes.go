package api

import (
	"context"
	_ "embed" // openapi.yaml
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// openAPI describes every route; a test holds it equal to what is served.
//
//go:embed openapi.yaml
var openAPI []byte

// routes is all that is served. The use cases are the backend's; what stands
// here is how they look on the wire.
func routes() []route {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	return []route{
		answers(post, "/v1/recall", Backend.Recall, "prompt").with(traits{receipt: recallReceipt}),
		answers(post, "/v1/search", Backend.Search, "query").with(traits{receipt: searchReceipt}),

		answers(get, "/v1/memories", Backend.List),
		answers(post, "/v1/memories", store, "text"),
		answers(get, "/v1/memories/{id}", func(b Backend, ctx context.Context, r memoryRequest) (memory.Memory, error) {
			return b.Show(ctx, r.Workspace, r.ID)
		}),
		answers(del, "/v1/memories/{id}", destroyOne).with(traits{long: true}),

		answers(get, "/v1/memories/{id}/explain", Backend.Explain),
		answers(get, "/v1/memories/{id}/why-not", Backend.WhyNot),
		answers(post, "/v1/memories/{id}/{action}", decideOne),
		decides(post, "/v1/decide"),

		answers(get, "/v1/context", func(b Backend, ctx context.Context, r workspaceOnly) (memory.ContextAnswer, error) {
			return b.Context(ctx, r.Workspace)
		}),
		answers(put, "/v1/context", Backend.SetContext, "text"),
		answers(del, "/v1/context", func(b Backend, ctx context.Context, r workspaceOnly) (memory.ContextAnswer, error) {
			return memory.ContextAnswer{}, b.ClearContext(ctx, r.Workspace)
		}),

		indexes(post, "/v1/index"),
		answers(get, "/v1/files", func(b Backend, ctx context.Context, r filesRequest) (memory.FilesAnswer, error) {
			return b.Files(ctx, memory.FilesRequest{Workspace: r.Workspace, Paths: r.Paths})
		}),
		verifies(post, "/v1/verify"),
		answers(get, "/v1/stats", func(b Backend, ctx context.Context, r workspaceOnly) (memory.Stats, error) {
			return b.Stats(ctx, r.Workspace)
		}),
		answers(get, "/v1/audit", func(b Backend, ctx context.Context, r auditRequest) (memory.AuditAnswer, error) {
			return b.Audit(ctx, memory.AuditRequest(r))
		}),
		answers(get, "/v1/receipts", Backend.Receipts),
		answers(get, "/v1/last", Backend.Last),

		answers(get, "/v1/workspaces", func(b Backend, ctx context.Context, _ nothing) (memory.WorkspacesAnswer, error) {
			return b.Workspaces(ctx)
		}),
		answers(post, "/v1/workspaces", Backend.AddWorkspace, "path").with(traits{long: true}),
		answers(patch, "/v1/workspaces/{name}", func(b Backend, ctx context.Context, r renameRequest) (memory.WorkspaceInfo, error) {
			return b.RenameWorkspace(ctx, r.From, r.Name)
		}, "name"),
		answers(del, "/v1/workspaces/{name}", func(b Backend, ctx context.Context, r namedRequest) (removed, error) {
			return removed{r.Name}, b.RemoveWorkspace(ctx, r.Name)
		}),

		answers(get, "/v1/status", func(b Backend, ctx context.Context, _ nothing) (memory.Status, error) {
			return b.Status(ctx)
		}),
		answers(get, "/v1/health", func(b Backend, ctx context.Context, _ nothing) (memory.Health, error) {
			return b.Health(ctx)
		}).with(traits{always: true}),
		writes(get, "/v1/openapi.yaml", func(_ *server, w *response) error { return w.whole("application/yaml", openAPI) }),
		writes(get, "/metrics", (*server).writeMetrics),
	}
}

// Requests that package memory has no name for on the wire.
type (
	nothing       struct{}
	workspaceOnly struct {
		Workspace string `json:"workspace"`
	}
	memoryRequest struct {
		ID        string `json:"-" path:"id"`
		Workspace string `json:"workspace"`
	}
	filesRequest struct {
		Workspace string   `json:"workspace"`
		Paths     []string `json:"path"`
	}
	auditRequest struct {
		Workspace string `json:"workspace"`
		ID        string `json:"id"`
		Action    string `json:"action"`
		Source    string `json:"source"`
		Limit     int    `json:"limit"`
		Offset    int    `json:"offset"`
	}
	namedRequest struct {
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

// The length of a text that may be stored, in characters: shorter says nothing,
// longer is a file.
const (
	minStored = 10
	maxStored = 10_000
)

func store(b Backend, ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	if n := utf8.RuneCountInString(strings.TrimSpace(r.Text)); n < minStored || n > maxStored {
		return memory.StoreAnswer{}, memory.Invalid("text", "a memory is %d to %d characters long, this is %d", minStored, maxStored, n).
			WithHint("longer texts can be written into a Markdown file of the workspace by hand")
	}
	return b.Store(ctx, r)
}

func indexes(method, path string) route {
	r := answers[memory.IndexRequest, memory.IndexAnswer](method, path, nil).with(traits{long: true, events: true})
	r.serve = func(ctx context.Context, b Backend, request any, progress func(memory.Progress)) (any, error) {
		return b.Index(ctx, *request.(*memory.IndexRequest), progress)
	}
	return r
}

func verifies(method, path string) route {
	r := answers[memory.VerifyRequest, memory.VerifyAnswer](method, path, nil).with(traits{long: true, events: true})
	r.serve = func(ctx context.Context, b Backend, request any, progress func(memory.Progress)) (any, error) {
		return b.Verify(ctx, *request.(*memory.VerifyRequest), progress)
	}
	return r
}

func decides(method, path string) route {
	r := answers[memory.DecideRequest, memory.DecideAnswer](method, path, nil, "action").with(traits{long: true, events: true})
	r.serve = func(ctx context.Context, b Backend, request any, progress func(memory.Progress)) (any, error) {
		decision := *request.(*memory.DecideRequest)
		decision.Progress = progress
		return b.Decide(ctx, decision)
	}
	return r
}

func writes(method, path string, write func(*server, *response) error) route {
	return answers[nothing, nothing](method, path, nil).with(traits{always: true, write: write})
}

// recallReceipt: recalling for a model counts as use, unless asked otherwise.
func recallReceipt(request, answer any) (workspace, receipt string) {
	r := request.(*memory.RecallRequest)
	if r.Record != nil && !*r.Record {
		return "", ""
	}
	return r.Workspace, answer.(memory.RecallAnswer).Receipt
}

// searchReceipt: a person's search never counts, a tool's does.
func searchReceipt(request, answer any) (workspace, receipt string) {
	r := request.(*memory.SearchRequest)
	if !r.Record {
		return "", ""
	}
	return r.Workspace, answer.(memory.SearchAnswer).Receipt
}
