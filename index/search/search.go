package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/text"
)

// Query is a search.
type Query struct {
	Terms  []text.Term
	Vector []float32        // unit length; nil: the signals have no cosines
	Rest   []float32        // of the query without its names; nil: it is not compared
	Model  string           // of the vector; empty: the serving one
	Into   []memory.Signals // memory for the signals
	K      int              // as many documents by words, and as many by vector

	Sections bool        // score the sections of the documents as well
	Nearest  bool        // find the nearest documents as well
	Extra    []memory.ID // documents that get signals as well
	Stats    *Stats      // the frequencies of a larger index, see [Stats]; nil: those of this one

	Others memory.Frequencies // in the other indexes that are asked the same
}

// query is a search while it runs.
type query struct {
	terms         []text.Term
	into          []memory.Signals
	totalIDF      float64
	variants      [][]variant // by term
	stats         *Stats
	k             int
	filter        *Filter
	vector        queryVector
	wantsSections bool
	meanCosine    float64 // of the vectors that are not hidden with this one
	rest          queryVector
	meanRest      float64   // the same with the rest
	sections      []float32 // by section: its score; nil: not wanted
	extra         []int32   // documents that get signals as well
}

// Search returns the k matching documents with the best words in context, best first,
// with all of their signals. If the query wants the nearest, they are returned too,
// and those without any word come last among the signals, as do extra documents.
func (x *Index) Search(in Query, f Filter) (found memory.SearchResult) {
	q := x.newQuery(&in, &f)
	if in.Nearest && q.hasVector() {
		near := x.nearestMatching(q.vector, f, in.K)
		for _, n := range near {
			q.extra = append(q.extra, n.doc)
		}
		found.Nearest = x.toCandidates(near)
	}
	found.Signals = x.search(q)
	return found
}

// newQuery looks up the terms of a query, and quantises its vector.
func (x *Index) newQuery(in *Query, f *Filter) *query {
	q := &query{terms: in.Terms, into: in.Into, stats: x.stats(in.Terms, f.hidden, in.Others), k: in.K, filter: f, extra: x.docsOf(in.Extra), wantsSections: in.Sections}
	if in.Stats != nil {
		q.stats.Chunks = in.Stats.Chunks
	}
	if set := x.setOf(in.Model); set != nil {
		q.vector, q.rest = set.query(in.Vector), set.query(in.Rest)
	}
	if q.hasVector() {
		q.meanCosine = x.meanCosine(q.vector, f.hidden)
	}
	if q.hasRest() {
		q.meanRest = x.meanCosine(q.rest, f.hidden)
	}
	for i := range in.Terms {
		variants := x.variantsOf(&in.Terms[i], f.hidden)
		if in.Stats != nil {
			q.stats.IDF[i] = q.stats.SmoothedIDF(in.Stats.DocFreq[i][0])
			for j := range variants {
				variants[j].docFreq = in.Stats.DocFreq[i][j]
			}
		} else {
			for j := range variants {
				variants[j].docFreq += DocFreqIn(in.Others, i, j)
			}
		}
		q.variants = append(q.variants, variants)
		q.totalIDF += q.stats.IDF[i]
	}
	return q
}

// stats returns the figures of the documents that exist for a query, with the frequencies of
// other indexes.
func (x *Index) stats(terms []text.Term, h hidden, others memory.Frequencies) *Stats {
	chunks := float64(x.chunkCount) - h.chunks
	s := &Stats{Chunks: chunks + others.Chunks, AvgLength: (x.tokenCount - h.tokens) / max(1, chunks)}
	for i := range terms {
		s.IDF = append(s.IDF, s.SmoothedIDF(x.rarest(&terms[i], s, h)+DocFreqIn(others, i, 0)))
	}
	return s
}

// Frequencies returns how often the terms of a query are in the documents that exist for it.
func (x *Index) Frequencies(terms []text.Term, f Filter) (found memory.Frequencies) {
	found.Chunks = float64(x.chunkCount) - f.hidden.chunks
	for i := range terms {
		var docFreq []float64
		for _, v := range x.variantsOf(&terms[i], f.hidden) {
			docFreq = append(docFreq, v.docFreq)
		}
		found.DocFreq = append(found.DocFreq, docFreq)
	}
	return found
}

func (x *Index) search(q *query) []memory.Signals {
	if q.wantsSections {
		q.sections = x.sectionScores(q)
	}
	a := accumulators.Get().(*accumulator)
	defer accumulators.Put(a)
	defer a.reset()
	a.reserve(len(x.docs), len(x.blocks), len(q.variants))
	defer x.clearTermScores(a, q)
	x.accumulate(a, q)
	if !q.filter.restricted {
		for _, d := range x.bestInContext(a, q.k, q.filter.matches) {
			a.addResult(d)
		}
	}
	for _, docs := range [][]int32{q.filter.docs, q.extra} {
		for _, d := range docs {
			if q.filter.matches(d) {
				a.addResult(d)
			}
		}
	}
	x.collectDetails(a, q)
	signals := slices.Grow(q.into[:0], len(a.results))[:len(a.results)]
	for i, at := range x.orderByContext(a) {
		d := a.results[at]
		signals[i] = x.signals(q, &a.details[at], d)
		x.addCosines(q, &signals[i], d)
	}
	if q.filter.restricted {
		signals = x.trimToBest(signals, q)
	}
	return signals
}

// orderByContext returns the places of the results by their context, best first, then by
// id. Documents without any stay in the order in which they were found.
func (x *Index) orderByContext(a *accumulator) []int32 {
	a.order = a.order[:0]
	for i := range a.results {
		a.order = append(a.order, int32(i))
	}
	slices.SortStableFunc(a.order, func(i, j int32) int {
		switch contextI, contextJ := a.details[i].context.score, a.details[j].context.score; {
		case contextI != contextJ:
			return cmp.Compare(contextJ, contextI)
		case contextI == 0:
			return 0
		}
		return strings.Compare(string(x.docs[a.results[i]].id), string(x.docs[a.results[j]].id))
	})
	return a.order
}

// trimToBest keeps, of the documents that a filter lists, the k best in context and
// the extra ones.
func (x *Index) trimToBest(signals []memory.Signals, q *query) []memory.Signals {
	n := 0
	return slices.DeleteFunc(signals, func(s memory.Signals) bool {
		if s.Context > 0 {
			n++
		}
		return (s.Context == 0 || n > q.k) && !slices.Contains(q.extra, x.docIDs[s.ID])
	})
}

// weight is the score of a variant in a chunk of average length that contains it
// once. An expansion scores no more than the term itself would.
func (q *query) weight(term, variant int) float32 {
	itself, v := q.variants[term][0], q.variants[term][variant]
	idf := q.stats.SmoothedIDF(v.docFreq)
	if variant > 0 && itself.docFreq > 0 {
		idf = min(idf, q.stats.SmoothedIDF(itself.docFreq))
	}
	return float32(v.weight * idf)
}

// answered is the idf that a chunk answers, by where it contains a term.
type answered struct{ inText, inContext float32 }

func (q *query) answeredIDF(term, variant int) answered {
	whole := float32(q.variants[term][variant].weight * q.stats.IDF[term])
	return answered{whole, whole * partialShare}
}

// details are the figures of one result.
type details struct {
	context termScore // sum over the terms of the best in context
	own     termScore // likewise of its own words, without expansions; the score is BM25
	best    termScore // of the term at hand, in the best of its own chunks
}

// collectDetails computes the details of all results.
func (x *Index) collectDetails(a *accumulator, q *query) {
	for _, d := range a.results {
		a.details = append(a.details, details{context: x.contextScore(a, d)})
	}
	for term := range q.variants {
		x.addOwnScores(a, q, term)
	}
}

// addOwnScores adds to the results what a term itself scores in their own chunks.
func (x *Index) addOwnScores(a *accumulator, q *query, term int) {
	sat, answered, skip := q.stats.saturation(), q.answeredIDF(term, 0), q.filter.hidden
	idf := float32(q.stats.idf(q.variants[term][0].docFreq))
	for _, p := range q.variants[term][0].postings {
		d := x.chunkDoc[p.chunk]
		if d == none || a.resultNumbers[d] == 0 || skip.has(d) {
			continue
		}
		best, own := &a.details[a.resultNumbers[d]-1].best, answered.inContext
		if p.inText {
			own = answered.inText
		}
		best.score, best.idf = max(best.score, idf*sat.of(float32(p.tf), x.chunkLen[p.chunk])), max(best.idf, own)
	}
	for i := range a.details {
		d := &a.details[i]
		d.own.score, d.own.idf = d.own.score+d.best.score, d.own.idf+d.best.idf
		d.best = termScore{}
	}
}

// signals returns the signals of a result, except its cosines.
func (x *Index) signals(q *query, det *details, d int32) memory.Signals {
	stored := &x.docs[d]
	s := memory.Signals{Candidate: memory.Candidate{ID: stored.id, Raw: float64(det.own.score)}, Context: float64(det.context.score),
		Speaker: stored.speaker, AfterQuestion: x.questionBefore[d] != none && !q.filter.hidden.has(x.questionBefore[d])}
	if q.sections != nil {
		s.Section = float64(q.sections[x.sections.of[d]])
	}
	if q.totalIDF > 0 {
		s.Score = KeywordScore(s.Raw, float64(det.own.idf)/q.totalIDF)
		s.Coverage = float64(det.context.idf) / q.totalIDF
	}
	return s
}
