package ranking

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
func (highest Maxima) trustInWords(sentenceModel bool) float64 {
	switch {
	case highest.cosine <= 0 || highest.identifiers > 0:
		return 1
	case sentenceModel:
		return min(1, highest.coverage/trustedCoverageSentence)
	}
	return min(1, highest.coverage/trustedCoverage)
}

// If hardly a word of a question is found, and its best cosine clearly stands out,
// that memory answers by its meaning alone. Then 2 × best - mean is above the
// threshold. A memory whose own cosine stands out nearly as much has at least
// meaningSimilarity: half of them are right. Fitted on notes that were asked in other
// words, and on questions that these notes cannot answer; the threshold of a sentence
// transformer with all-MiniLM-L6-v2. In talk everything is near to everything else, so
// there it is not used. docs/decisions/0006-block.md has the figures.
const (
	leastMeaning         = 0.50
	leastMeaningSentence = 0.62
	fewWords             = 0.4 // the largest coverage at which words have found hardly anything
	leastStandingOut     = 0.8
	meaningSimilarity    = 0.3
)

// AnsweredByMeaning reports whether the best cosine alone shows an answer.
func (highest Maxima) AnsweredByMeaning(sentenceModel bool) bool {
	least := leastMeaning
	if sentenceModel {
		least = leastMeaningSentence
	}
	return highest.coverage <= fewWords && 2*highest.cosine-highest.meanCosine > least
}

// SimilarityByMeaning returns the least similarity of a memory if the best cosine alone
// shows an answer. It is 0 for a memory that is not that answer.
func (highest Maxima) SimilarityByMeaning(f *Features) float64 {
	if f.Signals.Speaker == "" && f.TextScore == 0 && highest.standingOut(f.Signals.Cosine) >= leastStandingOut {
		return meaningSimilarity
	}
	return 0
}

// standingOut returns how far a cosine is above the mean of the workspace, as a share
// of the highest. It is 0 if nothing stands out.
func (highest Maxima) standingOut(cosine float64) float64 {
	if highest.cosine <= highest.meanCosine {
		return 0
	}
	return max(0, cosine-highest.meanCosine) / (highest.cosine - highest.meanCosine)
}
