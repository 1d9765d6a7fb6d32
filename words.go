package memory

import (
	"slices"
	"strings"
)

// Tier ranks how active a memory is. Tiers are upper case in JSON and SQL, and any
// case on input. The zero value means "not declared".
type Tier string

const (
	TierHot     Tier = "HOT"     // new or in use
	TierWarm    Tier = "WARM"    // in regular use
	TierCold    Tier = "COLD"    // unused for a while; searches still find it
	TierArchive Tier = "ARCHIVE" // kept, never injected
)

// Tiers lists every tier, hottest first. promote and demote move along this list.
var Tiers = []Tier{TierHot, TierWarm, TierCold, TierArchive}

// ParseTier parses a tier in any case.
func ParseTier(s string) (Tier, error) { return parseWord("tier", s, Tiers) }

// UnmarshalText parses a tier of JSON, YAML or a flag in any case.
func (t *Tier) UnmarshalText(b []byte) (err error) { return unmarshalWord(t, b, ParseTier) }

// Type (memory_type) determines the half-life of a memory and nothing else.
type Type string

const (
	TypeProcedural Type = "procedural" // how to do something; half-life 180 days
	TypeFactual    Type = "factual"    // a fact; 90 days
	TypeProject    Type = "project"    // the state of a project; 45 days
	TypeEpisodic   Type = "episodic"   // an event; 10 days
)

// Types lists every memory type, longest half-life first.
var Types = []Type{TypeProcedural, TypeFactual, TypeProject, TypeEpisodic}

// ParseType parses a memory type in any case.
func ParseType(s string) (Type, error) { return parseWord("memory_type", s, Types) }

// UnmarshalText parses a memory type in any case.
func (t *Type) UnmarshalText(b []byte) error { return unmarshalWord(t, b, ParseType) }

// Category is the subject of a memory. It does not influence the score.
type Category string

const (
	CategoryFact       Category = "fact"
	CategoryDecision   Category = "decision"
	CategoryPreference Category = "preference"
	CategoryTask       Category = "task"
	CategoryRisk       Category = "risk"
	CategoryPlan       Category = "plan"
	CategoryLesson     Category = "lesson"
	CategoryEntity     Category = "entity"
	CategoryOther      Category = "other"
)

// Categories lists every category.
var Categories = []Category{CategoryFact, CategoryDecision, CategoryPreference, CategoryTask,
	CategoryRisk, CategoryPlan, CategoryLesson, CategoryEntity, CategoryOther}

// ParseCategory parses a category in any case.
func ParseCategory(s string) (Category, error) { return parseWord("category", s, Categories) }

// UnmarshalText parses a category in any case.
func (c *Category) UnmarshalText(b []byte) error { return unmarshalWord(c, b, ParseCategory) }

// Scope is a free name that separates the memories of projects or people. A
// memory with an empty scope or ScopeGlobal matches queries in every scope.
type Scope string

// ScopeGlobal is the scope of memories that match queries in every scope.
const ScopeGlobal Scope = "global"

// Matches reports whether a memory of scope s matches a query in scope requested.
func (s Scope) Matches(requested Scope) bool {
	return requested == "" || s == "" || s == ScopeGlobal || s == requested
}

// TrustTier is the trust in a memory's origin.
type TrustTier string

const (
	TrustTrusted     TrustTier = "trusted"     // the user's own words or files
	TrustUntrusted   TrustTier = "untrusted"   // from another origin; used where no trusted memory answers
	TrustQuarantined TrustTier = "quarantined" // never injected
)

// TrustTiers lists every trust tier, most trusted first.
var TrustTiers = []TrustTier{TrustTrusted, TrustUntrusted, TrustQuarantined}

// LowerTrust returns the lower one of two trust tiers. An empty one is the highest.
func LowerTrust(a, b TrustTier) TrustTier {
	if slices.Index(TrustTiers, b) > slices.Index(TrustTiers, a) {
		return b
	}
	return a
}

// ParseTrustTier parses a trust tier in any case.
func ParseTrustTier(s string) (TrustTier, error) { return parseWord("trust", s, TrustTiers) }

// UnmarshalText parses a trust tier in any case.
func (t *TrustTier) UnmarshalText(b []byte) error { return unmarshalWord(t, b, ParseTrustTier) }

// ImportanceLabel is a coarse importance. Policies use it, scores do not.
type ImportanceLabel string

const (
	ImportanceMustRemember ImportanceLabel = "must_remember"
	ImportanceNiceToHave   ImportanceLabel = "nice_to_have"
	ImportanceUnknown      ImportanceLabel = "unknown"
	ImportanceIgnore       ImportanceLabel = "ignore"
)

// ImportanceLabels lists every label, most important first.
var ImportanceLabels = []ImportanceLabel{ImportanceMustRemember, ImportanceNiceToHave,
	ImportanceUnknown, ImportanceIgnore}

// Preferred reports whether memories with this label take free places before
// others.
func (l ImportanceLabel) Preferred() bool {
	return l == ImportanceMustRemember || l == ImportanceNiceToHave
}

// ParseImportanceLabel parses a label in any case, with '-' or ' ' for '_'.
func ParseImportanceLabel(s string) (ImportanceLabel, error) {
	return parseWord("importance_label", strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(s)), ImportanceLabels)
}

// UnmarshalText parses a label in any case.
func (l *ImportanceLabel) UnmarshalText(b []byte) error {
	return unmarshalWord(l, b, ParseImportanceLabel)
}

// Source is the way by which a memory was created.
type Source string

const (
	SourceFile        Source = "file"         // written in Markdown by hand, or by memory store
	SourceTool        Source = "tool"         // stored by an agent's tool call
	SourceAutoCapture Source = "auto-capture" // captured from a conversation
	SourceImport      Source = "import"
	SourceLegacy      Source = "legacy" // migrated from another memory system
)

// Sources lists every source.
var Sources = []Source{SourceFile, SourceTool, SourceAutoCapture, SourceImport, SourceLegacy}

// ParseSource parses a source in any case.
func ParseSource(s string) (Source, error) { return parseWord("source", s, Sources) }

// UnmarshalText parses a source in any case.
func (s *Source) UnmarshalText(b []byte) error { return unmarshalWord(s, b, ParseSource) }

// Lane is a way to find candidates.
type Lane string

const (
	LaneHybrid Lane = "hybrid" // keywords and embeddings, fused
	LaneText   Lane = "text"   // keywords
	LaneVector Lane = "vector" // embeddings
)

// Lanes lists every lane. The first one is the default.
var Lanes = []Lane{LaneHybrid, LaneText, LaneVector}

// ParseLane parses a lane in any case.
func ParseLane(s string) (Lane, error) { return parseWord("lane", s, Lanes) }

// UnmarshalText parses a lane in any case.
func (l *Lane) UnmarshalText(b []byte) error { return unmarshalWord(l, b, ParseLane) }

// Audience is who reads an answer. Answers for a model contain only memories that
// may be injected.
type Audience string

const (
	AudiencePerson Audience = "person"
	AudienceModel  Audience = "model"
)

// Audiences lists every audience.
var Audiences = []Audience{AudiencePerson, AudienceModel}

// ParseAudience parses an audience in any case.
func ParseAudience(s string) (Audience, error) { return parseWord("for", s, Audiences) }

// UnmarshalText parses an audience in any case. An empty text is an error: a request
// without an audience leaves the field out.
func (a *Audience) UnmarshalText(b []byte) (err error) {
	*a, err = ParseAudience(string(b))
	return err
}

// parseWord returns the known word that an input is, in any case and with space around it.
func parseWord[W ~string](field, input string, known []W) (W, error) {
	var names []string
	for _, k := range known {
		if strings.EqualFold(string(k), strings.TrimSpace(input)) {
			return k, nil
		}
		names = append(names, strings.ToLower(string(k)))
	}
	return "", Invalid(field, "unknown %s %q", field, input).
		WithHint("one of: %s", strings.Join(names, ", "))
}

// unmarshalWord keeps an empty text as the zero value, "not declared".
func unmarshalWord[W ~string](to *W, b []byte, parse func(string) (W, error)) error {
	if len(b) == 0 {
		*to = ""
		return nil
	}
	word, err := parse(string(b))
	if err == nil {
		*to = word
	}
	return err
}
