package ranking

import "github.com/memory-tiered/memory/recall/question"

// A note that has nothing of the question but a name has to be near to the rest of it. Its
// cosine is nearRest above the mean of the workspace. Up to farFromRest it does not answer. docs/decisions/0016-names.md has the figures.
const (
	nearRest    = 0.15
	farFromRest = 0.1
)

// CompareRest sets the signal "name alone" of a note. The question has a vector without its
// names. A note whose topic or identifier the question names is about it anyway.
func (f *Features) CompareRest(in question.Intent) {
	s := &f.Signals
	if s.Speaker == "" && s.Cosine != 0 && s.RestLift < nearRest && !f.NamesTopic && f.Identifiers == 0 && in.SharesNamesAlone(f.Memory) {
		f.NameAlone = min(1, (nearRest-s.RestLift)/(nearRest-farFromRest))
	}
}
