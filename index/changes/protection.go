package changes

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/rows"
)

// keepProtection keeps a memory forgotten, private, a user's or less trusted if its file
// is of another git branch, and lacks what declares it. That ends when a file declares it
// again, or declares the opposite.
func (cs *Set) keepProtection(r *rows.Memory, stated memory.Declared) error {
	held, err := declared.Parse(r.Held)
	if err != nil {
		return err
	}
	if r.MissingSince != 0 {
		r.Forgotten = r.Forgotten || declared.IsForgetting(held)
		return nil
	}
	held = uncovered(held, r, stated)
	if before := cs.OldRows[r.ID]; before != nil && cs.Files.Elsewhere {
		held = held.Over(uncovered(protectionOf(before), r, stated))
	}
	r.Forgotten = r.Forgotten || declared.IsForgetting(held)
	r.Protect(declared.Doubt{Private: declared.IsPrivate(held), Trust: held.Trust, User: held.User})
	r.Held, err = declared.JSON(held)
	return err
}

// protectionOf declares what protects a memory.
func protectionOf(r *rows.Memory) memory.Declared {
	d, yes := memory.Declared{User: r.User, Trust: r.Trust}, true
	if r.Forgotten {
		d.Forgotten = &yes
	}
	if r.Private {
		d.Private = &yes
	}
	return d
}

// uncovered returns the part of a protection that a memory has lost, and about which its
// files declare nothing else.
func uncovered(d memory.Declared, r *rows.Memory, stated memory.Declared) (left memory.Declared) {
	if declared.IsForgetting(d) && !r.Forgotten && stated.Forgotten == nil {
		left.Forgotten = d.Forgotten
	}
	if declared.IsPrivate(d) && !r.Private && stated.Private == nil {
		left.Private = d.Private
	}
	if declared.LowerTrust(r.Trust, d.Trust) != r.Trust && stated.Trust == "" {
		left.Trust = d.Trust
	}
	if d.User != "" && r.User == "" && stated.User == "" {
		left.User = d.User
	}
	return left
}
