package api

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// Backend lists every use case that the socket serves. *engine.Engine and
// *Client both implement it. So a command does not know on which side of the
// socket it runs. A workspace is a registered name; an empty name means the
// default workspace.
type Backend interface {
	Recall(context.Context, memory.RecallRequest) (memory.RecallAnswer, error)
	Search(context.Context, memory.SearchRequest) (memory.SearchAnswer, error)

	// Delivered records that the answer with this receipt has reached its reader.
	// Only then are its memories counted as used. On a Client it does nothing,
	// because the server counts what it delivers.
	Delivered(ctx context.Context, workspace, receipt string) error

	// Hook returns what the hook of an agent's client prints.
	Hook(context.Context, memory.HookRequest) (memory.HookAnswer, error)

	List(context.Context, memory.ListRequest) (memory.ListAnswer, error)
	// Show returns one memory, named by any unique prefix of its id, and its versions.
	Show(context.Context, memory.ShowRequest) (memory.ShowAnswer, error)
	// Files returns files without the memories that no model may see.
	Files(context.Context, memory.FilesRequest) (memory.FilesAnswer, error)
	// Context returns the current context of a user, or everybody's.
	Context(context.Context, memory.ContextOf) (memory.ContextAnswer, error)

	// Entities lists the people and things that memories name, or those that one name means.
	Entities(context.Context, memory.ListRequest) (knowledge.EntitiesAnswer, error)
	// Graph returns what is related to the name in the request.
	Graph(context.Context, memory.ListRequest) (knowledge.Graph, error)
	// Profile returns one page of what is known of the owner.
	Profile(context.Context, knowledge.ProfileRequest) (knowledge.Profile, error)
	// Scenes lists the groups of memories that belong together, or the one with an id.
	Scenes(context.Context, memory.ListRequest) (knowledge.ScenesAnswer, error)
	// ChangeEntity writes what a person decides about a name into a file.
	ChangeEntity(context.Context, knowledge.ChangeEntityRequest) (memory.ChangeAnswer, error)

	Store(context.Context, memory.StoreRequest) (memory.StoreAnswer, error)
	// Capture keeps what is worth keeping of a conversation. A message of a session is
	// examined once, however often it is sent.
	Capture(context.Context, memory.CaptureRequest) (memory.CaptureAnswer, error)
	// Extract has a language model read the messages of a conversation, each once. progress
	// may be nil; it is called from one goroutine at a time.
	Extract(ctx context.Context, r memory.CaptureRequest, progress func(memory.Progress)) (knowledge.Extraction, error)
	SetContext(context.Context, memory.ContextRequest) (memory.ContextAnswer, error)
	ClearContext(context.Context, memory.ContextOf) (memory.ContextAnswer, error)

	// Decide carries out one action. It returns when the decision is in the files
	// and every reader sees it.
	Decide(context.Context, memory.DecideRequest) (memory.DecideAnswer, error)
	// Edit replaces the text of a memory in its file.
	Edit(context.Context, memory.EditRequest) (memory.ChangeAnswer, error)
	// Feedback stores what a person thinks of a memory that a model got.
	Feedback(context.Context, memory.FeedbackRequest) (memory.ChangeAnswer, error)
	// Audit lists the decisions, newest first.
	Audit(context.Context, memory.AuditRequest) (memory.AuditAnswer, error)

	// Export writes memories, with all that the index knows about them, to r.Out. It
	// returns the last line that it wrote.
	Export(ctx context.Context, r memory.ExportRequest) (memory.ExportEnd, error)
	// Import brings the memories of an export into the workspace, which it reads from
	// r.In. progress may be nil; it is called from one goroutine at a time.
	Import(ctx context.Context, r memory.ImportRequest, progress func(memory.Progress)) (memory.ImportAnswer, error)

	// Snapshots lists, makes, restores or removes snapshots.
	Snapshots(context.Context, memory.SnapshotRequest) (memory.SnapshotAnswer, error)

	Explain(context.Context, memory.ExplainRequest) (memory.ExplainAnswer, error)
	WhyNot(context.Context, memory.WhyNotRequest) (memory.WhyNotAnswer, error)
	// Receipts lists what earlier recalls returned, newest first, as ids and
	// figures.
	Receipts(context.Context, memory.ReceiptsRequest) (memory.ReceiptsAnswer, error)
	// Last returns one receipt with its memories in their present state.
	Last(context.Context, memory.LastRequest) (memory.LastAnswer, error)
	// Verify looks for a text on every route, and in every file that we own or
	// index. progress may be nil; it is called from one goroutine at a time.
	Verify(ctx context.Context, r memory.VerifyRequest, progress func(memory.Progress)) (memory.VerifyAnswer, error)

	// Decay runs a sweep, or reports what one would do.
	Decay(context.Context, memory.DecayRequest) (memory.DecayAnswer, error)
	// Grade gives an importance to the memories that have none.
	Grade(context.Context, memory.GradeRequest) (memory.GradeAnswer, error)
	// DecayStatus reports when sweeps run, and how many memories are due.
	DecayStatus(ctx context.Context, workspace string) (memory.DecayStatus, error)

	// Review lists what a person should look at.
	Review(context.Context, memory.ReviewRequest) (memory.ReviewAnswer, error)
	// ReviewStep does one step of a review, or reverses one.
	ReviewStep(context.Context, memory.ReviewStepRequest) (memory.ReviewStepAnswer, error)

	// Index reads the changed files and returns when their memories can be found.
	// progress may be nil; it is called from one goroutine at a time.
	Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error)
	// Reload reads the configuration again. If it is not valid, nothing changes.
	Reload(context.Context) (memory.ReloadAnswer, error)
	// OpenInspector opens the pages for a browser, and returns their address.
	OpenInspector(context.Context) (memory.InspectorAnswer, error)
	Stats(context.Context, memory.StatsRequest) (memory.Stats, error)
	Status(context.Context) (memory.Status, error)
	// Doctor looks for what is wrong, and mends it on request. progress may be nil; it
	// is called from one goroutine at a time.
	Doctor(ctx context.Context, r memory.DoctorRequest, progress func(memory.Progress)) (memory.DoctorAnswer, error)
	Health(context.Context) (memory.Health, error)

	Workspaces(context.Context) (memory.WorkspacesAnswer, error)
	// AddWorkspace registers a folder, or adds patterns to a registered one. It indexes
	// the new files before it returns.
	AddWorkspace(context.Context, memory.WorkspaceRequest) (memory.WorkspaceInfo, error)
	// RemoveWorkspace stops serving a workspace. It deletes nothing.
	RemoveWorkspace(ctx context.Context, name string) error
	RenameWorkspace(ctx context.Context, from, to string) (memory.WorkspaceInfo, error)
}
