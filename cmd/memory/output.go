package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// printAnswer prints an answer as JSON if --json is given, and as text otherwise. print
// need not look at errors of its writer.
func printAnswer[A any](a *app, answer A, print func(io.Writer, A)) error {
	a.endProgress()
	if a.json {
		return writeJSON(a.out, answer)
	}
	w := &errorWriter{to: a.out}
	print(w, answer)
	return w.err
}

// printed returns a function that prints an answer, unless there is an error.
func printed[A any](a *app, print func(io.Writer, A)) func(A, error) error {
	return func(answer A, err error) error {
		if err != nil {
			return err
		}
		return printAnswer(a, answer, print)
	}
}

// printLine is printAnswer for an answer that is one line as text.
func (a *app) printLine(answer any, format string, args ...any) error {
	return printAnswer(a, answer, func(w io.Writer, _ any) { fmt.Fprintf(w, format+"\n", args...) })
}

// errorWriter writes until the first error, and keeps it.
type errorWriter struct {
	to  io.Writer
	err error
}

func (w *errorWriter) Write(b []byte) (n int, err error) {
	if w.err == nil {
		n, w.err = w.to.Write(b)
	}
	return n, w.err
}

func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// memoryLine prints a memory on one line, after a mark, with its place.
func (a *app) memoryLine(w io.Writer, mark string, m memory.Memory) {
	place := display.Location(m)
	fmt.Fprintf(w, "  %s  %s%s  %s\n", m.ID.Short(), mark, place, display.MemoryLine(m.Text, max(20, a.width-14-len(place))))
}

// note prints something beside the answer that the person should know.
func (a *app) note(format string, args ...any) {
	a.endProgress()
	fmt.Fprintf(a.err, "note: "+format+"\n", args...)
}

func (a *app) notes(texts []string) {
	for _, text := range texts {
		a.note("%s", text)
	}
}

// noteShown reports that a list has more than is shown.
func (a *app) noteShown(shown, total int) {
	if shown < total {
		a.note("%d of %d shown", shown, total)
	}
}

// noteGaps reports what may be missing in an answer: memories that its dates exclude,
// what is not indexed yet, and the newest edits.
func (a *app) noteGaps(leftOut int, indexing *memory.Progress, stale bool) {
	if leftOut > 0 {
		a.note("%d left out because of their date", leftOut)
	}
	if indexing != nil {
		a.note("the files are still being indexed, so memories may be missing from the answer; %s", display.Indexing(*indexing))
	}
	if stale {
		a.note("the index could not be updated first, so the answer may lack the newest edits")
	}
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

// show shows how far long work is, until the answer or a question: a bar on a terminal,
// otherwise lines.
func (a *app) show(at memory.Progress) {
	if a.progress == nil {
		var bars io.Writer
		if a.terminal {
			bars = a.rawErr
		}
		a.progress = display.NewProgress(a.err, bars)
	}
	a.progress.Show(at)
}

// endProgress removes the bar.
func (a *app) endProgress() {
	if a.progress != nil {
		a.progress.Done()
		a.progress = nil
	}
}

// printDiff prints a unified diff in colours.
func (a *app) printDiff(w io.Writer, diff string) {
	for _, line := range strings.SplitAfter(diff, "\n") {
		switch {
		case strings.HasPrefix(line, "+"):
			line = a.colour(line, color.FgGreen)
		case strings.HasPrefix(line, "-"):
			line = a.colour(line, color.FgRed)
		}
		fmt.Fprint(w, line)
	}
}

// errInputEnded is the error of a question that nobody answers, because the input has ended. A
// command then changes nothing more, and succeeds.
var errInputEnded = errors.New("input ended")

// ask prints a question and returns the line that the person types. Ctrl-C and Ctrl-D end it.
func (a *app) ask(question string) (string, error) {
	if a.lines == nil {
		a.lines = bufio.NewReader(a.in)
	}
	fmt.Fprint(a.err, question)
	type line struct {
		text string
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := a.lines.ReadString('\n')
		typed <- line{text, err}
	}()
	select {
	case reply := <-typed:
		if errors.Is(reply.err, io.EOF) && reply.text != "" { // without a line end
			reply.err = nil
		}
		if errors.Is(reply.err, io.EOF) {
			fmt.Fprintln(a.err)
			reply.err = errInputEnded
		}
		return strings.TrimSpace(reply.text), reply.err
	case <-a.interrupted: // the program ends, and its input stays unread
		fmt.Fprintln(a.err)
		return "", context.Canceled
	}
}

// saysYes asks a question whose answer is no unless the person types yes.
func (a *app) saysYes(question string) (bool, error) {
	reply, err := a.ask(question + " [y/N] ")
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(reply)), err
}

// agrees asks before a change.
func (a *app) agrees(question string) (bool, error) {
	agreed, err := a.saysYes(question)
	if !agreed && (err == nil || errors.Is(err, errInputEnded)) {
		fmt.Fprintln(a.err, "nothing was changed")
	}
	return agreed, err
}

// confirmed asks before a change, unless --yes is given.
func (a *app) confirmed(yes bool, question string) (bool, error) {
	switch {
	case yes:
		return true, nil
	case !a.terminal || a.json:
		return false, memory.Invalid("yes", "there is no terminal to ask on").WithHint("pass --yes")
	}
	return a.agrees(question)
}
