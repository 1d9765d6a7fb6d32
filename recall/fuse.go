package recall

import (
	"math"
	"slices"

	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/notation"
	"github.com/memory-tiered/memory/recall/ranking"
)

// fuse computes the similarity and the fused score of each candidate. A lane that
// does not serve takes no part, and the other one counts in full.
func fuse(found []*candidate, l lanes, q laneQuery, s Settings) {
	if s.Fusion == FusionRanking && q.useText {
		fuseSignals(found, l, q, s)
		return
	}
	wText, wVector := laneWeights(l, s)
	for _, c := range found {
		c.similarity = clampUnit(wText*c.TextScore + wVector*c.vectorScore)
		c.fused = c.similarity
		if c.Feedback != 0 {
			c.fused = ranking.WithFeedback(c.similarity, c.Feedback)
		}
	}
}

// fuseSignals orders by the weighted sum of the signals. If the keyword lane alone
// is asked, it orders by the words in context.
func fuseSignals(found []*candidate, l lanes, q laneQuery, s Settings) {
	every, highest := maximaOf(found, q)
	maximaFor := func(c *candidate) ranking.Maxima {
		if q.subject.isComparedWith(c) {
			return highest
		}
		return every
	}
	best := math.Inf(-1)
	for _, c := range found {
		c.sentenceModel = q.sentenceModel
		c.values = c.Features.Measure(q.intent, maximaFor(c), q.sentenceModel, s.zone())
		c.general = c.values.GeneralSum(q.sentenceModel)
		best = max(best, c.general)
	}
	alignNotes(found, q, s)
	for _, c := range found {
		c.values.SetBehind(best - c.general)
		if c.About > 0 && s.Align != nil {
			c.values.LimitCovered(max(c.TextScore, c.alignment)) // the notes near it are about the subject too
		}
		c.similarity = c.values.Similarity(l.vector.ok(), q.sentenceModel)
	}
	if q.sentenceModel {
		for _, c := range found {
			c.WeighNote(&c.values, q.intent, maximaFor(c))
		}
	}
	if l.vector.ok() && !q.intent.Unknown && !(q.sentenceModel && q.subject.isAsked()) {
		admitByMeaning(found, highest, q, s)
	}
	q.subject.admit(found, &q, l.vector.ok())
	liftSuccessors(found, q.sentenceModel)
	for _, c := range found {
		if c.fused = c.Signals.Context; q.useVectors {
			c.fused = c.values.Sum(q.sentenceModel)
		}
	}
	admitWritten(found, q.intent.WholeTimes)
}

// maximaOf returns the highest values among all candidates, and among those that are
// compared with each other: all, or the notes about the subject.
func maximaOf(found []*candidate, q laneQuery) (every, compared ranking.Maxima) {
	for _, c := range found {
		every.Include(q.intent, &c.Features)
		if q.Rest != nil {
			c.CompareRest(q.intent)
		}
		if q.subject == nil || q.subject.whole {
			continue
		}
		if c.About = -1; q.subject.has(c) {
			c.About = 1
			compared.Include(q.intent, &c.Features)
		}
	}
	if q.subject == nil || q.subject.whole {
		compared = every
	}
	return every, compared
}

// admitByMeaning raises the similarity of the notes that answer by their meaning alone,
// if the best note shows that there are any. To a model that knows English alone, all
// notes in another language look alike, and so do questions without a word that it knows.
func admitByMeaning(found []*candidate, highest ranking.Maxima, q laneQuery, s Settings) {
	notes := notesOf(found, q.sentenceModel)
	isAligned := func(c *candidate) bool { return c.alignment > 0 }
	if len(notes) == 0 || q.englishModel && s.Align != nil && !slices.ContainsFunc(notes, isAligned) {
		return
	}
	for _, c := range found {
		if q.subject.isComparedWith(c) {
			highest.Confirm(&c.Features, q.sentenceModel)
		}
	}
	best := slices.MinFunc(notes, byFused)
	if q.englishModel && best.isForeign() || !highest.AnsweredByMeaning(&best.Features, best.alignment, q.sentenceModel) {
		return
	}
	for _, c := range notes {
		if highest.SharesMeaning(&c.Features, &best.Features, best.fused-c.fused, q.sentenceModel) && !(q.englishModel && c.isForeign()) {
			c.similarity = max(c.similarity, ranking.MeaningSimilarity)
		}
	}
}

// isForeign reports whether a memory is in another language than English.
func (c *candidate) isForeign() bool {
	return c.Lang != "" && c.Lang != "en" || lang.IsForeign(c.Text)
}

// liftSuccessors gives a memory that replaced an outdated one the similarity of
// that one, and its place. People ask for a thing by the name that they know.
func liftSuccessors(found []*candidate, sentenceModel bool) {
	for _, old := range found {
		if !old.values.IsOutdated() || old.similarity < DefaultFloor {
			continue
		}
		sum := old.values.GeneralSum(sentenceModel)
		for _, c := range found {
			if c.Validity != notation.Holds || c.similarity >= old.similarity || c.Scope != old.Scope || !notation.Succeeds(c.Memory, old.Memory) {
				continue
			}
			c.similarity = old.similarity
			c.values.Lift(sum - c.values.GeneralSum(sentenceModel))
		}
	}
}

// laneWeights divides 1 among the lanes that serve.
func laneWeights(l lanes, s Settings) (text, vector float64) {
	if l.text.ok() {
		text = s.TextWeight
	}
	if l.vector.ok() {
		vector = s.VectorWeight
	}
	switch {
	case text+vector > 0:
		return text / (text + vector), vector / (text + vector)
	case l.text.ok(): // it serves alone, although its weight in the settings is 0
		return 1, 0
	}
	return 0, 1
}

// clampUnit clamps x to the range 0 to 1. NaN becomes 0.
func clampUnit(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}
