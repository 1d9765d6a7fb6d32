package verify

import (
	"encoding/binary"
	"errors"
)

// dividedSearch looks for texts in a row of a database that is longer than a page. Such a row
// goes on in overflow pages, which may be anywhere in the file. A table's page has a number
// behind its part of the row, which is that of the first overflow page. Each overflow page
// begins with the number of the next one. Free pages and deleted rows keep these numbers. So
// each number that may be one is followed, whether its page is in use or not.
type dividedSearch struct {
	*pages
	texts  *Matcher
	budget int64 // how many more bytes may be searched
	row    []byte
	buffer []byte
}

// workPerByte limits a search in a file whose pages refer to each other all the time.
const workPerByte = 64

var errTangled = errors.New("its pages refer to each other too often, so that it cannot be searched as a whole")

// indexDivided returns the offset at which a text begins that is divided between two pages, or -1.
func indexDivided(texts *Matcher, p *pages) (int64, error) {
	const least = 1 << 24
	s := dividedSearch{pages: p, texts: texts, budget: least + workPerByte*p.length, buffer: make([]byte, p.size)}
	page := make([]byte, p.size)
	for i, each := range p.images {
		if s.listsOwners(each.page) {
			continue
		}
		at, err := s.from(i, p.read(page, each.at))
		if at >= 0 || err != nil {
			return at, err
		}
	}
	return -1, nil
}

// listsOwners reports whether a page lists the owners of other pages.
func (s *dividedSearch) listsOwners(page uint32) bool {
	const ownerSize = 5
	return s.isMoved && page >= 2 && int(page-2)%(s.usable/ownerSize+1) == 0
}

// from follows each number in an image of a page.
func (s *dividedSearch) from(i int, page []byte) (int64, error) {
	begin := 1
	if len(page) < 2*numberSize {
		return -1, nil
	}
	if next := binary.BigEndian.Uint32(page); next == 0 || s.isPage(next) {
		if at, err := s.follow(i, page, numberSize, len(page), next); at >= 0 || err != nil {
			return at, err
		}
		begin = max(begin, s.freePages(page))
	}
	for end := begin; end+numberSize <= len(page); end++ {
		number := binary.BigEndian.Uint32(page[end:])
		if number == s.images[i].page || !s.isPage(number) {
			continue
		}
		if at, err := s.follow(i, page, 0, end, number); at >= 0 || err != nil {
			return at, err
		}
	}
	return -1, nil
}

// freePages returns where a list of free pages ends, or 0 if the page has none.
func (s *dividedSearch) freePages(page []byte) int {
	n := int(binary.BigEndian.Uint32(page[numberSize:]))
	end := (2 + n) * numberSize
	if n > len(page) || end > len(page) {
		return 0
	}
	for at := 2 * numberSize; at < end; at += numberSize {
		if !s.isPage(binary.BigEndian.Uint32(page[at:])) {
			return 0
		}
	}
	return end
}

// follow looks for a text that begins in a part of a page and goes on in the page of a number.
func (s *dividedSearch) follow(i int, page []byte, begin, end int, number uint32) (int64, error) {
	most := s.texts.longest()
	begin = max(begin, end-most)
	for _, inDatabase := range []bool{false, true} {
		s.row = append(s.row[:0], page[begin:end]...)
		for next := number; next != 0 && len(s.row) < end-begin+most; {
			missing := end - begin + most - len(s.row)
			var part []byte
			if part, next = s.overflow(s.buffer, next, i, inDatabase); len(part) == 0 {
				break
			}
			s.row = append(s.row, part[:min(len(part), missing)]...)
		}
		if len(s.row) == end-begin {
			continue
		}
		if s.budget -= int64(len(s.row)); s.budget < 0 {
			return -1, errTangled
		}
		if at := s.texts.Index(s.row); at >= 0 {
			return s.images[i].at + int64(begin+min(at, end-begin)), nil
		}
		if s.of == nil {
			break // there is one version only
		}
	}
	return -1, nil
}
