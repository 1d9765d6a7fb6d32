package recall

import (
	"math"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/recall/ranking"
)

// A long prompt goes on with one of many sessions of talk: what is under one heading.
// These numbers divide a block among sessions. They were fitted on the projects of one
// person and checked on those of another: docs/decisions/0014-sessions.md.
const (
	sharePerPoint    = 0.4  // log-odds between two sessions for each point of the ranking's sum
	comparedSessions = 10   // the best sessions, whose shares add up to 1; with all of them, many hopeless ones would outweigh a good one
	likelyShare      = 0.09 // the share from which a session gets a part of the block
	sureShare        = 0.35 // and from which it also gets the space that is left
	sessionPart      = 400  // bytes of a part: the best memory of a session, and more while they are short
)

// session holds the candidates under one heading, in their order. A note is a session of
// its own.
type session struct {
	found  []*candidate
	points float64 // the highest sum of a candidate
	share  float64 // how likely the prompt is about this session
	kept   bool    // it gets a part whatever its share is
}

// perSession chooses the memories of a block for a long prompt about talk. Each likely
// session gets a part of the block, and the sure ones get the rest. The talk of other
// sessions is dropped. Other prompts keep all candidates. fits takes the space of an
// empty block.
func (t *Trace) perSession(found []*candidate, q laneQuery, s Settings, fits room) (kept []*candidate) {
	isTalk := func(c *candidate) bool { return c.Signals.Speaker != "" }
	if s.Fusion != FusionRanking || !ranking.WantsSections(q.intent) || !slices.ContainsFunc(found, isTalk) {
		return found
	}
	sessions := sessionsOf(found)
	taken := map[*candidate]bool{}
	for _, s := range sessions {
		if s.kept || s.share >= likelyShare {
			takePart(s.found, taken, sessionPart, fits)
		}
	}
	reasons := map[*candidate]string{}
	for _, s := range sessions {
		reason := RejectedOtherSession
		if s.share >= sureShare {
			takePart(s.found, taken, math.MaxInt, fits)
			reason = RejectedTokenBudget
		}
		for _, c := range s.found {
			reasons[c] = reason
		}
	}
	for _, c := range found {
		if taken[c] {
			kept = append(kept, c)
		} else {
			t.reject(c, Rejection{Reason: reasons[c]})
		}
	}
	return kept
}

// takePart takes the first candidates of a list that fit, and more until they have some
// bytes together.
func takePart(list []*candidate, taken map[*candidate]bool, bytes int, fits room) {
	part := 0
	for _, c := range list {
		if taken[c] {
			continue
		}
		if part > 0 && len(c.Text) > bytes-part {
			return
		}
		if fits(c) {
			taken[c] = true
			part += len(c.Text)
		}
	}
}

// sessionsOf groups candidates by session, in the order of the first of each.
func sessionsOf(found []*candidate) (sessions []*session) {
	byHeading := map[string]*session{}
	for _, c := range found {
		key := string(c.ID)
		if c.Signals.Speaker != "" {
			key = c.Path + "\x00" + strings.Join(c.Heading, "\x00")
		}
		s := byHeading[key]
		if s == nil {
			s = &session{points: math.Inf(-1)}
			byHeading[key], sessions = s, append(sessions, s)
		}
		s.found, s.points = append(s.found, c), max(s.points, c.fused)
		s.kept = s.kept || c.Signals.Speaker == "" || c.Pinned || c.called > 0
	}
	setShares(sessions)
	return sessions
}

// setShares computes the shares of sessions from their points.
func setShares(sessions []*session) {
	points := make([]float64, len(sessions))
	for i, s := range sessions {
		points[i] = s.points
	}
	slices.Sort(points)
	best, sum := points[len(points)-1], 0.0
	for _, p := range points[max(0, len(points)-comparedSessions):] {
		sum += math.Exp(sharePerPoint * (p - best))
	}
	for _, s := range sessions {
		s.share = math.Exp(sharePerPoint*(s.points-best)) / sum
	}
}
