package index

import (
	"math"
	"slices"
	"strings"
)

// BM25 as FTS5 has it: its k1 and b, its idf, and for a term that more than half
// of the rows hold its smallest one.
const (
	k1       = 1.2
	b        = 0.75
	leastIDF = 1e-6
)

// scale is what BM25 needs to know of the whole index.
type scale struct {
	rows    float64 // chunks there are
	average float64 // tokens in one
}

// idf is FTS5's.
func (c scale) idf(holds float64) float64 {
	return max(leastIDF, math.Log((c.rows-holds+0.5)/(holds+0.5)))
}

// rarity is idf smoothed, so that in a workspace of a few memories a word that
// half of them have still says something.
func (c scale) rarity(holds float64) float64 {
	return math.Log1p((c.rows - holds + 0.5) / (holds + 0.5))
}

// sight is one way in which a term can be found: as it is, or by a word alike.
type sight struct {
	match  string  // as FTS5 is asked for it
	posts  []post  // some of which may be gone
	weight float64 // 1: as it is
	holds  float64 // chunks of the whole index that have it
}

// sightsOf finds a term and the words alike.
func (s *shelf) sightsOf(l looked) []sight {
	posts, holds := s.find(l)
	all := []sight{{l.match, posts, 1, float64(holds)}}
	for _, a := range l.alike {
		if id, known := s.ids[a.token]; known && s.held[id] > 0 {
			all = append(all, sight{quote(a.word), s.lists[id], a.weight, float64(s.held[id])})
		}
	}
	return all
}

// weigh gives each term its inverse document frequency, as [DB.weigh] does.
func (s *shelf) weigh(terms []looked) (total float64) {
	for i := range terms {
		rarest := float64(s.rows)
		for _, t := range terms[i].tokens {
			n := 0.0
			if id, known := s.ids[t]; known {
				n = float64(s.held[id])
			}
			rarest = min(rarest, n)
		}
		terms[i].idf = math.Log(1 + (float64(s.rows)-rarest+0.5)/(rarest+0.5))
		total += terms[i].idf
	}
	return total
}

// find gives the chunks that hold a term, some of which may be gone, and how many
// there are without these.
func (s *shelf) find(l looked) (found []post, holds int32) {
	parts := strings.HasPrefix(l.match, "parts : ")
	if len(l.tokens) == 1 && !l.prefix && !parts {
		if id, known := s.ids[l.tokens[0]]; known {
			return s.lists[id], s.held[id]
		}
		return nil, 0
	}
	for _, at := range s.maybe(l) {
		p := post{leaf: at}
		for column, n := range s.count(at, l) {
			if n > 0 && (!parts || column == columns-1) {
				p.add(post{tf: tenths[column] * min(n, 255), answer: column != 1})
			}
		}
		if p.tf > 0 {
			found = append(found, p)
		}
	}
	return found, int32(len(found))
}

// maybe lists the chunks that hold the rarest of a term's tokens.
func (s *shelf) maybe(l looked) []int32 {
	var lists [][]post
	fewest := math.MaxInt
	last := len(l.tokens) - 1
	for i, t := range l.tokens {
		if i == last && l.prefix {
			if last > 0 {
				continue // the others say enough
			}
			lists = s.beginning(t)
			break
		}
		id, known := s.ids[t]
		if !known {
			return nil
		}
		if list := s.lists[id]; len(list) < fewest {
			fewest, lists = len(list), [][]post{list}
		}
	}
	var at []int32
	for _, list := range lists {
		for _, p := range list {
			if s.owners[p.leaf] != none {
				at = append(at, p.leaf)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// beginning gives the lists of the tokens that begin so.
func (s *shelf) beginning(prefix string) (lists [][]post) {
	for id, word := range s.words {
		if s.held[id] > 0 && strings.HasPrefix(word, prefix) {
			lists = append(lists, s.lists[id])
		}
	}
	return lists
}

// count says how often a term's tokens stand one after another in each of a
// chunk's columns.
func (s *shelf) count(at int32, l looked) (n [columns]uint16) {
	column, run := 0, s.runs[at]
	for i, id := range run {
		if id == none {
			column++
			continue
		}
		if s.begins(run[i:], l) && n[column] < math.MaxUint16 {
			n[column]++
		}
	}
	return n
}

func (s *shelf) begins(run []int32, l looked) bool {
	if len(run) < len(l.tokens) {
		return false
	}
	for i, t := range l.tokens {
		if run[i] == none {
			return false
		}
		have := s.words[run[i]]
		if have != t && !(l.prefix && i == len(l.tokens)-1 && strings.HasPrefix(have, t)) {
			return false
		}
	}
	return true
}
