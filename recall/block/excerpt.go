package block

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/markdown"
	"github.com/memory-tiered/memory/lang"
)

// The size of an excerpt. Its text has at most excerptBytes, and the lines that match have
// excerptAround lines before and after them. Below leastExcerpt bytes it tells nothing.
const (
	excerptBytes  = 1000
	excerptAround = 2
	leastExcerpt  = 40
)

const gap = "…" // stands for the text that an excerpt leaves out

// excerpt is the part of a memory's text that matches a question.
type excerpt struct {
	text        string
	first, last int // lines of the text from 0 on, without the head of a table or of code
}

// piece is a line, or a part of a line that is too long.
type piece struct {
	text string
	line int
}

// cutExcerpt returns the lines of a text that match the terms of a question best, with the
// lines around them, in at most some bytes. ok is false if there is no space for them.
func cutExcerpt(text string, terms []string, bytes int) (x excerpt, ok bool) {
	if bytes = min(bytes, excerptBytes); bytes < leastExcerpt {
		return excerpt{}, false
	}
	head, body, foot := splitStructure(strings.Split(strings.TrimRight(text, "\n"), "\n"))
	fixed := 0
	for _, line := range slices.Concat(head, foot) {
		fixed += len(line) + len("\n"+indent)
	}
	if fixed > bytes/2 {
		head, body, foot, fixed = nil, slices.Concat(head, body, foot), nil, 0
	}
	pieces := splitLong(body, max(leastExcerpt, (bytes-fixed)/3))
	chosen := choosePieces(pieces, terms, bytes-fixed-2*len("\n"+indent+gap))
	if len(chosen) == 0 {
		return excerpt{}, false
	}
	x.first, x.last = len(head)+pieces[chosen[0]].line, len(head)+pieces[chosen[len(chosen)-1]].line
	lines := append(slices.Clone(head), joinPieces(pieces, chosen)...)
	x.text = strings.Join(append(lines, foot...), "\n")
	return x, true
}

// splitStructure returns the lines that a table or a block of code needs to be read as one,
// apart from the others.
func splitStructure(lines []string) (head, body, foot []string) {
	first := strings.TrimSpace(lines[0])
	switch n := len(lines); {
	case n > 3 && strings.HasPrefix(first, "|"):
		return lines[:2], lines[2:], nil
	case n > 3 && markdown.FenceOf(first) != "" && markdown.FenceOf(strings.TrimSpace(lines[n-1])) != "":
		return lines[:1], lines[1 : n-1], lines[n-1:]
	}
	return nil, lines, nil
}

// splitLong makes a piece of each line. It divides a line of more than some bytes at spaces,
// after the end of a sentence if there is one in the second half.
func splitLong(lines []string, bytes int) (pieces []piece) {
	for i, line := range lines {
		for len(line) > bytes {
			cut := cutAtWord(line, bytes)
			if end := strings.LastIndexAny(line[:cut], ".!?;"); end > bytes/2 {
				cut = end + 1
			}
			pieces = append(pieces, piece{strings.TrimSpace(line[:cut]), i})
			line = line[cut:]
		}
		if strings.TrimSpace(line) != "" {
			pieces = append(pieces, piece{strings.TrimRightFunc(line, unicode.IsSpace), i})
		}
	}
	return pieces
}

// cutAtWord returns how many of the first bytes of a text can be kept without cutting a
// word, or at least a character.
func cutAtWord(text string, bytes int) int {
	if len(text) <= bytes {
		return len(text)
	}
	cut := len(strings.ToValidUTF8(text[:bytes], ""))
	if space := strings.LastIndexFunc(text[:cut], unicode.IsSpace); space > cut/2 {
		return space
	}
	return cut
}

// choosePieces returns the indexes of the pieces that match best and of those around them,
// in the order of the text. Without a match it returns the first ones.
func choosePieces(pieces []piece, terms []string, bytes int) (chosen []int) {
	points := rate(pieces, terms)
	byPoints := make([]int, len(pieces))
	for i := range byPoints {
		byPoints[i] = i
	}
	slices.SortStableFunc(byPoints, func(a, b int) int {
		return cmp.Compare(points[b], points[a])
	})
	take := func(i int) {
		if i < 0 || i >= len(pieces) || slices.Contains(chosen, i) {
			return
		}
		if size := len(pieces[i].text) + 2*len("\n"+indent+gap); size <= bytes {
			bytes -= size
			chosen = append(chosen, i)
		}
	}
	const shareOfBest = 0.6 // a line with fewer of the question's words is not the answer
	for _, i := range byPoints[:min(len(byPoints), 5)] {
		if points[i] >= shareOfBest*points[byPoints[0]] && points[i] > 0 {
			take(i)
		}
	}
	center := 0
	if len(chosen) > 0 {
		center = chosen[0]
	} else {
		take(0)
	}
	for d := 1; d <= excerptAround; d++ {
		take(center + d)
		take(center - d)
	}
	slices.Sort(chosen)
	return chosen
}

// rate returns how well each piece matches the terms. It is the sum of ln(1 + n/f) of those
// that it contains. f of n pieces contain the term.
func rate(pieces []piece, terms []string) []float64 {
	points := make([]float64, len(pieces))
	lower := make([]string, len(pieces))
	words := make([][]string, len(pieces))
	for i, p := range pieces {
		lower[i] = strings.ToLower(p.text)
		words[i] = lang.SplitWords(lower[i])
	}
	for _, term := range terms {
		var with []int
		isWord := strings.IndexFunc(term, func(r rune) bool { return !lang.IsAlnum(r) || lang.ScriptOf(r) != lang.NoCJK }) < 0
		for i := range pieces {
			if !isWord && strings.Contains(lower[i], term) || isWord && slices.ContainsFunc(words[i], func(w string) bool { return lang.SameStem(w, term) }) {
				with = append(with, i)
			}
		}
		for _, i := range with {
			points[i] += math.Log(1 + float64(len(pieces))/float64(len(with)))
		}
	}
	return points
}

// joinPieces returns the lines of the chosen pieces, with marks of what is left out.
func joinPieces(pieces []piece, chosen []int) (lines []string) {
	if chosen[0] > 0 {
		lines = append(lines, gap)
	}
	for n, i := range chosen {
		p := pieces[i]
		sameLine := n > 0 && pieces[chosen[n-1]].line == p.line
		skipped := n > 0 && chosen[n-1] != i-1
		switch {
		case sameLine && skipped:
			lines[len(lines)-1] += " " + gap + " " + strings.TrimSpace(p.text)
		case sameLine:
			lines[len(lines)-1] += " " + strings.TrimSpace(p.text)
		case skipped:
			lines = append(lines, gap, p.text)
		default:
			lines = append(lines, p.text)
		}
	}
	if chosen[len(chosen)-1] < len(pieces)-1 {
		lines = append(lines, gap)
	}
	return lines
}

// place returns where an excerpt is: the path and the lines. If the text does not have the
// lines of the file, they are those of the whole memory.
func (x excerpt) place(m *memory.Memory) string {
	at := *m
	if strings.Count(strings.TrimRight(m.Text, "\n"), "\n") == m.LineEnd-m.LineStart {
		at.LineStart, at.LineEnd = m.LineStart+x.first, m.LineStart+x.last
	}
	return escapeInline(at.Place())
}
