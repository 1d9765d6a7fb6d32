package engine

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/recall"
)

// Explain says what one memory's score is made of, and whether anything keeps it
// from being injected.
func (e *Engine) Explain(ctx context.Context, r memory.ExplainRequest) (memory.ExplainAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	m, err := s.findMemory(ctx, r.ID)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	now := e.now()
	settings := s.recaller().Settings()
	a := memory.ExplainAnswer{Memory: m, Query: r.Query, TierReason: m.TierReason,
		EffectiveAgeDays: decay.EffectiveAge(&m, now).Hours() / 24}
	if half := settings.HalfLives.Days(&m); !math.IsInf(half, 1) {
		a.HalfLifeDays = &half
	}
	if a.Similarity, err = s.similarity(ctx, now, m, r.Query); err != nil {
		return memory.ExplainAnswer{}, err
	}
	var factors []memory.Factor
	a.Score, factors = recall.Score(m, a.Similarity, now, settings)
	a.Factors = factors
	reason, detail := excludedByState(m, now, "")
	a.Eligible, a.Reason = reason == "", detail
	if a.Eligible {
		a.Reason = "nothing in its state keeps it out"
	}
	return a, nil
}

// similarity is what a search would find of a memory, were it let in.
func (s *workspaceState) similarity(ctx context.Context, now time.Time, m memory.Memory, query string) (float64, error) {
	if strings.TrimSpace(query) == "" {
		return 0, nil
	}
	all := memory.Predicate{Archive: true, Forgotten: memory.Include}
	for _, p := range []memory.Predicate{all, {IDs: []memory.ID{m.ID}, Archive: true, Forgotten: memory.Include}} {
		answer, err := s.recaller().Search(ctx, now, recall.SearchOptions{Text: query, Predicate: p, Limit: recall.MaxLimit})
		if err != nil {
			return 0, err
		}
		for _, h := range answer.Hits {
			if h.ID == m.ID {
				return h.Similarity, nil
			}
		}
	}
	return 0, nil
}

// excludedByState is the first thing in a memory's own state that keeps it from being
// injected, whatever is asked.
func excludedByState(m memory.Memory, now time.Time, scope memory.Scope) (reason, detail string) {
	switch {
	case m.Forgotten:
		return memory.ReasonForgotten, "it is forgotten; memory restore " + m.ID.Short() + " brings it back"
	case m.Missing:
		return memory.ReasonMissing, "its text is in no file any more; it stood in " + m.Path
	case m.Private:
		return memory.ReasonPrivate, "it is private"
	case m.Tier == memory.TierArchive:
		return memory.ReasonArchived, "it is in the ARCHIVE (" + m.TierReason + ")"
	case m.ExpiresAt != nil && !m.ExpiresAt.After(now):
		return memory.ReasonExpired, "it expired at " + m.ExpiresAt.Format(time.RFC3339)
	case !m.Scope.Matches(scope):
		return memory.ReasonScope, fmt.Sprintf("its scope is %s, not %s", m.Scope, scope)
	case m.Trust == memory.TrustQuarantined:
		return memory.ReasonTrust, "it is quarantined"
	case m.ImportanceLabel == memory.ImportanceIgnore:
		return memory.ReasonImportance, "its importance is ignore"
	case m.SupersededBy != nil:
		return memory.ReasonSuperseded, "superseded by " + m.SupersededBy.Short()
	}
	return "", ""
}

// WhyNot says what keeps a memory from being put before a model that gets a
// prompt. It records nothing.
func (e *Engine) WhyNot(ctx context.Context, r memory.WhyNotRequest) (memory.WhyNotAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	m, err := s.findMemory(ctx, r.ID)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	if r.Receipt != "" {
		return e.whyNotReceipt(ctx, s, r, m)
	}
	now := e.now()
	a := memory.WhyNotAnswer{Memory: m}
	asked := strings.TrimSpace(r.Query) != ""
	if !e.o.AutoRecall {
		a.Reason, a.Detail = memory.ReasonDisabled, "recall is turned off (autoRecall)"
		return a, nil
	}
	if asked && recall.IsTrivial(r.Query) {
		a.Reason, a.Detail = memory.ReasonGate, trivialPrompt
		return a, nil
	}
	a.Reason, a.Detail = excludedByState(m, now, r.Scope)
	if !asked {
		if a.Reason == "" {
			a.Detail = "nothing in its state keeps it out; name a prompt to learn more"
		}
		return a, nil
	}
	answer, trace, err := s.recaller().Recall(ctx, now, recall.Prompt{Text: r.Query, InPrompt: r.InPrompt,
		Predicate: memory.Predicate{Scope: r.Scope}})
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	a.Winners = answer.Hits
	if a.Reason == "" {
		err = e.explainRejection(ctx, s, now, r.Query, trace, &a)
	}
	return a, err
}

const trivialPrompt = "the prompt is small talk: no memory is recalled for it"

// explainRejection finds out at which step a memory that could be injected was left behind.
func (e *Engine) explainRejection(ctx context.Context, s *workspaceState, now time.Time, query string, trace recall.Trace, a *memory.WhyNotAnswer) error {
	for _, h := range a.Winners {
		if h.ID == a.Memory.ID {
			a.Injected, a.Detail = true, fmt.Sprintf("it is injected: similarity %.2f, score %.2f", h.Similarity, h.Score)
			return nil
		}
	}
	if left, ok := trace.Rejection(a.Memory.ID); ok {
		a.Reason = left.Reason
		switch {
		case left.DuplicateOf != "":
			a.Detail = left.DuplicateOf.Short() + " says the same"
		case left.Reason == memory.ReasonBelowFloor:
			a.Detail = belowFloorDetail(left.Similarity, left.Floor)
		case left.Reason == memory.ReasonTierBudget:
			a.Detail = tierBudgetDetail(injectedIDs(a.Winners), trace.Selected, left.Similarity)
		case left.Reason == memory.ReasonTokenBudget:
			a.Detail = tokenBudgetDetail(left.Similarity, s.recaller().Settings().MaxTokens)
		case left.Reason == memory.ReasonInPrompt:
			a.Detail = "the prompt holds " + a.Memory.Path + " already"
		}
		return nil
	}
	pending, err := s.db.LacksVector(ctx, a.Memory.ID)
	if err != nil {
		return err
	}
	similarity, err := s.similarity(ctx, now, a.Memory, query)
	if err != nil {
		return err
	}
	floor := s.floor(a.Memory)
	if pending && s.serving.Load().Dim() > 0 && similarity < floor {
		a.Reason, a.Detail = memory.ReasonNotEmbedded, "it has no vector yet, and its words do not match"
		return nil
	}
	a.Reason, a.Detail = memory.ReasonBelowFloor, belowFloorDetail(similarity, floor)+": no lane found it among its best"
	return nil
}

// floor is the similarity that a memory needs; a pinned one half of it.
func (s *workspaceState) floor(m memory.Memory) float64 {
	floor := s.recaller().Settings().Floor
	if floor < 0 {
		floor = recall.DefaultFloor
	}
	if m.Pinned {
		return floor / 2
	}
	return floor
}
