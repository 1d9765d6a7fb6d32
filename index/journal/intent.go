package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Intent is a decision about some memories that is being written into their files.
// It is stored before the first file changes, so that a decision that a crash
// interrupts can be completed at the next start.
type Intent struct {
	Batch        string       `json:"-"` // identifies the command in the audit
	At           time.Time    `json:"-"`
	Action       string       `json:"action"` // as in the audit
	Source       string       `json:"source"`
	Only         bool         `json:"only,omitempty"`
	Items        []IntentItem `json:"items"`
	ForgetTexts  []memory.ID  `json:"mark,omitempty"` // memories whose texts to forget in every copy
	RestoreTexts []memory.ID  `json:"lift,omitempty"` // memories whose texts to forget no more

	// Fields of destroy: everything that it needs to continue, and no text.
	Destroy      []memory.ID `json:"destroy,omitempty"` // memories whose texts are still to be removed, with every copy
	Paths        []string    `json:"paths,omitempty"`   // files that contain the texts, or entries about them
	TextsRemoved bool        `json:"cut,omitempty"`     // memories were deleted, and the database is not rewritten yet

	Rows []memory.AuditRow `json:"rows"` // for the audit when the intent is finished
}

// IsDestroy reports whether the intent is one of destroy.
func (in Intent) IsDestroy() bool { return len(in.Destroy) > 0 || in.TextsRemoved }

// Memories returns the memories that the intent is about.
func (in Intent) Memories() (ids []memory.ID) {
	for _, item := range in.Items {
		ids = append(ids, item.ID)
	}
	return slices.Concat(ids, in.ForgetTexts, in.RestoreTexts, in.Destroy)
}

// IntentItem is the change to the declaration of one memory.
type IntentItem struct {
	ID      memory.ID       `json:"id"`
	Before  memory.Declared `json:"was"`
	After   memory.Declared `json:"said"`
	Sidecar memory.Declared `json:"sidecar"` // the sidecar before, to go back to
	Hide    bool            `json:"hide,omitempty"`
}

// BeginIntent stores an intent. It hides at once what the intent hides, even if
// the files cannot be written.
func (tx *Writer) BeginIntent(in Intent) error {
	if err := tx.saveIntent(in, tx.now.Time()); err != nil {
		return err
	}
	hidden := map[memory.ID]memory.Declared{}
	for _, item := range in.Items {
		if item.Hide {
			hidden[item.ID] = item.After
		}
	}
	if err := tx.saveSidecars(hidden, false); err != nil {
		return err
	}
	if len(in.ForgetTexts) == 0 {
		return nil
	}
	return tx.ForgetText(in.ForgetTexts...)
}

func (tx *Writer) saveIntent(in Intent, at time.Time) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("note intent: %w", err)
	}
	return tx.sql.Exec(`INSERT INTO intents(batch, at, body) VALUES (?, ?, ?)
		ON CONFLICT (batch) DO UPDATE SET at = excluded.at, body = excluded.body`, in.Batch, sqldb.ToMillis(at), string(body))
}

func (tx *Writer) deleteIntent(in Intent) error {
	return tx.sql.Exec("DELETE FROM intents WHERE batch = ?", in.Batch)
}

// FinishIntent ends an intent after its files were written. The decisions about
// the unwritten memories stay in the sidecar.
func (tx *Writer) FinishIntent(in Intent, unwritten map[memory.ID]bool) error {
	sidecars := map[memory.ID]memory.Declared{}
	for _, item := range in.Items {
		sidecars[item.ID] = sidecarAfter(item, unwritten[item.ID])
	}
	if err := tx.saveSidecars(sidecars, true); err != nil {
		return err
	}
	if len(in.RestoreTexts) > 0 {
		if err := tx.RestoreText(in.RestoreTexts...); err != nil {
			return err
		}
	}
	if err := tx.Audit(in.Rows...); err != nil {
		return err
	}
	return tx.deleteIntent(in)
}

// saveSidecars writes the sidecars of memories. With replaceInherited, these
// replace the inherited decisions too, and a forgetting that another branch has.
func (tx *Writer) saveSidecars(sidecars map[memory.ID]memory.Declared, replaceInherited bool) error {
	if len(sidecars) == 0 {
		return nil
	}
	cs, err := tx.changes.SelectIDs(slices.Sorted(maps.Keys(sidecars)))
	if err != nil {
		return err
	}
	for id, d := range sidecars {
		r := cs.Rows[id]
		if r == nil {
			continue // purged since the intent began
		}
		if r.Sidecar, err = rows.EncodeJSON(d); err != nil {
			return fmt.Errorf("keep decision about %s: %w", id, err)
		}
		if !replaceInherited {
			continue
		}
		r.Inherited = "{}"
		held, err := rows.ParseDeclared(r.Held)
		if err != nil {
			return err
		}
		held.Forgotten = nil
		if r.Held, err = rows.EncodeJSON(held); err != nil {
			return err
		}
	}
	return cs.Save()
}

// sidecarAfter returns the sidecar of a memory after its intent is finished.
func sidecarAfter(item IntentItem, unwritten bool) (sidecar memory.Declared) {
	if unwritten {
		sidecar = item.After
	}
	sidecar.Revoked = item.Sidecar.Revoked
	switch {
	case item.After.Forgets():
		sidecar.Revoked = ""
	case unwritten && item.Before.Forgets():
		sidecar.Revoked = rows.ForgottenDay(item.Before)
	}
	return sidecar
}

// Intents lists the open intents, oldest first.
func (j *Journal) Intents(ctx context.Context) (open []Intent, err error) {
	err = j.sql.Read().Each(ctx, "SELECT batch, at, body FROM intents ORDER BY at, batch", nil, func(scan func(...any) error) error {
		in, err := scanIntent(scan)
		open = append(open, in)
		return err
	})
	return open, sqldb.Wrap("read intents", err)
}

func scanIntent(scan func(...any) error) (in Intent, err error) {
	var at sqldb.Millis
	var body string
	if err := scan(&in.Batch, &at, &body); err != nil {
		return in, err
	}
	in.At = at.Time()
	return in, json.Unmarshal([]byte(body), &in)
}

// IntentMemories returns the memories of all open intents.
func (tx *Writer) IntentMemories() (map[memory.ID]bool, error) {
	ids := map[memory.ID]bool{}
	open, err := tx.openIntents()
	for _, in := range open {
		for _, id := range in.Memories() {
			ids[id] = true
		}
	}
	return ids, err
}

func (tx *Writer) openIntents() (open []Intent, err error) {
	err = tx.sql.Each("SELECT batch, at, body FROM intents", nil, func(scan func(...any) error) error {
		in, err := scanIntent(scan)
		open = append(open, in)
		return err
	})
	return open, err
}
