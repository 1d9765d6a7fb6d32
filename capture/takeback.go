package capture

// TakesBack reports whether a message of the user takes back what the user said before:
// "Please don't remember that." or "Just kidding." at its beginning.
func TakesBack(text string) bool { return ownText(text).takesBack() }

func (b body) takesBack() bool {
	return len(b.paragraphs) > 0 && in(sectionTakeBack, b.paragraphs[0][0].seen.bare())
}

// takeBack leaves out the candidates from a position on, because of a sentence.
func (x *extraction) takeBack(from int, because sentence) {
	reason := SkipForget
	if in(sectionJoke, because.seen) {
		reason = SkipJoke
	}
	for i, c := range x.found[from:] {
		if c.Kept() {
			x.found[from+i] = Candidate{Key: c.Key, Category: c.Category, Trigger: c.Trigger, Explicit: c.Explicit, Skip: reason}
		}
	}
}
