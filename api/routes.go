package api

import (
	"context"
	_ "embed" // openapi.yaml
	"io"
	"net/http"

	"github.com/memory-tiered/memory"
)

// openAPI describes every route. A test compares it with the routes.
//
//go:embed openapi.yaml
var openAPI []byte

const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete

// routes has every route. The rows of the table add themselves.
var routes []*route

// The table of the routes about memories, and about what is put before a model.
var (
	recallRoute  = answers(post, "/v1/recall", Backend.Recall, "prompt").with(traits{reads: true, receipt: recallReceipt})
	searchRoute  = answers(post, "/v1/search", Backend.Search, "query").with(traits{reads: true, receipt: searchReceipt})
	hookRoute    = answers(post, "/v1/hook", Backend.Hook, "client", "event").with(traits{receipt: hookReceipt})
	listRoute    = answers(get, "/v1/memories", Backend.List)
	showRoute    = answers(get, "/v1/memories/{id}", Backend.Show)
	filesRoute   = answers(get, "/v1/files", Backend.Files)
	contextRoute = answers(get, "/v1/context", Backend.Context)

	entitiesRoute     = answers(get, "/v1/entities", Backend.Entities)
	graphRoute        = answers(get, "/v1/graph", Backend.Graph, "entity")
	profileRoute      = answers(get, "/v1/profile", Backend.Profile)
	scenesRoute       = answers(get, "/v1/scenes", Backend.Scenes)
	changeEntityRoute = answers(post, "/v1/entities", Backend.ChangeEntity, "action", "name", "other")

	setContextRoute   = answers(put, "/v1/context", Backend.SetContext, "text")
	clearContextRoute = answers(del, "/v1/context", Backend.ClearContext)
	storeRoute        = answers(post, "/v1/memories", Backend.Store, "text")
	captureRoute      = answers(post, "/v1/capture", Backend.Capture, "messages")
	extractRoute      = reports(post, "/v1/extract", Backend.Extract, "messages")

	decideRoute = reports(post, "/v1/decide", func(b Backend, ctx context.Context, r memory.DecideRequest, progress func(memory.Progress)) (memory.DecideAnswer, error) {
		r.Progress = progress
		return b.Decide(ctx, r)
	}, "action")
	_ = answers(post, "/v1/memories/{id}/{action}", func(b Backend, ctx context.Context, r decideOneRequest) (memory.DecideAnswer, error) {
		action, err := memory.ParseAction(r.Action)
		if err != nil {
			return memory.DecideAnswer{}, err
		}
		return b.Decide(ctx, memory.DecideRequest{Action: action, Workspace: r.Workspace, IDs: []string{r.ID}, Preview: r.Preview,
			Only: r.Only, Tier: r.Tier, Source: r.Source, Sender: r.Sender, For: r.For})
	})
	_ = answers(del, "/v1/memories/{id}", func(b Backend, ctx context.Context, r destroyRequest) (memory.DecideAnswer, error) {
		return b.Decide(ctx, memory.DecideRequest{Action: memory.ActionDestroy, Workspace: r.Workspace, IDs: []string{r.ID}, Preview: r.Preview,
			Confirm: r.Confirm, Source: r.Source, Sender: r.Sender, For: r.For})
	}).with(traits{long: true})

	editRoute       = answers(patch, "/v1/memories/{id}", Backend.Edit, "text", "was")
	feedbackRoute   = answers(post, "/v1/feedback", Backend.Feedback, "id", "verdict")
	auditRoute      = answers(get, "/v1/audit", Backend.Audit)
	reviewRoute     = answers(get, "/v1/review", Backend.Review)
	reviewStepRoute = answers(post, "/v1/review", Backend.ReviewStep, "action")
	explainRoute    = answers(get, "/v1/memories/{id}/explain", Backend.Explain)
	whyNotRoute     = answers(get, "/v1/memories/{id}/why-not", Backend.WhyNot)
	receiptsRoute   = answers(get, "/v1/receipts", Backend.Receipts)
	lastRoute       = answers(get, "/v1/last", Backend.Last)

	exportRoute = answers(get, "/v1/export", Backend.Export).
			with(traits{owner: true, long: true, lines: func(request any, out io.Writer) { request.(*memory.ExportRequest).Out = out }})
	importRoute = reports(post, "/v1/import", Backend.Import).
			with(traits{owner: true, long: true, events: true, upload: func(request any, in io.Reader) { request.(*memory.ImportRequest).In = in }})
	snapshotsRoute = answers(post, "/v1/snapshots", Backend.Snapshots, "action").with(traits{long: true})
	verifyRoute    = reports(post, "/v1/verify", Backend.Verify).with(traits{owner: true, long: true, events: true})
)

// The table of the routes about the index, the workspaces and the service.
var (
	decayRoute       = answers(post, "/v1/decay", Backend.Decay).with(traits{long: true})
	decayStatusRoute = answers(get, "/v1/decay", func(b Backend, ctx context.Context, r workspaceRequest) (memory.DecayStatus, error) {
		return b.DecayStatus(ctx, r.Workspace)
	})
	gradeRoute      = answers(post, "/v1/grade", Backend.Grade).with(traits{long: true})
	indexRoute      = reports(post, "/v1/index", Backend.Index)
	doctorRoute     = reports(post, "/v1/doctor", Backend.Doctor)
	reloadRoute     = answers(post, "/v1/reload", withoutRequest(Backend.Reload))
	inspectorRoute  = answers(post, "/v1/ui", withoutRequest(Backend.OpenInspector))
	statsRoute      = answers(get, "/v1/stats", Backend.Stats)
	statusRoute     = answers(get, "/v1/status", withoutRequest(Backend.Status))
	healthRoute     = answers(get, "/v1/health", withoutRequest(Backend.Health)).with(traits{always: true})
	workspacesRoute = answers(get, "/v1/workspaces", withoutRequest(Backend.Workspaces))

	addWorkspaceRoute = reports(post, "/v1/workspaces", func(b Backend, ctx context.Context, r memory.WorkspaceRequest, progress func(memory.Progress)) (memory.WorkspaceInfo, error) {
		r.Progress = progress
		return b.AddWorkspace(ctx, r)
	}, "path")
	renameWorkspaceRoute = answers(patch, "/v1/workspaces/{name}", func(b Backend, ctx context.Context, r renameRequest) (memory.WorkspaceInfo, error) {
		return b.RenameWorkspace(ctx, r.From, r.Name)
	}, "name")
	removeWorkspaceRoute = answers(del, "/v1/workspaces/{name}", func(b Backend, ctx context.Context, r removeRequest) (removed, error) {
		return removed{r.Name}, b.RemoveWorkspace(ctx, r.Name)
	})

	_ = writes(get, "/v1/openapi.yaml", func(_ *server, w *response) error { return w.send("application/yaml", openAPI) })
	_ = writes(get, "/metrics", (*server).writeMetrics)
)

// withoutRequest gives a use case that takes no request an empty one.
func withoutRequest[A any](use func(Backend, context.Context) (A, error)) func(Backend, context.Context, emptyRequest) (A, error) {
	return func(b Backend, ctx context.Context, _ emptyRequest) (A, error) { return use(b, ctx) }
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
