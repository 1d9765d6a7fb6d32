package index

import "strings"

// vocabulary numbers the tokens. New ones are given their numbers while memories
// are prepared, and are looked for once they are admitted.
type vocabulary struct {
	ids           map[string]int32 // token → its number
	byWord        map[string]int32 // word as written → the number of its token
	tokens        []string         // by number
	pending       map[string]int32 // tokens that are not admitted yet
	pendingTokens []string         // these in the order of their numbers
}

func newVocabulary() vocabulary {
	return vocabulary{ids: map[string]int32{}, byWord: map[string]int32{}, pending: map[string]int32{}}
}

// tokenID gives the number of a word's token, a new one where it is new; none for
// a word that is none.
func (v *vocabulary) tokenID(word string) int32 {
	if id, known := v.byWord[word]; known {
		return id
	}
	id := none
	if folded := fold(word); folded != "" {
		t := stem(folded)
		var known bool
		if id, known = v.ids[t]; !known {
			if id, known = v.pending[t]; !known {
				t = strings.Clone(t) // not to keep the whole text it was cut from
				id = int32(len(v.tokens) + len(v.pendingTokens))
				v.pending[t] = id
				v.pendingTokens = append(v.pendingTokens, t)
			}
		}
	}
	v.byWord[strings.Clone(word)] = id
	return id
}

// commitTokens lets the new tokens be found.
func (x *searchIndex) commitTokens() {
	for _, t := range x.pendingTokens {
		x.ids[t] = int32(len(x.tokens))
		x.tokens, x.postings, x.docFreq = append(x.tokens, t), append(x.postings, nil), append(x.docFreq, 0)
	}
	if len(x.pendingTokens) > 0 {
		clear(x.pending)
		x.pendingTokens = x.pendingTokens[:0]
	}
}

// columnCount is how many there are in the keyword index: text, context, parts.
const columnCount = 3

// columnWeights are the weights of the columns, as [bm25] gives them to FTS5, in
// tenths.
var columnWeights = [columnCount]uint16{10, 4, 5}

// add counts more of the same. Beyond what fits, more say nothing more: BM25 is
// flat there.
func (p *posting) add(more posting) {
	p.tf = min(p.tf, 1<<15) + min(more.tf, 1<<14)
	p.inText = p.inText || more.inText
}
