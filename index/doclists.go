package index

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"sort"

	"github.com/memory-tiered/memory/index/sqlite"
)

// doclists reads which chunks hold a token from FTS5's own pages, as format 4 of
// its index has them: asking FTS5 to score what holds any of a hundred words
// takes thirty times as long. Where anything is not as expected, who asks goes to
// FTS5 itself.
//
// A segment's pages hold terms in order, each with its doclist: a rowid, then
// how many bytes of positions follow (twice that, and one if what older segments
// say is void), and these; further rowids as differences, but the first on a
// page, whose place the page's first two bytes give. The next two say where the
// page's terms are listed, after its data.
type doclists struct {
	q        sqlite.Reader
	segments []segment // newest first
}

// segment is one of the index's sorted parts.
type segment struct {
	id    int64
	first int64    // page: what stood before has gone into another segment
	last  int64    // page
	terms [][]byte // the least that a term on a page can be …
	pages []int64  // … and the page
}

var errFormat = errors.New("the keyword index is kept in another way than expected")

// formatKept is the version of FTS5's format that is read here.
const formatKept = 4

// readDoclists learns where the pages are, at the moment that q sees.
func readDoclists(ctx context.Context, q sqlite.Reader) (*doclists, error) {
	version := 0
	err := q.One(ctx, "SELECT v FROM memories_fts_config WHERE k = 'version'", nil, &version)
	if err == nil && version != formatKept || errors.Is(err, sql.ErrNoRows) {
		return nil, errFormat
	}
	var record []byte
	if err == nil {
		err = q.One(ctx, "SELECT block FROM memories_fts_data WHERE id = 10", nil, &record)
	}
	if err != nil {
		return nil, err
	}
	d := &doclists{q: q}
	if d.segments, err = segmentsIn(record); err != nil {
		return nil, err
	}
	return d, d.readPages(ctx)
}

// segmentsIn reads the record of what segments there are: a cookie of four bytes,
// then levels with the newest first, and in each its segments with the newest
// last.
func segmentsIn(record []byte) (all []segment, err error) {
	if len(record) < 4 || len(record) > 4 && record[4] == 0xff {
		return nil, errFormat // the second is another version of the record
	}
	var levels, total, n uint64
	rest := record[4:]
	for _, to := range []*uint64{&levels, &total, &n} {
		*to, rest = varint(rest)
	}
	for range min(levels, 64) { // there are as many as times that segments were merged
		_, rest = varint(rest) // how many are being merged
		n, rest = varint(rest)
		var level []segment
		for range n {
			var id, first, last uint64
			for _, to := range []*uint64{&id, &first, &last} {
				*to, rest = varint(rest)
			}
			if rest == nil || len(all)+len(level) > int(total) {
				return nil, errFormat
			}
			if first > 0 { // else all of it has gone into another
				level = append(level, segment{id: int64(id), first: int64(first), last: int64(last)})
			}
		}
		slices.Reverse(level)
		all = append(all, level...)
	}
	return all, nil
}

func (d *doclists) readPages(ctx context.Context) error {
	at := map[int64]*segment{}
	for i := range d.segments {
		at[d.segments[i].id] = &d.segments[i]
	}
	return d.q.Each(ctx, "SELECT segid, term, pgno FROM memories_fts_idx ORDER BY segid, term", nil, func(scan func(...any) error) error {
		var id, page int64
		var term []byte
		if err := scan(&id, &term, &page); err != nil {
			return err
		}
		page >>= 1 // the last bit says whether there is a list of pages
		if s := at[id]; s != nil && page >= s.first {
			s.terms, s.pages = append(s.terms, term), append(s.pages, page)
		}
		return nil
	})
}

// find gives the place of the page that holds a term if one does, and -1 where
// none can.
func (s *segment) find(term []byte) int {
	return sort.Search(len(s.terms), func(i int) bool { return bytes.Compare(s.terms[i], term) > 0 }) - 1
}

// rowOf is where a page stands in the table of all.
func (s *segment) rowOf(page int64) int64 { return s.id<<37 + page }

// page is one of a segment's.
type page struct {
	b     []byte
	first int // where its first rowid stands; 0: nowhere
	size  int // of its data
	terms []int
}

func pageOf(b []byte) (p page, err error) {
	if len(b) < 4 {
		return p, errFormat
	}
	p = page{b: b, first: int(binary.BigEndian.Uint16(b)), size: int(binary.BigEndian.Uint16(b[2:]))}
	if p.size < 4 || p.size > len(b) {
		return p, errFormat
	}
	at := 0
	for rest := b[p.size:]; len(rest) > 0; {
		var n uint64
		n, rest = varint(rest)
		if at += int(n); at > p.size {
			return p, errFormat
		}
		p.terms = append(p.terms, at)
	}
	return p, nil
}

// until is where what begins at a term's number, or before the first (-1), ends.
func (p *page) until(term int) int {
	if term+1 < len(p.terms) {
		return p.terms[term+1]
	}
	return p.size
}

// find looks for a term: its number among the page's, and where its doclist
// begins; -1: it has none of that name.
func (p *page) find(term []byte) (n, at int, err error) {
	var have []byte
	for i, from := range p.terms {
		rest := p.b[from:p.size]
		keep, more := uint64(0), uint64(0)
		if i > 0 {
			keep, rest = varint(rest)
		}
		if more, rest = varint(rest); keep > uint64(len(have)) || more > uint64(len(rest)) {
			return 0, 0, errFormat
		}
		have = append(have[:keep], rest[:more]...)
		switch c := bytes.Compare(have, term); {
		case c == 0:
			return i, p.size - len(rest) + int(more), nil
		case c > 0:
			return -1, 0, nil
		}
	}
	return -1, 0, nil
}
