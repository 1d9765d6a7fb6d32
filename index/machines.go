package index

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// maxMachineUses is the number of uses and moves in a log: the last ones.
const maxMachineUses = 20_000

// mergedSession begins the sessions of uses on other machines.
const mergedSession = "~"

// OwnLog returns the log of this machine.
func (db *DB) OwnLog(ctx context.Context, machine string, now time.Time) (log MachineLog, err error) {
	text, err := db.Meta(ctx, marks.KeyName)
	if err != nil {
		return log, err
	}
	key, err := hex.DecodeString(text)
	log = MachineLog{{Machine: machine, Key: text}}
	add := func(scan func(...any) error) error {
		var of sqldb.Hash
		var l MachineLine
		err := scan(&of, &l.Session, &l.Day, &l.Kind, &l.Was, &l.Tier, &l.At)
		if l.Text = marks.ShortHash(key, "text", of[:]); l.Tier == "" {
			l.Session = marks.ShortHash(key, "session", []byte(l.Session))
		}
		log = append(log, l)
		return err
	}
	first := now.AddDate(0, 0, -rows.MaxUseDays)
	return log, sqldb.Wrap("read the log of this machine", errors.Join(err, db.sql.Snapshot(ctx, func(r sqldb.Reader) error {
		err := r.Each(ctx, `SELECT m.fingerprint, u.session, u.day, max(u.kind), '', '', min(u.at) FROM uses u JOIN memories m ON m.id = u.memory_id
			WHERE u.day >= ? AND substr(u.session, 1, 1) <> ? GROUP BY u.memory_id, m.fingerprint, u.session, u.day ORDER BY u.day DESC, 7 DESC, 1, 2 LIMIT ?`,
			[]any{first.Format(time.DateOnly), mergedSession, maxMachineUses}, add)
		slices.Reverse(log[1:])
		if err == nil {
			err = r.Each(ctx, `SELECT m.fingerprint, '', '', 0, json_extract(a.old, '$.tier'), json_extract(a.new, '$.tier'), a.at
				FROM memory_audit a JOIN memories m ON m.id = a.memory_id WHERE a.seq > (SELECT max(seq) FROM memory_audit) - ? AND a.at >= ?
				AND a.source = 'decay' AND a.action IN ('demote', 'promote') ORDER BY a.at, a.seq`, []any{maxMachineUses, sqldb.ToMillis(first)}, add)
		}
		if err != nil {
			return err
		}
		marked, err := marks.OwnLines(ctx, r)
		log = append(log, marked...)
		return err
	})))
}

// MergeMachine takes over what the log of a machine has, and reports whether that was new. A text
// that it restores stays hidden here if this database hides it.
func (tx *Tx) MergeMachine(log MachineLog, limits decay.Thresholds, zone *time.Location) (isNew bool, err error) {
	changed, err := tx.changes.Marks.MergeLog(log)
	if err == nil && changed != nil {
		err = tx.changes.ResolveMarked(changed)
	}
	if err != nil {
		return false, err
	}
	moves, found, texts := map[memory.ID][]MachineLine{}, map[string]memory.ID{}, map[memory.ID]string{}
	key, err := hex.DecodeString(log[0].Key)
	if err != nil {
		return false, err
	}
	err = tx.sql.Each("SELECT id, fingerprint FROM memories ORDER BY missing_since IS NULL, id DESC", nil, func(scan func(...any) error) error {
		var id memory.ID
		var text sqldb.Hash
		err := scan(&id, &text)
		texts[id] = marks.ShortHash(key, "text", text[:])
		found[texts[id]] = id
		return err
	})
	if err != nil {
		return false, err
	}
	used, err := tx.mergeUses(log, key, found, texts)
	for _, id := range used {
		moves[id] = nil
	}
	for _, l := range log {
		if id, isHere := found[l.Text]; isHere && l.Tier != "" {
			moves[id] = append(moves[id], l)
		}
	}
	return changed != nil || len(used) > 0, errors.Join(err, tx.mergeMoves(moves, limits, zone))
}

// mergeUses adds the uses that no memory with the text has, and returns the memories with such uses.
func (tx *Tx) mergeUses(log MachineLog, key []byte, found map[string]memory.ID, texts map[memory.ID]string) ([]memory.ID, error) {
	type use struct{ text, session, day string }
	known := map[use]int{}
	own, err := tx.Meta(marks.KeyName)
	if err != nil {
		return nil, err
	}
	err = tx.sql.Each("SELECT memory_id, session, day, kind FROM uses", nil, func(scan func(...any) error) error {
		var id memory.ID
		var u use
		var kind int
		err := scan(&id, &u.session, &u.day, &kind)
		if own == log[0].Key && !strings.HasPrefix(u.session, mergedSession) { // a log with the key of this one may have it too
			u.session, kind = mergedSession+marks.ShortHash(key, "session", []byte(u.session)), int(rows.Requested)
		}
		u.text = texts[id]
		known[u] = max(kind, known[u])
		return err
	})
	if err != nil {
		return nil, err
	}
	first := tx.Now.AddDate(0, 0, 2-rows.MaxUseDays).Format(time.DateOnly) // in no time zone the index has deleted that day
	var uses []Use
	for _, l := range log {
		u := use{l.Text, mergedSession + l.Session, l.Day}
		kind, isKnown := known[u]
		if l.Session == "" || found[l.Text] == "" || l.Day < first || isKnown && kind >= l.Kind {
			continue
		}
		known[u] = l.Kind
		uses = append(uses, Use{ID: found[l.Text], Session: u.session, Day: l.Day, At: sqldb.Millis(l.At).Time(), Kind: rows.Kind(l.Kind)})
	}
	used, err := tx.changes.AddUses(uses)
	return used, errors.Join(err, tx.changes.Note(used...))
}

// DestroyedElsewhere returns the memories in files whose text another machine destroyed.
func (db *DB) DestroyedElsewhere(ctx context.Context) (ids []memory.ID, err error) {
	forgotten, err := db.ForgottenTexts(ctx)
	if err != nil || forgotten.IsEmpty() {
		return nil, err
	}
	err = db.sql.Read().Each(ctx, rows.SelectTexts+" WHERE m.do_not_inject AND m.missing_since IS NULL ORDER BY m.id", nil, func(scan func(...any) error) error {
		id, text, err := rows.ScanText(scan)
		if err == nil && forgotten.IsDestroyedElsewhere(text) {
			ids = append(ids, id)
		}
		return err
	})
	return ids, sqldb.Wrap("read texts that were destroyed elsewhere", err)
}
