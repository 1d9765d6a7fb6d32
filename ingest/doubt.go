package ingest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// An entry that protects is exact, or it withholds its file. The index then protects each
// memory of the file until a person decides about it, or corrects the entry.

// noteDoubts notes the memories that protecting entries without an exact match may be about.
func (r *run) noteDoubts(s *candidateIndex, states []*memory.FileState, known map[entryKey]memory.Entry) {
	decided, noted := r.decisions(states), map[protection]bool{}
	for _, f := range states {
		for i := range f.Entries {
			e := &f.Entries[i]
			wasMatched := known[keyOf(*e)].MatchedID != ""
			path := candidatePath(*e, f.Path)
			if isUnread(*e) {
				path = e.Path
			}
			switch p := protectionOf(*e, path); {
			case !isProtecting(*e):
				e.Doubtful, e.Settled = nil, false
				continue
			case !wasMatched && r.isExact(s, *e):
				e.Doubtful, e.Settled = r.quotedHere(*e, path), false
			case wasMatched, e.Settled, noted[p]: // no memory is added
			default:
				noted[p] = true
				e.Doubtful = append(slices.Clone(e.Doubtful), s.mayBe(*e, p.path)...)
			}
			hadDoubts := len(e.Doubtful) > 0
			e.Doubtful = slices.DeleteFunc(e.Doubtful, func(id memory.ID) bool { return decidesAll(decided[id], *e) })
			slices.Sort(e.Doubtful)
			e.Doubtful = slices.Compact(e.Doubtful)
			e.Settled = len(e.Doubtful) == 0 && (hadDoubts || e.Settled) && !isUnread(*e)
		}
	}
}

// isUnread reports whether an entry is a line that protects and that cannot be read.
func isUnread(e memory.Entry) bool { return e.IDPrefix == "" && e.Quote == "" }

// minNamedID is how many digits of an id a line that cannot be read must have, as lists show
// them.
const minNamedID = 8

// nameUnread replaces each line that cannot be read by an entry for each file that it names. A
// line names a file by its path, or by the id of a memory in it. One that names nothing is about
// the whole workspace. So is a line of the decisions file that has no path and matches nothing.
func (s *candidateIndex) nameUnread(file string, entries []memory.Entry) (named []memory.Entry) {
	for _, e := range entries {
		isUnmatched := file == memory.DecisionsFile && isProtecting(e) && !isUnread(e) && e.MatchedID == ""
		paths := []string{e.Path}
		switch {
		case e.Unread != "" && e.MatchedID == "":
			paths = s.pathsIn(e.Unread)
		case isUnmatched && e.Path == "":
			paths = nil
		}
		if e.Unread = ""; len(paths) == 0 && isUnmatched {
			every := memory.Entry{Line: e.Line, Declared: memory.Declared{Private: new(true), User: e.Declared.User}}
			if named = append(named, e); !slices.ContainsFunc(entries, func(other memory.Entry) bool { return isUnread(other) && other.Line == e.Line }) {
				named = append(named, every)
			}
			continue
		}
		if len(paths) == 0 {
			paths = []string{""}
		}
		for _, e.Path = range paths {
			named = append(named, e)
		}
	}
	return slices.DeleteFunc(named, func(e memory.Entry) bool {
		return isUnread(e) && e.Path == "" && slices.ContainsFunc(named, func(other memory.Entry) bool { return other.Line == e.Line && other.MatchedID != "" })
	})
}

// pathsIn returns the files that a text names.
func (s *candidateIndex) pathsIn(text string) (paths []string) {
	isName := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' }
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !isName(r) }) {
		if word = strings.ReplaceAll(word, "-", ""); len(word) < minNamedID {
			continue
		}
		for _, i := range s.withID(word) {
			paths = append(paths, s.all[i].path)
		}
	}
	text = strings.ToLower(text)
	for n, i := range s.byPath {
		path := strings.ToLower(s.all[i].path)
		if n > 0 && s.all[s.byPath[n-1]].path == s.all[i].path {
			continue
		}
		before, after, found := strings.Cut(text, path)
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if found && !isName(last) && last != '/' && !isName(next) {
			paths = append(paths, s.all[i].path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// protection is what an entry does to the memories of a file. Of several entries without an
// exact match, one is enough.
type protection struct {
	path               string
	forgotten, private bool
	trust              memory.TrustTier
	user               string
}

func protectionOf(e memory.Entry, path string) protection {
	p := protection{path: path, forgotten: isForgetting(e), private: isPrivate(e), user: e.Declared.User}
	if isDistrusting(e) {
		p.trust = e.Declared.Trust
	}
	return p
}

// isProtecting reports whether an entry hides its memory, from some users at least, or
// lowers its trust.
func isProtecting(e memory.Entry) bool {
	return isForgetting(e) || isPrivate(e) || isDistrusting(e) || e.Declared.User != ""
}

func isForgetting(e memory.Entry) bool { return e.Declared.Forgotten != nil && *e.Declared.Forgotten }

func isPrivate(e memory.Entry) bool { return e.Declared.Private != nil && *e.Declared.Private }

func isDistrusting(e memory.Entry) bool {
	return e.Declared.Trust == memory.TrustUntrusted || e.Declared.Trust == memory.TrustQuarantined
}

// isExact reports whether an entry's memory is surely the right one. Its text begins with
// the quote, or an index from before the edit knows its id. No other present memory has the id.
func (r *run) isExact(s *candidateIndex, e memory.Entry) bool {
	if e.MatchedID == "" || slices.ContainsFunc(s.withID(e.IDPrefix), func(i int) bool { return s.all[i].present && s.all[i].id != e.MatchedID }) {
		return false
	}
	id, quoted := digits(e.MatchedID), chunker.NormalizeQuote(chunker.QuoteOf(e.Quote))
	at, ok := slices.BinarySearchFunc(s.byID, id, func(i int, id string) int { return strings.Compare(s.digits[i], id) })
	if !ok || quoted == "" || hasWordPrefix(s.all[s.byID[at]].quote, quoted) {
		return true // a memory that is not a candidate was found by its id
	}
	return r.hasIndex() && e.IDPrefix != "" && strings.HasPrefix(id, e.IDPrefix)
}

// quotedHere returns the memories of an entry's own file that it quotes, if its memory is in
// another file. On another branch, that memory may have been this text.
func (r *run) quotedHere(e memory.Entry, path string) (ids []memory.ID) {
	quoted := chunker.NormalizeQuote(chunker.QuoteOf(e.Quote))
	for i, b := range r.read {
		switch id := r.idAt(i); {
		case b.Path != path:
		case id == e.MatchedID:
			return nil
		case hasWordPrefix(chunker.NormalizeQuote(chunker.QuoteOf(b.Block.Text)), quoted):
			ids = append(ids, id)
		}
	}
	return ids
}

// mayBe returns the present memories of a file, and those elsewhere that have the id or the
// quote of an entry. It adds the copies of their texts. A line of a decisions file that
// names nothing may be about any memory.
func (s *candidateIndex) mayBe(e memory.Entry, path string) (ids []memory.ID) {
	texts := map[memory.Fingerprint]bool{}
	for _, i := range slices.Concat(s.withID(e.IDPrefix), s.byQuote[chunker.NormalizeQuote(chunker.QuoteOf(e.Quote))]) {
		texts[s.all[i].text] = true
	}
	for _, one := range s.all {
		if one.present && (one.path == path || isUnread(e) && e.Path == "") {
			texts[one.text] = true
		}
	}
	for _, one := range s.all {
		if one.present && texts[one.text] && one.id != e.MatchedID {
			ids = append(ids, one.id)
		}
	}
	return ids
}

// decisions returns, for each memory, what the entries that match it decide.
func (r *run) decisions(states []*memory.FileState) map[memory.ID][]memory.Declared {
	decided, current := map[memory.ID][]memory.Declared{}, map[string]bool{}
	note := func(entries []memory.Entry) {
		for _, e := range entries {
			if e.MatchedID != "" {
				decided[e.MatchedID] = append(decided[e.MatchedID], e.Declared)
			}
		}
	}
	for _, f := range states {
		current[f.Path] = true
		note(f.Entries)
	}
	for _, path := range r.batch.Removed {
		current[path] = true
	}
	for _, f := range r.indexed {
		if !current[f.Path] {
			note(f.Entries)
		}
	}
	return decided
}

// decidesAll reports whether decisions about a memory decide all that an entry
// protects.
func decidesAll(decided []memory.Declared, e memory.Entry) bool {
	var sum memory.Declared
	for _, d := range decided {
		sum = sum.Over(d)
	}
	return !(isForgetting(e) && sum.Forgotten == nil || isPrivate(e) && sum.Private == nil || isDistrusting(e) && sum.Trust == "" ||
		e.Declared.User != "" && sum.User == "")
}

// currentDoubts returns the doubts of an entry as they were indexed, without memories
// that an elder one takes over. The elder one keeps its own state.
func (r *run) currentDoubts(ids []memory.ID) []memory.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id memory.ID) bool {
		return slices.ContainsFunc(r.result.TakeOvers, func(t memory.TakeOver) bool { return t.Younger == id })
	})
}
