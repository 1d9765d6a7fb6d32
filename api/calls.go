package api

import (
	"context"
	"net/http"
	"net/url"

	"github.com/memory-tiered/memory"
)

var _ Backend = (*Client)(nil)

// Recall returns what to put before a model. The service counts the uses.
func (c *Client) Recall(ctx context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	return call[memory.RecallAnswer](ctx, c, post, "/v1/recall", r)
}

// Search returns the memories that answer a query, best first.
func (c *Client) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	return call[memory.SearchAnswer](ctx, c, post, "/v1/search", r)
}

// Delivered does nothing: the server counts what it delivers.
func (c *Client) Delivered(context.Context, string, string) error { return nil }

// Hook returns what the hook of an agent's client prints.
func (c *Client) Hook(ctx context.Context, r memory.HookRequest) (memory.HookAnswer, error) {
	return call[memory.HookAnswer](ctx, c, post, "/v1/hook", r)
}

// List lists memories without a query, at most 10,000 a call.
func (c *Client) List(ctx context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	return call[memory.ListAnswer](ctx, c, get, "/v1/memories", r)
}

// Show returns one memory, named by any unique prefix of its id.
func (c *Client) Show(ctx context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	return call[memory.ShowAnswer](ctx, c, get, "/v1/memories/"+url.PathEscape(r.ID), r)
}

// Store writes a text into today's daily note.
func (c *Client) Store(ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	return call[memory.StoreAnswer](ctx, c, post, "/v1/memories", r)
}

// Capture keeps what is worth keeping of a conversation.
func (c *Client) Capture(ctx context.Context, r memory.CaptureRequest) (memory.CaptureAnswer, error) {
	return call[memory.CaptureAnswer](ctx, c, post, "/v1/capture", r)
}

// Decide carries out one action on memories. It reports its progress if the
// request has a Progress function.
func (c *Client) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	if r.Progress != nil {
		return callEvents[memory.DecideAnswer](ctx, c, post, "/v1/decide", r, r.Progress)
	}
	return call[memory.DecideAnswer](ctx, c, post, "/v1/decide", r)
}

// Edit replaces the text of a memory in its file.
func (c *Client) Edit(ctx context.Context, r memory.EditRequest) (memory.ChangeAnswer, error) {
	return call[memory.ChangeAnswer](ctx, c, patch, "/v1/memories/"+url.PathEscape(r.ID), r)
}

// Feedback stores what a person thinks of a memory that a model got.
func (c *Client) Feedback(ctx context.Context, r memory.FeedbackRequest) (memory.ChangeAnswer, error) {
	return call[memory.ChangeAnswer](ctx, c, post, "/v1/feedback", r)
}

// OpenInspector opens the inspector of the service, and returns its address with a token
// that works once.
func (c *Client) OpenInspector(ctx context.Context) (memory.InspectorAnswer, error) {
	return call[memory.InspectorAnswer](ctx, c, post, "/v1/ui", emptyRequest{})
}

// Review lists what a person should look at.
func (c *Client) Review(ctx context.Context, r memory.ReviewRequest) (memory.ReviewAnswer, error) {
	return call[memory.ReviewAnswer](ctx, c, get, "/v1/review", r)
}

// ReviewStep does one step of a review, or reverses one.
func (c *Client) ReviewStep(ctx context.Context, r memory.ReviewStepRequest) (memory.ReviewStepAnswer, error) {
	return call[memory.ReviewStepAnswer](ctx, c, post, "/v1/review", r)
}

// Export writes an export to r.Out, and returns its last line.
func (c *Client) Export(ctx context.Context, r memory.ExportRequest) (memory.ExportEnd, error) {
	return c.readLines(ctx, "/v1/export", r, r.Out)
}

// Import sends an export from r.In.
func (c *Client) Import(ctx context.Context, r memory.ImportRequest, progress func(memory.Progress)) (memory.ImportAnswer, error) {
	return readEvents[memory.ImportAnswer](ctx, c, progress, func(ctx context.Context) (*http.Response, error) {
		return c.sendLines(ctx, "/v1/import", r, r.In)
	})
}

// Snapshots lists, makes, restores or removes snapshots.
func (c *Client) Snapshots(ctx context.Context, r memory.SnapshotRequest) (memory.SnapshotAnswer, error) {
	return call[memory.SnapshotAnswer](ctx, c, post, "/v1/snapshots", r)
}

// Explain lists the parts of one memory's score.
func (c *Client) Explain(ctx context.Context, r memory.ExplainRequest) (memory.ExplainAnswer, error) {
	return call[memory.ExplainAnswer](ctx, c, get, "/v1/memories/"+url.PathEscape(r.ID)+"/explain", r)
}

// WhyNot reports what keeps one memory from being put before a model.
func (c *Client) WhyNot(ctx context.Context, r memory.WhyNotRequest) (memory.WhyNotAnswer, error) {
	return call[memory.WhyNotAnswer](ctx, c, get, "/v1/memories/"+url.PathEscape(r.ID)+"/why-not", r)
}

// Receipts lists what earlier recalls returned, newest first.
func (c *Client) Receipts(ctx context.Context, r memory.ReceiptsRequest) (memory.ReceiptsAnswer, error) {
	return call[memory.ReceiptsAnswer](ctx, c, get, "/v1/receipts", r)
}

// Last returns one receipt with the memories that it names.
func (c *Client) Last(ctx context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	return call[memory.LastAnswer](ctx, c, get, "/v1/last", r)
}

// Context returns the current context of a user, or everybody's.
func (c *Client) Context(ctx context.Context, r memory.ContextOf) (memory.ContextAnswer, error) {
	return call[memory.ContextAnswer](ctx, c, get, "/v1/context", r)
}

// SetContext sets the current context for a limited time.
func (c *Client) SetContext(ctx context.Context, r memory.ContextRequest) (memory.ContextAnswer, error) {
	return call[memory.ContextAnswer](ctx, c, put, "/v1/context", r)
}

// ClearContext removes the current context of a user, or everybody's, and reports whether
// there was one.
func (c *Client) ClearContext(ctx context.Context, r memory.ContextOf) (memory.ContextAnswer, error) {
	return call[memory.ContextAnswer](ctx, c, del, "/v1/context", r)
}

// Index reads the changed files now. It reports its progress unless progress is
// nil.
func (c *Client) Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	return callEvents[memory.IndexAnswer](ctx, c, post, "/v1/index", r, progress)
}

// Files returns files as a host may put them before a model.
func (c *Client) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	return call[memory.FilesAnswer](ctx, c, get, "/v1/files", r)
}

// Verify looks for a text on every route and in every file. It reports its
// progress unless progress is nil.
func (c *Client) Verify(ctx context.Context, r memory.VerifyRequest, progress func(memory.Progress)) (memory.VerifyAnswer, error) {
	return callEvents[memory.VerifyAnswer](ctx, c, post, "/v1/verify", r, progress)
}

// Doctor looks for what is wrong, and mends it on request. It reports its progress
// unless progress is nil.
func (c *Client) Doctor(ctx context.Context, r memory.DoctorRequest, progress func(memory.Progress)) (memory.DoctorAnswer, error) {
	return callEvents[memory.DoctorAnswer](ctx, c, post, "/v1/doctor", r, progress)
}

// Decay runs a sweep of the ageing policy, or reports what one would do.
func (c *Client) Decay(ctx context.Context, r memory.DecayRequest) (memory.DecayAnswer, error) {
	return call[memory.DecayAnswer](ctx, c, post, "/v1/decay", r)
}

// Grade gives an importance to the memories that have none.
func (c *Client) Grade(ctx context.Context, r memory.GradeRequest) (memory.GradeAnswer, error) {
	return call[memory.GradeAnswer](ctx, c, post, "/v1/grade", r)
}

// DecayStatus reports when sweeps run, and how many memories are due.
func (c *Client) DecayStatus(ctx context.Context, workspace string) (memory.DecayStatus, error) {
	return call[memory.DecayStatus](ctx, c, get, "/v1/decay", workspaceRequest{workspace})
}

// Reload makes the service read its configuration again.
func (c *Client) Reload(ctx context.Context) (memory.ReloadAnswer, error) {
	return call[memory.ReloadAnswer](ctx, c, post, "/v1/reload", emptyRequest{})
}

// Stats counts the memories and files of a workspace.
func (c *Client) Stats(ctx context.Context, r memory.StatsRequest) (memory.Stats, error) {
	return call[memory.Stats](ctx, c, get, "/v1/stats", r)
}

// Audit lists the decisions, newest first.
func (c *Client) Audit(ctx context.Context, r memory.AuditRequest) (memory.AuditAnswer, error) {
	return call[memory.AuditAnswer](ctx, c, get, "/v1/audit", r)
}

// Workspaces lists the registered workspaces by name.
func (c *Client) Workspaces(ctx context.Context) (memory.WorkspacesAnswer, error) {
	return call[memory.WorkspacesAnswer](ctx, c, get, "/v1/workspaces", nil)
}

// AddWorkspace registers a folder or adds patterns to it, and indexes it before it
// returns. It reports its progress if the request has a Progress function.
func (c *Client) AddWorkspace(ctx context.Context, r memory.WorkspaceRequest) (memory.WorkspaceInfo, error) {
	return callEvents[memory.WorkspaceInfo](ctx, c, post, "/v1/workspaces", r, r.Progress)
}

// RemoveWorkspace stops serving a workspace. It deletes nothing.
func (c *Client) RemoveWorkspace(ctx context.Context, name string) error {
	_, err := call[removed](ctx, c, del, "/v1/workspaces/"+url.PathEscape(name), nil)
	return err
}

// RenameWorkspace gives a workspace another name.
func (c *Client) RenameWorkspace(ctx context.Context, from, to string) (memory.WorkspaceInfo, error) {
	return call[memory.WorkspaceInfo](ctx, c, patch, "/v1/workspaces/"+url.PathEscape(from), renameRequest{Name: to})
}

// Status reports how the service and each of its workspaces are.
func (c *Client) Status(ctx context.Context) (memory.Status, error) {
	return call[memory.Status](ctx, c, get, "/v1/status", nil)
}

// Health reports that the service answers.
func (c *Client) Health(ctx context.Context) (memory.Health, error) {
	return call[memory.Health](ctx, c, get, "/v1/health", nil)
}
