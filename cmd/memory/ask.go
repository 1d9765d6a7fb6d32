package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ask prints a question and returns the line that the person types.
func (a *app) ask(question string) (string, error) {
	if a.lines == nil {
		a.lines = bufio.NewReader(a.in)
	}
	fmt.Fprint(a.err, question)
	reply, err := a.lines.ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimSpace(reply), err
}

// agrees asks before a change.
func (a *app) agrees(question string) (bool, error) {
	agreed, err := a.saysYes(question)
	if err == nil && !agreed {
		fmt.Fprintln(a.err, "nothing was changed")
	}
	return agreed, err
}

// saysYes asks a question whose answer is no unless the person types yes.
func (a *app) saysYes(question string) (bool, error) {
	reply, err := a.ask(question + " [y/N] ")
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(reply)), err
}
