package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/fatih/color"
	"github.com/schollz/progressbar/v3"

	"github.com/memory-tiered/memory"
)

// maxInput bounds what is read from standard input: more than the longest
// prompt a daemon accepts.
const maxInput = 1 << 20

func readAll(r io.Reader) (string, error) {
	src, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return "", memory.Unavailable(err, "read standard input")
	}
	if len(src) > maxInput {
		return "", memory.Invalid("", "standard input holds more than %d bytes", maxInput)
	}
	return string(src), nil
}

// answer prints an answer: as JSON where asked, else as text does.
func (a *app) answer(v any, text func(w io.Writer) error) error {
	if a.json {
		return writeJSON(a.out, v)
	}
	return text(a.out)
}

// paint colours text on a terminal that wants colour.
func (a *app) paint(text string, attributes ...color.Attribute) string {
	c := color.New(attributes...)
	if a.terminal && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb" {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(text)
}

// line makes a text one line that fits the given number of characters, with
// nothing in it that could steer a terminal.
func line(text string, width int) string {
	text = strings.Join(strings.Fields(printable(text)), " ")
	if runes := []rune(text); len(runes) > width && width > 1 {
		return string(runes[:width-1]) + "…"
	}
	return text
}

// printable takes control characters out of a text, so that what somebody wrote
// into a note cannot steer the terminal of who reads it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// place is where a memory stands, as editors and people write it.
func where(m memory.Memory) string {
	if m.Missing {
		return m.Path + " (gone)"
	}
	return fmt.Sprintf("%s:%d", m.Path, m.LineStart)
}

// marks says in words what is special about a memory.
func marks(m memory.Memory) string {
	var out []string
	for _, mark := range []struct {
		on   bool
		text string
	}{{m.Forgotten, "[FORGOTTEN]"}, {m.Missing, "[MISSING]"}, {m.Pinned, "[pinned]"}, {m.Private, "[private]"}} {
		if mark.on {
			out = append(out, mark.text)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, " ") + " "
}

func local(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func localOrNever(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return local(*t)
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

// progress shows how far long work is: a bar on a terminal, a line now and then
// elsewhere. Work that is over within half a second shows nothing.
type progress struct {
	a     *app
	begin time.Time
	last  time.Time
	stage string
	bar   *progressbar.ProgressBar
}

const (
	progressAfter = 500 * time.Millisecond // shorter work is not worth a bar
	progressLine  = 5 * time.Second        // how often a line is written where there is no terminal
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
		p.bar = progressbar.NewOptions(at.Total, progressbar.OptionSetWriter(p.a.err), progressbar.OptionSetDescription(at.Stage),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
	}
	p.bar.ChangeMax(at.Total)
	_ = p.bar.Set(at.Done) // drawing a bar is no part of the work
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
