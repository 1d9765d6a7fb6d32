package capture

import "slices"

// Bounds of what a "forget that" reaches over, if nothing of it was kept: "Thanks."
const (
	maxTakenOver = 2  // messages of the user
	maxAside     = 28 // bytes of such a message; about ten characters of Chinese
)

// IsAside reports whether a message of the user is about nothing: "Thanks." or "Yes, agreed."
// A message that takes something back reaches over it.
func IsAside(text string) bool { return ownText(text).isAside() }

func (b body) isAside() bool {
	size := 0
	for _, p := range b.paragraphs {
		for _, s := range p {
			if isQuestion(s.seen) {
				return false
			}
			size += len(s.text)
		}
	}
	return size <= maxAside || len(b.text) <= maxAgreement && agrees(b)
}

// saidMessage is a message of the user in the turn.
type saidMessage struct {
	from    int // where its candidates begin
	isAside bool
}

// retreat is how a sentence takes back what was said before it.
type retreat uint8

const (
	noRetreat retreat = iota
	nearby            // in the request: "delete that" may mean something else
	joking            // what was said last: "just kidding"; alone, also in the last request
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
	for range maxPhrases {
		bare := bare(f)
		switch {
		case in("take back", bare) && in("joke", f):
			return joking
		case in("take back", bare):
			return anywhere
		case in("take back nearby", bare):
			return nearby
		}
		rest, ok := behind(f, "hesitation")
		if !ok {
			rest, ok = behind(bare, "hesitation")
		}
		if !ok {
			return noRetreat
		}
		f = rest
	}
	return noRetreat
}

// takeBackBefore leaves out what earlier messages said, because of a message that begins so.
func (x *extraction) takeBackBefore(m Message, b body, how retreat) {
	over := 0
	for _, said := range slices.Backward(x.said) {
		if x.takeBack(said.from, how) || how == joking || over == maxTakenOver || !said.isAside {
			return
		}
		over++
	}
	if how == anywhere || how == joking && b.isOneSentence() {
		x.found = append(x.found, Candidate{Key: m.Key, Skip: SkipForget, Earlier: true, Directly: how == joking})
	}
}

func (b body) isOneSentence() bool { return len(b.paragraphs) == 1 && len(b.paragraphs[0]) == 1 }

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
