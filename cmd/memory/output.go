package main

import (
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/terminal"
)

// maxInput limits standard input, in bytes: more than the longest prompt that a
// service accepts.
const maxInput = 1 << 20

func readAll(r io.Reader) (string, error) {
	src, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return "", memory.Unavailable(err, "read standard input")
	}
	if len(src) > maxInput {
		return "", memory.Invalid("", "standard input has more than %d bytes", maxInput)
	}
	return string(src), nil
}

// printAnswer prints an answer as JSON if --json is given, and as text otherwise.
func (a *app) printAnswer(v any, text func(w io.Writer) error) error {
	if a.json {
		return writeJSON(a.out, v)
	}
	return text(a.out)
}

// colour adds colour to a text on a terminal, unless the environment forbids it.
func (a *app) colour(text string, attributes ...color.Attribute) string {
	c := color.New(attributes...)
	if a.hasColour() {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	begin, end, _ := strings.Cut(c.Sprint("\n"), "\n") // the text may have escape sequences of others
	return a.colours.Mark(begin) + text + a.colours.Mark(end)
}

func (a *app) hasColour() bool {
	return a.terminal && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
}

// progress shows the progress of long work: a bar on a terminal, otherwise lines.
func (a *app) progress() *terminal.Progress {
	if a.terminal {
		return terminal.NewProgress(a.err, a.rawErr)
	}
	return terminal.NewProgress(a.err, nil)
}
