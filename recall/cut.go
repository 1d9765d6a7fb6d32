package recall

// A memory is injected only if its similarity is at least this share of the best
// one's. Fitted on notes, facts and talk (docs/decisions/0006-block.md): with 0.4,
// three in five injected notes are right instead of two. None of the answers is
// lost. In talk an answer is spread over turns, so the share is smaller: from 0.3
// on, answers are lost.
const (
	shareOfBest     = 0.4
	shareOfBestTalk = 0.25
)

// nearBest drops the memories that are much less similar to the question than the
// best one. A memory that the question names, by its topic or by an identifier, stays:
// it answers another part of the question.
func nearBest(found []*candidate, s Settings) (kept []*candidate, rejected []Rejection) {
	if s.Fusion != FusionRanking {
		return found, nil // the similarity is no probability
	}
	best := 0.0
	for _, c := range found {
		best = max(best, c.similarity)
	}
	for _, c := range found {
		share := shareOfBest
		if c.Signals.Speaker != "" {
			share = shareOfBestTalk
		}
		if c.similarity >= share*best || c.NamesTopic || c.Identifiers > 0 || c.Pinned {
			kept = append(kept, c)
			continue
		}
		below := c.reject(RejectedBehindBest)
		below.Floor = share * best
		rejected = append(rejected, below)
	}
	return kept, rejected
}
