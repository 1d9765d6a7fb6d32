package minilm

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// process is a running process with the model, see [Serve].
type process struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	to      *gob.Encoder
	from    *gob.Decoder
	stderr  *firstBytes
	wait    func() error // waits for the end of the process
}

// Time limits. Expanding the weights takes half a second, and a batch of long texts
// without vector instructions some seconds. A process beyond them hangs.
const (
	loadLimit  = 2 * time.Minute
	batchLimit = time.Minute
)

// questionLimit is how long a question waits for its vector, also behind a batch of
// other texts.
var questionLimit = 3 * time.Second

// start starts a process, and waits until it has loaded the model.
func start(command *exec.Cmd) (*process, error) {
	p := &process{command: command, stderr: &firstBytes{}, wait: sync.OnceValue(command.Wait)}
	command.Stderr = p.stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the transformer: %w", err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the transformer: %w", err)
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start the transformer: %w", err)
	}
	p.stdin, p.to, p.from = stdin, gob.NewEncoder(stdin), gob.NewDecoder(stdout)
	var first loaded
	if err := p.within(loadLimit, func() error { return p.from.Decode(&first) }); err != nil {
		return nil, fmt.Errorf("load the transformer: %w", err)
	}
	if first.Err != "" {
		p.stop()
		return nil, errors.New(first.Err)
	}
	return p, nil
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
// that cannot be talked to, and returns how it ended.
func (p *process) within(limit time.Duration, talk func() error) error {
	var late atomic.Bool
	timer := time.AfterFunc(limit, func() {
		late.Store(true)
		_ = p.command.Process.Kill() // it may have ended
	})
	err := talk()
	if timer.Stop() && err == nil {
		return nil
	}
	_ = p.command.Process.Kill() // it may have ended
	end := p.wait()
	if late.Load() {
		return fmt.Errorf("its process did not answer within %s", limit)
	}
	return p.reason(end)
}

// reason explains why the process ended.
func (p *process) reason(end error) error {
	text := p.stderr.String()
	for _, sign := range []string{"out of memory", "cannot allocate memory"} {
		if strings.Contains(text, sign) {
			return errors.New("its process ran out of memory")
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	switch {
	case first != "":
		return fmt.Errorf("its process ended: %s", first)
	case end != nil && strings.Contains(end.Error(), "killed"):
		return errors.New("its process was killed; perhaps the system was out of memory")
	}
	return fmt.Errorf("its process ended: %w", errors.Join(end, io.ErrUnexpectedEOF))
}

// stop ends the process, which returns its memory to the system.
func (p *process) stop() {
	_ = p.stdin.Close()
	_ = p.command.Process.Kill() // it may have ended
	_ = p.wait()                 // "killed" is what stop wants
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
// before the stacks.
type firstBytes struct {
	mu   sync.Mutex
	text []byte
}

// Write never fails.
func (f *firstBytes) Write(b []byte) (int, error) {
	const enough = 4 << 10
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text = append(f.text, b[:min(len(b), enough-len(f.text))]...)
	return len(b), nil
}

func (f *firstBytes) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return string(f.text)
}
