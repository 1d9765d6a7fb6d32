package api

import (
	"context"
	_ "embed" // openapi.yaml
	"net/http"
	"slices"

	"github.com/memory-tiered/memory"
)

// openAPI describes every route. A test compares it with the routes.
//
//go:embed openapi.yaml
var openAPI []byte

const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete

// routes lists every route: the use cases of the backend as HTTP shows them,
// one table for each part of the backend.
func routes(b Backend) []route {
	return slices.Concat(retrieverRoutes(b), readerRoutes(b), writerRoutes(b), deciderRoutes(b), explainerRoutes(b),
		agerRoutes(b), reviewerRoutes(b), operatorRoutes(b), registrarRoutes(b), []route{
			writes(get, "/v1/openapi.yaml", func(_ *server, w *response) error { return w.send("application/yaml", openAPI) }),
			writes(get, "/metrics", (*server).writeMetrics),
		})
}

func retrieverRoutes(b Retriever) []route {
	return []route{
		answers(post, "/v1/recall", b.Recall, "prompt").with(traits{receipt: recallReceipt}),
		answers(post, "/v1/search", b.Search, "query").with(traits{receipt: searchReceipt}),
	}
}

func readerRoutes(b Reader) []route {
	return []route{
		answers(get, "/v1/memories", b.List),
		answers(get, "/v1/memories/{id}", b.Show),
		answers(get, "/v1/files", func(ctx context.Context, r filesRequest) (memory.FilesAnswer, error) {
			return b.Files(ctx, memory.FilesRequest{Workspace: r.Workspace, Paths: r.Paths, Agent: r.Agent, Scope: r.Scope, Sender: r.Sender, For: r.For})
		}),
		answers(get, "/v1/context", func(ctx context.Context, r contextRequest) (memory.ContextAnswer, error) {
			return b.Context(ctx, memory.ContextOf{Workspace: r.Workspace, Sender: r.Sender})
		}),
	}
}

func writerRoutes(b Writer) []route {
	return []route{
		answers(post, "/v1/memories", b.Store, "text"),
		answers(post, "/v1/capture", b.Capture, "messages"),
		answers(put, "/v1/context", b.SetContext, "text"),
		answers(del, "/v1/context", func(ctx context.Context, r contextRequest) (memory.ContextAnswer, error) {
			return b.ClearContext(ctx, memory.ContextOf{Workspace: r.Workspace, Sender: r.Sender})
		}),
	}
}

func deciderRoutes(b Decider) []route {
	return []route{
		reports(post, "/v1/decide", func(ctx context.Context, r memory.DecideRequest, progress func(memory.Progress)) (memory.DecideAnswer, error) {
			r.Progress = progress
			return b.Decide(ctx, r)
		}, "action"),
		answers(post, "/v1/memories/{id}/{action}", func(ctx context.Context, r decideOneRequest) (memory.DecideAnswer, error) {
			action, err := memory.ParseAction(r.Action)
			if err != nil {
				return memory.DecideAnswer{}, err
			}
			return b.Decide(ctx, r.decision(r.ID, action))
		}),
		answers(del, "/v1/memories/{id}", func(ctx context.Context, r destroyRequest) (memory.DecideAnswer, error) {
			return b.Decide(ctx, r.decision(r.ID))
		}).with(traits{long: true}),
		answers(get, "/v1/audit", func(ctx context.Context, r auditRequest) (memory.AuditAnswer, error) {
			return b.Audit(ctx, memory.AuditRequest(r))
		}),
	}
}

func explainerRoutes(b Explainer) []route {
	return []route{
		answers(get, "/v1/memories/{id}/explain", b.Explain),
		answers(get, "/v1/memories/{id}/why-not", b.WhyNot),
		answers(get, "/v1/receipts", b.Receipts),
		answers(get, "/v1/last", b.Last),
		reports(post, "/v1/verify", b.Verify),
	}
}

func agerRoutes(b Ager) []route {
	return []route{
		answers(post, "/v1/decay", b.Decay).with(traits{long: true}),
		answers(post, "/v1/grade", b.Grade).with(traits{long: true}),
		answers(get, "/v1/decay", func(ctx context.Context, r workspaceRequest) (memory.DecayStatus, error) {
			return b.DecayStatus(ctx, r.Workspace)
		}),
	}
}

func reviewerRoutes(b Reviewer) []route {
	return []route{
		answers(get, "/v1/review", b.Review),
		answers(post, "/v1/review", b.ReviewStep, "action"),
	}
}

func operatorRoutes(b Operator) []route {
	return []route{
		reports(post, "/v1/index", b.Index),
		reports(post, "/v1/doctor", b.Doctor),
		answers(post, "/v1/reload", func(ctx context.Context, _ emptyRequest) (memory.ReloadAnswer, error) { return b.Reload(ctx) }),
		answers(get, "/v1/stats", b.Stats),
		answers(get, "/v1/stats/history", b.TierHistory),
		answers(get, "/v1/status", func(ctx context.Context, _ emptyRequest) (memory.Status, error) { return b.Status(ctx) }),
		answers(get, "/v1/health", func(ctx context.Context, _ emptyRequest) (memory.Health, error) {
			return b.Health(ctx)
		}).with(traits{always: true}),
	}
}

func registrarRoutes(b Registrar) []route {
	return []route{
		answers(get, "/v1/workspaces", func(ctx context.Context, _ emptyRequest) (memory.WorkspacesAnswer, error) {
			return b.Workspaces(ctx)
		}),
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

// Requests that only the protocol needs: package memory passes their fields as
// plain arguments, or has no JSON names for them.
type (
	emptyRequest     struct{}
	workspaceRequest struct {
		Workspace string `json:"workspace"`
	}
	contextRequest struct {
		Workspace string `json:"workspace"`
		memory.Sender
	}
	filesRequest struct {
		Workspace string       `json:"workspace"`
		Paths     []string     `json:"path"`
		Agent     string       `json:"agent"`
		Scope     memory.Scope `json:"scope"`
		memory.Sender
		For memory.Audience `json:"for"`
	}
	auditRequest struct {
		Workspace string `json:"workspace"`
		ID        string `json:"id"`
		Action    string `json:"action"`
		Source    string `json:"source"`
		Limit     int    `json:"limit"`
		Offset    int    `json:"offset"`
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
