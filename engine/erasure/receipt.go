// Package erasure says of each place whether destroyed texts are still there. It looks once
// before and once after, and makes a receipt with a verdict on each place.
package erasure

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/verify"
)

// Format names the shape of a receipt. A reader refuses every other name.
const Format = "memory-erasure/1"

// Verdict is what a receipt says of one place.
type Verdict string

// The verdicts.
const (
	Erased      Verdict = "ERASED"      // the text is not there
	Residual    Verdict = "RESIDUAL"    // the text is still there
	Unreachable Verdict = "UNREACHABLE" // the text is there, or may be, and only a person can remove it
	NoBaseline  Verdict = "NO BASELINE" // the text is not found, but the place could not be read before, or not now, or is gone
)

// The states of the destroy that a receipt is about.
const (
	Kept       = "kept"       // the memories are still here
	Unfinished = "unfinished" // it has begun
	Done       = "destroyed"
	Unknown    = "unknown" // the index knows neither the memories nor the destroy: it is a new one
)

// Receipt tells of each place whether it had some texts before they were destroyed, and
// whether it has them now. It has no text. Whoever has its key can test guesses.
type Receipt struct {
	Format    string                 `json:"format"`
	Version   string                 `json:"version"`
	Workspace string                 `json:"workspace"`
	Begun     time.Time              `json:"begun"`     // when the places were looked at first
	LookedAt  time.Time              `json:"looked_at"` // when they were looked at last
	State     string                 `json:"state"`
	Residual  int                    `json:"residual"` // the number of places with that verdict
	Memories  memory.List[memory.ID] `json:"memories"`
	Places    memory.List[Place]     `json:"places"`
	verify.Hashed
}

// Place is one place that may have the texts.
type Place struct {
	Name    string  `json:"place"`
	Where   string  `json:"where,omitempty"`
	Looked  int     `json:"looked"` // how many files, tables or objects were read
	Before  *int    `json:"before"` // how many of them had a text; nil: nobody can look there, or could
	After   *int    `json:"after"`  // how many have one now; nil: not looked yet, or nobody can
	Verdict Verdict `json:"verdict"`

	Held         []string `json:"held,omitempty"`          // which had one, at most maxNames
	Holds        []string `json:"holds,omitempty"`         // which have one now
	UnreadBefore []string `json:"unread_before,omitempty"` // which could not be read, with the reason
	Unread       []string `json:"unread,omitempty"`
	Gone         []string `json:"gone,omitempty"`   // which had one, or their folder, if nobody saw them without it: they may have been moved
	Advice       string   `json:"advice,omitempty"` // what a person can do
}

// maxNames limits each list of names of a place.
const maxNames = 20

// Parse reads a receipt.
func Parse(src []byte) (r Receipt, err error) {
	if err := json.Unmarshal(src, &r); err != nil || r.Format != Format {
		return r, memory.Invalid("receipt", "this is no receipt of destroy").WithHint("memory destroy ID --receipt FILE writes one")
	}
	return r, nil
}

// judge gives each place its verdict, and counts those with a text. Before the places are
// looked at again, a verdict is about what was there.
func (r *Receipt) judge() {
	r.Residual = 0
	for i := range r.Places {
		r.Places[i].judge()
		if r.Places[i].Verdict == Residual {
			r.Residual++
		}
	}
}

func (p *Place) judge() {
	row := rowOf(p.Name)
	p.Verdict, p.Advice = Erased, ""
	n := p.After
	if n == nil {
		n = p.Before
	}
	had := func(unread string) bool { // what had the text and cannot be read any more may still have it
		return slices.ContainsFunc(p.Held, func(name string) bool { return strings.HasPrefix(unread, name+": ") })
	}
	isThere := n != nil && *n > 0 || slices.ContainsFunc(p.Unread, had)
	switch {
	case n == nil, row.owner == ofBeyond && isThere:
		p.Verdict, p.Advice = Unreachable, row.advice
	case isThere:
		p.Verdict, p.Advice = Residual, row.advice
	case len(p.UnreadBefore) > 0, len(p.Unread) > 0, len(p.Gone) > 0:
		p.Verdict = NoBaseline
	}
}
