package recall

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/recall/notation"
	"github.com/memory-tiered/memory/recall/question"
)

// sieve returns the reason why a candidate is not in the block, or "", and the similarity
// that it needs for its place.
type sieve func(*candidate) (reason string, floor float64)

// sift drops the candidates with a reason from a list, and notes them.
func (t *Trace) sift(found []*candidate, why sieve) []*candidate {
	if why == nil {
		return found
	}
	return slices.DeleteFunc(found, func(c *candidate) bool {
		reason, floor := why(c)
		if reason != "" {
			t.reject(c, Rejection{Reason: reason, Floor: floor})
		}
		return reason != ""
	})
}

// eligible drops the memories that may never be injected, even if the source returned
// them, and those of files that are already in the prompt.
func eligible(v memory.View, inPrompt []string) sieve {
	known := map[string]bool{}
	for _, p := range inPrompt {
		known[relativePath(p)] = true
	}
	return func(c *candidate) (string, float64) {
		switch reason := v.Hides(c.Memory, nil); {
		case reason == memory.ReasonArchived:
			return RejectedArchived, 0
		case reason != "":
			return RejectedHidden, 0
		case len(known) > 0 && known[relativePath(c.Path)]:
			return RejectedInPrompt, 0
		}
		return "", 0
	}
}

// relativePath returns a path in the form of Memory.Path.
func relativePath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}

// holdingNow drops the memories that their author marked as outdated, unless the
// question asks for the past.
func holdingNow(in question.Intent) sieve {
	if in.WantsPast {
		return nil
	}
	return func(c *candidate) (string, float64) {
		if c.Validity == notation.Outdated {
			return RejectedOutdated, 0
		}
		return "", 0
	}
}

// leaveOut drops the memories that the model has already, for the reason that has returns.
// It comes after the cuts: a weaker memory does not take the place of one that was given.
func leaveOut(found []*candidate, has func(m *memory.Memory, answers bool) string) sieve {
	if has == nil {
		return nil
	}
	best := math.Inf(-1)
	for _, c := range found {
		best = max(best, c.fused)
	}
	return func(c *candidate) (string, float64) { return has(c.Memory, c.answers(best)), 0 }
}

// preferTrusted puts untrusted memories after all trusted ones. It drops those that
// a trusted one contradicts or represents. It runs before the floor, so that a
// trusted memory that is too dissimilar to be injected still refutes a false one.
func (t *Trace) preferTrusted(found []*candidate) (kept []*candidate) {
	if !slices.ContainsFunc(found, (*candidate).isUntrusted) {
		return found
	}
	var trusted, untrusted []*candidate
	for _, c := range found {
		if c.isUntrusted() {
			untrusted = append(untrusted, c)
		} else {
			trusted = append(trusted, c)
		}
	}
	kept = trusted
	for _, c := range untrusted {
		disputes := func(t *candidate) bool {
			return alignment.MayDispute(t.Sketch, c.Sketch) && t.words().Disputes(c.words())
		}
		if i := slices.IndexFunc(trusted, disputes); i >= 0 {
			t.reject(c, Rejection{Reason: RejectedContradiction, RefutedBy: trusted[i].ID})
		} else if i := slices.IndexFunc(trusted, c.repeats); i >= 0 {
			t.reject(c, Rejection{Reason: RejectedDuplicate, DuplicateOf: trusted[i].ID})
		} else {
			kept = append(kept, c)
		}
	}
	return kept
}
