package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxSize limits the front matter that is decoded. It has room for about 20,000
// decisions in one file, and text made to be slow takes a second or two at
// worst.
const maxSize = 2 << 20

// decoded is front matter of any format as YAML nodes. Aliases are not
// expanded, so they cannot multiply the size.
type decoded struct {
	root     *yaml.Node // nil: no content
	multiple bool       // more documents follow
	err      error
	errLine  int // line of err in the decoded text, 1-based
}

// decode turns a panic of a decoder into an error.
func decode(f Format, raw []byte) (t decoded) {
	defer func() {
		// The input may be anything, and the decoders are not ours.
		if p := recover(); p != nil {
			t = decoded{err: fmt.Errorf("cannot be read: %v", p), errLine: 1}
		}
	}()
	if len(raw) > maxSize {
		return decoded{err: fmt.Errorf("larger than %d MiB", maxSize>>20), errLine: 1}
	}
	switch f {
	case FormatTOML:
		return decodeTOML(raw)
	case FormatJSON:
		return decodeJSON(raw)
	}
	return decodeYAML(raw)
}

func decodeYAML(raw []byte) decoded {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return decoded{}
	} else if err != nil {
		return yamlError(raw, err)
	}
	t := decoded{multiple: !errors.Is(dec.Decode(&next), io.EOF)}
	if len(doc.Content) > 0 {
		t.root = doc.Content[0]
	}
	if t.root != nil && t.root.Kind == yaml.ScalarNode && t.root.Tag == "!!null" && t.root.Value == "" {
		t.root = nil
	}
	return t
}

var (
	yamlErrorLine = regexp.MustCompile(`^line (\d+): `)
	yamlAlias     = regexp.MustCompile(`unknown anchor '([^']*)'`)
)

// yamlError finds the line of a decoding error. The library counts lines from 0
// in its parser and from 1 in its scanner, and omits the first.
func yamlError(raw []byte, err error) decoded {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if m := yamlErrorLine.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
	}
	switch {
	case strings.HasPrefix(message, "did not find expected"):
		line++
	case yamlAlias.MatchString(message):
		name := yamlAlias.FindStringSubmatch(message)[1]
		line = lineOf(raw, bytes.Index(raw, []byte("*"+name)))
	case line == 0:
		line = lineOf(raw, bytes.IndexFunc(raw, isInvalidInYAML))
	}
	line = min(max(line, 1), max(bytes.Count(raw, []byte("\n")), 1))
	return decoded{err: errors.New(message), errLine: line}
}

// isInvalidInYAML reports whether YAML forbids an unescaped character.
func isInvalidInYAML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r == utf8.RuneError
}

// lineOf returns the line of an offset, or 1 if there is none.
func lineOf(raw []byte, offset int) int {
	return 1 + bytes.Count(raw[:max(offset, 0)], []byte("\n"))
}
