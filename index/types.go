package index

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/journal"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/repair"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/vectors"
)

// The types that callers need from the subpackages.
type (
	Receipt        = journal.Receipt
	ReceiptsFilter = journal.ReceiptsFilter
	CaptureHistory = journal.CaptureHistory
	CaptureMark    = journal.CaptureMark
	ReviewMark     = journal.ReviewMark
	Edit           = journal.Edit

	Declarations = rows.Declarations
	FileEntry    = rows.FileEntry
	Quoted       = rows.Quoted

	Counted        = query.Counted
	Hidden         = marks.Hidden
	Redactions     = marks.Redactions
	ForgottenTexts = marks.Set // texts that are forgotten in every copy
	MachineLine    = marks.Line
	MachineLog     = marks.Log

	PendingChunk = vectors.PendingChunk
	VectorMaker  = vectors.Maker
	ModelRole    = vectors.Role
	Problem      = repair.Problem

	Intent     = journal.Intent
	IntentItem = journal.IntentItem

	Use     = rows.Use
	UseKind = rows.Kind
)

// MetaFormerLines, with a path after it, is the meta key of the lines of a file that decisions
// changed. A destroy deletes all of them.
const MetaFormerLines = journal.MetaFormerLines

// ReviewTexts returns the hash that a ReviewMark has of the texts of one or two memories.
func ReviewTexts(texts ...memory.Fingerprint) memory.Hash { return journal.ReviewTexts(texts...) }

// The roles of models.
const (
	ServingModel = vectors.Serving
	KeptModel    = vectors.Kept
)

// The kinds of a use, in ascending order.
const (
	UseDelivered = rows.Delivered
	UseInjected  = rows.Injected
	UseRequested = rows.Requested
)

// The outcomes of what was offered to capture.
const (
	CaptureSeen     = journal.CaptureSeen
	CaptureStored   = journal.CaptureStored
	CaptureRepeated = journal.CaptureRepeated
	CaptureStopped  = journal.CaptureStopped
)
