package static

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
)

const (
	magic      = "MEMVEC\x00\x01"
	headerSize = 40 // magic and eight numbers of four bytes
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

// parseFile splits a model file into its sections. The file is in the binary, and a test
// compares its digest. So a file that is none is a bug of the build, which the first use shows.
func parseFile(src []byte) (f file) {
	if !bytes.HasPrefix(src, []byte(magic)) {
		panic("the static model in the binary is not a MEMVEC file")
	}
	_ = binary.Read(bytes.NewReader(src[len(magic):headerSize]), binary.LittleEndian, &f.header) // it has enough bytes
	var about struct{ Name string }
	rest := src[headerSize:]
	_ = json.Unmarshal(rest[:f.Meta], &about) // a model without a name is usable
	f.name, rest = about.Name, rest[f.Meta:]
	f.vocabulary, rest = rest[:f.Vocabulary], rest[f.Vocabulary:]
	f.scales, f.codes = rest[:4*f.Rows], rest[4*f.Rows:]
	return f
}
