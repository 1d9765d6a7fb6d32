package minilm

import (
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/memory-tiered/memory/internal/machine"
)

// process is a running process with the model, see [Serve].
type process struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *os.File
	to      *gob.Encoder
	from    *gob.Decoder
	stderr  firstBytes
	ended   chan struct{} // closed when the process has ended
	end     error         // how it ended; set before ended is closed

	mu     sync.Mutex
	killed error // why this program killed it; nil: it did not
}

// start starts a process, which gives way to other programs. load waits until it has loaded
// the model.
func start(command *exec.Cmd) (*process, error) {
	p := &process{command: command, ended: make(chan struct{})}
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the transformer: %w", err)
	}
	stdout, answers, err := os.Pipe() // its last message can be read after it has ended
	if err != nil {
		return nil, fmt.Errorf("start the transformer: %w", errors.Join(err, stdin.Close()))
	}
	command.Stdout, command.Stderr = answers, &p.stderr
	err = machine.StartLow(command)
	closed := answers.Close() // the process has its own
	if err != nil {
		return nil, fmt.Errorf("start the transformer: %w", errors.Join(err, closed, stdout.Close()))
	}
	p.stdin, p.stdout = stdin, stdout
	p.to, p.from = gob.NewEncoder(stdin), gob.NewDecoder(stdout)
	go func() {
		p.end = command.Wait()
		close(p.ended)
	}()
	return p, nil
}

// load waits until the process has loaded the model.
func (p *process) load(limit time.Duration) error {
	var first loaded
	if err := p.within(limit, func() error { return p.from.Decode(&first) }); err != nil {
		return fmt.Errorf("load the transformer: %w", err)
	}
	if first.Err != "" {
		p.stop()
		return errors.New(first.Err)
	}
	return nil
}

// embed returns the vectors of some texts. A process that takes longer than the limit is
// killed. ended is an error after which the process has ended, and failed one after which
// it goes on.
func (p *process) embed(texts []string, limit time.Duration) (vectors [][]float32, failed, ended error) {
	var a answer
	err := p.within(limit, func() error {
		if err := p.to.Encode(request{texts}); err != nil {
			return err
		}
		return p.from.Decode(&a)
	})
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("run the transformer: %w", err)
	case a.Err != "":
		return nil, errors.New(a.Err), nil
	}
	return a.Vectors, nil, nil
}

// within talks to the process. It kills a process that takes longer than a limit, or
// that cannot be talked to, and returns why it ended.
func (p *process) within(limit time.Duration, talk func() error) error {
	timer := time.AfterFunc(limit, func() { p.kill(fmt.Errorf("its process did not answer within %s", limit)) })
	err := talk()
	if timer.Stop() && err == nil {
		return nil
	}
	if err != nil && !meansEnd(err) {
		p.kill(fmt.Errorf("talk to its process: %w", err))
	}
	p.stop()
	return p.reason()
}

// meansEnd reports whether an error of a talk only means that the process has ended.
func meansEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed)
}

// kill kills the process, and ends every talk with it. A process that waits for a disk
// cannot be killed, and would keep its end of the pipes.
func (p *process) kill(why error) {
	p.mu.Lock()
	p.killed = cmp.Or(p.killed, why)
	p.mu.Unlock()
	_ = p.command.Process.Kill() // it may have ended
	_, _ = p.stdin.Close(), p.stdout.Close()
}

// endWait is how long a killed process may take to end, so that its reason is known.
const endWait = 2 * time.Second

// stop ends the process, which returns its memory to the system.
func (p *process) stop() {
	_ = p.stdin.Close()
	timer := time.NewTimer(endWait)
	defer timer.Stop()
	select {
	case <-p.ended: // by itself, so its reason is its own
	default:
		_ = p.command.Process.Kill()
	}
	_ = p.stdout.Close()
	select {
	case <-p.ended:
	case <-timer.C:
	}
}

// hasEnded reports whether the process has ended.
func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// errStuck reports a process that was killed and does not end.
var errStuck = errors.New("its process does not end; perhaps a disk does not answer")

// reason explains why the process ended.
func (p *process) reason() error {
	p.mu.Lock()
	killed := p.killed
	p.mu.Unlock()
	if killed != nil {
		return killed
	}
	if !p.hasEnded() {
		return errStuck
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(p.stderr)), "\n")
	if first != "" {
		return fmt.Errorf("its process ended: %s", first)
	}
	return fmt.Errorf("its process ended, perhaps because the system was out of memory: %w", errors.Join(p.end, io.ErrUnexpectedEOF))
}

// residentBytes returns the memory of the process, if the system tells.
func (p *process) residentBytes() int64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.command.Process.Pid))
	fields := strings.Fields(string(statm))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// firstBytes keeps the beginning of what a process writes. The reason of a crash comes
// before the stacks. It is read when the process has ended.
type firstBytes []byte

// Write never fails.
func (f *firstBytes) Write(b []byte) (int, error) {
	const enough = 4 << 10
	*f = append(*f, b[:min(len(b), enough-len(*f))]...)
	return len(b), nil
}
