package extracting

import (
	"cmp"
	"context"
	_ "embed" // instructions.md, answer.schema.tmpl
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/knowledge"
)

// The tokens of a batch: of its messages, and of the longest answer. They fit the context of a
// small model with the instructions.
const (
	batchTokens  = 2000
	answerTokens = 1500
)

// charsPerToken estimates tokens, as the block of a recall does.
const charsPerToken = 4

func tokensOf(text string) int { return len(text)/charsPerToken + 1 }

// skipWithheld is why a text is left out that no model may read, and a message from which such a
// memory was captured.
const skipWithheld = "withheld"

// message is a message of a batch.
type message struct {
	knowledge.Sent
	key    string
	sent   time.Time // zero: not known
	at     time.Time // the same in the zone of the workspace, or now
	trust  memory.TrustTier
	stated []capture.Statement // its sentences that may be kept
}

// batch is what one request to the model has.
type batch struct{ messages []message }

func (b batch) sent() (list []knowledge.Sent) {
	for _, m := range b.messages {
		list = append(list, m.Sent)
	}
	return list
}

// mostTokens returns the most tokens that the request and its answer take.
func (b batch) mostTokens() int {
	n := tokensOf(instructions()) + answerTokens
	for _, m := range b.messages {
		n += m.tokens()
	}
	return n
}

// tokens estimates the tokens of a message with its number, role and date.
func (m message) tokens() int {
	return tokensOf(m.Text) + tokensOf(`{"n":99,"role":"assistant","date":"2026-11-20","text":""},`)
}

// marks name the messages of a batch, so that they are not read again.
func (b batch) marks() (marks []index.CaptureMark) {
	for _, m := range b.messages {
		marks = append(marks, index.CaptureMark{Name: m.markName(), Outcome: "seen"})
	}
	return marks
}

// markName has the text, because a host may give another text the same key.
func (m message) markName() string { return m.key + "\x00" + m.Text }

// sessionOfReads is the session of the marks of messages that a model has read. Hosts have none
// with that name.
func sessionOfReads(session string) string { return "\x01 read " + session }

//go:embed instructions.md
var instructionsPage string

//go:embed answer.schema.tmpl
var answerSchema string

// instructions returns what the model is told to do.
func instructions() string {
	return strings.NewReplacer("{categories}", joined(memory.Categories, ", "), "{types}", joined(memory.Types, ", "),
		"{sources}", strconv.Itoa(maxSources)).Replace(instructionsPage)
}

// schema returns the JSON schema of an answer about some messages.
func schema(messages int) json.RawMessage {
	return json.RawMessage(strings.NewReplacer("{categories}", joined(memory.Categories, `", "`), "{types}", joined(memory.Types, `", "`),
		"{facts}", strconv.Itoa(maxFacts), "{characters}", strconv.Itoa(capture.MaxChars),
		"{sources}", strconv.Itoa(maxSources), "{messages}", strconv.Itoa(messages)).Replace(answerSchema))
}

func joined[W ~string](words []W, between string) string {
	var list []string
	for _, w := range words {
		list = append(list, string(w))
	}
	return strings.Join(list, between)
}

// read returns the messages that the model has not read yet, in batches.
func (e *extraction) read(ctx context.Context) (batches []batch, err error) {
	turn, sent, err := e.turn()
	if err != nil {
		return nil, err
	}
	passages, leftOut := capture.Passages(turn)
	e.answer.LeftOut = leftOut
	withheld, err := e.withheld(ctx, turn)
	if err != nil {
		return nil, err
	}
	hidden, err := e.DB.Hidden(ctx, e.View)
	if err != nil {
		return nil, err
	}
	var all []message
	var names []string
	for _, p := range passages {
		if withheld[p.Key] {
			leftOut[skipWithheld]++
			continue
		}
		m := message{key: p.Key, sent: sent[p.Key], trust: capture.TrustOf(p.Role, turn.Owner)}
		m.at = cmp.Or(m.sent, e.Now()).In(e.Zone)
		m.Sent = knowledge.Sent{Role: p.Role, Date: m.at.Format(time.DateOnly)}
		var texts []string
		for _, s := range p.Sentences {
			if hidden.Hides(s.Text, nil) {
				leftOut[skipWithheld]++
				continue
			}
			if texts = append(texts, s.Text); s.States {
				m.stated = append(m.stated, s)
			}
		}
		if m.Text = strings.Join(texts, "\n"); m.Text == "" {
			continue
		}
		if hidden.Hides(strings.Join(texts, " "), nil) {
			leftOut[skipWithheld]++
			continue
		}
		all, names = append(all, m), append(names, m.markName())
	}
	now := e.Now()
	known, err := e.DB.CaptureHistory(ctx, sessionOfReads(e.Session), names, now, now)
	if err != nil {
		return nil, err
	}
	return divide(all, known.Known), nil
}

// divide puts the messages that are not known into batches. Each has as many as fit.
func divide(all []message, known map[string]bool) (batches []batch) {
	tokens := 0
	for _, m := range all {
		if known[m.markName()] {
			continue
		}
		if tokens += m.tokens(); len(batches) == 0 || tokens > batchTokens {
			batches, tokens = append(batches, batch{}), m.tokens()
		}
		b := &batches[len(batches)-1]
		m.N = len(b.messages) + 1
		b.messages = append(b.messages, m)
	}
	return batches
}

// turn returns the messages of the request, and when each was sent, where that is known.
func (e *extraction) turn() (turn capture.Turn, sent map[string]time.Time, err error) {
	turn = capture.Turn{Trigger: e.Trigger, Owner: e.FromOwner}
	sent = map[string]time.Time{}
	keys := memory.CaptureKeys(e.Messages)
	for i, m := range e.Messages {
		turn.Messages = append(turn.Messages, capture.Message{Key: keys[i], Role: m.Role, Text: string(m.Content)})
		if m.At == "" {
			continue
		}
		at, _, err := memory.ReadTime(m.At, e.Zone)
		if err != nil {
			return turn, nil, memory.Invalid("messages", "at: %s", err)
		}
		if at.Before(e.Now()) {
			sent[keys[i]] = at
		}
	}
	return turn, sent, nil
}

// withheld returns the messages of which capture kept something that no model may read now, or
// that a person deleted or edited. Those that say the same are among them. It notes what capture
// kept of the others.
func (e *extraction) withheld(ctx context.Context, turn capture.Turn) (map[string]bool, error) {
	refs, texts := []string{}, map[string]string{}
	for _, m := range turn.Messages {
		ref := chunker.SessionRef(e.Session) + chunker.RefName(m.Key)
		refs, texts[ref] = append(refs, ref), m.Text
	}
	kept, err := e.DB.CapturedFrom(ctx, refs)
	said, withheld := map[string]bool{}, map[string]bool{}
	for _, m := range kept {
		switch reason := (memory.View{Model: true}).Hides(&m, nil); reason {
		case memory.ReasonForgotten, memory.ReasonMissing, memory.ReasonPrivate, memory.ReasonTrust:
			said[texts[*m.SourceRef]] = true
		default:
			isAsStored, err := e.wasStored(ctx, lookup.Author{User: m.User, Scope: m.Scope}, m.Text)
			if err != nil {
				return nil, err
			}
			if said[texts[*m.SourceRef]] = said[texts[*m.SourceRef]] || !isAsStored; isAsStored && e.Author.Owns(m) {
				e.captured = append(e.captured, m)
			}
		}
	}
	for _, m := range turn.Messages {
		withheld[m.Key] = said[m.Text]
	}
	return withheld, err
}
