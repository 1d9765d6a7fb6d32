package memory

import "time"

// Kinds of receipts.
const (
	ReceiptRecall  = "recall"  // a block was put before a model
	ReceiptSearch  = "search"  // a tool asked, and got hits
	ReceiptCapture = "capture" // a turn was looked through for memories
)

// Receipt is what one recall did: ids and figures, never a text, neither of a
// memory nor of what was asked.
type Receipt struct {
	ID               string           `json:"id"`
	At               time.Time        `json:"at"`
	Kind             string           `json:"kind"`
	Session          string           `json:"session"`
	Agent            string           `json:"agent"`
	User             string           `json:"user"`
	Filters          ReceiptFilters   `json:"filters"`
	Skipped          *string          `json:"skipped"`    // why no memories were given
	PolicyTier       string           `json:"policyTier"` // how far down the importance labels it went: PolicyPreferred or PolicyAll
	TextTop          List[ScoredID]   `json:"ftsTop"`
	VectorTop        List[ScoredID]   `json:"vecTop"`
	FusedTop         List[ScoredID]   `json:"fusedTop"`
	Candidates       map[Tier]int     `json:"candidates"`       // that the lanes found
	Selected         map[Tier]int     `json:"selected"`         // that were given
	Rejected         map[string]int   `json:"left"`             // how many were left out, by the Reason constant
	Lanes            map[Lane]string  `json:"lanes"`            // "ok", or why a lane was out
	EmbeddingSkipped *string          `json:"embeddingSkipped"` // why the question was not embedded
	Injected         List[InjectedID] `json:"given"`            // in the block's order
	NearMisses       List[NearMiss]   `json:"near_misses"`      // of what was left out the most similar, best first
	Floor            float64          `json:"floor"`            // the similarity that was needed; a pinned memory needed half
	Tokens           int              `json:"tokens"`           // of the block, bytes/4
	TookMS           float64          `json:"took_ms"`
}

// How far an answer went down the importance labels: memories that are preferred
// were enough, or others were given too, or nothing was. What is to be ignored
// never is.
const (
	PolicyPreferred = "must+nice"
	PolicyAll       = "must+nice+unknown"
)

// PolicyOf says how far an answer with these hits went.
func PolicyOf(hits []Hit) string {
	for _, h := range hits {
		if !h.ImportanceLabel.Preferred() {
			return PolicyAll
		}
	}
	if len(hits) == 0 {
		return PolicyAll
	}
	return PolicyPreferred
}

// ReceiptFilters is how a question was narrowed.
type ReceiptFilters struct {
	Chars     int          `json:"chars"` // length of the question
	Scope     Scope        `json:"scope"`
	InPrompt  List[string] `json:"in_prompt"`
	MaxItems  int          `json:"max_items"`
	MaxTokens int          `json:"max_tokens"`
}

// ScoredID is a memory near the top of a lane, by the lane's own score.
type ScoredID struct {
	ID    ID      `json:"id"`
	Score float64 `json:"score"`
}

// InjectedID is a memory that was put before a model.
type InjectedID struct {
	ID         ID      `json:"id"`
	Score      float64 `json:"score"`
	Similarity float64 `json:"similarity"`
}

// NearMiss is a memory that was found and left out.
type NearMiss struct {
	ID         ID      `json:"id"`
	Score      float64 `json:"score"`
	Similarity float64 `json:"similarity"`
	Reason     string  `json:"reason"`       // a Reason constant
	By         ID      `json:"by,omitempty"` // the memory that said the same
}

// ReceiptsRequest asks for receipts, newest first.
type ReceiptsRequest struct {
	Workspace string `json:"workspace,omitempty"`
	ID        string `json:"id,omitempty"`      // any unique beginning
	Session   string `json:"session,omitempty"` // empty: any
	Kind      string `json:"kind,omitempty"`    // empty: any
	Limit     int    `json:"limit,omitempty"`   // 0: all that are kept
}

// ReceiptsAnswer holds receipts, newest first.
type ReceiptsAnswer struct {
	Receipts List[Receipt] `json:"receipts"`
}

// LastReceipt names the newest receipt, where an id of one is asked for.
const LastReceipt = "last"

// LastRequest asks what was given last.
type LastRequest struct {
	Workspace string `json:"workspace,omitempty"`
	Session   string `json:"session,omitempty"` // empty: any
	Receipt   string `json:"receipt,omitempty"` // of one certain answer; empty: the last
}

// LastAnswer is a receipt with the memories that it names, as they are now.
type LastAnswer struct {
	Receipt    Receipt             `json:"receipt"`
	Injected   List[ReceiptMemory] `json:"given"`
	NearMisses List[ReceiptMemory] `json:"near_misses"`
}

// ReceiptMemory is a memory that a receipt names.
type ReceiptMemory struct {
	ID         ID      `json:"id"`
	Score      float64 `json:"score"`
	Similarity float64 `json:"similarity"`
	Reason     string  `json:"reason"`   // why it was left out; empty where it was given
	Detail     string  `json:"detail"`   // the same for a person, with numbers
	Withheld   string  `json:"withheld"` // why Memory is null: forgotten or missing since, or gone
	Memory     *Memory `json:"memory"`
}
