package textedit

import (
	"bytes"
	"strings"

	"github.com/memory-tiered/memory"
)

// Marks around the paragraph of this program in a file for people.
const (
	beginMark = "<!-- memory: begin -->"
	endMark   = "<!-- memory: end -->"
)

// textEditor edits a file for people, such as Markdown. Its one value is the paragraph
// between the marks, at the path "paragraph".
type textEditor struct{ noLists }

// paragraph returns the place of the marks with what is between them.
func paragraph(src []byte) (start, end int, ok bool) {
	start = bytes.Index(src, []byte(beginMark))
	if start < 0 {
		return 0, 0, false
	}
	length := bytes.Index(src[start:], []byte(endMark))
	return start, start + length + len(endMark), length >= 0
}

func (textEditor) parse(src []byte) (any, error) {
	values := map[string]any{}
	start, end, ok := paragraph(src)
	if !ok && bytes.Contains(src, []byte(beginMark)) {
		return nil, memory.Invalid("", "the file has the mark %s without %s", beginMark, endMark).WithHint("correct the file first")
	}
	if ok {
		inner := string(src[start+len(beginMark) : end-len(endMark)])
		values["paragraph"] = strings.TrimSpace(strings.ReplaceAll(inner, "\r\n", "\n"))
	}
	for ; ok; start, end, ok = paragraph(src) { // a copy is ours too
		src = splice(src, start, end, "")
	}
	values["rest"] = strings.Join(strings.Fields(string(src)), " ")
	return values, nil
}

func (textEditor) put(src []byte, path []string, value []byte) ([]byte, error) {
	v, err := decoded(value)
	text, ok := v.(string)
	if err != nil || !ok {
		return nil, errKind(path)
	}
	eol := lineEnd(src)
	block := strings.ReplaceAll(beginMark+"\n"+text+"\n"+endMark, "\n", eol)
	if start, end, ok := paragraph(src); ok {
		return splice(src, start, end, block), nil
	}
	if len(src) == 0 {
		return []byte(block + eol), nil
	}
	if !bytes.HasSuffix(src, []byte("\n")) {
		return splice(src, len(src), len(src), eol+eol+block), nil
	}
	return splice(src, len(src), len(src), eol+block+eol), nil
}

func (e textEditor) cut(src []byte, path []string) ([]byte, error) {
	start, end, ok := paragraph(src)
	if !ok {
		return src, nil
	}
	before := withoutLineEnd(src[:start])
	if end == len(src) {
		return e.cut(withoutLineEnd(before), path)
	}
	return e.cut(splice(src, len(before), behindLineEnd(src, end), ""), path)
}
