package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fatih/color"
	"github.com/schollz/progressbar/v3"

	"github.com/memory-tiered/memory"
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
	return c.Sprint(text)
}

func (a *app) hasColour() bool {
	return a.terminal && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
}

// oneLine folds a text into one line of at most width characters, without invisible
// ones.
func oneLine(text string, width int) string {
	text = strings.Join(strings.Fields(visibleText(text)), " ")
	if runes := []rune(text); len(runes) > width && width > 1 {
		return string(runes[:width-1]) + "…"
	}
	return text
}

// visibleText is visible for a text of others, which may hold no colours either.
func visibleText(text string) string { return removeInvisible(text) }

// visibleName is visibleText for a file name, which may hold line breaks.
func visibleName(name string) string {
	return strings.NewReplacer("\n", "␤", "\t", " ").Replace(visibleText(name))
}

// location returns where a memory is, in the form FILE:LINE.
func location(m memory.Memory) string {
	if m.Missing {
		return visibleName(m.Path) + " (gone)"
	}
	return fmt.Sprintf("%s:%d", visibleName(m.Path), m.LineStart)
}

// stateText lists the marks of a memory, such as "[pinned] ".
func stateText(m memory.Memory) string {
	var out []string
	for _, mark := range []struct {
		on   bool
		text string
	}{{m.Forgotten, "[FORGOTTEN]"}, {m.Missing, "[MISSING]"}, {m.Pinned, "[pinned]"}, {m.Private, "[private]"}, {m.User != "", "[" + visibleName(m.User) + "]"}, {m.InDoubt != "", "[in doubt: " + visibleName(m.InDoubt) + "]"}} {
		if mark.on {
			out = append(out, mark.text)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, " ") + " "
}

func localTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func localTimeOrNever(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return localTime(*t)
}

func bytesText(n int64) string {
	const unit = 1024
	switch {
	case n < unit:
		return fmt.Sprintf("%d B", n)
	case n < unit*unit:
		return fmt.Sprintf("%.1f KiB", float64(n)/unit)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(unit*unit))
}

// progress shows the progress of long work: a bar on a terminal, otherwise a line
// every few seconds. Work that ends within half a second shows nothing.
type progress struct {
	a     *app
	begin time.Time
	last  time.Time
	stage string
	bar   *progressbar.ProgressBar
}

const (
	progressAfter = 500 * time.Millisecond // a bar for shorter work would only flicker
	progressLine  = 5 * time.Second        // the time between two lines without a terminal
)

func (a *app) progress() *progress {
	now := time.Now()
	return &progress{a: a, begin: now, last: now}
}

func (p *progress) show(at memory.Progress) {
	if time.Since(p.begin) < progressAfter || at.Total == 0 {
		return
	}
	if !p.a.terminal {
		if time.Since(p.last) >= progressLine {
			p.last = time.Now()
			fmt.Fprintf(p.a.err, "%s: %d of %d\n", at.Stage, at.Done, at.Total)
		}
		return
	}
	if p.bar == nil || p.stage != at.Stage {
		p.done()
		p.stage = at.Stage
		p.bar = progressbar.NewOptions(at.Total, progressbar.OptionSetWriter(p.a.rawErr), progressbar.OptionSetDescription(at.Stage),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
	}
	p.bar.ChangeMax(at.Total)
	_ = p.bar.Set(at.Done) // a bar that cannot be drawn stops no work
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
