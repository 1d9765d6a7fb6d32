package recall

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// prefixBatch is the number of id prefixes that are read at once. Few blocks have
// more memories.
const prefixBatch = 24

// idPrefixes reads the id prefixes of candidates when packing needs them. Packing
// tries a few of some hundred.
type idPrefixes struct {
	candidates []*candidate
	read       func([]memory.ID) (map[memory.ID]string, error)
	known      map[memory.ID]string
}

// of returns the prefix of a candidate.
func (p *idPrefixes) of(c *candidate) (string, error) {
	if prefix, ok := p.known[c.ID]; ok {
		return prefix, nil
	}
	prefixes, err := p.read(p.next(c))
	if err != nil {
		return "", err
	}
	for id, prefix := range prefixes {
		p.known[id] = prefix
	}
	return p.known[c.ID], nil
}

// next returns the ids to read: of a candidate, and of those after it.
func (p *idPrefixes) next(c *candidate) (ids []memory.ID) {
	for _, other := range p.candidates[slices.Index(p.candidates, c):] {
		if _, ok := p.known[other.ID]; !ok && len(ids) < prefixBatch {
			ids = append(ids, other.ID)
		}
	}
	return ids
}
