// Package extract reads the text of PDFs and HTML. Their bytes are untrusted, and a library that
// reads them may then panic, run without end or take all memory. So it runs in a process of its
// own, which has limits.
package extract

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

const (
	command    = "read-document" // hidden: nobody types it
	maxMemory  = 1 << 30
	maxText    = 16 << 20 // a book of a thousand pages has 3 MiB
	lookEvery  = 20 * time.Millisecond
	usualLimit = 30 * time.Second
)

// Reader reads files in a process of its own, one at a time. That is this program again, which
// calls [ServeIfChild].
type Reader struct {
	MaxTime time.Duration // 0: 30 seconds
	turn    sync.Mutex
}

type answer struct {
	Pages []string
	Fault string // why there are none
}

// Read returns the text of each page of a PDF, with blank lines between its paragraphs. A page of
// HTML is one, of Markdown. kind is the ending of the name of a file. An error is
// [memory.ErrUnavailable] if the process cannot be started, which says nothing about the file.
func (r *Reader) Read(ctx context.Context, kind string, src []byte) ([]string, error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	maxTime := cmp.Or(r.MaxTime, usualLimit)
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	program, err := os.Executable()
	c := exec.CommandContext(limited, program)
	c.Args, c.Stdin, c.WaitDelay = []string{os.Args[0], command, kind}, bytes.NewReader(src), time.Second
	c.Env = []string{"GOMAXPROCS=1", "GOMEMLIMIT=" + strconv.Itoa(maxMemory/4*3)}
	out, pipeErr := c.StdoutPipe()
	if err = cmp.Or(err, pipeErr); err == nil {
		err = c.Start()
	}
	var a answer
	if err == nil {
		if json.NewDecoder(io.LimitReader(out, maxText)).Decode(&a) != nil {
			a.Fault = fmt.Sprintf("it needs more than %d MiB or %s, or has more than %d MiB of text", maxMemory>>20, maxTime, maxText>>20)
		}
		cancel()
		_ = c.Wait() // the answer tells how it went
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, memory.Unavailable(err, "this file cannot be read now")
	case a.Fault != "":
		return nil, errors.New("this file cannot be read: " + a.Fault)
	}
	return a.Pages, nil
}

// ServeIfChild reads a file and ends the process, if [Reader.Read] has started it.
func ServeIfChild() {
	if len(os.Args) != 3 || os.Args[1] != command {
		return
	}
	time.AfterFunc(usualLimit, func() { os.Exit(1) }) // the one who waits may have ended
	_ = machine.LimitMemory(maxMemory)
	exitAtLimit()
	read := readHTML
	if os.Args[2] == ".pdf" {
		read = readPDF
	}
	var a answer
	src, err := io.ReadAll(os.Stdin)
	if err == nil {
		a.Pages, err = read(src)
	}
	if err != nil {
		a = answer{Fault: err.Error()}
	}
	_ = json.NewEncoder(os.Stdout).Encode(a)
	os.Exit(0)
}

// exitAtLimit ends the process when it uses too much memory, which not every system refuses.
func exitAtLimit() {
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.Sys-m.HeapReleased > maxMemory {
		os.Exit(1)
	}
	time.AfterFunc(lookEvery, exitAtLimit)
}
