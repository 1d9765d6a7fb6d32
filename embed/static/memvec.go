package static

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode"
)

const (
	magic      = "MEMVEC\x00\x01"
	headerSize = 40 // magic and eight numbers of four bytes
	version    = 1

	// Limits against damaged files: about ten times the largest vocabulary and
	// dimension of today's models, and a hundred times the longest text of ours.
	maxRows      = 2_000_000
	maxDimension = 8192
	maxTokens    = 1 << 16
	maxName      = 100
)

// header follows the magic, little endian.
type header struct {
	Version, Rows, Dim, Bits, Tokens, Flags, Meta, Vocabulary uint32
}

// file contains the sections of a model file.
type file struct {
	header
	name       string
	vocabulary []byte
	scales     []byte
	codes      []byte
}

// parseFile splits a model file into its sections. It fails if their sizes do not add
// up, and allocates nothing that only the header asks for.
func parseFile(src []byte) (*file, error) {
	if len(src) < headerSize || string(src[:len(magic)]) != magic {
		return nil, errors.New("not a MEMVEC file")
	}
	var f file
	if err := binary.Read(bytes.NewReader(src[len(magic):headerSize]), binary.LittleEndian, &f.header); err != nil {
		return nil, err
	}
	if err := f.validate(len(src)); err != nil {
		return nil, err
	}
	var meta []byte
	rest := src[headerSize:]
	meta, rest = rest[:f.Meta], rest[f.Meta:]
	f.vocabulary, rest = rest[:f.Vocabulary], rest[f.Vocabulary:]
	f.scales, f.codes = rest[:4*f.Rows], rest[4*f.Rows:]

	var about struct{ Name string }
	if err := json.Unmarshal(meta, &about); err != nil {
		return nil, fmt.Errorf("meta: %w", err)
	}
	f.name = about.Name
	return &f, checkName(f.name)
}

func (h header) validate(size int) error {
	switch {
	case h.Version != version:
		return fmt.Errorf("version %d instead of %d", h.Version, version)
	case h.Flags != 0:
		return fmt.Errorf("unknown flags %#x", h.Flags)
	case h.Bits != 4:
		return fmt.Errorf("%d bits per number instead of 4", h.Bits)
	case h.Rows == 0 || h.Rows > maxRows:
		return fmt.Errorf("%d rows", h.Rows)
	case h.Dim == 0 || h.Dim > maxDimension || h.Dim*h.Bits%8 != 0:
		return fmt.Errorf("%d numbers of %d bits per row", h.Dim, h.Bits)
	case h.Tokens == 0 || h.Tokens > maxTokens:
		return fmt.Errorf("%d tokens per text", h.Tokens)
	}
	row := 4 + uint64(h.Dim)*uint64(h.Bits)/8
	if want := headerSize + uint64(h.Meta) + uint64(h.Vocabulary) + uint64(h.Rows)*row; uint64(size) != want {
		return fmt.Errorf("%d bytes, but %d by the header", size, want)
	}
	return nil
}

// checkName checks that a model's name can be printed and used as a key.
func checkName(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("meta: a name of %d bytes", len(name))
	}
	for _, r := range name {
		if r == unicode.ReplacementChar || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return fmt.Errorf("meta: the name %q", name)
		}
	}
	return nil
}
