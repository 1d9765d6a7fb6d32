//go:build !windows

package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// store is a program that reads and keeps secrets of the person who is logged in. It asks
// for the secret that it is to keep.
type store struct{ program, read, keep string }

// credentialStore returns the program of a system. The options end in the service and the
// name.
func credentialStore(system string) store {
	if system == "darwin" {
		return store{"/usr/bin/security", "find-generic-password -w -s %s -a %s", "add-generic-password -U -s %s -a %s -w"}
	}
	return store{"secret-tool", "lookup service %s username %s", "store --label=memory service %s username %s"}
}

func credential(ctx context.Context, service, name string) (string, error) {
	s := credentialStore(runtime.GOOS)
	command := exec.CommandContext(ctx, s.program, options(s.read, service, name)...)
	var message strings.Builder
	command.Stderr = &message
	secret, err := command.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		first, _, _ := strings.Cut(strings.TrimSpace(message.String()), "\n")
		err = fmt.Errorf("%s: %s", s.program, cmp.Or(first, "it has no such secret"))
	}
	return string(secret), err
}

// options returns the options of a program. A name may have spaces.
func options(pattern, service, name string) (all []string) {
	values := []string{service, name}
	for word := range strings.FieldsSeq(pattern) {
		if word == "%s" {
			word, values = values[0], values[1:]
		}
		all = append(all, word)
	}
	return all
}

// KeepCredential returns the command with which a person keeps a secret.
func KeepCredential(service, name string) string {
	s := credentialStore(runtime.GOOS)
	return s.program + " " + fmt.Sprintf(s.keep, service, name)
}
