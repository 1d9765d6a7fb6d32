package frontmatter

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/stray"
	"github.com/memory-tiered/memory/frontmatter/syntax"
)

// parseStray reads front matter in the text below the head. All its entries apply. Of
// its declarations for the file, those that hide apply, because it may be another file's.
func (r *parser) parseStray(src []byte) {
	found := stray.Find(src, r.BodyStart)
	if len(found) == 0 {
		return
	}
	first, faults := syntax.LineOf(src, r.BodyStart), 0
	for _, b := range found {
		one := r.parseOne(b, first+b.Line)
		if b.Fenced {
			r.Fenced = append(r.Fenced, one.Entries...)
			continue
		}
		r.rawEntries = append(r.rawEntries, one.rawEntries...)
		r.EntriesUnread = r.EntriesUnread || one.Broken || one.EntriesUnread
		r.hideFile(one.FileDefaults)
		if faults++; faults == 1 {
			r.addFault(syntax.LineOf(src, b.Start), "front matter must be at the beginning of the file, and here it is in the text: move its lines into the one at the beginning, or delete them; "+
				"until then its lines apply, and the program cannot write to the file")
		}
	}
	if faults == 0 {
		return
	}
	if r.ReadOnlyReason == "" {
		r.ReadOnlyReason = "there is front matter in its text"
	}
	known := r.Faults
	r.Entries = r.mergeDuplicates(r.rawEntries)
	r.Faults = known // a copy of a file has the same lines
}

// parseOne reads front matter in a text. Its mistakes are no faults of their own.
func (r *parser) parseOne(b stray.Block, line int) *parser {
	f := openers[b.Opener]
	if f.format == syntax.None {
		f.format = syntax.YAML
	}
	one := &parser{zone: r.zone}
	one.bounds = bounds{format: f.format, inText: true, end: len(b.Raw), bodyStart: len(b.Raw), firstLine: line}
	one.parseRaw(b.Raw)
	return one
}

// hideFile adds what a declaration hides or trusts less.
func (r *parser) hideFile(d memory.Declared) {
	to := &r.FileDefaults
	if d.Private != nil && *d.Private {
		to.Private = d.Private
	}
	if d.User != "" && to.User != "" && d.User != to.User {
		to.User = memory.NobodyUser
	} else if d.User != "" {
		to.User = d.User
	}
	if slices.Index(memory.TrustTiers, d.Trust) > max(0, slices.Index(memory.TrustTiers, to.Trust)) {
		to.Trust = d.Trust
	}
}
