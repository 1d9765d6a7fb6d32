package index

import "context"

// holding is a chunk that holds a token, and how often in each column.
type holding struct {
	chunk int64
	often [columns]uint16
}

// mainIndex begins every term: those of indexes by prefix, which there are none
// of, begin with others.
const mainIndex = "0"

// readAll appends what the doclists of a token hold, the newest first.
func readAll(all []holding, lists []doclist) (_ []holding, err error) {
	var known map[int64]bool
	if len(lists) > 1 {
		known = map[int64]bool{}
	}
	for _, l := range lists { // a copy: it may be asked for again
		if all, err = l.read(all, known); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// open finds the doclists of tokens, the newest of each first, with all their
// pages.
func (d *doclists) open(ctx context.Context, tokens []string) (map[string][]doclist, error) {
	type place struct {
		token string
		s     *segment
		at    int
	}
	var places []place
	want := map[int64]page{}
	for _, token := range tokens {
		for i := range d.segments {
			s := &d.segments[i]
			if at := s.find([]byte(mainIndex + token)); at >= 0 {
				places = append(places, place{token, s, at})
				want[s.rowOf(s.pages[at])] = page{}
			}
		}
	}
	if err := d.fetch(ctx, want); err != nil {
		return nil, err
	}
	lists, more := map[string][]doclist{}, map[int64]page{}
	for _, p := range places {
		first := want[p.s.rowOf(p.s.pages[p.at])]
		n, at, err := first.find([]byte(mainIndex + p.token))
		if err != nil {
			return nil, err
		}
		if n < 0 {
			continue
		}
		l := doclist{pages: []page{first}, off: at, end: first.until(n), fresh: true}
		if n == len(first.terms)-1 { // it goes on up to the next page with a term on it
			next := p.s.last
			if p.at+1 < len(p.s.pages) {
				next = p.s.pages[p.at+1]
			}
			for page := p.s.pages[p.at] + 1; page <= next; page++ {
				l.rest = append(l.rest, p.s.rowOf(page))
				more[p.s.rowOf(page)] = want[p.s.rowOf(page)]
			}
		}
		lists[p.token] = append(lists[p.token], l)
	}
	if err := d.fetch(ctx, more); err != nil {
		return nil, err
	}
	for _, all := range lists {
		for i := range all {
			for _, row := range all[i].rest {
				all[i].pages = append(all[i].pages, more[row])
			}
		}
	}
	return lists, nil
}

// fetch reads pages that are not known yet.
func (d *doclists) fetch(ctx context.Context, pages map[int64]page) error {
	var rows []int64
	for row, p := range pages {
		if p.b == nil {
			rows = append(rows, row)
		}
	}
	return d.q.Each(ctx, "SELECT id, block FROM memories_fts_data WHERE id IN (SELECT value FROM json_each(?))", []any{numbers(rows)},
		func(scan func(...any) error) error {
			var row int64
			var b []byte
			err := scan(&row, &b)
			if err == nil {
				pages[row], err = pageOf(b)
			}
			return err
		})
}

// doclist is one on its way through its pages.
type doclist struct {
	rest     []int64 // pages after the first
	pages    []page
	at       int // of the pages
	off, end int
	fresh    bool // nothing of it has been read
}

// turn goes to the next page, if the doclist goes on there.
func (l *doclist) turn() bool {
	if l.at+1 >= len(l.pages) || l.end < l.pages[l.at].size {
		return false
	}
	l.at++
	l.off, l.end = 4, l.pages[l.at].until(-1)
	return l.off < l.end
}

// number reads the next one; none are cut in two by the end of a page.
func (l *doclist) number() (n uint64, size int, err error) {
	if l.off >= l.end && !l.turn() {
		return 0, 0, errFormat
	}
	b := l.pages[l.at].b[l.off:l.end]
	if b[0] < 0x80 {
		l.off++
		return uint64(b[0]), 1, nil
	}
	n, rest := varint(b)
	if rest == nil {
		return 0, 0, errFormat
	}
	size = len(b) - len(rest)
	l.off += size
	return n, size, nil
}

// read appends what a doclist holds but for the chunks that are known, and adds
// all that it speaks of to these, where they are wanted.
func (l *doclist) read(all []holding, known map[int64]bool) ([]holding, error) {
	chunk := int64(0)
	for l.off < l.end || l.turn() {
		whole := l.fresh || l.off == l.pages[l.at].first
		l.fresh = false
		n, _, err := l.number()
		if err != nil {
			return all, err
		}
		if !whole {
			n += uint64(chunk)
		}
		chunk = int64(n)
		h := holding{chunk: chunk}
		left, _, err := l.number()
		if err == nil {
			err = l.positions(&h, int(left/2))
		}
		if err != nil {
			return all, err
		}
		if left >= 2 && !known[chunk] {
			all = append(all, h)
		}
		if known != nil {
			known[chunk] = true
		}
	}
	return all, nil
}

// positions counts those in so many bytes: numbers from 2 up are one each, 1 says
// that those of another column follow.
func (l *doclist) positions(h *holding, left int) error {
	column := uint64(0)
	for left > 0 {
		n, size, err := l.number()
		if left -= size; err != nil {
			return err
		}
		if n == 1 {
			column, size, err = l.number()
			if left -= size; err != nil || column >= columns {
				return errFormat
			}
			continue
		}
		h.often[column] = min(h.often[column]+1, 255)
	}
	return nil
}
