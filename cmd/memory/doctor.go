package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/service"
)

func (a *app) doctorCommand() *cobra.Command {
	var r memory.DoctorRequest
	c := newCommand("doctor", arguments{}, func(c *cobra.Command) error {
		answer, err := a.doctor(c.Context(), r)
		if err := printed(a, a.printFindings)(answer, err); err != nil || answer.OK {
			return err
		}
		return errFound
	})
	c.Flags().BoolVar(&r.Fix, "fix", false, "mend what needs no decision of yours")
	return c
}

// doctor checks what keeps a command from opening the index, then what the engine
// checks. What keeps it from that is a finding.
func (a *app) doctor(ctx context.Context, r memory.DoctorRequest) (memory.DoctorAnswer, error) {
	answer := memory.DoctorAnswer{OK: true, Checked: []string{"configuration", "state folder", "service"}}
	_, invalid := a.loadValid(ctx)
	if invalid != nil {
		answer.Add(findingOf("configuration", invalid))
	}
	file, stateDir, err := a.configFile()
	if err != nil {
		return answer, nil
	}
	if err := service.CheckOwner(stateDir); err != nil {
		finding := findingOf("state folder", err)
		finding.Fixed = r.Fix && os.Chmod(stateDir, 0o700) == nil && service.CheckOwner(stateDir) == nil
		if answer.Add(finding); !finding.Fixed {
			return answer, nil
		}
	}
	need := noWorkspace
	switch {
	case a.workspaceFlag != "" && r.Fix:
		need = writesIndex
	case a.workspaceFlag != "":
		need = readsIndex
	case r.Fix:
		need = writesSettings
	}
	s, err := a.connect(ctx, need, true)
	if err != nil && invalid != nil { // only a service works without the configuration
		return answer, nil
	}
	if errors.Is(err, memory.ErrUnavailable) || errors.Is(err, api.ErrNoAnswer) {
		answer.Add(findingOf("service", err))
		return answer, nil
	}
	if err != nil {
		return answer, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.ownerPID != 0 && !s.Daemon {
		answer.Add(memory.Finding{Check: "service", Severity: memory.SeverityError,
			Message: fmt.Sprintf("process %d owns the state folder and does not answer", s.ownerPID),
			Fix:     fmt.Sprintf("memory service restart, or end process %d", s.ownerPID)})
	}
	r.Workspace = s.Workspace
	found, err := s.Doctor(ctx, r, a.show)
	answer.Checked = slices.Concat(answer.Checked, found.Checked)
	found.Findings = slices.DeleteFunc(found.Findings, func(f memory.Finding) bool { // what follows from it is no finding of its own
		return invalid != nil && strings.Contains(f.Message, file+":")
	})
	answer.Add(found.Findings...)
	return answer, err
}

// findingOf returns an error as a finding.
func findingOf(check string, err error) memory.Finding {
	failure := api.Describe(err)
	return memory.Finding{Check: check, Severity: memory.SeverityError, Message: err.Error(), Fix: failure.Hint}
}

func (a *app) printFindings(w io.Writer, answer memory.DoctorAnswer) {
	open := 0
	for _, f := range answer.Findings {
		mark := a.colour("warning", color.FgYellow)
		switch {
		case f.Fixed:
			mark = a.colour("fixed", color.FgGreen)
		case f.Severity == memory.SeverityError:
			mark = a.colour("error", color.FgRed)
		}
		fmt.Fprintf(w, "%s  %s: %s\n", mark, strings.TrimSpace(f.Workspace+" "+f.Check), display.Name(f.Message))
		if f.Fixed {
			continue
		}
		open++
		if f.Fix != "" {
			fmt.Fprintf(w, "         fix: %s\n", display.Name(f.Fix))
		}
	}
	result := "nothing is wrong"
	if open > 0 {
		result = display.Plural(open, "finding", "findings")
	} else if len(answer.Findings) > 0 {
		result = "all is mended"
	}
	fmt.Fprintf(w, "%d checks: %s\n", len(answer.Checked), result)
}
