package memory

import "time"

// Kinds of receipts.
const (
	ReceiptRecall   = "recall"  // a block was injected
	ReceiptSearch   = "search"  // a tool searched
	ReceiptCapture  = "capture" // a turn was searched for memories to keep
	ReceiptStore    = "store"   // a text was stored
	ReceiptDecide   = "decide"  // a decision about memories, such as forget
	ReceiptSweep    = "sweep"   // ageing moved memories to other tiers
	ReceiptGrade    = "grade"
	ReceiptExport   = "export"
	ReceiptImport   = "import"
	ReceiptSnapshot = "snapshot" // also the daily one
)

// ReceiptKinds lists the kinds of receipts.
var ReceiptKinds = []string{ReceiptRecall, ReceiptSearch, ReceiptCapture, ReceiptStore, ReceiptDecide, ReceiptSweep, ReceiptGrade, ReceiptExport, ReceiptImport, ReceiptSnapshot}

// Receipt records one request in ids and figures. As it is stored, it contains no text of a
// memory, of the prompt or of a message.
type Receipt struct {
	ID               string           `json:"id"`
	At               time.Time        `json:"at"`
	Kind             string           `json:"kind"`
	Session          string           `json:"session"`
	Agent            string           `json:"agent"`
	User             string           `json:"user"`
	Filters          ReceiptFilters   `json:"filters"`
	Skipped          *string          `json:"skipped"`    // why no memories were injected
	PolicyTier       string           `json:"policyTier"` // the importance labels in use: must+nice, or must+nice+unknown
	TextTop          List[ScoredID]   `json:"ftsTop"`
	VectorTop        List[ScoredID]   `json:"vecTop"`
	FusedTop         List[ScoredID]   `json:"fusedTop"`
	Candidates       map[Tier]int     `json:"candidates"`       // found by the lanes
	Selected         map[Tier]int     `json:"selected"`         // injected
	Rejected         map[string]int   `json:"left"`             // number of candidates left out, by Reason constant
	Lanes            map[Lane]string  `json:"lanes"`            // "ok", or why a lane did not answer
	EmbeddingSkipped *string          `json:"embeddingSkipped"` // why the query was not embedded
	Injected         List[InjectedID] `json:"given"`            // in the order of the block
	NearMisses       List[NearMiss]   `json:"near_misses"`      // the most similar of the rejected candidates, best first
	Floor            float64          `json:"floor"`            // required similarity; a pinned memory needs half of it
	Tokens           int              `json:"tokens"`           // tokens of the block: bytes/4
	TookMS           float64          `json:"took_ms"`

	// Prompt is the beginning of what was asked. Only a person who requests it gets it, and
	// only from the process that answered, which keeps it in memory for a while.
	Prompt string `json:"prompt,omitempty"`

	// Only captures have these. Rejected then counts nothing.
	Schema     string         `json:"schema,omitempty"`     // names these fields
	Extracted  *int           `json:"extracted,omitempty"`  // sentences that were worth keeping
	Filtered   map[string]int `json:"filtered,omitempty"`   // number of messages and sentences left out, by reason
	Stored     *int           `json:"stored,omitempty"`     // new memories
	Duplicates *int           `json:"duplicates,omitempty"` // sentences that a memory says already
	Superseded *int           `json:"superseded,omitempty"` // memories that a new one replaces
	IDs        List[ID]       `json:"ids,omitempty"`        // of the new memories; those that a decision changed, at most 1,000

	// Only stores, decisions, sweeps, exports, imports and snapshots have these.
	Action string         `json:"action,omitempty"` // of a decision or a snapshot, such as "forget"
	Counts map[string]int `json:"counts,omitempty"` // of memories, by what happened to them
	File   string         `json:"file,omitempty"`   // that an export was written to, where its caller told
}

// ReceiptFilters contains the filters and limits of a recall.
type ReceiptFilters struct {
	Chars     int          `json:"chars"` // length of the prompt
	Scope     Scope        `json:"scope"`
	InPrompt  List[string] `json:"in_prompt"`
	MaxItems  int          `json:"max_items"`
	MaxTokens int          `json:"max_tokens"`
	WithText  bool         `json:"with_text,omitempty"` // an export contains texts
	Memories  *Filter      `json:"memories,omitempty"`  // of a decision or an export: which memories were requested
}

// ScoredID is one of the best memories of a lane, with the lane's score.
type ScoredID struct {
	ID    ID      `json:"id"`
	Score float64 `json:"score"`
}

// InjectedID is an injected memory.
type InjectedID struct {
	ID         ID      `json:"id"`
	Score      float64 `json:"score"`
	Similarity float64 `json:"similarity"`
}

// NearMiss is a candidate that was left out.
type NearMiss struct {
	ID         ID      `json:"id"`
	Score      float64 `json:"score"`
	Similarity float64 `json:"similarity"`
	Reason     string  `json:"reason"`       // a Reason constant
	By         ID      `json:"by,omitempty"` // the memory that it duplicates
}

// ReceiptsRequest requests receipts, newest first.
type ReceiptsRequest struct {
	Workspace string `json:"workspace,omitempty"`
	ID        string `json:"id,omitempty"`      // a unique prefix
	Session   string `json:"session,omitempty"` // empty: any
	Kind      string `json:"kind,omitempty"`    // empty: any
	Limit     int    `json:"limit,omitempty"`   // 0: all
	Prompts   bool   `json:"prompts,omitempty"` // with what was asked, as far as it is known
	Sender           // only receipts of this sender's requests; empty, and for a person: of all

	For Audience `json:"for,omitempty"` // who reads the answer; default: a person
}

// ReceiptsAnswer contains receipts, newest first.
type ReceiptsAnswer struct {
	Receipts List[Receipt] `json:"receipts"`
}

// LastReceipt stands for the newest receipt where an id of a receipt is expected.
const LastReceipt = "last"

// LastRequest requests what was injected last.
type LastRequest struct {
	Workspace string `json:"workspace,omitempty"`
	Session   string `json:"session,omitempty"` // empty: any
	Receipt   string `json:"receipt,omitempty"` // id of a receipt; empty: the newest
	Prompts   bool   `json:"prompts,omitempty"` // with what was asked, if it is known

	Sender          // of the answers that count; empty, and for a person: any
	For    Audience `json:"for,omitempty"` // who reads the answer; default: a person
}

// LastAnswer contains a receipt with the present state of its memories.
type LastAnswer struct {
	Receipt    Receipt             `json:"receipt"`
	Injected   List[ReceiptMemory] `json:"given"`
	NearMisses List[ReceiptMemory] `json:"near_misses"`
}

// ReceiptMemory is a memory listed in a receipt.
type ReceiptMemory struct {
	ID         ID      `json:"id"`
	Score      float64 `json:"score"`
	Similarity float64 `json:"similarity"`
	Reason     string  `json:"reason"`   // why it was left out; empty where it was injected
	Detail     string  `json:"detail"`   // the reason for a person, with numbers
	Withheld   string  `json:"withheld"` // why Memory is null: forgotten, missing or deleted since
	Memory     *Memory `json:"memory"`
}
