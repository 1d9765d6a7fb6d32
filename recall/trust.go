package recall

import (
	"slices"

	"github.com/memory-tiered/memory/internal/alignment"
)

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
