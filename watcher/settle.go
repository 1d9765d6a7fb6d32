package watcher

import (
	"slices"
	"time"
)

// settle collects what was heard until it is time to tell. It has no clock:
// every method is told the time.
//
// A change is told once it has been quiet for a while, everywhere or at that
// file for twice as long, so that a checkout is one hint and one busy file does
// not hold up the others. A deletion is believed late, as it is half of how
// many editors save; but as soon as a file that was never there settles, the
// deletions before it are told with it: that is a rename, and only together can
// the two be understood as one.
type settle struct {
	quiet, most, deletion time.Duration

	paths map[string]*pending
	last  time.Time // when anything was heard last

	all      string    // why everything is to be looked at; empty: it is not
	allSince time.Time // when that was first heard
}

type pending struct {
	first, last time.Time
	gone        bool // what was heard last is that it went
	born        bool // it was not there before
}

// maxPending bounds what is remembered by name: beyond it a look at everything
// is cheaper than one at each.
const maxPending = 20_000

func newSettle(o Options) settle {
	return settle{quiet: o.Quiet, most: o.Max, deletion: o.Deletion, paths: map[string]*pending{}}
}

func (s *settle) changed(path string, born bool, now time.Time) {
	if p := s.hear(path, now); p != nil {
		p.gone = false
		p.born = p.born || born
	}
}

func (s *settle) vanished(path string, now time.Time) {
	if p := s.paths[path]; p != nil && p.gone {
		return // it still is; hearing of it again does not make that newer
	}
	if p := s.hear(path, now); p != nil {
		p.gone = true
	}
}

func (s *settle) hear(path string, now time.Time) *pending {
	s.last = now
	p := s.paths[path]
	switch {
	case p != nil:
		p.last = now
	case len(s.paths) >= maxPending:
		s.everything("more files changed than are told one by one", now)
		return nil
	default:
		p = &pending{first: now, last: now}
		s.paths[path] = p
	}
	return p
}

// everything asks for a look at the whole tree.
func (s *settle) everything(why string, now time.Time) {
	if s.all == "" {
		s.all, s.allSince = why, now
	}
	s.last = now
}

// sooner says whether something about either path, or about everything, is due
// before until.
func (s *settle) sooner(path, other string, until time.Time) bool {
	if s.all != "" {
		return s.allAt().Before(until)
	}
	for _, path := range []string{path, other} {
		if p := s.paths[path]; p != nil && s.at(p).Before(until) {
			return true
		}
	}
	return false
}

// due takes what is to be told now; gone are those of its paths that went.
func (s *settle) due(now time.Time) (h Hint, gone []string, ok bool) {
	if s.all != "" {
		if now.Before(s.allAt()) {
			return Hint{}, nil, false
		}
		h = Hint{All: true, Reason: s.all}
		s.all = ""
		clear(s.paths)
		return h, nil, true
	}
	born := false
	for path, p := range s.paths {
		if !now.Before(s.at(p)) {
			h.Paths = append(h.Paths, path)
			born = born || p.born && !p.gone
		}
	}
	for path, p := range s.paths {
		if born && p.gone && !now.Before(p.last.Add(s.quiet)) && now.Before(s.at(p)) {
			h.Paths = append(h.Paths, path)
		}
	}
	slices.Sort(h.Paths)
	for _, path := range h.Paths {
		if s.paths[path].gone {
			gone = append(gone, path)
		}
		delete(s.paths, path)
	}
	return h, gone, len(h.Paths) > 0
}

// next is when due has something to give, if nothing more is heard; zero: never.
func (s *settle) next() (at time.Time) {
	if s.all != "" {
		return s.allAt()
	}
	for _, p := range s.paths {
		if due := s.at(p); at.IsZero() || due.Before(at) {
			at = due
		}
	}
	return at
}

// at is when a path is due.
func (s *settle) at(p *pending) time.Time {
	if p.gone {
		return p.last.Add(s.deletion)
	}
	everywhere, here := s.last.Add(s.quiet), p.last.Add(2*s.quiet)
	return earlier(earlier(everywhere, here), p.first.Add(s.most))
}

// allAt is when a look at everything is due: never in the moment when a file is
// being replaced.
func (s *settle) allAt() time.Time {
	at := s.last.Add(s.quiet)
	for _, p := range s.paths {
		if p.gone {
			at = later(at, p.last.Add(s.deletion))
		}
	}
	return earlier(at, s.allSince.Add(s.most))
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
