package fields

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Format is a language of front matter.
type Format string

const (
	None Format = "" // no front matter
	YAML Format = "yaml"
	TOML Format = "toml"
)

// Title returns the name as a person writes it.
func (f Format) Title() string {
	if f == TOML {
		return "TOML"
	}
	return "YAML"
}

// MaxSize limits the front matter that is decoded. It has room for about 20,000
// decisions in one file, and text made to be slow takes a second or two at
// worst.
const MaxSize = 2 << 20

// Tree is decoded front matter of any format as YAML nodes. Aliases are not
// expanded, so they cannot multiply the size.
type Tree struct {
	Root     *yaml.Node // nil: no content
	Multiple bool       // more documents follow
	Err      error
	ErrLine  int // line of Err in the decoded text, 1-based
}

// Decode reads a text. A panic of a decoder becomes an error.
func Decode(f Format, raw []byte) (t Tree) {
	defer func() {
		// The input may be anything, and the decoders are not ours.
		if p := recover(); p != nil {
			t = Tree{Err: fmt.Errorf("cannot be read: %v", p), ErrLine: 1}
		}
	}()
	if len(raw) > MaxSize {
		return Tree{Err: fmt.Errorf("larger than %d MiB", MaxSize>>20), ErrLine: 1}
	}
	if f == TOML {
		return decodeTOML(raw)
	}
	return decodeYAML(raw)
}

// LineOf returns the line of an offset, or 1 if there is none.
func LineOf(raw []byte, offset int) int {
	return 1 + bytes.Count(raw[:max(offset, 0)], []byte("\n"))
}
