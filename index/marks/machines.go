package marks

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/memory-tiered/memory/index/sqldb"
)

// The log of another machine marks texts too, with a key of its own. Such a text is hidden here
// until the same log restores it, or somebody restores it here. What this database has marked
// itself, no log restores.

// Line is a line of the log of a machine. It is a use, a move by the ageing policy, or a text that
// was forgotten, destroyed or restored. It has no text, question or session. Hashes are hexadecimal.
type Line struct {
	Machine string `json:"machine,omitempty"` // the name, in the first line
	Key     string `json:"key,omitempty"`     // of the hashes, in the first line

	Text    string `json:"text,omitempty"`    // of a use or a move: keyed hash of the memory's text
	Session string `json:"session,omitempty"` // of a use: keyed hash
	Day     string `json:"day,omitempty"`     // of a use: YYYY-MM-DD there
	Was     string `json:"was,omitempty"`     // of a move: the tier before …
	Tier    string `json:"tier,omitempty"`    // … and after
	Mark    string `json:"mark,omitempty"`    // as in the table forgotten
	Wording string `json:"wording,omitempty"`
	Kind    int    `json:"kind,omitempty"` // of a use, as in the table uses; of a mark, its state
	At      int64  `json:"at,omitempty"`   // milliseconds since 1970
}

// Log is the log of a machine. Its first line has the name and the key.
type Log []Line

// destroyed is the highest state of a mark in a log. 0 is restored, and 1 is forgotten.
const destroyed = 2

// machineKey, with a key after it, is the key of table meta for a key of another machine.
const machineKey = "machine_key:"

// maxMachineKeys bounds the keys of other machines, because each text is compared by each key. The
// marks of more are not read.
const maxMachineKeys = 64

// elsewhere is what other machines hide.
type elsewhere struct {
	keys      map[string]bool
	hidden    map[sqldb.Hash]sqldb.Millis // when a log hid the text of a mark, by the marks of all keys
	destroyed map[sqldb.Hash]bool         // those of hidden whose exact text was destroyed
	restored  map[sqldb.Hash]sqldb.Millis // when the text of a mark of this database was restored here
}

// readElsewhere reads what other machines hide. each is [sqldb.Tx.Each].
func readElsewhere(each func(query string, args []any, row func(scan func(...any) error) error) error) (e elsewhere, err error) {
	e = elsewhere{map[string]bool{}, map[sqldb.Hash]sqldb.Millis{}, map[sqldb.Hash]bool{}, map[sqldb.Hash]sqldb.Millis{}}
	err = each("SELECT unhex(substr(key, length(?1) + 1)) FROM meta WHERE substr(key, 1, length(?1)) = ?1", []any{machineKey}, func(scan func(...any) error) error {
		var key []byte
		err := scan(&key)
		e.keys[string(key)] = true
		return err
	})
	if err != nil {
		return e, err
	}
	return e, each(`SELECT mark, at, state, machine = '' FROM machine_marks WHERE state > 0 OR machine = ''
		UNION ALL SELECT wording, at, 1, false FROM machine_marks WHERE state > 0 AND wording IS NOT NULL`, nil, func(scan func(...any) error) error {
		var m sqldb.Hash
		var at sqldb.Millis
		var state int
		var isOwn bool
		err := scan(&m, &at, &state, &isOwn)
		if isOwn {
			e.restored[m] = at
			return err
		}
		e.hidden[m], e.destroyed[m] = max(at, e.hidden[m]), e.destroyed[m] || state == destroyed
		return err
	})
}

// hiddenAt returns when another machine hid a text last; 0: none did.
func (e elsewhere) hiddenAt(t Text) (at sqldb.Millis) {
	if len(e.hidden) == 0 {
		return 0
	}
	for key := range e.keys {
		for _, m := range t.allMarks([]byte(key)) {
			at = max(at, e.hidden[m])
		}
	}
	return at
}

// hides reports whether another machine hides a text with these marks of this database.
func (e elsewhere) hides(t Text, own []sqldb.Hash) bool {
	at := e.hiddenAt(t)
	return at > 0 && !slices.ContainsFunc(own, func(m sqldb.Hash) bool { return e.restored[m] >= at })
}

// elsewhere returns what other machines hide, read once in a transaction.
func (tx *Tx) elsewhere() (elsewhere, error) {
	if tx.others != nil {
		return *tx.others, nil
	}
	e, err := readElsewhere(tx.sql.Each)
	tx.others = &e
	return e, err
}

// noteRestored notes that marks are restored here.
func (tx *Tx) noteRestored(selected string, args ...any) error {
	tx.others = nil
	return tx.sql.Exec(`INSERT INTO machine_marks(mark, machine, at, state) SELECT mark, '', max(at), 0 FROM (`+selected+`) WHERE mark IS NOT NULL
		GROUP BY mark ON CONFLICT (mark, machine) DO UPDATE SET at = max(machine_marks.at, excluded.at)`, args...)
}

// ShortHash returns the first digits of a keyed hash, for a log of a machine.
func ShortHash(key []byte, prefix string, of []byte) string {
	hash := keyedHash(key, prefix+"\x00", of)
	return hex.EncodeToString(hash[:8])
}

// selectOwnLines selects the marks of this database as its log has them.
const selectOwnLines = `SELECT mark, wording, at, CASE WHEN destroyed THEN 2 ELSE 1 END FROM forgotten
	UNION ALL SELECT mark, NULL, at, 0 FROM machine_marks WHERE machine = '' AND mark NOT IN (SELECT mark FROM forgotten) ORDER BY 3, 1`

// OwnLines returns the marks of this database as its log has them.
func OwnLines(ctx context.Context, db sqldb.Reader) (lines []Line, err error) {
	err = db.Each(ctx, selectOwnLines, nil, addLine(&lines))
	return lines, err
}

func addLine(lines *[]Line) func(scan func(...any) error) error {
	return func(scan func(...any) error) error {
		var l Line
		var mark, wording sqldb.Hash
		err := scan(&mark, &wording, &l.At, &l.Kind)
		if l.Mark = hex.EncodeToString(mark[:]); wording != (sqldb.Hash{}) {
			l.Wording = hex.EncodeToString(wording[:])
		}
		*lines = append(*lines, l)
		return err
	}
}

// MergeLog takes over the marks of a log that are later than those it had before. It returns a
// function that reports whether the marks of a text changed; nil: none changed.
func (tx *Tx) MergeLog(log Log) (func(Text) bool, error) {
	var lines []Line
	err := tx.sql.Each("SELECT mark, wording, at, state FROM machine_marks WHERE machine = ?", []any{log[0].Machine}, addLine(&lines))
	own, ownErr := tx.meta.Meta(KeyName)
	if own == log[0].Key { // a copy of the log of this machine
		err = errors.Join(err, tx.sql.Each(selectOwnLines, nil, addLine(&lines)))
	}
	e, elsewhereErr := tx.elsewhere()
	key, keyErr := hex.DecodeString(log[0].Key)
	if err := errors.Join(err, ownErr, elsewhereErr, keyErr); err != nil || !e.keys[string(key)] && len(e.keys) >= maxMachineKeys {
		return nil, err
	}
	known, changed := map[string]Line{}, map[string]bool{}
	isLater := func(a, b Line) bool { return a.At > b.At || a.At == b.At && a.Kind > b.Kind || b.Mark == "" }
	for _, l := range lines {
		if isLater(l, known[l.Mark]) {
			known[l.Mark] = l
		}
	}
	for _, l := range log {
		before := known[l.Mark]
		if l.Mark == "" || !isLater(l, before) {
			continue
		}
		l.Wording = cmp.Or(l.Wording, before.Wording)
		known[l.Mark], changed[l.Mark], changed[l.Wording] = l, true, true
		if err := tx.sql.Exec(`INSERT INTO machine_marks(mark, machine, at, state, wording) VALUES (unhex(?), ?, ?, ?, unhex(nullif(?, '')))
			ON CONFLICT (mark, machine) DO UPDATE SET at = excluded.at, state = excluded.state, wording = excluded.wording`,
			l.Mark, log[0].Machine, l.At, l.Kind, l.Wording); err != nil {
			return nil, err
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	tx.others, tx.changed = nil, true
	return func(t Text) bool {
		return slices.ContainsFunc(t.allMarks(key), func(m sqldb.Hash) bool { return changed[hex.EncodeToString(m[:])] })
	}, tx.meta.SetMeta(machineKey+log[0].Key, log[0].Machine)
}

// IsDestroyedElsewhere reports whether another machine destroyed a text, and it is not restored here.
func (s Set) IsDestroyedElsewhere(t Text) bool {
	for key := range s.others.keys {
		if s.others.destroyed[t.mark([]byte(key))] {
			return s.others.hides(t, t.allMarks(s.key))
		}
	}
	return false
}
