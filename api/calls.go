package api

import (
	"context"
	"net/http"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// The methods of a client are the use cases of [Backend]. Each asks by its row of the table.
var _ Backend = (*Client)(nil)

func (c *Client) Recall(ctx context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	return ask(ctx, c, recallRoute, r)
}

func (c *Client) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	return ask(ctx, c, searchRoute, r)
}

func (c *Client) Hook(ctx context.Context, r memory.HookRequest) (memory.HookAnswer, error) {
	return ask(ctx, c, hookRoute, r)
}

func (c *Client) List(ctx context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	return ask(ctx, c, listRoute, r)
}

func (c *Client) Show(ctx context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	return ask(ctx, c, showRoute, r)
}

func (c *Client) Entities(ctx context.Context, r memory.ListRequest) (knowledge.EntitiesAnswer, error) {
	return ask(ctx, c, entitiesRoute, r)
}

func (c *Client) Graph(ctx context.Context, r memory.ListRequest) (knowledge.Graph, error) {
	return ask(ctx, c, graphRoute, r)
}

func (c *Client) Profile(ctx context.Context, r knowledge.ProfileRequest) (knowledge.Profile, error) {
	return ask(ctx, c, profileRoute, r)
}

func (c *Client) Scenes(ctx context.Context, r memory.ListRequest) (knowledge.ScenesAnswer, error) {
	return ask(ctx, c, scenesRoute, r)
}

func (c *Client) ChangeEntity(ctx context.Context, r knowledge.ChangeEntityRequest) (memory.ChangeAnswer, error) {
	return ask(ctx, c, changeEntityRoute, r)
}

func (c *Client) Store(ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	return ask(ctx, c, storeRoute, r)
}

func (c *Client) Capture(ctx context.Context, r memory.CaptureRequest) (memory.CaptureAnswer, error) {
	return ask(ctx, c, captureRoute, r)
}

func (c *Client) Extract(ctx context.Context, r memory.CaptureRequest, progress func(memory.Progress)) (knowledge.Extraction, error) {
	return askEvents(ctx, c, extractRoute, r, progress)
}

func (c *Client) Edit(ctx context.Context, r memory.EditRequest) (memory.ChangeAnswer, error) {
	return ask(ctx, c, editRoute, r)
}

func (c *Client) Feedback(ctx context.Context, r memory.FeedbackRequest) (memory.ChangeAnswer, error) {
	return ask(ctx, c, feedbackRoute, r)
}

func (c *Client) Review(ctx context.Context, r memory.ReviewRequest) (memory.ReviewAnswer, error) {
	return ask(ctx, c, reviewRoute, r)
}

func (c *Client) ReviewStep(ctx context.Context, r memory.ReviewStepRequest) (memory.ReviewStepAnswer, error) {
	return ask(ctx, c, reviewStepRoute, r)
}

func (c *Client) Snapshots(ctx context.Context, r memory.SnapshotRequest) (memory.SnapshotAnswer, error) {
	return ask(ctx, c, snapshotsRoute, r)
}

func (c *Client) Explain(ctx context.Context, r memory.ExplainRequest) (memory.ExplainAnswer, error) {
	return ask(ctx, c, explainRoute, r)
}

func (c *Client) WhyNot(ctx context.Context, r memory.WhyNotRequest) (memory.WhyNotAnswer, error) {
	return ask(ctx, c, whyNotRoute, r)
}

func (c *Client) Receipts(ctx context.Context, r memory.ReceiptsRequest) (memory.ReceiptsAnswer, error) {
	return ask(ctx, c, receiptsRoute, r)
}

func (c *Client) Last(ctx context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	return ask(ctx, c, lastRoute, r)
}

func (c *Client) Context(ctx context.Context, r memory.ContextOf) (memory.ContextAnswer, error) {
	return ask(ctx, c, contextRoute, r)
}

func (c *Client) SetContext(ctx context.Context, r memory.ContextRequest) (memory.ContextAnswer, error) {
	return ask(ctx, c, setContextRoute, r)
}

func (c *Client) ClearContext(ctx context.Context, r memory.ContextOf) (memory.ContextAnswer, error) {
	return ask(ctx, c, clearContextRoute, r)
}

func (c *Client) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	return ask(ctx, c, filesRoute, r)
}

func (c *Client) Decay(ctx context.Context, r memory.DecayRequest) (memory.DecayAnswer, error) {
	return ask(ctx, c, decayRoute, r)
}

func (c *Client) Grade(ctx context.Context, r memory.GradeRequest) (memory.GradeAnswer, error) {
	return ask(ctx, c, gradeRoute, r)
}

func (c *Client) Stats(ctx context.Context, r memory.StatsRequest) (memory.Stats, error) {
	return ask(ctx, c, statsRoute, r)
}

func (c *Client) Audit(ctx context.Context, r memory.AuditRequest) (memory.AuditAnswer, error) {
	return ask(ctx, c, auditRoute, r)
}

func (c *Client) OpenInspector(ctx context.Context) (memory.InspectorAnswer, error) {
	return ask(ctx, c, inspectorRoute, emptyRequest{})
}

func (c *Client) Reload(ctx context.Context) (memory.ReloadAnswer, error) {
	return ask(ctx, c, reloadRoute, emptyRequest{})
}

func (c *Client) Workspaces(ctx context.Context) (memory.WorkspacesAnswer, error) {
	return ask(ctx, c, workspacesRoute, emptyRequest{})
}

func (c *Client) Status(ctx context.Context) (memory.Status, error) {
	return ask(ctx, c, statusRoute, emptyRequest{})
}

func (c *Client) Health(ctx context.Context) (memory.Health, error) {
	return ask(ctx, c, healthRoute, emptyRequest{})
}

func (c *Client) Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	return askEvents(ctx, c, indexRoute, r, progress)
}

func (c *Client) Verify(ctx context.Context, r memory.VerifyRequest, progress func(memory.Progress)) (memory.VerifyAnswer, error) {
	return askEvents(ctx, c, verifyRoute, r, progress)
}

func (c *Client) Doctor(ctx context.Context, r memory.DoctorRequest, progress func(memory.Progress)) (memory.DoctorAnswer, error) {
	return askEvents(ctx, c, doctorRoute, r, progress)
}

// Decide reports its progress if the request has a Progress function.
func (c *Client) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	if r.Progress != nil {
		return askEvents(ctx, c, decideRoute, r, r.Progress)
	}
	return ask(ctx, c, decideRoute, r)
}

// AddWorkspace reports its progress if the request has a Progress function.
func (c *Client) AddWorkspace(ctx context.Context, r memory.WorkspaceRequest) (memory.WorkspaceInfo, error) {
	return askEvents(ctx, c, addWorkspaceRoute, r, r.Progress)
}

func (c *Client) RemoveWorkspace(ctx context.Context, name string) error {
	_, err := ask(ctx, c, removeWorkspaceRoute, removeRequest{name})
	return err
}

func (c *Client) RenameWorkspace(ctx context.Context, from, to string) (memory.WorkspaceInfo, error) {
	return ask(ctx, c, renameWorkspaceRoute, renameRequest{From: from, Name: to})
}

func (c *Client) DecayStatus(ctx context.Context, workspace string) (memory.DecayStatus, error) {
	return ask(ctx, c, decayStatusRoute, workspaceRequest{workspace})
}

// Delivered does nothing: the server counts what it delivers.
func (c *Client) Delivered(context.Context, string, string) error { return nil }

// Export writes an export to r.Out, and returns its last line.
func (c *Client) Export(ctx context.Context, r memory.ExportRequest) (memory.ExportEnd, error) {
	return c.readLines(ctx, exportRoute.path, r, r.Out)
}

// Import sends an export from r.In.
func (c *Client) Import(ctx context.Context, r memory.ImportRequest, progress func(memory.Progress)) (memory.ImportAnswer, error) {
	return readEvents[memory.ImportAnswer](ctx, c, progress, func(ctx context.Context) (*http.Response, error) {
		return c.sendLines(ctx, importRoute.path, r, r.In)
	})
}
