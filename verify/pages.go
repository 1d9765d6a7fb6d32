package verify

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"sort"
	"strings"
)

// pages is a file that has pages of a database of SQLite: the database, its log or its journal.
type pages struct {
	file    io.ReaderAt
	length  int64
	size    int  // of a page
	usable  int  // of it, without what an extension reserves
	isMoved bool // pages change their place (auto_vacuum), for which some pages list their owners
	images  []image
	byPage  map[uint32][]int // the images of each page; nil: this is the database
	of      *pages           // the database that this is the log or the journal of; nil: unknown
	last    uint32           // the highest number of a page
}

// image is one version of a page.
type image struct {
	page uint32
	at   int64
	end  int // the last image of its transaction
}

// What the files begin with. The last bit of a log's is the order of bytes in its checksums.
const (
	databaseMagic = "SQLite format 3\x00"
	journalMagic  = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
	logMagic      = 0x377f0682
)

const (
	defaultPageSize = 4096 // of SQLite, for a file whose header is damaged
	defaultSector   = 512  // by which the parts of a journal are aligned
	leastUsable     = 480  // bytes of a page
	numberSize      = 4    // of the number of a page
	headerSize      = 100  // of a database
	logHeader       = 32
	frameHeader     = 24 // of a page in a log
)

var errUTF16 = errors.New("it is a database with texts in UTF-16, which cannot be searched")

// openPages returns the pages in a file, or nil if it has none. of is the database that it
// belongs to, if it is a log or a journal.
func openPages(file io.ReaderAt, of *pages) (*pages, error) {
	p := &pages{file: file, of: of, length: lengthOf(file)}
	header := make([]byte, headerSize)
	n, _ := file.ReadAt(header, 0)
	number := func(at int) uint32 { return binary.BigEndian.Uint32(header[at:]) }
	switch {
	case strings.HasPrefix(string(header), databaseMagic):
		p.setSize(int(binary.BigEndian.Uint16(header[16:])), int(header[20]))
		p.isMoved = number(52) != 0
		if number(56) > 1 {
			return nil, errUTF16
		}
	case n >= logHeader && number(0)&^1 == logMagic:
		p.setSize(int(number(8)), 0)
		p.addFrames()
		return p, nil
	case string(header[:len(journalMagic)]) == journalMagic:
		p.setSize(int(number(24)), 0)
		p.addJournal(max(int64(number(20)), defaultSector))
		return p, nil
	case of != nil && number(0) == 0: // SQLite ends a transaction by zeros in the header
		p.setSize(of.size, 0)
		p.addJournal(defaultSector)
		return p, nil
	case p.length == 0 || p.length%defaultPageSize != 0:
		return nil, nil
	default:
		p.setSize(defaultPageSize, 0)
	}
	for at := int64(0); at < p.length; at += int64(p.size) {
		p.images = append(p.images, image{page: uint32(len(p.images) + 1), at: at})
	}
	p.last = uint32(len(p.images))
	return p, nil
}

func lengthOf(file io.ReaderAt) int64 {
	const most = 1 << 48 // bytes of a database
	return int64(sort.Search(most, func(n int) bool {
		read, _ := file.ReadAt(make([]byte, 1), int64(n))
		return read == 0
	}))
}

// setSize notes the size of a page. It is the usual one if the header is damaged.
func (p *pages) setSize(size, reserved int) {
	const smallest, largest = 512, 1 << 16
	if size == 1 {
		size = largest // as a database writes it
	}
	if size < smallest || size > largest || bits.OnesCount(uint(size)) != 1 {
		size = defaultPageSize
	}
	if p.of != nil && p.of.size == size {
		reserved = size - p.of.usable
	}
	if size-reserved < leastUsable {
		reserved = 0
	}
	p.size, p.usable, p.byPage = size, size-reserved, map[uint32][]int{}
}

// addFrames finds the pages of a log, also those of transactions before the last checkpoint.
func (p *pages) addFrames() {
	var header [8]byte
	begin := 0
	for at := int64(logHeader); at+frameHeader < p.length; at += frameHeader + int64(p.size) {
		_, _ = p.file.ReadAt(header[:], at)
		p.addImage(binary.BigEndian.Uint32(header[:]), at+frameHeader)
		if isCommit := binary.BigEndian.Uint32(header[4:]) != 0; isCommit {
			p.endTransaction(begin)
			begin = len(p.images)
		}
	}
	p.endTransaction(begin)
}

// addJournal finds the pages of a journal, as they were before a transaction.
func (p *pages) addJournal(sector int64) {
	var header [8]byte
	for at := sector; at+numberSize < p.length; {
		_, _ = p.file.ReadAt(header[:], at)
		page := binary.BigEndian.Uint32(header[:])
		if string(header[:]) == journalMagic || page == 0 { // the next part begins here, or at the next sector
			at += sector - at%sector
			continue
		}
		p.addImage(page, at+numberSize)
		at += numberSize + int64(p.size) + numberSize // with its checksum
	}
	p.endTransaction(0)
}

func (p *pages) addImage(page uint32, at int64) {
	const most = 1 << 31 // pages; a higher number is damage
	if page == 0 || page >= most {
		return
	}
	p.byPage[page] = append(p.byPage[page], len(p.images))
	p.images, p.last = append(p.images, image{page: page, at: at}), max(p.last, page)
	if p.of != nil {
		p.last = max(p.last, p.of.last)
	}
}

func (p *pages) endTransaction(begin int) {
	for i := begin; i < len(p.images); i++ {
		p.images[i].end = len(p.images) - 1
	}
}

// isPage reports whether a number may be that of a page with a part of a row.
func (p *pages) isPage(number uint32) bool { return number > 1 && number <= p.last }

// read reads an image of a page. It is shorter at the end of a file that was cut off.
func (p *pages) read(buffer []byte, at int64) []byte {
	n, _ := p.file.ReadAt(buffer[:p.size], at)
	return buffer[:min(n, p.usable)]
}

// overflow reads the page of a number as the transaction of an image has it, or if inDatabase
// as the database has it. It returns what the page has of a row and the number of the next
// page, or nothing if this is no overflow page.
func (p *pages) overflow(buffer []byte, number uint32, i int, inDatabase bool) (row []byte, next uint32) {
	in, at := p, int64(number-1)*int64(p.size)
	if len(p.byPage) > 0 {
		versions := p.byPage[number]
		n := sort.SearchInts(versions, p.images[i].end+1)
		switch {
		case n > 0 && !inDatabase:
			at = p.images[versions[n-1]].at
		case p.of == nil || p.of.size != p.size:
			return nil, 0
		default:
			in = p.of
		}
	}
	page := in.read(buffer, at)
	if len(page) <= numberSize {
		return nil, 0
	}
	next = binary.BigEndian.Uint32(page)
	if next != 0 && !p.isPage(next) {
		return nil, 0
	}
	return page[numberSize:], next
}
