// Package browse is the screen of memory browse. It searches while a person types, shows each
// hit with its neighbours and its score, and takes one key for each decision. Every call opens
// its own session, so that other commands can work meanwhile, and the service may stop.
package browse

import (
	"context"
	"io"
	"os/exec"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// Options connects the screen with a terminal and a backend.
type Options struct {
	In      io.Reader
	Out     io.Writer
	Environ []string
	Query   string // at the beginning

	// Call runs a function in a session. One runs at a time.
	Call func(ctx context.Context, writes bool, run func(b api.Backend, workspace string) error) error

	// Open returns the program that shows a memory in its file.
	Open func(ctx context.Context, m memory.Memory) *exec.Cmd
}

// Run shows the screen until the person quits.
func Run(ctx context.Context, o Options) error {
	calls, stop := context.WithCancel(ctx)
	m := &model{Options: o, query: o.Query, stop: stop}
	m.cancellable = func() (context.Context, context.CancelFunc) { return context.WithCancel(calls) }
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Environ), tea.WithoutSignalHandler()).Run()
	stop()
	m.calls.Lock() // a call that was cancelled returns first
	defer m.calls.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// model is the state of the screen. Update and View run in one goroutine. A job runs in
// another one; it returns a function that changes the model.
type model struct {
	Options
	cancellable func() (context.Context, context.CancelFunc) // returns the context of a job
	stop        context.CancelFunc                           // of every job
	calls       sync.Mutex                                   // one call at a time

	width, height int
	query         string
	choosing      bool // keys act on the chosen hit; otherwise they are typed
	explaining    bool // the explanation of the chosen hit fills the screen
	pageTop       int  // the first line of the explanation on the screen
	notice        string
	quitting      bool

	found     searchKey // the search that the hits answer
	changes   int       // decisions and edits so far; each one asks for a new search
	hits      []memory.Hit
	at        int       // the chosen hit
	focus     memory.ID // to choose when the next hits arrive
	described detailKey // what detail is about
	detail    detail
	decided   []decision // that can be undone, the last one at the end

	waiting []*job // decisions and edits; they run in order
	running *job   // nil: none
	slow    bool   // the running job takes so long that the screen reports it
}

// searchKey identifies a search: hits with the same key are the same.
type searchKey struct {
	query   string
	changes int
	done    bool // false only in the zero value: nothing was searched
}

// detailKey identifies the details of a hit.
type detailKey struct {
	id  memory.ID
	hit searchKey
}

// detail is what the screen shows of the chosen hit.
type detail struct {
	explanation   memory.ExplainAnswer
	before, after []memory.Memory // its neighbours in the file
}

// decision is a decision of this screen, with the batch that undoes it.
type decision struct {
	batch string
	id    memory.ID
}

// job is work beside the screen. Jobs that write are never dropped; one that reads is cancelled
// when its answer is not needed any more.
type job struct {
	key     any // searchKey or detailKey; nil: it writes
	start   func(context.Context, *job) tea.Cmd
	cancel  context.CancelFunc
	dropped bool // it was cancelled, because its answer is not needed
}

// outcome is the end of a job. apply is nil after an error.
type outcome struct {
	job   *job
	apply func()
	err   error
}

// slowJob reports that a job still runs after slowAfter.
type slowJob struct{ job *job }

// slowAfter is the time after which the screen shows that it waits. A note after each key
// would flicker.
const slowAfter = 300 * time.Millisecond

// call returns the start of a job that runs one function in a session.
func (m *model) call(run func(ctx context.Context, b api.Backend, workspace string) (apply func(), err error)) func(context.Context, *job) tea.Cmd {
	return func(ctx context.Context, j *job) tea.Cmd {
		return func() tea.Msg {
			m.calls.Lock()
			defer m.calls.Unlock()
			done := outcome{job: j}
			done.err = m.Call(ctx, j.key == nil, func(b api.Backend, workspace string) (err error) {
				done.apply, err = run(ctx, b, workspace)
				return err
			})
			return done
		}
	}
}

// wanted returns the job that the screen needs next: a decision, a search, or the details of
// the chosen hit. It returns nil if the screen is complete.
func (m *model) wanted() *job {
	search := searchKey{m.query, m.changes, true}
	switch chosen := m.chosen(); {
	case len(m.waiting) > 0:
		return m.waiting[0]
	case m.quitting:
		return nil
	case m.found != search:
		return &job{key: search, start: m.search(search)}
	case chosen.ID != "" && m.described != detailKey{chosen.ID, search}:
		return &job{key: detailKey{chosen.ID, search}, start: m.describe(chosen, search.query)}
	}
	return nil
}

// next starts the wanted job. If another one runs, its end calls next again.
func (m *model) next() tea.Cmd {
	j := m.wanted()
	if m.running != nil {
		outdated := m.quitting || j != nil && j.key != m.running.key
		if m.running.key != nil && outdated {
			m.running.dropped = true
			m.running.cancel()
		}
		return nil
	}
	if j == nil {
		if m.quitting {
			return tea.Quit
		}
		return nil
	}
	if j.key == nil {
		m.waiting = m.waiting[1:]
	}
	ctx, cancel := m.cancellable()
	j.cancel, m.running, m.slow = cancel, j, false
	return tea.Batch(j.start(ctx, j), tea.Tick(slowAfter, func(time.Time) tea.Msg { return slowJob{j} }))
}

// ended applies the outcome of a job. A failed job does not start again by itself.
func (m *model) ended(o outcome) {
	o.job.cancel()
	m.running, m.slow = nil, false
	if o.job.dropped {
		return
	}
	if o.err == nil {
		o.apply()
	} else {
		m.failed(o.err)
	}
	switch key := o.job.key.(type) {
	case searchKey:
		m.found = key
		if o.err != nil {
			m.hits = nil
		}
	case detailKey:
		m.described = key
		if o.err != nil {
			m.detail = detail{}
		}
	}
}

func (m *model) failed(err error) {
	m.notice = err.Error()
	if hint := api.Describe(err).Hint; hint != "" {
		m.notice += " (" + hint + ")"
	}
}
