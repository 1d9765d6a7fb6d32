package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// headerSize is the number of bytes of the header, at the beginning of the file.
const headerSize = 100

// fixedHeader lists the bytes of the header that every database of this package has,
// and that SQLite acts on (https://sqlite.org/fileformat.html). The first value is that
// of a database with tables.
var fixedHeader = []struct {
	offset int
	what   string
	values []string
}{
	{0, "magic string", []string{"SQLite format 3\x00"}},
	{16, "page size", []string{"\x10\x00"}},
	{18, "write and read version", []string{"\x02\x02", "\x01\x01"}}, // with and without a write-ahead log
	{20, "reserved space", []string{"\x00"}},
	{21, "payload fractions", []string{"\x40\x20\x20"}},
	{44, "schema format", []string{"\x00\x00\x00\x04", "\x00\x00\x00\x00"}},
	{52, "auto-vacuum root", []string{"\x00\x00\x00\x00"}},
	{56, "text encoding", []string{"\x00\x00\x00\x01", "\x00\x00\x00\x00"}},
	{64, "incremental vacuum", []string{"\x00\x00\x00\x00"}},
}

// Where the header has the number of pages, which holds only if the two counters of
// changes are equal, and the application id.
const (
	changesAt       = 24
	pagesAt         = 28
	applicationIDAt = 68
	countedAt       = 92
	pageBytes       = 4096
)

// checkHeader compares the file's header with what it must contain. SQLite itself
// ignores some damage there, or takes it for a file that cannot be written. An empty
// file is a new database.
func (db *DB) checkHeader() error {
	log, err := os.Stat(db.path + "-wal")
	hasLog := err == nil && log.Size() > 0 // it may have the last pages
	header, size, ok := db.readHeader()
	switch {
	case !ok:
		return nil
	case len(header) < headerSize:
		return fmt.Errorf("%w: its file has only %d bytes", ErrDamaged, size)
	}
	db.sawHeader.Store(true)
	for _, f := range fixedHeader {
		if !hasValue(header[f.offset:], f.values) {
			return fmt.Errorf("%w: the %s in its header is wrong", ErrDamaged, f.what)
		}
	}
	pages := int64(binary.BigEndian.Uint32(header[pagesAt:])) * pageBytes
	if isCounted := bytes.Equal(header[changesAt:changesAt+4], header[countedAt:countedAt+4]); isCounted && !hasLog && pages != size {
		return fmt.Errorf("%w: its file has %d bytes, and the header says %d", ErrDamaged, size, pages)
	}
	return nil
}

// readHeader returns the header, or what a short file has of it, and the size of the file. ok
// is false for a new database, and for a file that SQLite reports as unusable itself.
func (db *DB) readHeader() (header []byte, size int64, ok bool) {
	file, err := db.files.get(db.path)
	if err != nil {
		return nil, 0, false
	}
	info, err := file.Stat()
	if err != nil || info.Size() == 0 && !db.sawHeader.Load() {
		return nil, 0, false
	}
	header = make([]byte, headerSize)
	n, err := file.ReadAt(header, 0)
	return header[:n], info.Size(), err == nil || errors.Is(err, io.EOF)
}

func hasValue(header []byte, values []string) bool {
	for _, v := range values {
		if bytes.HasPrefix(header, []byte(v)) {
			return true
		}
	}
	return false
}

// MendHeader writes what every header contains into a file that has a program's
// application id, so that its rows can be read. No connection may be open.
func MendHeader(path string, applicationID uint32) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	header := make([]byte, headerSize)
	if _, err := file.ReadAt(header, 0); err != nil || binary.BigEndian.Uint32(header[applicationIDAt:]) != applicationID {
		return err
	}
	mended := bytes.Clone(header)
	for _, f := range fixedHeader {
		if !hasValue(mended[f.offset:], f.values) {
			copy(mended[f.offset:], f.values[0])
		}
	}
	if bytes.Equal(mended, header) {
		return nil
	}
	_, err = file.WriteAt(mended, 0)
	return err
}
