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

// eligible drops the memories that may never be injected, even if the source returned
// them, and those of files that are already in the prompt.
func eligible(found []*candidate, v memory.View, inPrompt []string) (kept []*candidate, rejected []Rejection) {
	known := map[string]bool{}
	for _, p := range inPrompt {
		known[relativePath(p)] = true
	}
	for _, c := range found {
		switch reason := v.Hides(c.Memory, nil); {
		case reason == memory.ReasonArchived:
			rejected = append(rejected, c.reject(RejectedArchived))
		case reason != "":
			rejected = append(rejected, c.reject(RejectedHidden))
		case len(known) > 0 && known[relativePath(c.Path)]:
			rejected = append(rejected, c.reject(RejectedInPrompt))
		default:
			kept = append(kept, c)
		}
	}
	return kept, rejected
}

// relativePath returns a path in the form of Memory.Path.
func relativePath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}

// holdingNow drops the memories that their author marked as outdated, unless the
// question asks for the past.
func holdingNow(found []*candidate, in question.Intent) (kept []*candidate, rejected []Rejection) {
	for _, c := range found {
		if c.Validity == notation.Outdated && !in.WantsPast {
			rejected = append(rejected, c.reject(RejectedOutdated))
			continue
		}
		kept = append(kept, c)
	}
	return kept, rejected
}

// leaveOut drops the memories that the model has already, for the reason that has returns.
// It comes after the cuts: a weaker memory does not take the place of one that was given.
func leaveOut(found []*candidate, has func(m *memory.Memory, answers bool) string) (kept []*candidate, rejected []Rejection) {
	if has == nil {
		return found, nil
	}
	best := math.Inf(-1)
	for _, c := range found {
		best = max(best, c.fused)
	}
	for _, c := range found {
		if reason := has(c.Memory, c.answers(best)); reason != "" {
			rejected = append(rejected, c.reject(reason))
			continue
		}
		kept = append(kept, c)
	}
	return kept, rejected
}

// preferTrusted puts untrusted memories after all trusted ones. It drops those that
// a trusted one contradicts or represents. It runs before the floor, so that a
// trusted memory that is too dissimilar to be injected still refutes a false one.
func preferTrusted(found []*candidate) (kept []*candidate, rejected []Rejection) {
	var trusted, untrusted []*candidate
	for _, c := range found {
		if c.isUntrusted() {
			untrusted = append(untrusted, c)
		} else {
			trusted = append(trusted, c)
		}
	}
	if len(untrusted) == 0 {
		return found, nil
	}
	texts := make([]*alignment.Text, len(trusted))
	for i, c := range trusted {
		texts[i] = comparisonText(c.Memory)
	}
	kept = trusted
	for _, c := range untrusted {
		text := comparisonText(c.Memory)
		if i := slices.IndexFunc(texts, func(t *alignment.Text) bool { return t.Disputes(text) }); i >= 0 {
			r := c.reject(RejectedContradiction)
			r.RefutedBy = trusted[i].ID
			rejected = append(rejected, r)
		} else if i := slices.IndexFunc(texts, func(t *alignment.Text) bool { return t.NearDuplicate(text) }); i >= 0 {
			r := c.reject(RejectedDuplicate)
			r.DuplicateOf = trusted[i].ID
			rejected = append(rejected, r)
		} else {
			kept = append(kept, c)
		}
	}
	return kept, rejected
}
