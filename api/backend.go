package api

import (
	"context"

	"github.com/memory-tiered/memory"
)

// Backend is every use case that the socket serves. *engine.Engine and *Client
// both satisfy it, so that a command does not know on which side of the socket
// it is. A workspace is a registered name; an empty one means the default.
type Backend interface {
	Recall(context.Context, memory.RecallRequest) (memory.RecallAnswer, error)
	Search(context.Context, memory.SearchRequest) (memory.SearchAnswer, error)

	// Delivered says that the answer with this receipt has reached its reader:
	// only then are its memories counted as used. On a Client it does nothing,
	// because the server has seen to it.
	Delivered(ctx context.Context, workspace, receipt string) error

	List(context.Context, memory.ListRequest) (memory.ListAnswer, error)
	// Show finds one memory by any unique prefix of its id.
	Show(ctx context.Context, workspace, id string) (memory.Memory, error)
	Store(context.Context, memory.StoreRequest) (memory.StoreAnswer, error)
	// Decide carries out one action about memories; it answers when what was
	// decided is in the files and holds for everyone.
	Decide(context.Context, memory.DecideRequest) (memory.DecideAnswer, error)
	Explain(context.Context, memory.ExplainRequest) (memory.ExplainAnswer, error)
	WhyNot(context.Context, memory.WhyNotRequest) (memory.WhyNotAnswer, error)
	// Receipts lists what recalls gave, newest first, in ids and figures.
	Receipts(context.Context, memory.ReceiptsRequest) (memory.ReceiptsAnswer, error)
	// Last is one receipt with the memories that it names, as they are now.
	Last(context.Context, memory.LastRequest) (memory.LastAnswer, error)

	Context(ctx context.Context, workspace string) (memory.ContextAnswer, error)
	SetContext(context.Context, memory.ContextRequest) (memory.ContextAnswer, error)
	ClearContext(ctx context.Context, workspace string) error

	// Index looks at the disk and answers when what it found is searchable.
	// progress may be nil; it is called from one goroutine at a time.
	Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error)
	Files(context.Context, memory.FilesRequest) (memory.FilesAnswer, error)
	// Verify looks for a text on every route and in every file that is ours or that
	// we index. progress may be nil; it is called from one goroutine at a time.
	Verify(ctx context.Context, r memory.VerifyRequest, progress func(memory.Progress)) (memory.VerifyAnswer, error)

	Stats(ctx context.Context, workspace string) (memory.Stats, error)
	Audit(context.Context, memory.AuditRequest) (memory.AuditAnswer, error)

	Workspaces(context.Context) (memory.WorkspacesAnswer, error)
	// AddWorkspace registers a folder and indexes it before it answers.
	AddWorkspace(context.Context, memory.WorkspaceRequest) (memory.WorkspaceInfo, error)
	// RemoveWorkspace stops serving a workspace; nothing of it is deleted.
	RemoveWorkspace(ctx context.Context, name string) error
	RenameWorkspace(ctx context.Context, from, to string) (memory.WorkspaceInfo, error)

	Status(context.Context) (memory.Status, error)
	Health(context.Context) (memory.Health, error)
}
