package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// seriesCode is a name of a series with a number, such as HYD-3312, E0123 or
// INV-2026-015.
type seriesCode struct{ series, number string }

// The codes of a question, and those of a text, which may have a space inside. A short
// number needs a separator: sha256 and h264 are words.
var (
	questionCode = lazyregexp.New(`(?i)\b([a-z]{1,10})(?:[-_#/](\d{3,}(?:[-_/]\d+)*)|(\d{4,}))\b`)
	textCode     = lazyregexp.New(`(?i)\b([a-z]{1,10})[-_#/ ]?(\d{3,}(?:[-_/]\d+)*)\b`)
)

func codesIn(text string, pattern *lazyregexp.Regexp) (codes []seriesCode) {
	for _, found := range pattern.FindAllStringSubmatch(strings.ToLower(text), -1) {
		codes = append(codes, seriesCode{found[1], strings.TrimLeft(strings.Join(found[2:], ""), "0")})
	}
	return codes
}

// asksForCodesOnly reports whether all terms of a question come from its codes.
func asksForCodesOnly(terms []memory.Term, codes []seriesCode) bool {
	return len(codes) > 0 && !slices.ContainsFunc(terms, func(t memory.Term) bool {
		return !slices.ContainsFunc(codes, func(c seriesCode) bool {
			return c.series == strings.ToLower(t.Text) || slices.Contains(codesIn(t.Text, questionCode), c)
		})
	})
}

// NamesCode reports whether the question has any code.
func (in Intent) NamesCode() bool { return len(in.codes) > 0 }

// HasCode reports whether a text has a code of the question.
func (in Intent) HasCode(text string) bool {
	return len(in.codes) > 0 && slices.ContainsFunc(codesIn(text, textCode), func(c seriesCode) bool {
		return slices.ContainsFunc(in.codes, c.isWithin)
	})
}

// isCodeIn reports whether an identifier is a code that a text has, in any spelling: E4471
// of E-4471.
func isCodeIn(identifier, text string) bool {
	if whole := questionCode.FindString(identifier); whole != identifier {
		return false
	}
	codes := codesIn(identifier, questionCode)
	return len(codes) > 0 && slices.ContainsFunc(codesIn(text, textCode), func(c seriesCode) bool { return c.isWithin(codes[0]) })
}

// isWithin reports whether a code is another one, or a part of its series: INV-2026-015 of
// INV-2026.
func (c seriesCode) isWithin(whole seriesCode) bool {
	rest, found := strings.CutPrefix(c.number, whole.number)
	return c.series == whole.series && found && (rest == "" || strings.ContainsAny(rest[:1], "-_/"))
}

// HasOtherCode reports whether a text has a code of the same series as one of the
// question, and none of the question. It is about something else.
func (in Intent) HasOtherCode(text string) bool {
	isOfSeries := func(c seriesCode) bool {
		return slices.ContainsFunc(in.codes, func(asked seriesCode) bool { return asked.series == c.series })
	}
	return len(in.codes) > 0 && !in.HasCode(text) && slices.ContainsFunc(codesIn(text, textCode), isOfSeries)
}
