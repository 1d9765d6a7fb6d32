package marks

import (
	"context"
	"encoding/hex"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// The log of another machine marks texts too, with a key of its own. Such a text is hidden here
// until the same log restores it, or somebody restores it here. What this database has marked
// itself, no log restores.

// Line is a line of the log of a machine. It is a use, a move by the ageing policy, or a text that
// was forgotten or restored. It has no text, question or session.
type Line struct {
	Use     string `json:"use,omitempty"`     // keyed hash of the session
	Day     string `json:"day,omitempty"`     // of the use there, YYYY-MM-DD
	Kind    int    `json:"kind,omitempty"`    // of the use, as in the table uses
	Tier    string `json:"tier,omitempty"`    // the new tier
	Was     string `json:"was,omitempty"`     // the tier before
	Forget  string `json:"forget,omitempty"`  // a mark
	Wording string `json:"wording,omitempty"` // the mark of its wording
	Restore string `json:"restore,omitempty"` // a mark
	Gone    bool   `json:"destroyed,omitempty"`
	ID      string `json:"id,omitempty"`   // the first 12 digits of the memory's id
	Text    string `json:"text,omitempty"` // keyed hash of the memory's text
	At      int64  `json:"at"`             // milliseconds since 1970
}

// Log is the log of a machine.
type Log struct {
	Machine string
	Key     []byte // of its hashes
	Lines   []Line
}

// machineKey, with a key after it, is the key of table meta for a key of another machine.
const machineKey = "machine_key:"

// selectElsewhere selects the marks of other machines whose state is at least ?1, and the marks of
// texts that were restored here.
const selectElsewhere = `SELECT mark, at, machine = '' FROM machine_marks WHERE state >= ?1 OR machine = ''
	UNION ALL SELECT wording, at, 0 FROM machine_marks WHERE state >= ?1 AND ?1 = 1 AND wording IS NOT NULL`

// The states of a mark in the log of a machine, in ascending order of what they hide.
const (
	Restored = iota
	Forgotten
	Destroyed
)

// MachineMark is a mark in the log of a machine.
type MachineMark struct {
	Mark, Wording sqlite.Hash
	At            sqlite.Millis
	State         int
}

// elsewhere is what other machines hide.
type elsewhere struct {
	keys     map[string]bool
	hidden   map[sqlite.Hash]sqlite.Millis // when a log hid the text of a mark, by the marks of all keys
	restored map[sqlite.Hash]sqlite.Millis // when the text of a mark of this database was restored here
}

// each is a query of a transaction or of a reader.
type each func(query string, args []any, row func(scan func(...any) error) error) error

func reading(ctx context.Context, db sqlite.Reader) each {
	return func(query string, args []any, row func(scan func(...any) error) error) error {
		return db.Each(ctx, query, args, row)
	}
}

func readElsewhere(read each, least int) (e elsewhere, err error) {
	e = elsewhere{map[string]bool{}, map[sqlite.Hash]sqlite.Millis{}, map[sqlite.Hash]sqlite.Millis{}}
	err = read("SELECT unhex(substr(key, ?)) FROM meta WHERE key GLOB ?", []any{len(machineKey) + 1, machineKey + "*"}, func(scan func(...any) error) error {
		var key []byte
		err := scan(&key)
		e.keys[string(key)] = true
		return err
	})
	if err != nil {
		return e, err
	}
	return e, read(selectElsewhere, []any{least}, func(scan func(...any) error) error {
		var m sqlite.Hash
		var at sqlite.Millis
		var isOwn bool
		err := scan(&m, &at, &isOwn)
		if isOwn {
			e.restored[m] = at
		} else {
			e.hidden[m] = max(at, e.hidden[m])
		}
		return err
	})
}

// hiddenAt returns when another machine hid a text last; 0: none did.
func (e elsewhere) hiddenAt(t Text) (at sqlite.Millis) {
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
func (e elsewhere) hides(t Text, own []sqlite.Hash) bool {
	at := e.hiddenAt(t)
	return at > 0 && !slices.ContainsFunc(own, func(m sqlite.Hash) bool { return e.restored[m] >= at })
}

// elsewhere returns what other machines hide, read once in a transaction.
func (tx *Tx) elsewhere() (elsewhere, error) {
	if tx.others != nil {
		return *tx.others, nil
	}
	e, err := readElsewhere(tx.sql.Each, Forgotten)
	tx.others = &e
	return e, err
}

// noteRestored notes that a text was restored here, later than any machine hid it.
func (tx *Tx) noteRestored(t Text, key []byte, at sqlite.Millis) error {
	e, err := tx.elsewhere()
	if err != nil {
		return err
	}
	tx.others = nil
	return tx.noteRestoredMarks("SELECT ?1 AS mark, ?4 AS at UNION ALL SELECT ?2, ?4 UNION ALL SELECT ?3, ?4 UNION ALL SELECT mark, max(at + 1, ?4) FROM forgotten WHERE mark = ?1 OR wording IN (?2, ?3)",
		t.mark(key), t.globalMark(key), t.markUnderHeading(key), max(at, e.hiddenAt(t)))
}

func (tx *Tx) noteRestoredMarks(selected string, args ...any) error {
	return tx.sql.Exec(`INSERT INTO machine_marks(mark, machine, at, state) SELECT mark, '', at, 0 FROM (`+selected+`) WHERE mark IS NOT NULL
		ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`, args...)
}

// ShortHash returns the first digits of a keyed hash, for a log of a machine.
func ShortHash(key []byte, prefix string, of []byte) string {
	hash := keyedHash(key, prefix+"\x00", of)
	return hex.EncodeToString(hash[:8])
}

// maxMachineKeys bounds the keys of other machines. Each text is compared by each key.
const maxMachineKeys = 64

// MergeMachine takes over the marks of a machine's log that are later than those it had before. It
// returns a function that reports whether the marks of a text changed; nil: none changed.
func (tx *Tx) MergeMachine(machine string, key []byte, marks []MachineMark) (func(Text) bool, error) {
	known := map[sqlite.Hash]MachineMark{}
	err := tx.sql.Each("SELECT mark, wording, at, state FROM machine_marks WHERE machine = ?", []any{machine}, func(scan func(...any) error) error {
		var m MachineMark
		err := scan(&m.Mark, &m.Wording, &m.At, &m.State)
		known[m.Mark] = m
		return err
	})
	if err != nil {
		return nil, err
	}
	changed := map[sqlite.Hash]bool{}
	for _, m := range marks {
		before, isKnown := known[m.Mark]
		if isKnown && (m.At < before.At || m.At == before.At && m.State <= before.State) {
			continue
		}
		if m.Wording == (sqlite.Hash{}) {
			m.Wording = before.Wording
		}
		known[m.Mark] = m
		changed[m.Mark], changed[m.Wording] = true, true
		if err := tx.sql.Exec("INSERT OR REPLACE INTO machine_marks(mark, machine, at, state, wording) VALUES (?, ?, ?, ?, ?)",
			m.Mark, machine, m.At, m.State, m.Wording); err != nil {
			return nil, err
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	if err := tx.addMachineKey(machine, key); err != nil {
		return nil, err
	}
	tx.others, tx.changed = nil, true
	delete(changed, sqlite.Hash{})
	return func(t Text) bool {
		return slices.ContainsFunc(t.allMarks(key), func(m sqlite.Hash) bool { return changed[m] })
	}, nil
}

func (tx *Tx) addMachineKey(machine string, key []byte) error {
	e, err := tx.elsewhere()
	if err != nil {
		return err
	}
	if !e.keys[string(key)] && len(e.keys) >= maxMachineKeys {
		return memory.Invalid("key", "there are more than %d keys of machines", maxMachineKeys)
	}
	return tx.meta.SetMeta(machineKey+hex.EncodeToString(key), machine)
}

// OwnMarks returns the marks of this database as its log has them.
func OwnMarks(ctx context.Context, db sqlite.Reader) (marks []MachineMark, err error) {
	err = db.Each(ctx, `SELECT mark, wording, at, 1 + destroyed FROM forgotten
		UNION ALL SELECT mark, NULL, at, 0 FROM machine_marks WHERE machine = '' AND mark NOT IN (SELECT mark FROM forgotten)
		ORDER BY 3, 1`, nil, func(scan func(...any) error) error {
		var m MachineMark
		err := scan(&m.Mark, &m.Wording, &m.At, &m.State)
		marks = append(marks, m)
		return err
	})
	return marks, err
}

// DestroyedElsewhere returns a function that reports whether another machine destroyed a text; nil:
// none did. key is the value of [KeyName] in table meta.
func DestroyedElsewhere(ctx context.Context, db sqlite.Reader, key string) (func(Text) bool, error) {
	own, err := hex.DecodeString(key)
	if err != nil {
		return nil, err
	}
	e, err := readElsewhere(reading(ctx, db), Destroyed)
	if len(e.hidden) == 0 {
		return nil, err
	}
	return func(t Text) bool { return e.hides(t, t.allMarks(own)) }, err
}
