// Package extracting lets a language model read conversations, and keeps the facts that it
// finds. No message is read twice. What may not leave the machine is not sent, and what the model
// returns is checked: its words must be in the messages.
package extracting

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/modelserver"
	"github.com/memory-tiered/memory/knowledge"
)

// Model is a language model.
type Model interface {
	Name() string
	// Complete returns a JSON object of a schema as the answer to a text, of a limited number of
	// tokens.
	Complete(ctx context.Context, instructions, text string, schema json.RawMessage, most int) (modelserver.Completion, error)
}

// Extractor reads conversations for one workspace.
type Extractor struct {
	store.Writer
	reading sync.Mutex // held by the request that reads
}

// Request is a request to read messages, with what the engine knows of it.
type Request struct {
	memory.CaptureRequest
	Author    lookup.Author
	FromOwner bool
	View      memory.View // of the model
	Model     Model
	Budget    int                                                     // tokens a day
	Used      func(ctx context.Context, since time.Time) (int, error) // tokens, in all workspaces
	Turn      func(context.Context) (unlock func(), err error)        // takes the lock of ingests
	Receipts  receipts.Options
	Now       func() time.Time
	Progress  func(memory.Progress)
}

// extraction is one request under way.
type extraction struct {
	*Extractor
	Request
	command  plan.Command
	captured []memory.Memory    // from the messages, by capture
	said     map[memory.ID]bool // of these, what a fact says too
	answer   knowledge.Extraction
	ids      []memory.ID // of what was stored
	tokens   struct{ in, out int }
}

// Extract sends the messages that no earlier request sent, batch by batch, and stores the facts
// of each batch before it sends the next one. A preview sends nothing.
func (x *Extractor) Extract(ctx context.Context, q Request) (knowledge.Extraction, error) {
	e := &extraction{Extractor: x, Request: q, command: plan.NewCommand("capture"), said: map[memory.ID]bool{},
		answer: knowledge.Extraction{Action: "extract", Preview: q.Preview, Model: q.Model.Name(), Budget: q.Budget, Dropped: map[string]int{}}}
	if q.Command != "" {
		e.command = plan.Command{Source: "cli", Batch: q.Command}
	}
	if !q.Preview {
		if !x.reading.TryLock() {
			return e.answer, memory.Conflict("another request has the model read conversations").WithHint("try again when it has finished")
		}
		defer x.reading.Unlock()
	}
	batches, err := e.read(ctx)
	if err != nil {
		return e.answer, err
	}
	for i, b := range batches {
		if q.Preview {
			e.preview(b)
			continue
		}
		q.Progress(memory.Progress{Stage: "extract", Done: i, Total: len(batches)})
		if err := e.extract(ctx, b); err != nil && i == 0 {
			return e.answer, err
		} else if err != nil {
			e.answer.Stopped = err.Error()
			break
		}
	}
	return e.answer, e.finish(ctx)
}

func (e *extraction) preview(b batch) {
	e.answer.Batches++
	e.answer.Messages += len(b.messages)
	e.answer.Tokens += b.mostTokens()
	for _, m := range b.messages {
		e.answer.WouldBe = append(e.answer.WouldBe, m.Sent)
	}
}

// extract has the model read one batch, and stores its facts. Only then the messages are known
// as read: if the process ends before, they are sent again, and no fact is stored twice.
func (e *extraction) extract(ctx context.Context, b batch) error {
	text, err := json.Marshal(map[string]any{"messages": b.sent()})
	if err != nil {
		return err
	}
	answer, err := e.call(ctx, string(text), len(b.messages), b.mostTokens())
	if err != nil {
		return err
	}
	facts, err := parseFacts(answer)
	if err != nil {
		return memory.Unavailable(err, "read the answer of %s", e.Model.Name()).WithHint("another model may follow the instructions better; nothing was stored")
	}
	unlock, err := e.Turn(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	now := e.Now()
	if err := e.RefreshNotes(ctx, now); err != nil {
		return err
	}
	for i, raw := range facts {
		if err := e.keep(ctx, now, b, raw, i); err != nil {
			return err
		}
	}
	e.answer.Batches++
	e.answer.Messages += len(b.messages)
	return e.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.AddCaptures(sessionOfReads(e.Session), b.marks()) })
}

// call asks the model, within the budget of the day. The audit has the most tokens of the call
// before it is sent, so that a kill forgets none.
func (e *extraction) call(ctx context.Context, text string, messages, most int) (string, error) {
	left, err := e.left(ctx)
	if err != nil {
		return "", err
	}
	if left < most {
		return "", &memory.Error{Kind: memory.ErrConflict, Field: "model.tokensPerDay",
			Message: fmt.Sprintf("the next batch may take %d tokens, and %d of %d are left today", most, max(0, left), e.Budget),
			Hint:    "go on tomorrow, or set model.tokensPerDay higher; what was read is not sent again"}
	}
	id := uuid.NewString()
	note := func(ctx context.Context, tokens int, reason string, more map[string]any) error {
		row := memory.AuditRow{Action: knowledge.AuditModel, Source: e.command.Source, Batch: id,
			New: map[string]any{"model": e.Model.Name(), "tokens": tokens, "reason": reason}}
		for field, value := range more {
			row.New[field] = value
		}
		return e.DB.Update(ctx, e.Now(), func(tx *index.Tx) error { return tx.Audit(row) })
	}
	if err := note(ctx, most, fmt.Sprintf("%s is asked, at most %d tokens", e.Model.Name(), most), nil); err != nil {
		return "", err
	}
	answer, err := e.Model.Complete(ctx, instructions(), text, schema(messages), answerTokens)
	ctx = context.WithoutCancel(ctx)
	taken := answer.In + answer.Out
	switch {
	case taken > 0:
		e.tokens.in, e.tokens.out = e.tokens.in+answer.In, e.tokens.out+answer.Out
		e.answer.Tokens += taken
		noteErr := note(ctx, taken-most, fmt.Sprintf("%s took %d tokens in and %d out", e.Model.Name(), answer.In, answer.Out), map[string]any{"tokens_in": answer.In, "tokens_out": answer.Out})
		if err == nil {
			err = noteErr
		}
	case err == nil: // the server counts no tokens
		e.answer.Tokens += most
	case modelserver.IsRefused(err):
		_ = note(ctx, -most, e.Model.Name()+" refused", nil) // else the day has fewer tokens
	}
	if err != nil {
		return "", memory.Unavailable(err, "ask the model %s", e.Model.Name()).WithHint("memory config shows model.baseUrl, model.name and model.apiKey")
	}
	return answer.Text, nil
}

// left returns how many tokens are left today.
func (e *extraction) left(ctx context.Context) (int, error) {
	y, m, d := e.Now().In(e.Zone).Date()
	used, err := e.Used(ctx, time.Date(y, m, d, 0, 0, 0, 0, e.Zone))
	return e.Budget - used, err
}

// finish completes the answer, and keeps a receipt: figures and ids, never a text.
func (e *extraction) finish(ctx context.Context) error {
	left, err := e.left(ctx)
	if e.answer.Left = max(0, left); err != nil || e.Preview || e.answer.Batches == 0 {
		return err
	}
	for _, m := range e.captured {
		if !e.said[m.ID] {
			e.answer.Missed++
		}
	}
	if e.Receipts.Off {
		return nil
	}
	now, stored := e.Now(), len(e.ids)
	e.answer.Receipt = uuid.NewString()
	filtered := map[string]int{}
	for _, counts := range []map[string]int{e.answer.LeftOut, e.answer.Dropped} {
		for reason, n := range counts {
			filtered[reason] += n
		}
	}
	r := memory.Receipt{ID: e.answer.Receipt, At: now, Kind: memory.ReceiptCapture, Session: e.Session, Agent: e.Agent, User: e.Sender.ID(),
		Candidates: map[memory.Tier]int{}, Selected: map[memory.Tier]int{}, Rejected: map[string]int{}, Lanes: map[memory.Lane]string{},
		Schema: receiptSchema, Action: e.answer.Action, Extracted: &e.answer.Facts, Filtered: filtered, Stored: &stored, Duplicates: &e.answer.Known, IDs: e.ids,
		Counts: map[string]int{"messages": e.answer.Messages, "batches": e.answer.Batches, "stored": stored, "tokens_in": e.tokens.in, "tokens_out": e.tokens.out}}
	return e.DB.Update(ctx, now, func(tx *index.Tx) error { return receipts.Put(tx, []memory.Receipt{r}, e.Receipts.Keep) })
}

// receiptSchema names the fields of an extraction's receipt.
const receiptSchema = "memory-tiered.extraction.receipt.v1"
