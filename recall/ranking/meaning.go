package ranking

import (
	"math"

	"github.com/memory-tiered/memory/recall/question"
)

// The share of the question's words that one place must have until words count in
// full. Below it the words are partly chance, and the cosine counts instead: that is
// the signal "meaning". Fitted with its weight on LoCoMo and on notes that were asked
// in other words, for either model: docs/decisions/0005-other-words.md.
const (
	trustedCoverage         = 0.5
	trustedCoverageSentence = 0.7
)

// trustInWords returns how far the words of a question count, from 0 to 1. Without
// cosines they count in full, because nothing can replace them. So they do if an
// identifier is found, which never happens by chance.
func (highest Maxima) trustInWords(in question.Intent, sentenceModel bool) float64 {
	switch {
	case highest.cosine <= 0 || highest.identifiers > 0 || in.Unknown:
		return 1
	case sentenceModel:
		return min(1, highest.coverage/trustedCoverageSentence)
	}
	return min(1, highest.coverage/trustedCoverage)
}

// A sentence transformer orders notes by more careful trust in words, because one word of
// ten matches by chance in many notes. In talk, a conversation repeats its words, so chance
// is seldom. docs/decisions/0013-topics.md has the figures.
const (
	// sentenceTrustPower is the power of the trust by which words count.
	sentenceTrustPower = 3
	// confirmingShare is how far the cosine of the note with the best words has to stand
	// out to confirm them. Below it the trust falls. From 0.4 to 0.6, the same questions
	// have their answer first, but for one; with 0.8, ordinary ones lose it.
	confirmingShare = 0.5
	// trustedAlignment is the trust up to which related words count less. If no word of a
	// question is found, the related ones are chance too.
	trustedAlignment = 0.5
)

// trustInNotes is trustInWords for notes and a sentence transformer. The words are chance
// if the note that has the best of them has a low cosine, unless a name is among them. A
// note without a vector has no cosine, so its words count as they are.
func (highest Maxima) trustInNotes(in question.Intent) float64 {
	trust := highest.trustInWords(in, true)
	if highest.identifiers > 0 || in.Unknown || highest.bestWords == 0 || highest.bestWordsName || highest.bestWordsCosine == 0 {
		return trust
	}
	return trust * min(1, highest.standingOut(highest.bestWordsCosine)/confirmingShare)
}

// WeighNote sets the signals "context", "meaning" and "aligned" of a note to those by which
// a sentence transformer orders notes. The similarity was fitted with those of Measure.
func (f *Features) WeighNote(v *Values, in question.Intent, highest Maxima) {
	if f.Signals.Speaker != "" {
		return
	}
	trust := highest.trustInNotes(in)
	v[contextIndex], v[meaningIndex] = f.weighWords(highest, math.Pow(trust, sentenceTrustPower))
	v[alignedIndex] *= min(1, trust/trustedAlignment)
}

// meaningRule decides whether a note answers by its meaning alone. Hardly a word of the
// question may be found: the highest coverage is at most fewWords. And the best note
// has to stand out. Its level is 2 × its cosine - the mean cosine + alignment × its
// alignment - words × the largest share of words of any note - ownWords × its own share.
// Words are subtracted because they explain a cosine. Words of a note with a low cosine
// explain none: see Confirm. If the question has a strange name, strange is subtracted.
// The level is above least.
//
// Then the notes that rank at most maxBehind points behind it may answer too. They share
// at most maxWords of the words, and no name: everything about Ann is near to a question
// about Ann. In talk everything is near to everything else, so there the rule is not used.
type meaningRule struct {
	least, alignment, words, ownWords, fewWords, maxBehind, maxWords float64
	confirming, strange                                              float64
}

// The rules for the binary's own table and for a sentence transformer. Fitted on notes
// that were asked in other words, and on questions that these notes cannot answer; the
// second with all-MiniLM-L6-v2. docs/decisions/0009-aligned-words.md and 0013-topics.md have
// the figures.
var (
	staticRule   = meaningRule{least: 0.54, alignment: 0.4, fewWords: 0.4, maxBehind: 1}
	sentenceRule = meaningRule{least: 0.47, words: 0.5, ownWords: 1.5, fewWords: 0.5, maxBehind: 3, maxWords: 0.17, confirming: 0.25, strange: 0.1}
)

// ruleFor returns the rule of a model.
func ruleFor(sentenceModel bool) meaningRule {
	if sentenceModel {
		return sentenceRule
	}
	return staticRule
}

// A note shares the best one's meaning if its cosine stands out at least
// leastStandingOut times as much.
const leastStandingOut = 0.8

// MeaningSimilarity is the least similarity of a note that answers by its meaning: more
// than half of them are right.
const MeaningSimilarity = 0.3

// Confirm counts the words of a memory by which the second way may be closed. They count
// less if its cosine stands out less than the rule's share confirming. A memory without a
// vector has no cosine, so its words count as they are. All candidates must be included.
func (highest *Maxima) Confirm(f *Features, sentenceModel bool) {
	share := 1.0
	if least := ruleFor(sentenceModel).confirming; least > 0 && f.Signals.Cosine != 0 {
		share = min(1, highest.standingOut(f.Signals.Cosine)/least)
	}
	highest.confirmedWords = max(highest.confirmedWords, share*f.TextScore)
	highest.confirmedCoverage = max(highest.confirmedCoverage, share*f.Signals.Coverage)
}

// AnsweredByMeaning reports whether the best note shows by its meaning alone that there
// is an answer. alignment tells how well its words match those of the question. Before, all
// memories that are compared with it were confirmed.
func (highest Maxima) AnsweredByMeaning(best *Features, alignment float64, sentenceModel bool) bool {
	r := ruleFor(sentenceModel)
	level := 2*best.Signals.Cosine - highest.meanCosine + r.alignment*alignment - r.words*highest.confirmedWords - r.ownWords*best.TextScore
	if best.LacksName {
		level -= r.strange
	}
	return highest.confirmedCoverage <= r.fewWords && level > r.least && !best.LacksAnswer
}

// SharesMeaning reports whether a note answers by its meaning if the best one does. It
// is behind that one by some points of the sum.
func (highest Maxima) SharesMeaning(f, best *Features, behind float64, sentenceModel bool) bool {
	r := ruleFor(sentenceModel)
	return (f.TextScore == 0 || f.TextScore <= r.maxWords && !f.SharesName) && !f.LacksAnswer && behind <= r.maxBehind &&
		highest.standingOut(f.Signals.Cosine) >= leastStandingOut*highest.standingOut(best.Signals.Cosine)
}

// standingOut returns how far a cosine is above the mean of the workspace, as a share
// of the highest. It is 0 if nothing stands out.
func (highest Maxima) standingOut(cosine float64) float64 {
	if highest.cosine <= highest.meanCosine {
		return 0
	}
	return min(1, max(0, cosine-highest.meanCosine)/(highest.cosine-highest.meanCosine))
}
