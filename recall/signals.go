package recall

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// signal is one thing that says whether a memory answers a question. It counts
// twice: by rank in the sum that orders, which compares the candidates of one
// question, and by odds in the similarity, which has to tell of each by itself
// whether it answers at all. unseen is odds where there are no vectors.
type signal struct {
	name                              string
	weight, logOdds, logOddsNoVectors float64
}

// signalTable are weighed as they were fitted. rank: three conversations of LoCoMo,
// rounded, but for exact. odds and unseen: `memory eval --fit` on those, on the
// same with six turns joined, and on examples-workspace, each asked its own
// questions and twice as many of the others'; but for exact and behind. What the
// figures are elsewhere stands in docs/decisions/0001-ranking.md, and of the odds
// in docs/decisions/0003-noise.md.
var signalTable = [...]signal{
	{"context", 5.4, 0, 0},       // words in context, as a share of the best there is
	{"cosine", 4.6, 1.3, 0},      // with the question
	{"near", 5.1, 2.1, 0},        // the best cosine among the neighbours
	{"named", 1.4, 0, 0},         // a speaker whom the question names says it
	{"other", -1.4, -2, -1.4},    // another speaker does
	{"asks", -0.7, 0, 0},         // it ends with a question
	{"after", 0.6, 0, 0},         // what stands before it does
	{"when", 2.4, 0, 0},          // a time is wanted, and it has a word of time
	{"many", 0.8, 0, 0},          // a number is wanted, and it has one
	{"month", 2.6, 0.4, 0.3},     // it is dated in a month, or a span, that the question names
	{"day", 2.3, 1.5, 1.4},       // and on a day
	{"event", 2, 0, 0},           // it is dated as the question says by an event, see event.go; weighed on the questions named there: at 1 half the gain is lost, at 4 those lose whose event never happened
	{"exact", 15, 3, 3},          // share of the question's identifiers that stand in it; nothing else is meant by them, so it outweighs the rest
	{"covered", 0, 2.3, 2.8},     // share of the question's words that stand here or near
	{"words", 0, 3, 3.1},         // share of them that stand here, by the keyword lane's own measure
	{"most words", 0, 1.3, 1.9},  // the most of it that any candidate has: a question that nothing answers shows in these three
	{"words found", 0, 1.3, 1.5}, // how many of the question's words the best has here or near, n as ln(1 + n): three of six say more than one of two
	{"stands out", 0, 4.2, 0},    // the best cosine of any, less the mean of everything's
	{"behind", 0, -1, -1},        // how far it ranks behind the best, beyond what a right answer does; set, not fitted
}

// sentenceOverrides are the weights of the sum where a sentence transformer embeds,
// which knows word order: as they were fitted for all-MiniLM-L6-v2, on the same
// conversations. The others are the same.
var sentenceOverrides = map[string]float64{"context": 5.0, "cosine": 5.7, "near": 4.8}

// What the signals count in the sum, in their order: as the table of the binary
// embeds, and a sentence transformer.
var staticWeights, sentenceWeights = sumWeights(nil), sumWeights(sentenceOverrides)

func sumWeights(others map[string]float64) (all signalValues) {
	for i, s := range signalTable {
		all[i] = s.weight
		if w, other := others[s.name]; other {
			all[i] = w
		}
	}
	return all
}

func weightsFor(sentence bool) *signalValues {
	if sentence {
		return &sentenceWeights
	}
	return &staticWeights
}

// bias is the log-odds of a memory of which no signal says anything: as the table
// of the binary embeds, a sentence transformer, and where there are no vectors. As
// fitted (-8.7 and, unseen, -7.7), plus what makes the default floor keep 96 of 100
// answers on the three conversations; for a sentence transformer, what makes it do
// so with all-MiniLM-L6-v2. It moves the scale, not what is told apart: odds of
// that model's own tell no better what they have not seen.
const (
	bias          = -5.9
	biasSentence  = -6.2
	biasNoVectors = -4.4
)

func biasFor(seen, sentence bool) float64 {
	switch {
	case !seen:
		return biasNoVectors
	case sentence:
		return biasSentence
	}
	return bias
}

// Where these stand among the signals.
var exactIndex, eventIndex, behindIndex = signalIndex("exact"), signalIndex("event"), signalIndex("behind")

func signalIndex(name string) int {
	return slices.IndexFunc(signalTable[:], func(s signal) bool { return s.name == name })
}

// signalValues are what the signals say of one candidate, in their order.
type signalValues [len(signalTable)]float64

// maxCountedWords are as many of a question's words as can say more than fewer do: the
// questions that the curve was fitted on have nine found at most, and a page that
// somebody pastes has dozens.
const maxCountedWords = 8

// maxima is the most that any candidate of a question has.
type maxima struct{ context, coverage, text, cosine, meanCosine float64 }

func maximaOf(found []*candidate) (most maxima) {
	for _, c := range found {
		most.context = max(most.context, c.signals.Context)
		most.coverage = max(most.coverage, c.signals.Coverage)
		most.text = max(most.text, c.textScore)
		most.cosine = max(most.cosine, c.signals.Cosine)
		most.meanCosine = max(most.meanCosine, c.signals.MeanCosine)
	}
	return most
}

// measure holds a candidate against what was asked.
func (c *candidate) measure(q intent, most maxima, zone *time.Location) signalValues {
	s := c.signals
	named, other := q.matchSpeaker(s.Speaker)
	month, day := q.matchDate(c.CreatedAt.In(zone))
	context := 0.0
	if most.context > 0 {
		context = s.Context / most.context
	}
	return signalValues{
		context, s.Cosine, s.NeighbourCosine,
		named, other, indicator(memory.IsQuestion(c.Text)), indicator(s.AfterQuestion),
		indicator(q.wantsTime && hasTimeWord(c.Text)), indicator(q.wantsNumber && hasNumber(c.Text)),
		month, day, indicator(q.eventSpan.isSet() && q.eventSpan.contains(c.CreatedAt)), q.identifierShare(c.Text),
		s.Coverage, c.textScore, most.text, math.Log1p(min(maxCountedWords, most.coverage*q.wordCount)), most.cosine - most.meanCosine, 0,
	}
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// sum is what a candidate ranks by.
func (v *signalValues) sum(sentence bool) (sum float64) {
	for i, w := range weightsFor(sentence) {
		sum += w * v[i]
	}
	return sum
}

// behindSlack is how far behind the best, in points of the sum, an answer may rank
// without being doubted for it: 98 of 100 questions whose answer is found have a
// right one within that.
const behindSlack = 4.5

// sumWithoutExact is the sum without identifiers, and without the time of an event: where
// one memory has those, others may still answer the rest of the question.
func (v signalValues) sumWithoutExact(sentence bool) float64 {
	v[exactIndex], v[eventIndex] = 0, 0
	return v.sum(sentence)
}

// similarity is how probable it is that a memory answers: a logistic curve over
// the signals.
func (v *signalValues) similarity(seen, sentence bool) float64 {
	odds := biasFor(seen, sentence)
	for i := range signalTable {
		if s := &signalTable[i]; seen {
			odds += s.logOdds * v[i]
		} else {
			odds += s.logOddsNoVectors * v[i]
		}
	}
	return 1 / (1 + math.Exp(-odds))
}

// factors show each signal with what it counts in the sum.
func (v signalValues) factors(sentence bool) (all []memory.Factor) {
	for i, s := range signalTable {
		all = append(all, factor(s.name, v[i], weightsFor(sentence)[i]))
	}
	return all
}

// matchSpeaker says whether a named speaker says it, or another.
func (q intent) matchSpeaker(speaker string) (named, other float64) {
	switch {
	case len(q.speakers) == 0 || speaker == "":
		return 0, 0
	case slices.Contains(q.speakers, speaker):
		return 1, 0
	}
	return 0, 1
}

// identifierShare is the share of the question's identifiers that stand in a text.
func (q intent) identifierShare(text string) float64 {
	if len(q.identifiers) == 0 {
		return 0
	}
	low, found := strings.ToLower(text), 0
	for _, id := range q.identifiers {
		if strings.Contains(low, id) {
			found++
		}
	}
	return float64(found) / float64(len(q.identifiers))
}
