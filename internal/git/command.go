package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// ErrUnusable means that git refuses or cannot read the whole repository. It
// belongs to another user, is broken, has no commit, or git is not installed.
var ErrUnusable = errors.New("the repository cannot be read")

// switchedOff sets every setting with which a repository could make git run a
// command, contact a server or write a file. Options of the command line win over
// the repository's own configuration.
var switchedOff = []string{
	"core.fsmonitor=false", "core.hooksPath=/dev/null", "core.sshCommand=false", "core.gitProxy=", "core.askPass=",
	"core.pager=cat", "core.editor=false", "core.attributesFile=/dev/null", "core.alternateRefsCommand=",
	"core.untrackedCache=false", "core.splitIndex=false", "diff.external=", "gpg.program=false", "log.showSignature=false",
	"credential.helper=", "protocol.allow=never", "gc.auto=0", "maintenance.auto=false",
	"blame.ignoreRevsFile=", "blame.showEmail=false", "blame.coloring=none", "safe.bareRepository=explicit",
}

// environment is all that git sees of our environment, apart from PATH. No GIT_DIR
// or other variable of the caller can redirect it.
var environment = []string{
	"LC_ALL=C", "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CONFIG_GLOBAL=/dev/null",
	"GIT_ATTR_NOSYSTEM=1", "GIT_LITERAL_PATHSPECS=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
	"GIT_ALLOW_PROTOCOL=none", "GIT_SSH_COMMAND=false", "GIT_ASKPASS=false", "GIT_PAGER=cat", "GIT_EDITOR=false",
}

const (
	// maxOutput bounds the output of one git command. Blame prints some 100 bytes
	// more than the file's text for each line.
	maxOutput = 256 << 20
	// killDelay is how long a killed git may keep its pipes open.
	killDelay = time.Second
)

// run runs git in a folder, and passes its output to read. It ends git when ctx is
// done, when read returns, or after maxOutput bytes.
func run(ctx context.Context, dir string, read func(io.Reader) error, args ...string) error {
	return runWith(ctx, dir, nil, read, args...)
}

// runWith is run with a standard input.
func runWith(ctx context.Context, dir string, in io.Reader, read func(io.Reader) error, args ...string) error {
	return runIn(ctx, dir, nil, in, read, args...)
}

// runIn is runWith with more variables of the environment.
func runIn(ctx context.Context, dir string, variables []string, in io.Reader, read func(io.Reader) error, args ...string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	options := []string{"--no-pager"}
	for _, setting := range switchedOff {
		options = append(options, "-c", setting)
	}
	c := exec.CommandContext(ctx, "git", append(options, args...)...)
	c.Stdin, c.Dir, c.Env, c.WaitDelay = in, dir, slices.Concat([]string{"PATH=" + os.Getenv("PATH")}, environment, variables), killDelay
	var message strings.Builder
	c.Stderr = &limitedWriter{to: &message, left: 4096}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	limited := &io.LimitedReader{R: out, N: maxOutput}
	readErr := read(limited)
	if readErr != nil || limited.N <= 0 {
		cancel()
	}
	waitErr := c.Wait()
	switch {
	case limited.N <= 0:
		return fmt.Errorf("git printed more than %d MiB", maxOutput>>20)
	case readErr != nil:
		return readErr
	case waitErr != nil && ctx.Err() == nil:
		return classify(strings.TrimSpace(message.String()), waitErr)
	}
	return errors.Join(waitErr, ctx.Err())
}

// classify tells an error about one file from one about the whole repository.
func classify(message string, err error) error {
	line, _, _ := strings.Cut(message, "\n")
	line = strings.TrimPrefix(line, "fatal: ")
	switch {
	case strings.Contains(line, "no such path") || strings.Contains(line, "no such ref"):
		return fmt.Errorf("%w: %s", ErrNotCommitted, line)
	case line == "":
		return fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return fmt.Errorf("%w: %s", ErrUnusable, line)
}

// limitedWriter keeps the first bytes that are written to it.
type limitedWriter struct {
	to   io.Writer
	left int
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	if _, err := w.to.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}
