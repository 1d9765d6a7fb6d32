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

// Explain returns the factors of a memory's score, and whether its state excludes
// it from injection.
func (e *Engine) Explain(ctx context.Context, r memory.ExplainRequest) (memory.ExplainAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	who, err := e.readerOf(r.Sender, r.For)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	now := e.now()
	m, err := s.findMemoryFor(ctx, now, who, r.ID)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	if m.CreatedFrom, m.DateReason, err = s.dates.Reason(ctx, m.ID); err != nil {
		return memory.ExplainAnswer{}, err
	}
	settings := s.models.RecallSettings()
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
		a.Reason = "nothing in its state excludes it"
		if m.User != "" {
			a.Reason += "; " + belongsTo(m)
		}
	}
	return a, nil
}

// similarity returns the similarity that a search without filters finds for a
// memory.
func (s *workspaceState) similarity(ctx context.Context, now time.Time, m memory.Memory, query string) (float64, error) {
	if strings.TrimSpace(query) == "" {
		return 0, nil
	}
	all := memory.Predicate{Archive: true, Forgotten: memory.Include}
	for _, p := range []memory.Predicate{all, {IDs: []memory.ID{m.ID}, Archive: true, Forgotten: memory.Include}} {
		answer, err := s.models.Recaller(ctx).Search(ctx, now, recall.SearchOptions{Text: query, Predicate: p, Limit: recall.MaxLimit})
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

// excludedByState returns the first reason in a memory's own state that excludes it
// from every injection; empty if there is none.
func excludedByState(m memory.Memory, now time.Time, scope memory.Scope) (reason, detail string) {
	switch {
	case m.Forgotten && m.InDoubt != "":
		return memory.ReasonForgotten, fmt.Sprintf("it is withheld: the line %s forgets a text that it may be; memory restore %s or memory forget %s decides",
			m.InDoubt, m.ID.Short(), m.ID.Short())
	case m.Forgotten:
		return memory.ReasonForgotten, "it is forgotten; memory restore " + m.ID.Short() + " brings it back"
	case m.Missing:
		return memory.ReasonMissing, "its text is in no file any more; it was in " + m.Path
	case m.Private && m.InDoubt != "":
		return memory.ReasonPrivate, "it is private: the line " + m.InDoubt + " may be about it; correct the quote of that line, or remove it"
	case m.Private:
		return memory.ReasonPrivate, "it is private"
	case m.Tier == memory.TierArchive:
		return memory.ReasonArchived, "it is in the ARCHIVE (" + m.TierReason + ")"
	case m.ExpiresAt != nil && !m.ExpiresAt.After(now):
		return memory.ReasonExpired, "it expired at " + m.ExpiresAt.Format(time.RFC3339)
	case !m.Scope.Matches(scope):
		return memory.ReasonScope, fmt.Sprintf("its scope is %s, not %s", m.Scope, scope)
	case m.Trust == memory.TrustQuarantined && m.InDoubt != "":
		return memory.ReasonTrust, "it is quarantined: the line " + m.InDoubt + " may be about it; correct the quote of that line, or remove it"
	case m.Trust == memory.TrustQuarantined:
		return memory.ReasonTrust, "it is quarantined"
	case m.ImportanceLabel == memory.ImportanceIgnore:
		return memory.ReasonImportance, "its importance is ignore"
	case m.SupersededBy != nil:
		return memory.ReasonSuperseded, "superseded by " + m.SupersededBy.Short()
	}
	return "", ""
}

// floor returns the similarity that a memory needs to be injected; a pinned one
// needs half.
func (s *workspaceState) floor(m memory.Memory) float64 {
	floor := s.models.RecallSettings().Floor
	if floor < 0 {
		floor = recall.DefaultFloor
	}
	if m.Pinned {
		return floor / 2
	}
	return floor
}
