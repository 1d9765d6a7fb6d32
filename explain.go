package memory

import (
	"cmp"
	"slices"
	"strings"
)

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
	ReasonSource       = "source" // a memory that it was derived from is hidden or gone
	ReasonArchived     = "archived"
	ReasonExpired      = "expired"
	ReasonScope        = "scope"
	ReasonUser         = "user" // it belongs to another user
	ReasonTrust        = "trust"
	ReasonImportance   = "importance"
	ReasonSuperseded   = "superseded_by"
	ReasonInPrompt     = "in_prompt"
	ReasonGiven        = "given"  // the agent's session has it already
	ReasonPaused       = "paused" // another session of the project got it within a day, and it is not the answer
	ReasonNotEmbedded  = "not_embedded"
	ReasonFeedback     = "feedback" // a person called it wrong for a question like this one
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

// Signals are the features of a memory for a query. The ranking is a weighted sum
// of them. The neighbours of a memory are the memories before and after it under
// the same heading of the same file.
type Signals struct {
	Candidate // Raw: BM25 of its own words; Score: Raw calibrated to 0 to 1

	// Context is a sum over the query's terms. Each term counts with its best BM25
	// in this memory or in a neighbour, where a larger distance reduces it.
	Context float64

	// Coverage is the share of the query's terms, weighted by their inverse document
	// frequency, that this memory or a neighbour contains. A larger distance
	// reduces the share of a term.
	Coverage float64

	Cosine          float64 // with the query's vector; 0 without a vector
	NeighbourCosine float64 // the largest cosine of two neighbours on each side; an absent neighbour has 0

	// MeanCosine is the mean cosine of the whole workspace with the query, the same
	// for every memory. Where it is large, a large Cosine means little.
	MeanCosine float64

	// RestLift is how far the cosine with the rest of the query, without its names, is above
	// the mean of the whole workspace. It is 0 without a vector of the rest.
	RestLift float64

	Section       float64 // how well everything under its heading matches, 0 to 1; 0 if not wanted, and from the tables
	Speaker       string  // first name of the speaker in lower case; empty without a speaker
	AfterQuestion bool    // the previous memory ends with a question mark
}

// SearchResult contains the candidates of a query by words and by vector, with
// their signals.
type SearchResult struct {
	Signals     []Signals   // best Context first
	Nearest     []Candidate // by cosine, best first
	VectorError error       // why there was no vector search
}

// ByWords returns at most k memories that have words of the query themselves, best first.
func (r SearchResult) ByWords(k int) (all []Candidate) {
	for _, s := range r.Signals {
		if s.Score > 0 {
			all = append(all, s.Candidate)
		}
	}
	slices.SortFunc(all, func(a, b Candidate) int { return cmp.Or(cmp.Compare(b.Raw, a.Raw), cmp.Compare(a.ID, b.ID)) })
	return all[:min(k, len(all))]
}

// IsQuestion reports whether a text ends with a question mark. A remark in square
// brackets after it is ignored.
func IsQuestion(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "]") {
		if open := strings.LastIndexByte(text, '['); open > 0 {
			text = strings.TrimSpace(text[:open])
		}
	}
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}
