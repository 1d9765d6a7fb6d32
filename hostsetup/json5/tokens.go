package json5

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// skipSpace skips white space and comments.
func (p *parser) skipSpace() {
	for p.err == nil && p.at < len(p.src) {
		r, size := utf8.DecodeRune(p.src[p.at:])
		switch {
		case isSpace(r):
			p.at += size
		case r == '/':
			p.comment()
		default:
			return
		}
	}
}

// isSpace also includes line ends and the byte order mark.
func isSpace(r rune) bool {
	return r == '\ufeff' || isLineEnd(r) || unicode.IsSpace(r) && r != '\u0085'
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' }

func (p *parser) comment() {
	rest := string(p.src[p.at:])
	switch {
	case strings.HasPrefix(rest, "//"):
		if end := strings.IndexFunc(rest, isLineEnd); end >= 0 {
			p.at += end
		} else {
			p.at = len(p.src)
		}
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			p.fail("the comment has no end")
			return
		}
		p.at += 2 + end + 2
	default:
		p.fail("unexpected '/'")
	}
}

// key reads the key of a member: quoted, or an identifier of ECMAScript.
func (p *parser) key() string {
	if p.at < len(p.src) && (p.src[p.at] == '"' || p.src[p.at] == '\'') {
		return p.quoted()
	}
	var key strings.Builder
	for p.err == nil && p.at < len(p.src) {
		r, size := utf8.DecodeRune(p.src[p.at:])
		if r == '\\' {
			if p.at++; !p.accept('u') {
				p.fail("unexpected escape in a key")
			}
			r, size = p.hex(4), 0
		}
		if !isIdentifierPart(r, key.Len() == 0) {
			break
		}
		p.at += size
		key.WriteRune(r)
	}
	if key.Len() == 0 {
		p.fail("expected a key, found %s", p.found())
	}
	return key.String()
}

func isIdentifierPart(r rune, first bool) bool {
	if r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) {
		return true
	}
	return !first && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) || r == '\u200c' || r == '\u200d')
}

// quoted reads a string in single or double quotes and returns its content.
func (p *parser) quoted() string {
	quote := rune(p.src[p.at])
	p.at++
	var units []uint16 // as in ECMAScript, \u escapes are halves of a character
	for p.err == nil && p.at < len(p.src) {
		r, size := utf8.DecodeRune(p.src[p.at:])
		switch {
		case r == quote:
			p.at += size
			return string(utf16.Decode(units))
		case r == '\n', r == '\r':
			p.fail("the string has no end on its line")
		case r == '\\':
			p.at++
			units = append(units, p.escape()...)
		default:
			p.at += size
			units = utf16.AppendRune(units, r)
		}
	}
	p.fail("the string has no end")
	return ""
}

var escapes = map[rune]rune{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '0': 0}

// escape reads what follows a backslash in a string.
func (p *parser) escape() []uint16 {
	r, size := utf8.DecodeRune(p.src[p.at:])
	if size == 0 {
		return nil // quoted reports the missing end
	}
	p.at += size
	if replaced, ok := escapes[r]; ok {
		return []uint16{uint16(replaced)}
	}
	switch {
	case r == 'x':
		return []uint16{uint16(p.hex(2))}
	case r == 'u':
		return []uint16{uint16(p.hex(4))}
	case r >= '1' && r <= '9':
		p.at -= size
		p.fail("unknown escape \\%c", r)
		return nil
	case r == '\r':
		p.accept('\n')
		return nil
	case isLineEnd(r): // the string goes on in the next line
		return nil
	}
	return utf16.AppendRune(nil, r)
}

// hex reads a number of hexadecimal digits.
func (p *parser) hex(digits int) rune {
	if p.at+digits <= len(p.src) {
		if n, err := strconv.ParseUint(string(p.src[p.at:p.at+digits]), 16, 16); err == nil {
			p.at += digits
			return rune(n)
		}
	}
	p.fail("expected %d hexadecimal digits", digits)
	return 0
}

// literal reads null, a boolean or a number.
func (p *parser) literal(v *Value) {
	start := p.at
	for p.at < len(p.src) && isLiteralByte(p.src[p.at]) {
		p.at++
	}
	v.text = string(p.src[start:p.at])
	switch _, isNumber := parseNumber(v.text); {
	case v.text == "null":
		v.Kind = Null
	case v.text == "true", v.text == "false":
		v.Kind = Boolean
	case isNumber:
		v.Kind = Number
	default:
		if p.at = start; v.text == "" {
			p.fail("expected a value, found %s", p.found())
		}
		p.fail("%q is not a value; a text needs quotes", v.text)
	}
}

func isLiteralByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || slices.Contains([]byte("+-._$"), c) || c >= utf8.RuneSelf
}

// parseNumber reads a number of JSON5.
func parseNumber(text string) (float64, bool) {
	digits, negative := strings.TrimPrefix(text, "+"), false
	if digits == text {
		digits, negative = strings.CutPrefix(text, "-")
	}
	n, ok := parseDigits(digits)
	if negative {
		n = -n
	}
	return n, ok
}

func parseDigits(digits string) (float64, bool) {
	switch {
	case digits == "Infinity":
		return math.Inf(1), true
	case digits == "NaN":
		return math.NaN(), true
	case strings.HasPrefix(digits, "0x"), strings.HasPrefix(digits, "0X"):
		n, err := strconv.ParseUint(digits[2:], 16, 64)
		return float64(n), err == nil
	case digits == "", strings.Trim(digits, "0123456789.eE+-") != "", !strings.ContainsAny(digits[:1], "0123456789."):
		return 0, false
	case len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9':
		return 0, false // an octal number of ECMAScript 3
	}
	n, err := strconv.ParseFloat(digits, 64)
	return n, err == nil || math.IsInf(n, 0)
}
