package index

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Intent is a decision about some memories on its way into their files.
type Intent struct {
	Batch        string       `json:"-"` // names the command in the audit
	At           time.Time    `json:"-"`
	Action       string       `json:"action"` // as the audit names it
	Source       string       `json:"source"`
	Only         bool         `json:"only,omitempty"`
	Items        []IntentItem `json:"items"`
	ForgetTexts  []memory.ID  `json:"mark,omitempty"` // whose texts are forgotten in every copy
	RestoreTexts []memory.ID  `json:"lift,omitempty"` // whose texts are so no more

	// Of a destroying: everything it needs to know to go on, and no text.
	Destroy      []memory.ID `json:"destroy,omitempty"` // whose texts are to go, with every copy
	Paths        []string    `json:"paths,omitempty"`   // files that hold the texts, or lines about them
	VectorKeys   []string    `json:"prints,omitempty"`  // of their chunks, the keys of their vectors, in hexadecimal
	TextsRemoved bool        `json:"cut,omitempty"`     // files and tables are rid of them; what is left is to sweep

	Rows []memory.AuditRow `json:"rows"` // for the audit, once it is done
}

// IntentItem is what is to be said of one memory alone, and what was.
type IntentItem struct {
	ID      memory.ID       `json:"id"`
	Before  memory.Declared `json:"was"`
	After   memory.Declared `json:"said"`
	Sidecar memory.Declared `json:"sidecar"` // what was kept outside of Markdown, to go back to
	Hide    bool            `json:"hide,omitempty"`
}

// BeginIntent notes an intent. What is to be hidden is hidden from here on, whatever
// becomes of the files.
func (tx *Tx) BeginIntent(in Intent) error {
	if err := tx.saveIntent(in, tx.Now); err != nil {
		return err
	}
	hide := map[memory.ID]memory.Declared{}
	for _, item := range in.Items {
		if item.Hide {
			hide[item.ID] = item.After
		}
	}
	if err := tx.saveSidecars(hide, false); err != nil {
		return err
	}
	if len(in.ForgetTexts) == 0 {
		return nil
	}
	return tx.ForgetText(in.ForgetTexts...)
}

func (tx *Tx) saveIntent(in Intent, at time.Time) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("note intent: %w", err)
	}
	return tx.sql.Exec("INSERT OR REPLACE INTO intents(batch, at, body) VALUES (?, ?, ?)", in.Batch, sqlite.ToMillis(at), string(body))
}

// FinishIntent publishes what an intent decided and the files say by now. aside is
// what could not be written into a file: it stays here.
func (tx *Tx) FinishIntent(in Intent, aside map[memory.ID]bool) error {
	kept := map[memory.ID]memory.Declared{}
	for _, item := range in.Items {
		kept[item.ID] = memory.Declared{}
		if aside[item.ID] {
			kept[item.ID] = item.After
		}
	}
	if err := tx.saveSidecars(kept, true); err != nil {
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
	return tx.sql.Exec("DELETE FROM intents WHERE batch = ?", in.Batch)
}

// AbandonIntent takes an intent back that came to nothing.
func (tx *Tx) AbandonIntent(in Intent) error {
	kept := map[memory.ID]memory.Declared{}
	for _, item := range in.Items {
		kept[item.ID] = item.Sidecar
	}
	if err := tx.saveSidecars(kept, false); err != nil {
		return err
	}
	if len(in.ForgetTexts) > 0 {
		if err := tx.RestoreText(in.ForgetTexts...); err != nil {
			return err
		}
	}
	return tx.sql.Exec("DELETE FROM intents WHERE batch = ?", in.Batch)
}

// saveSidecars writes what is kept of memories outside of Markdown. whole says that it
// is all there is: what was inherited from a file that went is part of it now.
func (tx *Tx) saveSidecars(kept map[memory.ID]memory.Declared, whole bool) error {
	if len(kept) == 0 {
		return nil
	}
	cs, err := tx.selectChangeSet("SELECT value FROM json_each(?)", sqlite.JSONList(sortedKeys(kept)))
	if err != nil {
		return err
	}
	for id, d := range kept {
		r := cs.rows[id]
		if r == nil {
			continue // purged meanwhile: there is nothing left to decide about
		}
		if r.Sidecar, err = toJSON(d); err != nil {
			return fmt.Errorf("keep decision about %s: %w", id, err)
		}
		if whole {
			r.Inherited = "{}"
		}
	}
	return cs.resolveAndWrite()
}

// Intents gives the decisions that were cut short, oldest first.
func (db *DB) Intents(ctx context.Context) (open []Intent, err error) {
	err = db.sql.Read().Each(ctx, "SELECT batch, at, body FROM intents ORDER BY at, batch", nil, func(scan func(...any) error) error {
		in, err := scanIntent(scan)
		open = append(open, in)
		return err
	})
	return open, sqlite.Wrap("read intents", err)
}

func scanIntent(scan func(...any) error) (in Intent, err error) {
	var at sqlite.Millis
	var body string
	if err := scan(&in.Batch, &at, &body); err != nil {
		return in, err
	}
	in.At = at.Time()
	return in, json.Unmarshal([]byte(body), &in)
}

// intentMemories are the memories that an open intent is about.
func (tx *Tx) intentMemories() (map[memory.ID]bool, error) {
	ids := map[memory.ID]bool{}
	err := tx.sql.Each("SELECT batch, at, body FROM intents", nil, func(scan func(...any) error) error {
		in, err := scanIntent(scan)
		for _, item := range in.Items {
			ids[item.ID] = true
		}
		for _, id := range slices.Concat(in.ForgetTexts, in.RestoreTexts, in.Destroy) {
			ids[id] = true
		}
		return err
	})
	return ids, err
}
