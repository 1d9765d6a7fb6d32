package capture

import "slices"

// maxTakenOver is how many messages of the user a "forget that" reaches over, if nothing of
// them was kept: "Thanks."
const maxTakenOver = 2

// retreat is how a sentence takes back what was said before it.
type retreat uint8

const (
	noRetreat retreat = iota
	nearby            // in the request: "delete that" may mean something else
	joking            // what was said last: "just kidding"
	anywhere          // also in an earlier request: "forget that, please"
)

// TakesBack reports whether a message of the user takes back what the user said before:
// "Please don't remember that." or "Just kidding." at its beginning.
func TakesBack(text string) bool { return ownText(text).retreats() != noRetreat }

func (b body) retreats() retreat {
	if len(b.paragraphs) == 0 {
		return noRetreat
	}
	return b.paragraphs[0][0].retreats()
}

// retreats returns how a sentence takes something back. Words such as "no, wait" may come
// first.
func (s sentence) retreats() retreat {
	f := s.seen
	for range maxOpeners + 1 {
		bare := f.bare()
		switch {
		case in(sectionTakeBack, bare) && in(sectionJoke, f):
			return joking
		case in(sectionTakeBack, bare):
			return anywhere
		case in(sectionTakeBackNearby, bare):
			return nearby
		}
		rest, ok := f.behind(sectionHesitation)
		if !ok {
			rest, ok = bare.behind(sectionHesitation)
		}
		if !ok {
			return noRetreat
		}
		f = rest
	}
	return noRetreat
}

// takeBackBefore leaves out what earlier messages said, because of a message that begins so.
func (x *extraction) takeBackBefore(m Message, how retreat) {
	over := 0
	for _, from := range slices.Backward(x.said) {
		if x.takeBack(from, how) || how == joking || over == maxTakenOver {
			return
		}
		over++
	}
	if how == anywhere {
		x.found = append(x.found, Candidate{Key: m.Key, Skip: SkipForget, Earlier: true})
	}
}

// takeBack leaves out the candidates from a position on. It reports whether one was to be
// kept.
func (x *extraction) takeBack(from int, how retreat) (found bool) {
	reason := SkipForget
	if how == joking {
		reason = SkipJoke
	}
	for i, c := range x.found[from:] {
		if c.Kept() {
			x.found[from+i] = Candidate{Key: c.Key, Category: c.Category, Trigger: c.Trigger, Explicit: c.Explicit, Skip: reason}
			found = true
		}
	}
	return found
}
