package display

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/memory-tiered/memory"
)

// Progress shows the progress of long work: a bar on a terminal, otherwise a line
// every few seconds. Work that ends within half a second shows nothing.
type Progress struct {
	lines, bars io.Writer // bars is a terminal; nil: there is none
	begin       time.Time
	last        time.Time
	stage       string
	bar         *progressbar.ProgressBar
}

const (
	progressAfter = 500 * time.Millisecond // a bar for shorter work would only flicker
	progressLine  = 5 * time.Second        // the time between two lines without a terminal
)

// NewProgress returns the progress of work that begins now. It draws bars, or writes
// lines where bars is nil.
func NewProgress(lines, bars io.Writer) *Progress {
	now := time.Now()
	return &Progress{lines: lines, bars: bars, begin: now, last: now}
}

// Show shows how far the work is.
func (p *Progress) Show(at memory.Progress) {
	if time.Since(p.begin) < progressAfter || at.Total == 0 {
		return
	}
	if p.bars == nil {
		if time.Since(p.last) >= progressLine {
			p.last = time.Now()
			fmt.Fprintf(p.lines, "%s: %d of %d\n", at.Stage, at.Done, at.Total)
		}
		return
	}
	if p.bar == nil || p.stage != at.Stage {
		p.Done()
		p.stage = at.Stage
		p.bar = progressbar.NewOptions(at.Total, progressbar.OptionSetWriter(p.bars), progressbar.OptionSetDescription(at.Stage),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
	}
	p.bar.ChangeMax(at.Total)
	_ = p.bar.Set(at.Done) // a bar that cannot be drawn stops no work
}

// Done removes the bar.
func (p *Progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}

// Indexing returns how far indexing is.
func Indexing(p memory.Progress) string {
	switch {
	case p.Total == 0:
		return "indexing: it has just begun"
	case p.Stage == "index":
		return fmt.Sprintf("indexing: %d of %d memories done", p.Done, p.Total)
	}
	return fmt.Sprintf("reading: %d of %d files done", p.Done, p.Total)
}
