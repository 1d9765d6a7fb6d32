package memory

// ReviewKind is why a person should look at a memory.
type ReviewKind string

const (
	ReviewQuarantined   ReviewKind = "quarantined"    // never injected until a person trusts it
	ReviewContradiction ReviewKind = "contradiction"  // another memory gives another value to its subject
	ReviewUntrusted     ReviewKind = "untrusted"      // somebody else than the owner said it
	ReviewCaptured      ReviewKind = "captured"       // kept of a conversation lately
	ReviewNearDuplicate ReviewKind = "near_duplicate" // another memory says the same
	ReviewExpired       ReviewKind = "expired"        // its expiry date has passed
	ReviewAgeing        ReviewKind = "ageing"         // it will leave its tier soon
	ReviewStaleQuote    ReviewKind = "stale_quote"    // a decision quotes a text that was edited since
)

// ReviewKinds lists the kinds in the order of a review: what does most harm first.
var ReviewKinds = []ReviewKind{ReviewQuarantined, ReviewContradiction, ReviewUntrusted, ReviewCaptured, ReviewNearDuplicate,
	ReviewExpired, ReviewAgeing, ReviewStaleQuote}

// ParseReviewKind parses a kind in any case.
func ParseReviewKind(s string) (ReviewKind, error) { return parseWord("kind", s, ReviewKinds) }

// UnmarshalText parses a kind in any case.
func (k *ReviewKind) UnmarshalText(b []byte) error { return unmarshalWord(k, b, ParseReviewKind) }

// IsPair reports whether points of this kind have two memories.
func (k ReviewKind) IsPair() bool { return k == ReviewContradiction || k == ReviewNearDuplicate }

// ReviewRequest requests what a person should look at.
type ReviewRequest struct {
	Workspace string     `json:"workspace,omitempty"`
	Kind      ReviewKind `json:"kind,omitempty"`  // only this kind
	Limit     *int       `json:"limit,omitempty"` // 0: as many as an answer may hold
	Count     bool       `json:"count,omitempty"` // only the number of points, without them
}

// ReviewItem is one point of a review.
type ReviewItem struct {
	Kind   ReviewKind `json:"kind"`
	Memory Memory     `json:"memory"` // of two memories the one that merge keeps
	Other  *Memory    `json:"other"`  // the second memory of a contradiction or of near-duplicates
	Reason string     `json:"reason"`
}

// ReviewAnswer lists what a person should look at, in the order of ReviewKinds.
type ReviewAnswer struct {
	Items List[ReviewItem]   `json:"items"`
	Total int                `json:"total"`
	Kinds map[ReviewKind]int `json:"kinds"` // number of points of each kind
	Stale bool               `json:"stale,omitempty"`
}

// ReviewAction is what a person does about one point of a review.
type ReviewAction string

const (
	ReviewKeep   ReviewAction = "keep"   // nothing changes, and the point does not come up again
	ReviewMerge  ReviewAction = "merge"  // the memory supersedes the other one
	ReviewPin    ReviewAction = "pin"    // as the decision
	ReviewTrust  ReviewAction = "trust"  // declares the memory trusted
	ReviewForget ReviewAction = "forget" // as the decision
	ReviewUndo   ReviewAction = "undo"   // reverses one step
)

// ReviewActions lists every action.
var ReviewActions = []ReviewAction{ReviewKeep, ReviewMerge, ReviewPin, ReviewTrust, ReviewForget, ReviewUndo}

// ParseReviewAction parses an action in any case.
func ParseReviewAction(s string) (ReviewAction, error) { return parseWord("action", s, ReviewActions) }

// UnmarshalText parses an action in any case.
func (a *ReviewAction) UnmarshalText(b []byte) error { return unmarshalWord(a, b, ParseReviewAction) }

// ReviewStepRequest requests one step of a review.
type ReviewStepRequest struct {
	Action    ReviewAction `json:"action"`
	Workspace string       `json:"workspace,omitempty"`
	Kind      ReviewKind   `json:"kind,omitempty"`  // of the point; by default every point of the memories
	ID        string       `json:"id,omitempty"`    // of its memory
	Other     string       `json:"other,omitempty"` // of its second memory
	Batch     string       `json:"batch,omitempty"` // undo: the step to reverse
}

// ReviewStepAnswer reports one step of a review.
type ReviewStepAnswer struct {
	Action  ReviewAction `json:"action"`
	Changed List[Memory] `json:"changed"`           // as the memories are now
	Batch   string       `json:"batch"`             // names the step, to undo it
	Notices List[string] `json:"notices,omitempty"` // decisions that could not be written into their file
}
