package rows

import (
	"github.com/memory-tiered/memory"
)

// keepProtection keeps a memory forgotten, private, a user's or less trusted if its file
// is of another git branch, and lacks what declares it. That ends when a file declares it
// again, or declares the opposite.
func (cs *Set) keepProtection(r *Memory, stated memory.Declared) error {
	held, err := ParseDeclared(r.Held)
	if err != nil {
		return err
	}
	if r.MissingSince != 0 {
		r.Forgotten = r.Forgotten || held.Forgets()
		return nil
	}
	held = uncovered(held, r, stated)
	if before := cs.OldRows[r.ID]; before != nil && cs.Files.Elsewhere {
		held = held.Over(uncovered(protectionOf(before), r, stated))
	}
	r.Forgotten = r.Forgotten || held.Forgets()
	r.Protect(doubt{Private: held.IsPrivate(), Trust: held.Trust, User: held.User})
	r.Held, err = EncodeJSON(held)
	return err
}

// protectionOf declares what protects a memory.
func protectionOf(r *Memory) memory.Declared {
	d := memory.Declared{User: r.User, Trust: r.Trust}
	if r.Forgotten {
		d.Forgotten = new(true)
	}
	if r.Private {
		d.Private = new(true)
	}
	return d
}

// uncovered returns the part of a protection that a memory has lost, and about which its
// files declare nothing else.
func uncovered(d memory.Declared, r *Memory, stated memory.Declared) (left memory.Declared) {
	if d.Forgets() && !r.Forgotten && stated.Forgotten == nil {
		left.Forgotten = d.Forgotten
	}
	if d.IsPrivate() && !r.Private && stated.Private == nil {
		left.Private = d.Private
	}
	if memory.LowerTrust(r.Trust, d.Trust) != r.Trust && stated.Trust == "" {
		left.Trust = d.Trust
	}
	if d.User != "" && r.User == "" && stated.User == "" {
		left.User = d.User
	}
	return left
}
