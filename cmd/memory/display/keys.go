package display

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/memory-tiered/memory"
)

// Keys reads single keys. A terminal delivers them at once, without Enter.
type Keys struct {
	in      io.Reader
	pending []byte // typed ahead
}

// The keys that are no characters.
const (
	Escape    = 0x1b
	Interrupt = 0x03 // Ctrl-C in raw mode
	End       = 0x04 // Ctrl-D
)

// NewKeys returns the keys that a reader delivers.
func NewKeys(in io.Reader) *Keys { return &Keys{in: in} }

// Next returns the next key. A key that sends an escape sequence, such as an arrow, is
// Escape.
func (k *Keys) Next() (key byte, err error) {
	if len(k.pending) == 0 {
		if k.pending, err = k.read(); err != nil {
			return 0, err
		}
	}
	key = k.pending[0]
	if k.pending = k.pending[1:]; key == Escape {
		k.pending = nil
	}
	return key, nil
}

func (k *Keys) read() ([]byte, error) {
	if f, ok := k.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		before, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return nil, memory.Unavailable(err, "read single keys from the terminal")
		}
		defer func() { _ = term.Restore(int(f.Fd()), before) }() // the next line would look odd, no more
	}
	typed := make([]byte, 16) // an escape sequence fits
	n, err := k.in.Read(typed)
	if n == 0 && err == nil {
		err = io.ErrNoProgress
	}
	if n > 0 {
		err = nil
	}
	return typed[:n], err
}
