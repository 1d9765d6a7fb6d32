package rows

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index/sqldb"
)

// NoteSource notes that what was derived from a memory has to be resolved again.
func (tx *Tx) NoteSource(before, after *Memory) {
	if before != nil && before.asSource() == after.asSource() {
		return
	}
	for _, r := range []*Memory{before, after} {
		if r != nil {
			tx.changedSources = append(tx.changedSources, r)
		}
	}
}

// asSource returns the fields on which the state of derived memories depends.
func (r *Memory) asSource() Memory {
	return Memory{Fingerprint: r.Fingerprint, SourceRef: r.SourceRef, SourceHidden: r.SourceHidden, Trust: r.Trust, Scope: r.Scope, User: r.User,
		Forgotten: r.Forgotten, Private: r.Private, MissingSince: r.MissingSince, ExpiresAt: r.ExpiresAt}
}

// maxDerivations ends a search in memories that are derived from each other.
const maxDerivations = 8

// FollowSources resolves those memories again whose sources this transaction changed, and those
// that are derived from these.
func (tx *Tx) FollowSources() error {
	for range maxDerivations {
		ids, err := tx.derivedFrom(tx.changedSources)
		if err != nil || len(ids) == 0 {
			return err
		}
		tx.changedSources = nil
		cs, err := tx.SelectIDs(ids)
		if err != nil {
			return err
		}
		if err := cs.Save(); err != nil {
			return err
		}
	}
	return nil
}

// derivedFrom returns the memories that name one of some sources.
func (tx *Tx) derivedFrom(sources []*Memory) (ids []memory.ID, err error) {
	if len(sources) == 0 {
		return nil, nil
	}
	names := map[string]bool{}
	err = tx.sql.Each("SELECT id, source_ref, user FROM memories WHERE source_ref LIKE '%"+chunker.ByModel+"'", nil, func(scan func(...any) error) error {
		for _, r := range sources { // only if there is a derived memory: an index has many others
			names[chunker.TextRef(memory.Fingerprint(r.Fingerprint))] = true
			names[chunker.MessageRef(string(r.SourceRef), r.User)] = true
		}
		sources = nil
		var id memory.ID
		var ref, user string
		err := scan(&id, &ref, &user)
		if slices.ContainsFunc(chunker.SourcesOf(ref, user), func(source string) bool { return names[source] }) {
			ids = append(ids, id)
		}
		return err
	})
	return ids, err
}

// followSources hides a derived memory while one of its sources is hidden from its readers. A text
// that it names is a source too while no memory has it, and is shown if one copy is. A derived
// memory is no more trusted than its sources, and expires with them.
func (tx *Tx) followSources(r *Memory) error {
	r.SourceHidden = ""
	readers := memory.View{Model: true, Users: []string{"", r.User}, Scope: cmp.Or(r.Scope, memory.ScopeGlobal), Now: tx.now}
	for _, ref := range chunker.SourcesOf(string(r.SourceRef), r.User) {
		found, err := tx.sourcesNamed(ref, r.User)
		if err != nil {
			return err
		}
		hidden, isShown := "", false
		for _, m := range found {
			if reason := readers.HidesSource(&m); reason != "" {
				hidden = reason
				continue
			}
			isShown = true
			r.Protect(doubt{Trust: m.Trust})
			if at := m.ExpiresAt; at != nil && (r.ExpiresAt == 0 || at.Before(r.ExpiresAt.Time())) {
				r.ExpiresAt = sqldb.ToMillis(*at)
			}
		}
		switch isText := strings.HasPrefix(ref, "="); {
		case isText && isShown:
			hidden = ""
		case isText:
			hidden = cmp.Or(hidden, memory.ReasonMissing)
		}
		r.SourceHidden = cmp.Or(r.SourceHidden, hidden)
	}
	return nil
}

// sourcesNamed reads the memories with a reference that [chunker.SourcesOf] returns, as far as
// the state of what was derived from them depends on them.
func (tx *Tx) sourcesNamed(ref, user string) (found []memory.Memory, err error) {
	where, args := "source_ref = ? AND user = ? AND missing_since IS NULL", []any{strings.TrimSuffix(ref, "\x00"+user), user}
	if text, is := strings.CutPrefix(ref, "="); is {
		first, _ := hex.DecodeString(text) // a person may have written another text: no memory has it
		var least, most sqldb.Hash
		copy(most[:], bytes.Repeat([]byte{0xff}, len(most)))
		copy(least[:], first)
		copy(most[:], first)
		where, args = "fingerprint BETWEEN ? AND ? AND ?", []any{least, most, chunker.TextRef(memory.Fingerprint(least)) == ref}
	}
	err = tx.sql.Each(`SELECT do_not_inject, missing_since IS NOT NULL, private, source_hidden, trust_tier, user, scope, expires_at
		FROM memories WHERE `+where, args, func(scan func(...any) error) error {
		var m memory.Memory
		var expires sqldb.Millis
		err := scan(&m.Forgotten, &m.Missing, &m.Private, &m.SourceHidden, &m.Trust, &m.User, &m.Scope, &expires)
		m.ExpiresAt = expires.Pointer()
		found = append(found, m)
		return err
	})
	return found, err
}
