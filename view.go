package memory

import (
	"slices"
	"time"
)

// View is who asks, and when. It decides alone which memories are shown, for every route.
// [View.Hides] is the rule in Go. The index has a condition in SQL for each part of it.
type View struct {
	Users  []string  // whose memories are shown, as [Identities.Readable] returns them; empty: everybody's
	Scope  Scope     // global and unscoped memories too; empty: all scopes
	Model  bool      // a model reads the answer
	Pushed bool      // the model did not ask: the answer is put before its prompt. It needs Model
	Now    time.Time // compared with the expiry for a model; zero: whatever expires at all has expired
	AsOf   time.Time // the past moment of the question, in place of Now; zero: now
}

// At returns the time with which the expiry of memories is compared.
func (v View) At() time.Time {
	if !v.AsOf.IsZero() {
		return v.AsOf
	}
	return v.Now
}

// Reads reports whether the view has what belongs to a user: a memory, a current context, a
// receipt. The user "" is everybody.
func (v View) Reads(user string) bool { return len(v.Users) == 0 || slices.Contains(v.Users, user) }

// strength is what a rule means for statistics and for replaced memories.
type strength int

const (
	aged     strength = iota // no secret: the memory has aged or was replaced, and still replaces others
	filtered                 // not shown, and replaces no other memory
	secret                   // does not exist for the view: its words and its number count nowhere
)

// rule is one reason why a view does not show a memory.
type rule struct {
	reason   string
	strength strength
	applies  func(View) bool
	hides    func(View, *Memory) bool
}

func toModels(v View) bool { return v.Model }

// rules lists every rule, in the order in which why-not names them. All but superseded
// depend on the memory alone.
var rules = []rule{
	{ReasonForgotten, secret, toModels, func(_ View, m *Memory) bool { return m.Forgotten }},
	{ReasonMissing, filtered, toModels, func(_ View, m *Memory) bool { return m.Missing }},
	{ReasonPrivate, secret, toModels, func(_ View, m *Memory) bool { return m.Private }},
	{ReasonSource, secret, toModels, func(_ View, m *Memory) bool { return m.SourceHidden != "" }},
	{ReasonArchived, aged, toModels, func(_ View, m *Memory) bool { return m.Tier == TierArchive }},
	{ReasonExpired, secret, toModels, func(v View, m *Memory) bool {
		return m.ExpiresAt != nil && (v.At().IsZero() || !m.ExpiresAt.After(v.At()))
	}},
	{ReasonScope, filtered, func(v View) bool { return v.Scope != "" }, func(v View, m *Memory) bool { return !m.Scope.Matches(v.Scope) }},
	{ReasonUser, secret, func(v View) bool { return len(v.Users) > 0 }, func(v View, m *Memory) bool { return !v.Reads(m.User) }},
	{ReasonTrust, secret, toModels, func(_ View, m *Memory) bool { return m.Trust == TrustQuarantined }},
	{ReasonImportance, filtered, func(v View) bool { return v.Model && v.Pushed }, func(_ View, m *Memory) bool { return m.ImportanceLabel == ImportanceIgnore }},
}

// Rules returns the reasons for which the view may hide a memory by its own state, in their
// order. [ReasonSuperseded] is not among them: it depends on other memories.
func (v View) Rules() []string { return v.rulesFrom(aged) }

// SecretRules returns those of [View.Rules] by which a memory does not exist for the view.
func (v View) SecretRules() []string { return v.rulesFrom(secret) }

// ReplacingRules returns those of [View.Rules] that no memory may break that replaces
// another one for the view. One in ARCHIVE has merely aged.
func (v View) ReplacingRules() []string { return v.rulesFrom(filtered) }

func (v View) rulesFrom(least strength) (reasons []string) {
	for _, r := range rules {
		if r.strength >= least && r.applies(v) {
			reasons = append(reasons, r.reason)
		}
	}
	return reasons
}

// Hides returns why a memory is not shown to the view; empty if it is. replacing finds the
// memory with an id, and reports whether it is known. With nil, whatever has a successor is
// superseded.
func (v View) Hides(m *Memory, replacing func(ID) (*Memory, bool)) (reason string) {
	if reason := v.brokenRule(m, aged); reason != "" {
		return reason
	}
	if v.Model && v.isSuperseded(m, replacing) {
		return ReasonSuperseded
	}
	return ""
}

// Conceals reports whether a memory does not exist for the view. Nothing that depends on it
// may reach the view: no count, no mean, no neighbour.
func (v View) Conceals(m *Memory) bool { return v.brokenRule(m, secret) != "" }

// HidesSource returns why nothing that was derived from a memory is shown to those who have the
// view; empty if it is. What was derived from a memory outlives its ageing.
func (v View) HidesSource(m *Memory) (reason string) { return v.brokenRule(m, filtered) }

func (v View) brokenRule(m *Memory, least strength) string {
	for i := range rules {
		if r := &rules[i]; r.strength >= least && r.applies(v) && r.hides(v, m) {
			return r.reason
		}
	}
	return ""
}

// MaxSuccessors ends a search in memories that replace each other.
const MaxSuccessors = 50

// isSuperseded reports whether a memory that the view may get replaces this one. A successor
// that is not known may be in a file that is indexed later.
func (v View) isSuperseded(m *Memory, replacing func(ID) (*Memory, bool)) bool {
	for range MaxSuccessors {
		if m.SupersededBy == nil || replacing == nil {
			return m.SupersededBy != nil
		}
		next, known := replacing(*m.SupersededBy)
		if !known || v.brokenRule(next, filtered) == "" && (v.AsOf.IsZero() || !next.CreatedAt.After(v.AsOf)) {
			return true
		}
		m = next
	}
	return false
}
