package memory

// ExplainRequest asks what one memory's score is made of.
type ExplainRequest struct {
	ID        string `json:"-" path:"id"` // prefix
	Workspace string `json:"workspace,omitempty"`
	Query     string `json:"query,omitempty"` // what similarity is to; empty: nothing
}

// ExplainAnswer is all that decides about one memory. The factors' points add
// up to the score.
type ExplainAnswer struct {
	Memory           Memory       `json:"memory"`
	Query            string       `json:"query"`
	Score            float64      `json:"score"`
	Similarity       float64      `json:"similarity"`
	Factors          List[Factor] `json:"factors"`
	EffectiveAgeDays float64      `json:"effective_age_days"` // since it was created, edited or last used
	HalfLifeDays     *float64     `json:"half_life_days"`     // null: pinned, it never fades
	TierReason       string       `json:"tier_reason"`
	Eligible         bool         `json:"eligible"` // nothing in its state keeps it from being injected
	Reason           string       `json:"reason"`   // what does, or that nothing does
}

// WhyNotRequest asks why one memory is not put before a model.
type WhyNotRequest struct {
	ID        string   `json:"-" path:"id"` // prefix
	Workspace string   `json:"workspace,omitempty"`
	Query     string   `json:"query,omitempty"` // the prompt; empty: any
	Scope     Scope    `json:"scope,omitempty"`
	InPrompt  []string `json:"in_prompt,omitempty"` // files that the host puts before the model whole
	Receipt   string   `json:"receipt,omitempty"`   // of a recall that has been, or "last"; instead of the others
}

// WhyNotAnswer is the first thing that keeps a memory out, with its numbers, and
// what is put before the model instead.
type WhyNotAnswer struct {
	Memory   Memory    `json:"memory"`
	Injected bool      `json:"injected"`
	Reason   string    `json:"reason"` // one of the Reason constants; empty where it is injected, or could be
	Detail   string    `json:"detail"`
	Winners  List[Hit] `json:"winners"`
}

// What keeps a memory from being injected, in the order in which it is asked.
const (
	ReasonDisabled    = "disabled" // recall is turned off
	ReasonGate        = "gate"     // the prompt is small talk
	ReasonForgotten   = "forgotten"
	ReasonMissing     = "missing"
	ReasonPrivate     = "private"
	ReasonArchived    = "archived"
	ReasonExpired     = "expired"
	ReasonScope       = "scope"
	ReasonTrust       = "trust"
	ReasonImportance  = "importance"
	ReasonSuperseded  = "superseded_by"
	ReasonInPrompt    = "in_prompt"
	ReasonNotEmbedded = "not_embedded"
	ReasonBelowFloor  = "below_floor"
	ReasonDuplicate   = "duplicate_of"
	ReasonTierBudget  = "tier_budget"
	ReasonTokenBudget = "token_budget"
)
