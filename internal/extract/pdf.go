package extract

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/unicode/norm"
)

const maxBefore = 1024 // where a PDF may begin, in bytes; mail programs write their own lines before

// readPDF returns the text of each page. Paragraphs have a blank line between them.
func readPDF(src []byte) (pages []string, err error) {
	damaged := errors.New("the PDF is damaged")
	defer func() {
		if recover() != nil { // the library panics where a file is not as it should be
			pages, err = nil, damaged
		}
	}()
	if at := bytes.Index(src[:min(len(src), maxBefore)], []byte("%PDF-")); at >= 0 {
		src = src[at:]
		copy(src, "%PDF-1.7\n") // the library refuses other versions
	}
	file, err := pdf.NewReader(bytes.NewReader(src), int64(len(src)))
	switch {
	case err != nil && bytes.Contains(src, []byte("/Encrypt")): // also what the library cannot decrypt; without a password it can
		return nil, errors.New("the PDF is encrypted")
	case err != nil:
		return nil, damaged
	}
	read(file.Trailer().Key("Root").Key("Pages"), 0, &pages)
	switch {
	case len(pages) == 0:
		return nil, damaged
	case strings.TrimSpace(strings.Join(pages, "")) == "":
		return nil, errors.New("the PDF has no text, only images perhaps")
	}
	return pages, nil
}

const maxNesting = 32 // of the tree of pages

// read reads the pages at or below a node.
func read(node pdf.Value, depth int, pages *[]string) {
	kids := node.Key("Kids")
	switch {
	case kids.Kind() == pdf.Array && depth < maxNesting:
		for i := range kids.Len() {
			read(kids.Index(i), depth+1, pages)
		}
	case node.Kind() == pdf.Dict && kids.IsNull():
		page := pdf.Page{V: node}
		var p painter
		p.tryPaint(node.Key("Contents"), page.Resources(), state{ctm: identity}, 0)
		*pages = append(*pages, string(p.text))
	}
}

// matrix maps (x, y) to (a·x + c·y + e, b·x + d·y + f), as [a b c d e f].
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func matrixOf(number func(int) pdf.Value) (m matrix) {
	for i := range m {
		m[i] = number(i).Float64()
	}
	return m
}

// times returns the map of m, and then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is the part of the graphics state that places texts.
type state struct {
	ctm, text, line matrix
	font            *font
	size, leading   float64
}

func (s *state) move(x, y float64) {
	s.line = matrix{1, 0, 0, 1, x, y}.times(s.line)
	s.text = s.line
}

func (s *state) advance(x float64) { s.text = matrix{1, 0, 0, 1, x, 0}.times(s.text) }

type font struct {
	pdf.TextEncoding
	bytes  int             // of the code of a glyph
	widths map[int]float64 // by code, in thousandths of an em
	other  float64         // the width of all other glyphs
}

func newFont(v pdf.Value) *font {
	named := pdf.Font{V: v}
	f := &font{named.Encoder(), 1, map[int]float64{}, 550}
	for i, w := range named.Widths() {
		f.widths[named.FirstChar()+i] = w
	}
	numbered := v.Key("DescendantFonts").Index(0)
	if numbered.IsNull() {
		return f
	}
	f.bytes, f.other = 2, 1000
	// Either a code and the list of widths from there, or two codes and the width from one to the other.
	for w, i := numbered.Key("W"), 0; i+1 < w.Len(); i += 2 {
		code, next := int(w.Index(i).Int64()), w.Index(i+1)
		for k := range next.Len() {
			f.widths[code+k] = next.Index(k).Float64()
		}
		if next.Kind() != pdf.Array {
			for ; code <= min(int(next.Int64()), math.MaxUint16); code++ {
				f.widths[code] = w.Index(i + 2).Float64()
			}
			i++
		}
	}
	return f
}

// width returns the width of a string in ems.
func (f *font) width(raw string) (sum float64) {
	for ; len(raw) >= f.bytes; raw = raw[f.bytes:] {
		code := int(raw[0])
		if f.bytes == 2 {
			code = code<<8 | int(raw[1])
		}
		if w, known := f.widths[code]; known {
			sum += w / 1000
		} else {
			sum += f.other / 1000
		}
	}
	return sum
}

// painter writes the texts that a page paints, in their order.
type painter struct {
	text []byte
	x, y float64 // where the last text ended
}

// tryPaint paints what can be read of a page or a form.
func (p *painter) tryPaint(contents, resources pdf.Value, s state, depth int) {
	defer func() { _ = recover() }() // the library panics where contents are not as they should be
	fonts, saved := map[string]*font{}, []state(nil)
	pdf.Interpret(contents, func(stack *pdf.Stack, op string) {
		args := make([]pdf.Value, stack.Len())
		for i := range args {
			args[len(args)-1-i] = stack.Pop()
		}
		arg := func(i int) (v pdf.Value) {
			if i < len(args) {
				v = args[i]
			}
			return v
		}
		n := func(i int) float64 { return arg(i).Float64() }
		switch op {
		case "q":
			saved = append(saved, s)
		case "Q":
			if last := len(saved) - 1; last >= 0 {
				s, saved = saved[last], saved[:last]
			}
		case "cm":
			s.ctm = matrixOf(arg).times(s.ctm)
		case "Do":
			form := resources.Key("XObject").Key(arg(0).Name())
			if form.Key("Subtype").Name() == "Form" && depth < 4 {
				own := form.Key("Resources")
				if own.IsNull() {
					own = resources
				}
				inner := s
				if m := form.Key("Matrix"); m.Len() == len(inner.ctm) {
					inner.ctm = matrixOf(m.Index).times(s.ctm)
				}
				p.tryPaint(form, own, inner, depth+1)
			}
		case "BT":
			s.text, s.line = identity, identity
		case "Tf":
			name := arg(0).Name()
			if fonts[name] == nil {
				fonts[name] = newFont(resources.Key("Font").Key(name))
			}
			s.font, s.size = fonts[name], n(1)
		case "TL":
			s.leading = n(0)
		case "TD":
			s.leading = -n(1)
			s.move(n(0), n(1))
		case "Td":
			s.move(n(0), n(1))
		case "T*":
			s.move(0, -s.leading)
		case "Tm":
			s.line = matrixOf(arg)
			s.text = s.line
		case "'", "\"":
			s.move(0, -s.leading)
			p.show(arg(len(args)-1), &s)
		case "Tj":
			p.show(arg(0), &s)
		case "TJ":
			for i := range arg(0).Len() {
				v := arg(0).Index(i)
				s.advance(-v.Float64() / 1000 * s.size)
				p.show(v, &s)
			}
		}
	})
}

// The gaps that separate words, lines and paragraphs, as a share of the size of the font. A
// line begins some 1.2 below the line above it.
const (
	wordGap      = 0.17
	lineGap      = 0.5
	paragraphGap = 1.7
)

// show writes a string, with the space or the lines between it and the one before. Ligatures
// become letters.
func (p *painter) show(v pdf.Value, s *state) {
	raw := v.RawString()
	if raw == "" || s.font == nil {
		return
	}
	text, at := s.font.Decode(raw), s.text.times(s.ctm)
	if size := math.Abs(s.size) * math.Hypot(at[0], at[1]); size > 0 && len(p.text) > 0 {
		p.separate((at[4]-p.x)/size, math.Abs(at[5]-p.y)/size, text)
	}
	for _, r := range text {
		if r >= '\uFB00' && r <= '\uFB06' {
			p.text = norm.NFKC.AppendString(p.text, string(r))
		} else {
			p.text = utf8.AppendRune(p.text, r)
		}
	}
	s.advance(s.font.width(raw) * s.size)
	at = s.text.times(s.ctm)
	p.x, p.y = at[4], at[5]
}

// separate writes what separates a text from the last one. A word that is divided at the end of
// a line becomes one again.
func (p *painter) separate(along, across float64, text string) {
	last := p.text[len(p.text)-1]
	switch {
	case across > paragraphGap:
		p.text = append(p.text, "\n\n"...)
	case across > lineGap || along < -1:
		word, divided := bytes.CutSuffix(p.text, []byte("-"))
		before, _ := utf8.DecodeLastRune(word)
		if after, _ := utf8.DecodeRuneInString(text); divided && unicode.IsLetter(before) && unicode.IsLower(after) {
			p.text = word
		} else {
			p.text = append(p.text, '\n')
		}
	case along > wordGap && last != ' ':
		p.text = append(p.text, ' ')
	}
}
