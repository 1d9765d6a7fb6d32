package service

import (
	"context"
	"time"
)

const (
	// datesSlice is how long the search for dates runs before it pauses as long, so
	// that it leaves half of a core to other work.
	datesSlice = time.Second
	// datesPollInterval is the time between two searches without a change that the
	// watcher reported. A command indexes too, and HEAD changes.
	datesPollInterval = time.Minute
)

// findDates searches git for the dates of new memories, soon after they were
// indexed. Indexing and answers never wait for it.
func (s *service) findDates(ctx context.Context) error {
	for {
		begin := time.Now()
		more, err := s.engine.FindDates(ctx, datesSlice)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.Log.Warn("git's dates of memories are not read yet; they are tried again", "error", err, "retry_in", datesPollInterval)
		case more:
			sleep(ctx, time.Since(begin))
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.datesDue:
		case <-time.After(datesPollInterval):
		}
	}
}

func (s *service) requestDates() {
	select {
	case s.datesDue <- struct{}{}:
	default: // already requested
	}
}
