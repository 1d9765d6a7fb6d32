package search

import (
	"cmp"
	"slices"
)

// sections are the documents under one heading of one file, numbered. A long prompt
// is compared with a section as a whole, because what it asks for is spread over many
// short documents.
type sections struct {
	of     []int32            // by document: its section, or none
	tokens []float32          // by section: those of its documents; 0: the number is free
	ofFile map[string][]int32 // the sections of a file
	free   []int32
}

// unlink frees the sections of a file.
func (s *sections) unlink(path string) {
	for _, n := range s.ofFile[path] {
		s.tokens[n] = 0
		s.free = append(s.free, n)
	}
	delete(s.ofFile, path)
}

// linkSections puts the documents of a file, in their order, into sections.
func (x *Index) linkSections(path string, docs []int32) {
	x.sections.unlink(path)
	section := none
	for i, d := range docs {
		if i == 0 || x.docs[docs[i-1]].heading != x.docs[d].heading {
			section = x.sections.add(path)
		}
		x.sections.of[d] = section
		for _, c := range x.docs[d].chunks {
			x.sections.tokens[section] += x.chunkLen[c]
		}
	}
}

func (s *sections) add(path string) int32 {
	section := int32(len(s.tokens))
	if n := len(s.free); n > 0 {
		section, s.free = s.free[n-1], s.free[:n-1]
	} else {
		s.tokens = append(s.tokens, 0)
	}
	s.ofFile[path] = append(s.ofFile[path], section)
	return section
}

// sectionStats returns the figures of the sections that BM25 needs, and the tokens of each.
// Hidden documents do not count.
func (x *Index) sectionStats(h hidden) (stats Stats, tokens []float32) {
	tokens = x.sections.tokens
	if h.attributes != nil {
		tokens = make([]float32, len(tokens))
		for c, d := range x.chunkDoc {
			if d != none && !h.has(d) {
				tokens[x.sections.of[d]] += x.chunkLen[c]
			}
		}
	}
	total := 0.0
	for _, n := range tokens {
		if n > 0 {
			stats.Chunks++
			total += float64(n)
		}
	}
	stats.AvgLength = total / max(1, stats.Chunks)
	return stats, tokens
}

// sectionRankK is the constant of reciprocal rank fusion.
const sectionRankK = 60

// sectionScores returns, by section, how well its words match a query, from 0 to 1.
// A third is its BM25 as a share of the best one's, and the rest goes by its rank.
// Only words of documents that match the filter count.
func (x *Index) sectionScores(q *query) []float32 {
	stats, tokens := x.sectionStats(q.filter.hidden)
	sat, sums, frequency := stats.saturation(), make([]float32, len(x.sections.tokens)), make([]float32, len(x.sections.tokens))
	var found, withTerm []int32
	for term := range q.variants {
		withTerm = withTerm[:0]
		for _, p := range q.variants[term][0].postings {
			d := x.chunkDoc[p.chunk]
			if d == none || !p.inText || !q.filter.matches(d) {
				continue
			}
			section := x.sections.of[d]
			if frequency[section] == 0 {
				withTerm = append(withTerm, section)
			}
			frequency[section] += float32(p.tf)
		}
		idf := float32(stats.idf(float64(len(withTerm))))
		for _, section := range withTerm {
			if sums[section] == 0 {
				found = append(found, section)
			}
			sums[section] += idf * sat.of(frequency[section], tokens[section])
			frequency[section] = 0
		}
	}
	slices.SortFunc(found, func(a, b int32) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b)) })
	for rank, best := 0, float32(0); rank < len(found); rank++ {
		sum := &sums[found[rank]]
		best = max(best, *sum)
		*sum = *sum/best/3 + 2*sectionRankK/float32(sectionRankK+rank)/3
	}
	return sums
}
