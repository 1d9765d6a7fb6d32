package index

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

// maxMachineUses is the number of uses that a log keeps: the last ones.
const maxMachineUses = 20_000

// mergedSession begins the sessions of uses on other machines.
const mergedSession = "~"

// firstDay returns the first day whose uses the index keeps.
func firstDay(now time.Time) string {
	return now.AddDate(0, 0, -rows.MaxUseDays).Format(time.DateOnly)
}

// OwnLog returns what the log of this machine has to contain.
func (db *DB) OwnLog(ctx context.Context, machine string, now time.Time) (log MachineLog, err error) {
	key, err := db.Meta(ctx, marks.KeyName)
	if err == nil {
		log.Machine = machine
		log.Key, err = hex.DecodeString(key)
	}
	if err != nil {
		return log, err
	}
	add := func(l MachineLine, id memory.ID, text sqlite.Hash) {
		l.ID, l.Text = string(id.Linked()), marks.ShortHash(log.Key, "text", text[:])
		log.Lines = append(log.Lines, l)
	}
	return log, sqlite.Wrap("read what the log of this machine contains", db.sql.Snapshot(ctx, func(r sqlite.Reader) error {
		err := r.Each(ctx, `SELECT u.memory_id, m.fingerprint, u.session, u.day, min(u.at), max(u.kind) FROM uses u JOIN memories m ON m.id = u.memory_id
			WHERE u.day >= ? AND u.session NOT GLOB ? GROUP BY u.memory_id, u.session, u.day ORDER BY u.day DESC, 5 DESC, 1, 3 LIMIT ?`,
			[]any{firstDay(now), mergedSession + "*", maxMachineUses}, func(scan func(...any) error) error {
				var l MachineLine
				var id memory.ID
				var text sqlite.Hash
				var session string
				err := scan(&id, &text, &session, &l.Day, &l.At, &l.Kind)
				l.Use = marks.ShortHash(log.Key, "session", []byte(session))
				add(l, id, text)
				return err
			})
		if err != nil {
			return err
		}
		slices.Reverse(log.Lines)
		err = r.Each(ctx, `SELECT a.memory_id, m.fingerprint, a.at, json_extract(a.old, '$.tier'), json_extract(a.new, '$.tier')
			FROM memory_audit a JOIN memories m ON m.id = a.memory_id WHERE a.seq > (SELECT max(seq) FROM memory_audit) - ? AND a.at >= ?
			AND a.source = 'decay' AND a.action IN ('demote', 'promote') ORDER BY a.seq`,
			[]any{maxMachineUses, sqlite.ToMillis(now.AddDate(0, 0, -rows.MaxUseDays))}, func(scan func(...any) error) error {
				var l MachineLine
				var id memory.ID
				var text sqlite.Hash
				err := scan(&id, &text, &l.At, &l.Was, &l.Tier)
				add(l, id, text)
				return err
			})
		if err != nil {
			return err
		}
		marked, err := marks.OwnMarks(ctx, r)
		for _, m := range marked {
			l := MachineLine{At: int64(m.At), Gone: m.State == marks.Destroyed}
			if m.State == marks.Restored {
				l.Restore = hex.EncodeToString(m.Mark[:])
			} else if l.Forget = hex.EncodeToString(m.Mark[:]); m.Wording != (sqlite.Hash{}) {
				l.Wording = hex.EncodeToString(m.Wording[:])
			}
			log.Lines = append(log.Lines, l)
		}
		return err
	}))
}

// IsOwnLog reports whether this database knows of every line of its log. Lines about deleted
// memories count, and old ones: the database keeps neither.
func (db *DB) IsOwnLog(ctx context.Context, own MachineLog, lines []MachineLine, now time.Time) (bool, error) {
	type use struct{ id, session, day string }
	uses, marked, first := map[use]bool{}, map[string]bool{"": true}, now.AddDate(0, 0, 1-rows.MaxUseDays).Format(time.DateOnly)
	for i, l := range own.Lines {
		marked[l.Forget], marked[l.Restore] = true, true
		uses[use{l.ID, l.Use, l.Day}] = true
		if i == 0 && len(own.Lines) >= maxMachineUses {
			first = max(first, l.Day)
		}
	}
	unknown := MachineLog{Key: own.Key}
	for _, l := range lines {
		if !marked[l.Forget] || !marked[l.Restore] {
			return false, nil
		}
		if l.Use != "" && l.Day > first && !uses[use{l.ID, l.Use, l.Day}] {
			unknown.Lines = append(unknown.Lines, MachineLine{ID: l.ID})
		}
	}
	if len(unknown.Lines) == 0 {
		return true, nil
	}
	found, err := findMemories(unknown, func(query string, args []any, row func(scan func(...any) error) error) error {
		return db.sql.Read().Each(ctx, query, args, row)
	})
	return len(found) == 0, err
}

// findMemories returns the memories of a log's lines by their ids there: those with the id, or else
// with the text.
func findMemories(log MachineLog, read func(query string, args []any, row func(scan func(...any) error) error) error) (map[string]memory.ID, error) {
	texts := map[string]string{} // the last text of each id
	for _, l := range log.Lines {
		if l.ID != "" {
			texts[l.ID] = l.Text
		}
	}
	ids := make([]string, 0, len(texts))
	for id := range texts {
		ids = append(ids, id)
	}
	found := map[string]memory.ID{}
	err := read("SELECT value, m.id FROM json_each(?) JOIN memories m ON m.id >= value AND m.id < value || 'g'", []any{sqlite.JSONList(ids)},
		func(scan func(...any) error) error {
			var prefix string
			var id memory.ID
			err := scan(&prefix, &id)
			found[prefix] = id
			return err
		})
	wanted := map[string][]string{}
	for id, text := range texts {
		if _, known := found[id]; !known && text != "" {
			wanted[text] = append(wanted[text], id)
		}
	}
	if err != nil || len(wanted) == 0 {
		return found, err
	}
	return found, read("SELECT id, fingerprint FROM memories ORDER BY id DESC", nil, func(scan func(...any) error) error {
		var id memory.ID
		var text sqlite.Hash
		err := scan(&id, &text)
		for _, there := range wanted[marks.ShortHash(log.Key, "text", text[:])] {
			found[there] = id
		}
		return err
	})
}

// MergeMachine takes over what the log of another machine has, and this database does not have yet.
// A text that it restores stays hidden here if this database hides it.
func (tx *Tx) MergeMachine(log MachineLog, limits decay.Thresholds, zone *time.Location) error {
	if err := tx.mergeMarks(log); err != nil {
		return err
	}
	found, err := findMemories(log, tx.sql.Each)
	if err != nil {
		return err
	}
	used, err := tx.mergeUses(log, found)
	if err != nil {
		return err
	}
	moves := map[memory.ID][]MachineLine{}
	for _, id := range used {
		moves[id] = nil
	}
	for _, l := range log.Lines {
		if id, known := found[l.ID]; known && l.Tier != "" {
			moves[id] = append(moves[id], l)
		}
	}
	return tx.mergeMoves(moves, limits, zone)
}

func (tx *Tx) mergeMarks(log MachineLog) error {
	var found []marks.MachineMark
	for _, l := range log.Lines {
		m := marks.MachineMark{At: sqlite.Millis(l.At), State: marks.Forgotten}
		if l.Gone {
			m.State = marks.Destroyed
		} else if l.Restore != "" {
			m.State = marks.Restored
		}
		if n, err := hex.Decode(m.Mark[:], []byte(cmp.Or(l.Forget, l.Restore))); n == 0 || err != nil {
			continue
		}
		_, _ = hex.Decode(m.Wording[:], []byte(l.Wording)) // the reader checked it
		found = append(found, m)
	}
	changed, err := tx.changes.Marks.MergeMachine(log.Machine, log.Key, found)
	if err != nil || changed == nil {
		return err
	}
	return tx.changes.ResolveMarked(changed)
}

// mergeUses adds the uses that are new, and returns the memories with such uses.
func (tx *Tx) mergeUses(log MachineLog, found map[string]memory.ID) ([]memory.ID, error) {
	type use struct {
		id           memory.ID
		session, day string
	}
	known := map[use]int{}
	key, err := tx.Meta(marks.KeyName)
	if err != nil {
		return nil, err
	}
	err = tx.sql.Each("SELECT memory_id, session, day, kind FROM uses", nil, func(scan func(...any) error) error {
		var u use
		var kind int
		err := scan(&u.id, &u.session, &u.day, &kind)
		if u.session == "" || u.session[:1] != mergedSession { // a copy of this log has it too
			if key != hex.EncodeToString(log.Key) {
				return err
			}
			u.session, kind = mergedSession+marks.ShortHash(log.Key, "session", []byte(u.session)), int(rows.Requested)
		}
		known[u] = kind
		return err
	})
	if err != nil {
		return nil, err
	}
	var uses []Use
	for _, l := range log.Lines {
		id, isHere := found[l.ID]
		u := use{id, mergedSession + l.Use, l.Day}
		if l.Use == "" || !isHere || l.Day < firstDay(tx.Now) {
			continue
		}
		if kind, isKnown := known[u]; isKnown && kind >= l.Kind {
			continue
		}
		known[u] = l.Kind
		uses = append(uses, Use{ID: id, Session: u.session, Day: l.Day, At: sqlite.Millis(l.At).Time(), Kind: rows.Kind(l.Kind)})
	}
	used, err := tx.changes.AddUses(uses)
	if err != nil {
		return nil, err
	}
	return used, tx.changes.Note(used...)
}

// DestroyedElsewhere returns the memories in files whose text another machine destroyed.
func (db *DB) DestroyedElsewhere(ctx context.Context) (ids []memory.ID, err error) {
	key, err := db.Meta(ctx, marks.KeyName)
	if err != nil {
		return nil, err
	}
	isDestroyed, err := marks.DestroyedElsewhere(ctx, db.sql.Read(), key)
	if err != nil || isDestroyed == nil {
		return nil, err
	}
	err = db.sql.Read().Each(ctx, rows.SelectTexts+" WHERE m.do_not_inject AND m.missing_since IS NULL ORDER BY m.id", nil, func(scan func(...any) error) error {
		id, text, err := rows.ScanText(scan)
		if err == nil && isDestroyed(text) {
			ids = append(ids, id)
		}
		return err
	})
	return ids, sqlite.Wrap("read texts that were destroyed elsewhere", err)
}
