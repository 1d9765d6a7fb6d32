package index

import "strings"

// lexicon numbers the tokens. New ones are given their numbers while memories
// are prepared, and are looked for once they are admitted.
type lexicon struct {
	ids    map[string]int32 // token → its number
	cut    map[string]int32 // word as written → the number of its token
	words  []string         // by number
	coming map[string]int32 // tokens that are not admitted yet
	next   []string         // these in the order of their numbers
}

func newLexicon() lexicon {
	return lexicon{ids: map[string]int32{}, cut: map[string]int32{}, coming: map[string]int32{}}
}

// token gives the number of a word's token, a new one where it is new; none for
// a word that is none.
func (x *lexicon) token(word string) int32 {
	if id, known := x.cut[word]; known {
		return id
	}
	id := none
	if folded := fold(word); folded != "" {
		t := stem(folded)
		var known bool
		if id, known = x.ids[t]; !known {
			if id, known = x.coming[t]; !known {
				t = strings.Clone(t) // not to keep the whole text it was cut from
				id = int32(len(x.words) + len(x.next))
				x.coming[t] = id
				x.next = append(x.next, t)
			}
		}
	}
	x.cut[strings.Clone(word)] = id
	return id
}

// admit lets the new tokens be found.
func (s *shelf) admit() {
	for _, t := range s.next {
		s.ids[t] = int32(len(s.words))
		s.words, s.lists, s.held = append(s.words, t), append(s.lists, nil), append(s.held, 0)
	}
	if len(s.next) > 0 {
		clear(s.coming)
		s.next = s.next[:0]
	}
}

// columns is how many there are in the keyword index: text, context, parts.
const columns = 3

// tenths are the weights of the columns, as [bm25] gives them to FTS5, in
// tenths.
var tenths = [columns]uint16{10, 4, 5}

// add counts more of the same. Beyond what fits, more say nothing more: BM25 is
// flat there.
func (p *post) add(more post) {
	p.tf = min(p.tf, 1<<15) + min(more.tf, 1<<14)
	p.answer = p.answer || more.answer
}
