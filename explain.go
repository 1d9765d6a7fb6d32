package memory

// ExplainRequest requests the parts of one memory's score.
type ExplainRequest struct {
	ID        string `json:"-" path:"id"` // prefix
	Workspace string `json:"workspace,omitempty"`
	Query     string `json:"query,omitempty"` // similarity is computed to it; empty: similarity is 0

	Sender
	For Audience `json:"for,omitempty"` // who reads the answer; default: a person
}

// ExplainAnswer contains everything that determines a memory's score and tier.
// The points of the factors add up to the score.
type ExplainAnswer struct {
	Memory           Memory       `json:"memory"`
	Query            string       `json:"query"`
	Score            float64      `json:"score"`
	Similarity       float64      `json:"similarity"`
	Factors          List[Factor] `json:"factors"`
	EffectiveAgeDays float64      `json:"effective_age_days"` // since it was created, edited or last used, whichever is newest
	HalfLifeDays     *float64     `json:"half_life_days"`     // null: pinned, so that recency stays 1
	TierReason       string       `json:"tier_reason"`
	Eligible         bool         `json:"eligible"` // its state allows injection
	Reason           string       `json:"reason"`   // why its state allows or prevents injection
}

// WhyNotRequest requests the reason why one memory is not injected.
type WhyNotRequest struct {
	ID        string   `json:"-" path:"id"` // prefix
	Workspace string   `json:"workspace,omitempty"`
	Query     string   `json:"query,omitempty"` // the prompt; empty: any
	Scope     Scope    `json:"scope,omitempty"`
	Agent     string   `json:"agent,omitempty"`
	InPrompt  []string `json:"in_prompt,omitempty"` // files that the host injects in full
	AsOf      string   `json:"as_of,omitempty"`     // the time of the recall; empty: now
	Receipt   string   `json:"receipt,omitempty"`   // id of a past recall, or "last"; replaces the other fields

	Sender
	For Audience `json:"for,omitempty"` // who reads the answer; default: a person
}

// WhyNotAnswer contains the first reason that prevents the injection of a memory,
// and the memories that are injected instead.
type WhyNotAnswer struct {
	Memory   Memory    `json:"memory"`
	Injected bool      `json:"injected"`
	Reason   string    `json:"reason"` // one of the Reason constants; empty where the memory is or can be injected
	Detail   string    `json:"detail"`
	Winners  List[Hit] `json:"winners"`
}

// Reasons why a memory is not injected, in the order in which they are checked.
const (
	ReasonDisabled     = "disabled" // recall is switched off
	ReasonGate         = "gate"     // the prompt is trivial, such as a greeting
	ReasonForgotten    = "forgotten"
	ReasonMissing      = "missing"
	ReasonPrivate      = "private"
	ReasonArchived     = "archived"
	ReasonExpired      = "expired"
	ReasonScope        = "scope"
	ReasonUser         = "user" // it belongs to another user
	ReasonTrust        = "trust"
	ReasonImportance   = "importance"
	ReasonSuperseded   = "superseded_by"
	ReasonInPrompt     = "in_prompt"
	ReasonNotEmbedded  = "not_embedded"
	ReasonBelowFloor   = "below_floor"
	ReasonOutdated     = "outdated"    // its author marked it so, and the question does not ask for the past
	ReasonBehindBest   = "behind_best" // much less similar than the best memory
	ReasonContradicts  = "contradicts" // untrusted, and a trusted memory states another value
	ReasonDuplicate    = "duplicate_of"
	ReasonOtherTime    = "other_time"    // of another time than the question names
	ReasonOtherSession = "other_session" // a long prompt is more likely about other sessions
	ReasonTierBudget   = "tier_budget"
	ReasonTokenBudget  = "token_budget"
)
