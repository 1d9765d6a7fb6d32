package memory

import "time"

// Declared is what a person or an explicit command said of a memory, in one
// place: its front-matter entry, its annotations, the sidecar, the file's front
// matter, or the configuration's default for its path. Zero fields say nothing.
type Declared struct {
	Tier            Tier            `json:"tier,omitempty"`
	Since           time.Time       `json:"since,omitzero"`      // when Tier was declared; zero: when first seen so
	SinceDay        bool            `json:"since_day,omitempty"` // Since is a date without a time
	Type            Type            `json:"memory_type,omitempty"`
	Category        Category        `json:"category,omitempty"`
	Scope           Scope           `json:"scope,omitempty"`
	Importance      *float64        `json:"importance,omitempty"` // 0 to 1
	ImportanceLabel ImportanceLabel `json:"importance_label,omitempty"`
	Trust           TrustTier       `json:"trust,omitempty"`
	Source          Source          `json:"source,omitempty"`
	SourceRef       string          `json:"source_ref,omitempty"`
	Created         time.Time       `json:"created,omitzero"`
	Expires         time.Time       `json:"expires,omitzero"`
	Tags            []string        `json:"tags,omitempty"`
	Pinned          *bool           `json:"pinned,omitempty"`
	Forgotten       *bool           `json:"forgotten,omitempty"`
	ForgottenAt     time.Time       `json:"forgotten_at,omitzero"`
	Only            bool            `json:"only,omitempty"` // Forgotten is about this one memory, not about every copy of its text
	Private         *bool           `json:"private,omitempty"`
}

// Over lays d over a weaker declaration: each field is the first that speaks.
// Tags add up.
func (d Declared) Over(weaker Declared) Declared {
	if d.Tier == "" {
		d.Tier, d.Since, d.SinceDay = weaker.Tier, weaker.Since, weaker.SinceDay
	}
	if d.Forgotten == nil {
		d.Forgotten, d.ForgottenAt, d.Only = weaker.Forgotten, weaker.ForgottenAt, weaker.Only
	}
	d.Type = first(d.Type, weaker.Type)
	d.Category = first(d.Category, weaker.Category)
	d.Scope = first(d.Scope, weaker.Scope)
	d.Importance = first(d.Importance, weaker.Importance)
	d.ImportanceLabel = first(d.ImportanceLabel, weaker.ImportanceLabel)
	d.Trust = first(d.Trust, weaker.Trust)
	d.Source = first(d.Source, weaker.Source)
	d.SourceRef = first(d.SourceRef, weaker.SourceRef)
	d.Created = first(d.Created, weaker.Created)
	d.Expires = first(d.Expires, weaker.Expires)
	d.Pinned = first(d.Pinned, weaker.Pinned)
	d.Private = first(d.Private, weaker.Private)
	d.Tags = union(d.Tags, weaker.Tags)
	return d
}

// Observed is what the daemon saw of a memory. It never stands in Markdown.
type Observed struct {
	Tier               Tier      // after ageing or promotion; empty: never moved
	TierAt             time.Time // when Tier was observed
	DeclaredTierSeenAt time.Time // when the declared tier was first seen as it is

	FirstSeen time.Time // when the memory was first indexed
	FileTime  time.Time // the file's modification time when it was first indexed
	NoteDate  time.Time // the date in a daily note's name; zero elsewhere

	Type     Type     // detected from the text
	Category Category // detected from the text
}

// State is what holds for a memory now.
type State struct {
	Tier            Tier
	TierReason      string // why, for a person: "memory/*.md starts HOT"
	Type            Type
	Category        Category
	Scope           Scope
	Importance      float64
	ImportanceLabel ImportanceLabel
	Trust           TrustTier
	Source          Source
	SourceRef       string
	Created         time.Time
	Expires         time.Time // zero: never
	Tags            []string
	Pinned          bool
	Forgotten       bool
	Private         bool
}

// DefaultImportance is what a memory weighs that nobody weighed, as the
// product's schema has it.
const DefaultImportance = 0.7

// Resolve is the only function that knows which of several statements about a
// memory wins. declared is what was said, strongest first: its entry, its
// annotations, a decision kept in the sidecar, its file's front matter;
// defaults is what its path gives it. For the tier, one observed after it was
// declared comes before them all, but a declared ARCHIVE holds until pinned.
func Resolve(defaults Declared, declared []Declared, seen Observed) State {
	var said Declared
	for _, d := range declared {
		said = said.Over(d)
	}
	d := said.Over(defaults)
	s := State{
		Type:            first(d.Type, seen.Type, TypeFactual),
		Category:        first(d.Category, seen.Category, CategoryOther),
		Scope:           d.Scope,
		Importance:      DefaultImportance,
		ImportanceLabel: first(d.ImportanceLabel, ImportanceUnknown),
		Trust:           first(d.Trust, TrustTrusted),
		Source:          first(d.Source, SourceFile),
		SourceRef:       d.SourceRef,
		Created:         created(d, seen),
		Expires:         d.Expires,
		Tags:            d.Tags,
		Pinned:          isTrue(d.Pinned),
		Forgotten:       isTrue(d.Forgotten),
		Private:         isTrue(d.Private),
	}
	if d.Importance != nil {
		s.Importance = *d.Importance
	}
	s.Tier, s.TierReason = tier(defaults, said, seen, s.Pinned)
	return s
}

func tier(defaults, said Declared, seen Observed, pinned bool) (Tier, string) {
	switch {
	case said.Tier == TierArchive && !pinned:
		return TierArchive, "declared ARCHIVE holds until pinned"
	case said.Tier != "" && !observedAfter(said, seen):
		return said.Tier, "declared " + string(said.Tier)
	case seen.Tier != "":
		return seen.Tier, "moved to " + string(seen.Tier) + " by use and age"
	case defaults.Tier != "":
		return defaults.Tier, "its path starts " + string(defaults.Tier)
	}
	return TierWarm, "nothing said: WARM"
}

// observedAfter says whether the observed tier is newer than the declared one.
// A declaration dated by a day alone beats what was observed on that day.
func observedAfter(said Declared, seen Observed) bool {
	since := first(said.Since, seen.DeclaredTierSeenAt)
	if said.SinceDay {
		since = since.AddDate(0, 0, 1)
	}
	return seen.Tier != "" && seen.TierAt.After(since)
}

func created(d Declared, seen Observed) time.Time {
	switch {
	case !seen.NoteDate.IsZero():
		return seen.NoteDate
	case !d.Created.IsZero():
		return d.Created
	case !seen.FileTime.IsZero() && seen.FileTime.Before(seen.FirstSeen):
		return seen.FileTime
	}
	return seen.FirstSeen
}

func isTrue(b *bool) bool { return b != nil && *b }

// first gives the first value that is not zero.
func first[T comparable](values ...T) (zero T) {
	for _, v := range values {
		if v != zero {
			return v
		}
	}
	return zero
}

func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	out := append([]string(nil), a...)
	for _, s := range b {
		if !contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}
