package memory

import (
	"strings"
)

// Tier says how near the front of the agent's mind a memory is. Upper case in
// JSON and SQL, any case on input. The zero value means "not said".
type Tier string

const (
	TierHot     Tier = "HOT"     // new or in use
	TierWarm    Tier = "WARM"    // kept at hand
	TierCold    Tier = "COLD"    // unused for a while; still found
	TierArchive Tier = "ARCHIVE" // kept, never injected
)

// Tiers lists every tier from the hottest down; promote and demote step along it.
var Tiers = []Tier{TierHot, TierWarm, TierCold, TierArchive}

// ParseTier reads a tier in any case.
func ParseTier(s string) (Tier, error) {
	return parseWord("tier", s, Tier(strings.ToUpper(strings.TrimSpace(s))), Tiers)
}

// UnmarshalText lets JSON, YAML and flags read a tier in any case.
func (t *Tier) UnmarshalText(b []byte) (err error) { return unmarshalWord(t, b, ParseTier) }

// Type (memory_type) decides how fast a memory fades, and nothing else.
type Type string

const (
	TypeProcedural Type = "procedural" // how something is done; half-life 180 days
	TypeFactual    Type = "factual"    // what is so; 90 days
	TypeProject    Type = "project"    // what a project is about now; 45 days
	TypeEpisodic   Type = "episodic"   // what happened; 10 days
)

// Types lists every memory type from the longest half-life down.
var Types = []Type{TypeProcedural, TypeFactual, TypeProject, TypeEpisodic}

// ParseType reads a memory type in any case.
func ParseType(s string) (Type, error) {
	return parseWord("memory_type", s, Type(strings.ToLower(strings.TrimSpace(s))), Types)
}

// UnmarshalText reads a memory type in any case.
func (t *Type) UnmarshalText(b []byte) error { return unmarshalWord(t, b, ParseType) }

// Category says what a memory is about; it never decides how it is scored.
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

// ParseCategory reads a category in any case.
func ParseCategory(s string) (Category, error) {
	return parseWord("category", s, Category(strings.ToLower(strings.TrimSpace(s))), Categories)
}

// UnmarshalText reads a category in any case.
func (c *Category) UnmarshalText(b []byte) error { return unmarshalWord(c, b, ParseCategory) }

// Scope is a free name that keeps memories of one project or person apart.
// An empty scope and ScopeGlobal match a query in any scope.
type Scope string

// ScopeGlobal matches every scope.
const ScopeGlobal Scope = "global"

// Matches says whether a memory of scope s may answer a query in scope asked.
func (s Scope) Matches(asked Scope) bool {
	return asked == "" || s == "" || s == ScopeGlobal || s == asked
}

// TrustTier says how far a memory's origin is trusted.
type TrustTier string

const (
	TrustTrusted     TrustTier = "trusted"     // the user's own words or files
	TrustUntrusted   TrustTier = "untrusted"   // came from elsewhere; used when nothing trusted answers
	TrustQuarantined TrustTier = "quarantined" // never injected
)

// TrustTiers lists every trust tier from the most trusted down.
var TrustTiers = []TrustTier{TrustTrusted, TrustUntrusted, TrustQuarantined}

// ParseTrustTier reads a trust tier in any case.
func ParseTrustTier(s string) (TrustTier, error) {
	return parseWord("trust", s, TrustTier(strings.ToLower(strings.TrimSpace(s))), TrustTiers)
}

// UnmarshalText reads a trust tier in any case.
func (t *TrustTier) UnmarshalText(b []byte) error { return unmarshalWord(t, b, ParseTrustTier) }

// ImportanceLabel is a coarse importance that policy, not scoring, obeys.
type ImportanceLabel string

const (
	ImportanceMustRemember ImportanceLabel = "must_remember"
	ImportanceNiceToHave   ImportanceLabel = "nice_to_have"
	ImportanceUnknown      ImportanceLabel = "unknown"
	ImportanceIgnore       ImportanceLabel = "ignore"
)

// ImportanceLabels lists every label from the most important down.
var ImportanceLabels = []ImportanceLabel{ImportanceMustRemember, ImportanceNiceToHave,
	ImportanceUnknown, ImportanceIgnore}

// Preferred says whether somebody wants it remembered before others, where there
// is not room for all.
func (l ImportanceLabel) Preferred() bool {
	return l == ImportanceMustRemember || l == ImportanceNiceToHave
}

// ParseImportanceLabel reads a label in any case, with '-' or ' ' for '_'.
func ParseImportanceLabel(s string) (ImportanceLabel, error) {
	word := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(s)))
	return parseWord("importance_label", s, ImportanceLabel(word), ImportanceLabels)
}

// UnmarshalText reads a label in any case.
func (l *ImportanceLabel) UnmarshalText(b []byte) error {
	return unmarshalWord(l, b, ParseImportanceLabel)
}

// Source says by which way a memory came.
type Source string

const (
	SourceFile        Source = "file"         // written in Markdown by hand, or by memory store
	SourceTool        Source = "tool"         // stored by an agent's tool call
	SourceAutoCapture Source = "auto-capture" // kept from a conversation
	SourceImport      Source = "import"
	SourceLegacy      Source = "legacy" // migrated from an older memory system
)

// Sources lists every source.
var Sources = []Source{SourceFile, SourceTool, SourceAutoCapture, SourceImport, SourceLegacy}

// ParseSource reads a source in any case.
func ParseSource(s string) (Source, error) {
	return parseWord("source", s, Source(strings.ToLower(strings.TrimSpace(s))), Sources)
}

// UnmarshalText reads a source in any case.
func (s *Source) UnmarshalText(b []byte) error { return unmarshalWord(s, b, ParseSource) }

// Lane names a way of finding candidates.
type Lane string

const (
	LaneHybrid Lane = "hybrid" // both, fused
	LaneText   Lane = "text"   // keywords
	LaneVector Lane = "vector" // embeddings
)

// Lanes lists every choice of lane; the first is the default.
var Lanes = []Lane{LaneHybrid, LaneText, LaneVector}

// ParseLane reads a lane in any case.
func ParseLane(s string) (Lane, error) {
	return parseWord("lane", s, Lane(strings.ToLower(strings.TrimSpace(s))), Lanes)
}

// UnmarshalText reads a lane in any case.
func (l *Lane) UnmarshalText(b []byte) error { return unmarshalWord(l, b, ParseLane) }

func parseWord[W ~string](field, given string, word W, known []W) (W, error) {
	var names []string
	for _, k := range known {
		if k == word {
			return k, nil
		}
		names = append(names, strings.ToLower(string(k)))
	}
	return "", Invalid(field, "unknown %s %q", field, given).
		WithHint("one of: %s", strings.Join(names, ", "))
}

// unmarshalWord leaves an empty text as "not said".
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
