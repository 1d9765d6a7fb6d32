package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"github.com/memory-tiered/memory/internal/must"
)

// terminal is a program in a pseudo-terminal, and what its screen shows.
type terminal struct {
	t       *testing.T
	program string
	env     []string
	file    *os.File
	screen  *vt.SafeEmulator
	lock    sync.Mutex // of screen
	ended   chan error
}

// startInTerminal starts a command of this program in a terminal of a size. env is added to
// a small environment.
func startInTerminal(t *testing.T, dir, state string, width, height int, env []string, args ...string) *terminal {
	t.Helper()
	program := must.Get(os.Executable())(t)
	return startProgram(t, program, dir, width, height, append(terminalEnvironment(dir, state), env...), args...)
}

// startProgram is startInTerminal for another file of the program, with its environment.
func startProgram(t *testing.T, program, dir string, width, height int, env []string, args ...string) *terminal {
	t.Helper()
	c := exec.Command(program, args...)
	c.Args[0], c.Dir, c.Env = "memory", dir, env
	file, err := pty.StartWithSize(c, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("this system has no pseudo-terminals")
	}
	if err != nil {
		t.Fatal(err)
	}
	e := &terminal{t: t, program: program, env: env, file: file, screen: vt.NewSafeEmulator(width, height), ended: make(chan error, 1)}
	go func() {
		_, _ = io.Copy(e, file) // ends with the program
		e.ended <- c.Wait()
	}()
	go func() { _, _ = io.Copy(file, e.screen) }() // what a terminal answers
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = file.Close()
		if input, ok := e.screen.InputPipe().(io.Closer); ok {
			_ = input.Close() // Close of the emulator is not locked
		}
	})
	return e
}

// terminalEnvironment is the environment of a program in a terminal, and of its service.
func terminalEnvironment(dir, state string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "HOME=" + state, "MEMORY_STATE_DIR=" + state, "MEMORY_WORKSPACE=" + dir, "MEMORY_EMBEDDING_LOCAL_QUALITY=fast", "TZ=UTC"}
}

// Write shows what the program prints. The emulator locks most of its methods, but not String.
func (e *terminal) Write(printed []byte) (int, error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	return e.screen.Write(printed)
}

// press types keys.
func (e *terminal) press(keys string) {
	e.t.Helper()
	must.Get(io.WriteString(e.file, keys))(e.t)
}

// text is what the screen shows, without blanks at the ends of lines.
func (e *terminal) text() string {
	e.lock.Lock()
	lines := strings.Split(e.screen.String(), "\n")
	e.lock.Unlock()
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \r")
	}
	return strings.Join(lines, "\n")
}

// awaits waits until the screen shows all texts, and none behind "!".
func (e *terminal) awaits(texts ...string) {
	e.t.Helper()
	e.becomes(func(screen string) bool {
		for _, text := range texts {
			if unwanted, not := strings.CutPrefix(text, "!"); strings.Contains(screen, unwanted) == not {
				return false
			}
		}
		return true
	}, "%q", texts)
}

// becomes waits until the screen is as wanted. Slow machines need the time.
func (e *terminal) becomes(wanted func(screen string) bool, format string, args ...any) {
	e.t.Helper()
	for end := time.Now().Add(time.Minute); !wanted(e.text()); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			e.t.Fatalf("the screen does not show "+format+":\n%s", append(args, e.text())...)
		}
	}
}

// resize changes the size of the terminal.
func (e *terminal) resize(width, height int) {
	e.t.Helper()
	e.lock.Lock()
	e.screen.Resize(width, height)
	e.lock.Unlock()
	must.Do(e.t, pty.Setsize(e.file, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
}

// ends waits for the end of the program, and returns its exit code.
func (e *terminal) ends() int {
	e.t.Helper()
	select {
	case err := <-e.ended:
		if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
			return failed.ExitCode()
		}
		return 0
	case <-time.After(time.Minute):
		e.t.Fatalf("the program does not end:\n%s", e.text())
		return 0
	}
}
