package journal

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/sqldb"
)

// CaptureOutcome is what happened to a message or a text that was offered to
// capture.
type CaptureOutcome string

const (
	CaptureSeen     CaptureOutcome = "seen"     // a message was examined
	CaptureStored   CaptureOutcome = "stored"   // a text became a memory
	CaptureRepeated CaptureOutcome = "repeated" // a text is nearly one that exists
	CaptureStopped  CaptureOutcome = "stopped"  // the session offered too much
)

// CaptureMark notes the outcome for one message or text of a session. Name is the
// message's key, with the text behind it for a text. Only a keyed hash is stored.
type CaptureMark struct {
	Name    string
	Outcome CaptureOutcome
}

// CaptureHistory is what capture knows of one session.
type CaptureHistory struct {
	Known     map[string]bool // of the names that were asked for, those with a mark
	Stored    int             // since the time that was asked for
	Repeated  int             // since then
	StoppedAt time.Time       // when the session was last stopped; zero: never
}

// selectKey selects the key of the database for keyed hashes; empty: none yet.
const selectKey = "SELECT coalesce(max(value), '') FROM meta WHERE key = ?"

// CaptureHistory reads what capture knows of some names of a session. Marks after until
// are of a clock that was ahead, and stop nothing.
func (j *Journal) CaptureHistory(ctx context.Context, session string, names []string, since, until time.Time) (h CaptureHistory, err error) {
	var key string
	if err = j.sql.Read().One(ctx, selectKey, []any{marks.KeyName}, &key); err != nil {
		return h, err
	}
	byMark, list := map[sqldb.Hash]string{}, make([]string, 0, len(names))
	for _, name := range names {
		m := captureMark(key, name)
		byMark[m] = name
		list = append(list, hex.EncodeToString(m[:]))
	}
	h.Known = map[string]bool{}
	err = j.sql.Snapshot(ctx, func(r sqldb.Reader) error {
		if err := r.Each(ctx, "SELECT mark FROM captures WHERE session = ? AND mark IN (SELECT unhex(value) FROM json_each(?))",
			[]any{session, sqldb.JSONList(list)}, func(scan func(...any) error) error {
				var m sqldb.Hash
				err := scan(&m)
				h.Known[byMark[m]] = true
				return err
			}); err != nil {
			return err
		}
		var stopped sqldb.Millis
		err := r.One(ctx, `SELECT count(*) FILTER (WHERE outcome = 'stored' AND at > ?2), count(*) FILTER (WHERE outcome = 'repeated' AND at > ?2),
			coalesce(max(at) FILTER (WHERE outcome = 'stopped'), 0) FROM captures WHERE session = ?1 AND outcome <> 'seen' AND at <= ?3`,
			[]any{session, sqldb.ToMillis(since), sqldb.ToMillis(until)}, &h.Stored, &h.Repeated, &stopped)
		if stopped > 0 {
			h.StoppedAt = stopped.Time()
		}
		return err
	})
	return h, sqldb.Wrap("read captures", err)
}

// CaptureRequest is a request of a session that examined messages.
type CaptureRequest struct {
	At     time.Time
	Stored bool // a text became a memory
}

// LastCaptures returns the last requests of a session between two times, the last first.
func (j *Journal) LastCaptures(ctx context.Context, session string, since, until time.Time, limit int) (requests []CaptureRequest, err error) {
	err = j.sql.Read().Each(ctx, `SELECT at, count(*) FILTER (WHERE outcome = 'stored') FROM captures
		WHERE session = ? AND at BETWEEN ? AND ? GROUP BY at ORDER BY at DESC LIMIT ?`,
		[]any{session, sqldb.ToMillis(since), sqldb.ToMillis(until), limit}, func(scan func(...any) error) error {
			var at sqldb.Millis
			var stored int
			err := scan(&at, &stored)
			requests = append(requests, CaptureRequest{At: at.Time(), Stored: stored > 0})
			return err
		})
	return requests, sqldb.Wrap("read captures", err)
}

// AddCaptures stores marks of a session. A mark that exists keeps its time, unless
// it stops the session again.
func (w *Writer) AddCaptures(session string, list []CaptureMark) error {
	var key string
	if err := w.sql.One(selectKey, []any{marks.KeyName}, &key); err != nil {
		return err
	}
	for _, m := range list {
		if err := w.sql.Exec(`INSERT INTO captures(session, mark, outcome, at) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (session, mark) DO UPDATE SET outcome = excluded.outcome, at = excluded.at WHERE excluded.outcome = 'stopped'`,
			session, captureMark(key, m.Name), string(m.Outcome), w.now); err != nil {
			return fmt.Errorf("note what was captured: %w", err)
		}
	}
	return nil
}

// anySession is the session of the marks of captured texts, whoever offered them. Hosts
// have no such session.
const anySession = "\x01 texts"

// CapturedAt returns when a text was last captured in any session, or the zero time. name
// says the same as in [Writer.NoteCaptured].
func (j *Journal) CapturedAt(ctx context.Context, name string) (time.Time, error) {
	var key string
	var at sqldb.Millis
	err := j.sql.Read().One(ctx, selectKey, []any{marks.KeyName}, &key)
	if err == nil {
		err = j.sql.Read().One(ctx, "SELECT coalesce(max(at), 0) FROM captures WHERE session = ? AND mark = ?", []any{anySession, captureMark(key, name)}, &at)
	}
	if err != nil || at == 0 {
		return time.Time{}, sqldb.Wrap("read captures", err)
	}
	return at.Time(), nil
}

// NoteCaptured notes that texts were captured now, by names that say the same.
func (w *Writer) NoteCaptured(names []string) error {
	var key string
	if err := w.sql.One(selectKey, []any{marks.KeyName}, &key); err != nil {
		return err
	}
	for _, name := range names {
		if err := w.sql.Exec(`INSERT INTO captures(session, mark, outcome, at) VALUES (?1, ?2, 'stored', ?3)
			ON CONFLICT (session, mark) DO UPDATE SET at = excluded.at`, anySession, captureMark(key, name), w.now); err != nil {
			return fmt.Errorf("note what was captured: %w", err)
		}
	}
	return nil
}

// captureRetention is how long the marks of a session are kept after its last new
// one. No host sends a session again that has been silent for so long.
const captureRetention = 180 * 24 * time.Hour

// DropCaptures deletes the marks of sessions that have been silent for long. Those of
// captured texts stay: a deleted line does not come back.
func (w *Writer) DropCaptures() error {
	return w.sql.Exec("DELETE FROM captures WHERE session IN (SELECT session FROM captures WHERE session <> ? GROUP BY session HAVING max(at) < ?)",
		anySession, sqldb.ToMillis(w.now.Time().Add(-captureRetention)))
}

// StoppedCaptures lists the sessions in which capture stopped between two times.
func (j *Journal) StoppedCaptures(ctx context.Context, since, until time.Time) (sessions []string, err error) {
	sessions, err = sqldb.Column[string](ctx, j.sql.Read(), "SELECT session FROM captures WHERE outcome = 'stopped' AND at > ? AND at <= ? ORDER BY at", sqldb.ToMillis(since), sqldb.ToMillis(until))
	return sessions, sqldb.Wrap("read captures", err)
}

// captureMark returns the keyed hash of a name. Without the database nobody can
// guess a short text from it.
func captureMark(key, name string) sqldb.Hash {
	m := hmac.New(sha256.New, []byte("captures "+key))
	m.Write([]byte(name))
	return sqldb.Hash(m.Sum(nil))
}
