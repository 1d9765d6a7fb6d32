package ranking

import (
	"math"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/notation"
	"github.com/memory-tiered/memory/recall/question"
)

// signal is one feature of a candidate. It counts twice. Its weight counts in the
// sum that orders the candidates of one question. Its log-odds count in the
// similarity, which estimates for each candidate alone whether it answers at all.
type signal struct {
	name                              string
	weight, logOdds, logOddsNoVectors float64
}

// signalTable lists the signals with their fitted weights.
//   - weight: fitted on three conversations of LoCoMo and rounded. "exact" is set by
//     hand. docs/decisions/0001-ranking.md has the results on other data.
//   - logOdds: a logistic regression on the same conversations, on them with six turns
//     joined, and on examples-workspace. Each was asked its own questions, and twice as
//     many of the others. "exact" and "behind" are set by hand.
//     docs/decisions/0003-noise.md has the results.
//   - logOddsNoVectors: the same without vectors.
var signalTable = [...]signal{
	{"context", 5.4, 0, 0},       // BM25 of the words in context, as a share of the highest, times the trust in words
	{"meaning", 10, 0, 0},        // how far its cosine stands out, as a share of the highest, times the missing trust in words
	{"cosine", 4.6, 1.3, 0},      // with the question
	{"aligned", 8, 0, 0},         // how well its words match those of the question in meaning, above the mean of the best notes; for notes alone
	{"near", 5.1, 2.1, 0},        // the best cosine among the neighbours
	{"named", 1.4, 0, 0},         // the speaker is one that the question names
	{"other", -1.4, -2, -1.4},    // the speaker is another one
	{"asks", -0.7, 0, 0},         // it ends with a question
	{"after", 0.6, 0, 0},         // the memory before it ends with a question
	{"when", 2.4, 0, 0},          // the question wants a time, and it has a word of time
	{"month", 2.6, 0.4, 0.3},     // its date is in a month or span that the question names
	{"day", 2.3, 1.5, 1.4},       // and on a day that it names
	{"recent", 1.5, 0, 0},        // how recently it was said, for a long prompt: see recency
	{"section", 9, 0, 0},         // how well everything under its heading matches a long prompt, for memories with speakers
	{"exact", 15, 3, 3},          // share of the question's identifiers that it contains; an identifier means nothing else, so it outweighs the rest
	{"topic", 2, 2.5, 2.5},       // the question names its topic: the label before its colon, see package notation
	{"about", 3, 1.5, 1.5},       // 1: the note is about the subject of the question, -1: it is not, 0: the question has no subject that many notes share; see recall/subject.go
	{"outdated", -4, 0, 0},       // its author marked it as outdated (1) or finished (0.5), and the question does not ask for the past
	{"successor", 1, 0, 0},       // the points that lift it to the place of the outdated memory that it replaced
	{"alignment", 0, 0, 0},       // how well its words match those of the question in meaning, minus usualAlignment; for notes alone
	{"spoken", 0, 0.4, 0},        // it has a speaker: the words of an answer are spread over turns
	{"lacks", 0, -2, 0},          // the question asks for a time, duration, number or person, and this note has none: see question.Intent.LacksAnswer; from -1 to -3 the blocks are nearly the same
	{"strange", 0, -0.5, 0},      // the question has a name that no memory has, and no word of this note is related to it; see recall/aligned.go
	{"name alone", 0, -4, 0},     // it has nothing of the question but a name, and its meaning is far from the rest; see rest.go
	{"covered", 0, 2.3, 2.8},     // share of the question's words that it or its neighbours contain
	{"words", 0, 3, 3.1},         // share that it contains itself: the keyword lane's score
	{"most words", 0, 1.3, 1.9},  // the highest "words" of any candidate; this and the next two show that nothing answers a question
	{"words found", 0, 1.3, 1.5}, // ln(1+n) of the number n of words that the best or its neighbours contain: three of six mean more than one of two
	{"stands out", 0, 4.2, 0},    // the highest cosine minus the mean cosine of all memories
	{"behind", 0, -1, -1},        // how far its sum is below the best, beyond behindSlack
	{"feedback", 6, 0, 0},        // what a person said of it for a question like this one, from -1 (wrong) to 1 (useful): see feedback.go
}

// sentenceOverrides holds the weights that differ for a sentence transformer, which
// knows word order. Fitted for all-MiniLM-L6-v2, on the same conversations.
var sentenceOverrides = map[string]float64{"context": 5.0, "meaning": 8, "cosine": 5.7, "near": 4.8}

// sentenceOdds holds the log-odds that differ. Cosines of a sentence transformer are
// high for what sounds alike, so that the words have to confirm them.
var sentenceOdds = map[string]float64{"alignment": 3, "about": 1}

// The weights in the order of the signals: for the binary's own embedding table, and
// for a sentence transformer.
var staticWeights, sentenceWeights = sumWeights(nil), sumWeights(sentenceOverrides)

func sumWeights(overrides map[string]float64) (weights Values) {
	for i, s := range signalTable {
		weights[i] = s.weight
		if w, ok := overrides[s.name]; ok {
			weights[i] = w
		}
	}
	return weights
}

// sentenceLogOdds holds the log-odds in the order of the signals, for a sentence
// transformer.
var sentenceLogOdds = func() (odds Values) {
	for i, s := range signalTable {
		odds[i] = s.logOdds
		if o, ok := sentenceOdds[s.name]; ok {
			odds[i] = o
		}
	}
	return odds
}()

func weightsFor(sentenceModel bool) *Values {
	if sentenceModel {
		return &sentenceWeights
	}
	return &staticWeights
}

// The bias is the log-odds of a memory whose signals are all 0. There are three:
// with the binary's own embedding table, with a sentence transformer, and without
// vectors. The fitted values are -8.7, and -7.7 without vectors. They were raised
// until the default floor kept 96 of 100 answers on the three conversations, for a
// sentence transformer with all-MiniLM-L6-v2. Notes without speakers need 0.4 more:
// see "spoken". A bias only shifts the scale. Log-odds fitted for that model were
// no better on other data, so it shares the others.
const (
	bias          = -6.3
	biasSentence  = -6.6
	biasNoVectors = -4.4
)

func biasFor(hasVectors, sentenceModel bool) float64 {
	switch {
	case !hasVectors:
		return biasNoVectors
	case sentenceModel:
		return biasSentence
	}
	return bias
}

// The positions of these signals in signalTable.
var (
	contextIndex, meaningIndex                = signalIndex("context"), signalIndex("meaning")
	exactIndex, behindIndex                   = signalIndex("exact"), signalIndex("behind")
	topicIndex, outdatedIndex, successorIndex = signalIndex("topic"), signalIndex("outdated"), signalIndex("successor")
	recentIndex, alignedIndex, alignmentIndex = signalIndex("recent"), signalIndex("aligned"), signalIndex("alignment")
	monthIndex, coveredIndex, strangeIndex    = signalIndex("month"), signalIndex("covered"), signalIndex("strange")
	feedbackIndex                             = signalIndex("feedback")
)

func signalIndex(name string) int {
	return slices.IndexFunc(signalTable[:], func(s signal) bool { return s.name == name })
}

// Values holds the values of one candidate, in the order of signalTable.
type Values [len(signalTable)]float64

// maxCountedWords bounds the number of words that "words found" counts. In the
// questions of the fit at most nine were found; a pasted page has dozens.
const maxCountedWords = 8

// Features holds what the signals of a candidate are computed from.
type Features struct {
	*memory.Memory
	Signals     memory.Signals // empty if the fusion does not ask for them
	TextScore   float64        // the keyword lane's calibrated score; 0 if it did not find the memory
	Validity    notation.Mark
	Identifiers float64 // share of the question's identifiers in the text
	NamesTopic  bool    // the question names its topic, or a row and a column of its table
	SharesName  bool    // this note has a name of the question
	About       float64 // the signal "about"
	LacksAnswer bool    // the question asks for a time, number or person, and this note has none
	LacksName   bool    // the signal "strange"
	NameAlone   float64 // the signal "name alone"
	Feedback    float64 // the signal "feedback"
}

// Maxima holds the highest values among the candidates of a question.
type Maxima struct {
	context, coverage, text, cosine, meanCosine, identifiers float64

	bestWords, bestWordsCosine float64 // the highest context of a note, and the cosine of that note
	bestWordsName              bool    // it has a name of the question

	confirmedWords, confirmedCoverage float64 // see Confirm
}

// Include counts a candidate. It also notes what the question names of it.
func (highest *Maxima) Include(in question.Intent, f *Features) {
	f.Identifiers = in.IdentifierShare(f.Text)
	isNote := f.Signals.Speaker == ""
	if isNote {
		names := notation.Names(f.Text)
		f.NamesTopic = in.NamesAny(names) || in.NamesAny(notation.RowNames(f.Text)) || notation.HasCell(f.Text, in.HasAll)
	}
	f.LacksAnswer, f.SharesName = isNote && in.LacksAnswer(f.Text), isNote && in.SharesName(f.Text)
	if isNote {
		highest.includeWords(f)
	}
	highest.identifiers = max(highest.identifiers, f.Identifiers)
	highest.context = max(highest.context, f.Signals.Context)
	highest.coverage = max(highest.coverage, f.Signals.Coverage)
	highest.text = max(highest.text, f.TextScore)
	highest.cosine = max(highest.cosine, f.Signals.Cosine)
	highest.meanCosine = max(highest.meanCosine, f.Signals.MeanCosine)
}

// includeWords counts the words of a note. Of two notes with the same words, the one that
// is nearer in meaning counts.
func (highest *Maxima) includeWords(f *Features) {
	words, cosine := f.Signals.Context, f.Signals.Cosine
	if words > highest.bestWords || words > 0 && words == highest.bestWords && cosine > highest.bestWordsCosine {
		highest.bestWords, highest.bestWordsCosine, highest.bestWordsName = words, cosine, f.SharesName
	}
}

// Measure computes the values of all signals but "behind", "successor", "strange" and those
// of the comparison of words.
func (f *Features) Measure(in question.Intent, highest Maxima, sentenceModel bool, zone *time.Location) Values {
	s, trust := f.Signals, highest.trustInWords(in, sentenceModel)
	named, other := in.MatchSpeaker(s.Speaker)
	month, day := in.MatchMemory(f.Memory, zone)
	context, meaning := f.weighWords(highest, trust)
	return Values{
		context, meaning, s.Cosine, 0, s.NeighbourCosine,
		named, other, indicator(memory.IsQuestion(f.Text)), indicator(s.AfterQuestion),
		indicator(in.FindsTime(f.Text)),
		month, day, recency(in, &s, f.CreatedAt), sectionValue(in, &s), f.Identifiers,
		indicator(f.NamesTopic), f.About, f.outdatedValue(in), 0, 0, indicator(s.Speaker != ""), indicator(f.LacksAnswer), 0, f.NameAlone,
		s.Coverage, f.TextScore, highest.text, math.Log1p(min(maxCountedWords, highest.coverage*in.WordCount)), highest.cosine - highest.meanCosine, 0, f.Feedback,
	}
}

// weighWords returns the signals "context" and "meaning" for a trust in words.
func (f *Features) weighWords(highest Maxima, trust float64) (context, meaning float64) {
	if highest.context > 0 {
		context = f.Signals.Context / highest.context
	}
	return trust * context, (1 - trust) * highest.standingOut(f.Signals.Cosine)
}

// outdatedValue returns the signal "outdated".
func (f *Features) outdatedValue(in question.Intent) float64 {
	if in.WantsPast {
		return 0
	}
	return float64(f.Validity) / float64(notation.Outdated)
}

// SetBehind sets the signal "behind" of a candidate that is some points of the sum
// below the best one.
func (v *Values) SetBehind(points float64) { v[behindIndex] = max(0, points-behindSlack) }

// usualAlignment is the alignment at which a note is as likely to answer as without a
// comparison of words.
const usualAlignment = 0.45

// SetAlignment sets the signals "alignment" and "aligned" of a note. alignment tells how
// well its words match those of the question, and mean is that of the best notes.
func (v *Values) SetAlignment(alignment, mean float64) {
	v[alignmentIndex], v[alignedIndex] = alignment-usualAlignment, alignment-mean
}

// SetUnaligned sets the signal "alignment" of a note that ranks too low to be compared.
func (v *Values) SetUnaligned() { v[alignmentIndex] = -usualAlignment }

// SetStrange sets the signal "strange" of a note.
func (v *Values) SetStrange() { v[strangeIndex] = 1 }

// LimitCovered lowers the signal "covered" to the share of the words that a note contains
// itself. Words near it do not count.
func (v *Values) LimitCovered(own float64) { v[coveredIndex] = min(v[coveredIndex], own) }

// IsOutdated reports whether the author marked the memory as outdated, and the question
// does not ask for the past.
func (v *Values) IsOutdated() bool { return v[outdatedIndex] >= 1 }

// IsOfTime reports whether the memory is of a time that the question names.
func (v *Values) IsOfTime() bool { return v[monthIndex] > 0 }

// Lift sets the signal "successor" to some points, unless it has more.
func (v *Values) Lift(points float64) { v[successorIndex] = max(v[successorIndex], points) }

// indicator returns 1 for true and 0 for false.
func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Sum returns the weighted sum by which a candidate is ordered.
func (v *Values) Sum(sentenceModel bool) (sum float64) {
	for i, w := range weightsFor(sentenceModel) {
		sum += w * v[i]
	}
	return sum
}

// behindSlack is how far below the best, in points of the sum, a candidate may be
// without a lower similarity. Of 100 questions whose answer is found, 98 have a right
// one within it.
const behindSlack = 4.5

// GeneralSum returns the sum without identifiers and a named topic. If one memory has those,
// others may still answer the rest of the question. It leaves out what a person said of a memory
// too: others are no better answers because the best one was wrong. It also leaves out whether a memory is outdated, how recent it is, and "aligned".
// With "aligned", blocks lose right memories of questions that ask for several.
func (v Values) GeneralSum(sentenceModel bool) float64 {
	v[exactIndex], v[topicIndex], v[outdatedIndex], v[successorIndex], v[recentIndex], v[alignedIndex], v[feedbackIndex] = 0, 0, 0, 0, 0, 0, 0
	return v.Sum(sentenceModel)
}

// Similarity returns the probability that a memory answers the question: a logistic
// function of the signals.
func (v *Values) Similarity(hasVectors, sentenceModel bool) float64 {
	odds := biasFor(hasVectors, sentenceModel)
	for i := range signalTable {
		switch s := &signalTable[i]; {
		case !hasVectors:
			odds += s.logOddsNoVectors * v[i]
		case sentenceModel:
			odds += sentenceLogOdds[i] * v[i]
		default:
			odds += s.logOdds * v[i]
		}
	}
	return 1 / (1 + math.Exp(-odds))
}

// Factors returns each signal with its weight in the sum.
func (v Values) Factors(sentenceModel bool) (list []memory.Factor) {
	for i, s := range signalTable {
		weight := weightsFor(sentenceModel)[i]
		list = append(list, memory.Factor{Name: s.name, Value: v[i], Weight: weight, Points: v[i] * weight})
	}
	return list
}
