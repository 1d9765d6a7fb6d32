package memory

import (
	"cmp"
	"time"
)

// Declared is the declaration about a memory from one place. The place is its
// front-matter entry, its annotations, the sidecar, the file's front matter,
// or the configuration's default for its path. Zero fields declare nothing.
type Declared struct {
	Tier            Tier            `json:"tier,omitempty"`
	Since           time.Time       `json:"since,omitzero"`      // when Tier was declared; zero: when the declaration was first seen
	SinceDay        bool            `json:"since_day,omitempty"` // Since is a date without a time
	Type            Type            `json:"memory_type,omitempty"`
	Category        Category        `json:"category,omitempty"`
	Scope           Scope           `json:"scope,omitempty"`
	User            string          `json:"user,omitempty"`       // folded by [FoldUser]
	Importance      *float64        `json:"importance,omitempty"` // 0 to 1
	ImportanceLabel ImportanceLabel `json:"importance_label,omitempty"`
	Trust           TrustTier       `json:"trust,omitempty"`
	Source          Source          `json:"source,omitempty"`
	SourceRef       string          `json:"source_ref,omitempty"`
	Created         time.Time       `json:"created,omitzero"`
	Expires         time.Time       `json:"expires,omitzero"`
	Tags            []string        `json:"tags,omitempty"`
	Aliases         []string        `json:"aliases,omitempty"` // other names of the file; only its front matter has them
	Pinned          *bool           `json:"pinned,omitempty"`
	Forgotten       *bool           `json:"forgotten,omitempty"`
	ForgottenAt     time.Time       `json:"forgotten_at,omitzero"`
	Only            bool            `json:"only,omitempty"` // Forgotten holds for this memory, not for other copies of its text
	Private         *bool           `json:"private,omitempty"`
	SupersededBy    ID              `json:"superseded_by,omitempty"` // the memory that replaces this one: at least the first 12 digits of its id

	// Revoked is the day of a forgetting entry that restore revoked while its file
	// was gone. If the file returns, the entry has no effect. Only sidecars have it.
	Revoked string `json:"revoked,omitempty"`
}

// Over merges d with a weaker declaration. A field of d wins where it is set.
// Tags are united.
func (d Declared) Over(weaker Declared) Declared {
	if d.Tier == "" {
		d.Tier, d.Since, d.SinceDay = weaker.Tier, weaker.Since, weaker.SinceDay
	}
	if d.Forgotten == nil {
		d.Forgotten, d.ForgottenAt, d.Only = weaker.Forgotten, weaker.ForgottenAt, weaker.Only
	}
	d.Type = cmp.Or(d.Type, weaker.Type)
	d.Category = cmp.Or(d.Category, weaker.Category)
	d.Scope = cmp.Or(d.Scope, weaker.Scope)
	d.User = cmp.Or(d.User, weaker.User)
	d.Importance = cmp.Or(d.Importance, weaker.Importance)
	d.ImportanceLabel = cmp.Or(d.ImportanceLabel, weaker.ImportanceLabel)
	d.Trust = cmp.Or(d.Trust, weaker.Trust)
	d.Source = cmp.Or(d.Source, weaker.Source)
	d.SourceRef = cmp.Or(d.SourceRef, weaker.SourceRef)
	d.Created = cmp.Or(d.Created, weaker.Created)
	d.Expires = cmp.Or(d.Expires, weaker.Expires)
	d.Pinned = cmp.Or(d.Pinned, weaker.Pinned)
	d.Private = cmp.Or(d.Private, weaker.Private)
	d.SupersededBy = cmp.Or(d.SupersededBy, weaker.SupersededBy)
	d.Tags = union(d.Tags, weaker.Tags)
	return d
}

// Forgets reports whether the declaration forgets its memories.
func (d Declared) Forgets() bool { return isTrue(d.Forgotten) }

// IsPrivate reports whether the declaration makes its memories private.
func (d Declared) IsPrivate() bool { return isTrue(d.Private) }

// Observed is the state of a memory that the service observed. It is never written
// to Markdown.
type Observed struct {
	Tier               Tier      // after ageing or promotion; empty: never moved
	TierAt             time.Time // when Tier was observed
	TierReason         string    // the reason for Tier, for a person
	DeclaredTierSeenAt time.Time // when the present declared tier was first seen

	FirstSeen time.Time // when the memory was first indexed
	FileTime  time.Time // the file's modification time when it was first indexed
	NoteDate  time.Time // the date in a daily note's name; zero elsewhere
	Committed time.Time // author date of the git commit that introduced the text; zero: unknown

	Type     Type     // detected from the text
	Category Category // detected from the text

	Grade Grade // by rules about the text; weaker than all that is declared
}

// State is the effective state of a memory.
type State struct {
	Tier            Tier
	TierReason      string    // the reason for Tier, for a person: "memory/*.md starts HOT"
	TierHeldUntil   time.Time // a declared tier holds until then; zero: Tier is not a declared one
	Type            Type
	Category        Category
	Scope           Scope
	User            string
	Importance      float64
	ImportanceLabel ImportanceLabel
	Trust           TrustTier
	Source          Source
	SourceRef       string
	Created         time.Time
	CreatedFrom     DateSource
	Expires         time.Time // zero: never
	Tags            []string
	Pinned          bool
	Forgotten       bool
	Private         bool
	SupersededBy    ID // as declared; empty: nothing replaces it
}

// DefaultImportance is the importance of a memory without a declared one. The
// database schema has the same default.
const DefaultImportance = 0.7

// Resolve is the only function that decides which declaration about a memory wins.
// declared lists the declarations, strongest first: its entry, its annotations, a
// decision in the sidecar, its file's front matter. defaults come from its path.
// A tier that was observed after the declaration wins over all declared tiers.
// Only a declared ARCHIVE holds until the memory is pinned.
func Resolve(defaults Declared, declared []Declared, observed Observed) State {
	var merged Declared
	for _, d := range declared {
		merged = merged.Over(d)
	}
	d := merged.Over(defaults)
	s := State{
		Type:            cmp.Or(d.Type, observed.Type, TypeFactual),
		Category:        cmp.Or(d.Category, observed.Category, CategoryOther),
		Scope:           d.Scope,
		User:            d.User,
		Importance:      DefaultImportance,
		ImportanceLabel: cmp.Or(d.ImportanceLabel, observed.Grade.Label, ImportanceUnknown),
		Trust:           cmp.Or(d.Trust, defaultTrust(d.Source)),
		Source:          cmp.Or(d.Source, SourceFile),
		SourceRef:       d.SourceRef,
		Expires:         d.Expires,
		Tags:            d.Tags,
		Pinned:          isTrue(d.Pinned),
		Forgotten:       isTrue(d.Forgotten),
		Private:         isTrue(d.Private),
		SupersededBy:    d.SupersededBy,
	}
	if importance := cmp.Or(d.Importance, observed.Grade.Importance); importance != nil {
		s.Importance = *importance
	}
	s.Created, s.CreatedFrom = created(d, observed)
	s.setTier(defaults, merged, observed)
	return s
}

// setTier decides the tier. It reads s.Pinned and s.Expires.
func (s *State) setTier(defaults, declared Declared, observed Observed) {
	if isExpiryRevoked(s.Expires, observed) {
		observed.Tier = ""
	}
	heldUntil := holdsUntil(declared, observed)
	switch {
	case declared.Tier == TierArchive && !s.Pinned:
		s.Tier, s.TierReason, s.TierHeldUntil = TierArchive, "declared ARCHIVE holds until pinned", heldUntil
	case declared.Tier != "" && (observed.Tier == "" || !observed.TierAt.After(heldUntil)):
		s.Tier, s.TierReason, s.TierHeldUntil = declared.Tier, "declared "+string(declared.Tier), heldUntil
	case observed.Tier != "":
		s.Tier, s.TierReason = observed.Tier, cmp.Or(observed.TierReason, "moved to "+string(observed.Tier)+" by use and age")
	case defaults.Tier != "":
		s.Tier, s.TierReason = defaults.Tier, "the memories of its file start "+string(defaults.Tier)
	default:
		s.Tier, s.TierReason = TierWarm, "no tier is declared: WARM"
	}
}

// isExpiryRevoked reports whether a memory became ARCHIVE because it had expired,
// and has a later expiry date now, or none.
func isExpiryRevoked(expires time.Time, observed Observed) bool {
	return observed.Tier == TierArchive && (expires.IsZero() || expires.After(observed.TierAt))
}

// holdsUntil returns the time from which an observed tier wins over the declared
// one. A declaration with a date but no time wins on all of that day.
func holdsUntil(declared Declared, observed Observed) time.Time {
	since := cmp.Or(declared.Since, observed.DeclaredTierSeenAt)
	if declared.SinceDay {
		since = since.AddDate(0, 0, 1)
	}
	return since
}

// DateSource names where the date of a memory comes from.
type DateSource string

// The sources of a date, the strongest first.
const (
	DateDeclared  DateSource = "declared"   // created: in the file or the entry
	DateNote      DateSource = "note"       // the name of a daily note
	DateGit       DateSource = "git"        // author date of the commit that introduced the text
	DateFile      DateSource = "file"       // the file's time when the memory was first seen
	DateFirstSeen DateSource = "first_seen" // when the memory was first indexed
)

// created returns the date of a memory. A commit is later than the memory if the
// memory was seen before; then it does not count.
func created(d Declared, observed Observed) (time.Time, DateSource) {
	switch {
	case !d.Created.IsZero():
		return d.Created, DateDeclared
	case !observed.NoteDate.IsZero():
		return observed.NoteDate, DateNote
	case !observed.Committed.IsZero() && observed.Committed.Before(observed.FirstSeen):
		return observed.Committed, DateGit
	case !observed.FileTime.IsZero() && observed.FileTime.Before(observed.FirstSeen):
		return observed.FileTime, DateFile
	}
	return observed.FirstSeen, DateFirstSeen
}

// defaultTrust returns the trust of a memory without a declared one. What an agent
// stored by a tool may come from a page that it read.
func defaultTrust(s Source) TrustTier {
	if s == SourceTool {
		return TrustUntrusted
	}
	return TrustTrusted
}

func isTrue(b *bool) bool { return b != nil && *b }

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
