package recall

import (
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
)

// Presets of the order of hits.
const (
	PresetBalanced = "balanced" // the fusion orders; the composite decides among near equals
	PresetPRD      = "prd"      // the composite orders alone
)

// Methods to combine the two lanes into one order.
const (
	FusionRanking  = "ranking"  // weighted sum of signals
	FusionWeighted = "weighted" // weighted sum of the lanes' calibrated scores
)

// Settings holds what the configuration can change. Start from [Defaults].
type Settings struct {
	Preset     string  // PresetBalanced or PresetPRD
	Similarity float64 // weights of the composite score
	Recency    float64
	Frequency  float64
	HalfLives  decay.HalfLives

	Fusion       string // FusionRanking or FusionWeighted
	VectorWeight float64
	TextWeight   float64

	MaxItems  int     // memories in a block
	MaxTokens int     // of the whole block, at 4 bytes a token
	Floor     float64 // least similarity of an injected memory; -1: DefaultFloor
	Budgets   Budgets
	Profile   bool // a session begins with what is known of the owner too
	Reader    bool // a model that can read judges the first memories of a prompt
	SceneLine bool // a line about the scene that three memories of a block share

	// Expand returns the synonyms of a word, with weights, in a list that changes. nil: none are used.
	Expand func(word string) []memory.Expansion

	// Align returns a function that compares the words of a question with those of a
	// text, all in lower case and without stop words. Its result is from 0 to 1, and
	// higher if the text has words of nearly the same meaning. After release it is not valid.
	// nil: words are not compared.
	Align func(question []string) (align func(text []string) float64, release func())

	// Zone is the time zone of the dates in questions; nil: UTC.
	Zone *time.Location
}

// Budgets divides the places of a block, in percent.
type Budgets struct{ Pinned, Hot, Warm, Cold float64 }

// DefaultFloor is the similarity below which a memory does not answer the question.
// With it, 95 of 100 questions whose answer is found keep the answer, on three
// conversations of LoCoMo and on examples-workspace. Of the questions without an
// answer, four in ten get an empty block if the workspace is about the same topics.
// Nine in ten if it is not. A higher floor empties more blocks, but loses right
// answers.
const DefaultFloor = 0.20

// Defaults returns the default settings: the product's formula, half-lives and
// budgets.
func Defaults() Settings {
	return Settings{
		Preset: PresetBalanced, Similarity: 0.5, Recency: 0.3, Frequency: 0.2,
		HalfLives: decay.Defaults(),
		Fusion:    FusionRanking, VectorWeight: 0.7, TextWeight: 0.3,
		MaxItems: 20, MaxTokens: 1000, Floor: -1,
		Budgets: Budgets{Pinned: 25, Hot: 45, Warm: 25, Cold: 5},
	}
}

// Validate returns the first error in settings that do not fit together, with the key of the
// configuration. The configuration itself checks the range of each.
func (s Settings) Validate() error {
	if s.Preset != PresetBalanced && s.Preset != PresetPRD {
		return memory.Invalid("scoring.preset", "unknown preset %q", s.Preset)
	}
	if s.Floor < 0 && s.Floor != -1 {
		return memory.Invalid("injection.floor", "injection.floor: %v is neither -1 (the measured default) nor from 0 to 1", s.Floor)
	}
	if s.VectorWeight+s.TextWeight == 0 {
		return memory.Invalid("search.vectorWeight", "search.vectorWeight and search.textWeight cannot both be 0")
	}
	if sum := s.Budgets.Pinned + s.Budgets.Hot + s.Budgets.Warm + s.Budgets.Cold; sum > 100+1e-9 {
		return memory.Invalid("injection.budgets", "the budgets add up to %v %%, more than 100", sum)
	}
	return nil
}

// otherProject is how much higher the floor is for a memory of another project.
const otherProject = 1.5

// FloorFor returns the similarity that m needs. Half of the floor is enough for a
// pinned memory, because a person asked for it. A memory of another project needs more.
func (s Settings) FloorFor(m *memory.Memory) float64 {
	floor := s.floor()
	if m.Pinned {
		floor /= 2
	}
	if m.Project != "" {
		floor *= otherProject
	}
	return floor
}

func (s Settings) floor() float64 {
	if s.Floor < 0 {
		return DefaultFloor
	}
	return s.Floor
}

func (s Settings) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}
