package capturing

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/index"
)

// newMessages returns the messages that no earlier request of the session offered.
// An assistant's last message is offered again, because the answer to it is to come.
func (c *capturing) newMessages(ctx context.Context) (turn capture.Turn, err error) {
	turn.Trigger = c.request.Trigger
	messages := withKeys(c.request.CaptureRequest)
	if c.sentAt, err = c.timesOf(messages); err != nil {
		return turn, err
	}
	if c.history, err = c.DB.CaptureHistory(ctx, c.request.Session, c.namesOf(messages), c.now.Add(-burstWindow), c.now); err != nil {
		return turn, err
	}
	c.partly, c.repeated = map[string]bool{}, c.repeatedByUser(messages)
	last := len(messages) // the first of the assistant's messages that nobody has answered
	for last > 0 && messages[last-1].Role == capture.RoleAssistant {
		last--
	}
	size := 0
	for i, m := range messages {
		if c.history.Known[m.Key] && !c.repeated[m.Key] && !c.request.Preview {
			continue
		}
		if size += len(m.Text); size > maxTextBytes {
			c.skip(m.Key, capture.SkipLimit, "", "")
			continue
		}
		if i < last {
			c.marks = append(c.marks, index.CaptureMark{Name: m.Key, Outcome: index.CaptureSeen})
			if c.isNamedByContent(i, m) {
				c.marks = append(c.marks, index.CaptureMark{Name: c.saidByUser(m.Key), Outcome: index.CaptureSeen})
			}
		}
		if i > 0 && (len(turn.Messages) == 0 || turn.Messages[len(turn.Messages)-1].Key != messages[i-1].Key) {
			m.Before = capture.TextsBefore(messages[:i]) // an earlier request examined them
		}
		turn.Messages = append(turn.Messages, m)
	}
	return turn, nil
}

// withKeys returns the messages of a request, each with a key.
func withKeys(r memory.CaptureRequest) (messages []capture.Message) {
	keys := memory.CaptureKeys(r.Messages)
	for i, m := range r.Messages {
		text := string(m.Content)
		if r.Success != nil && !*r.Success && m.Role == capture.RoleAssistant {
			text = ""
		}
		messages = append(messages, capture.Message{Key: keys[i], Role: m.Role, Text: text})
	}
	return messages
}

// timesOf returns when the messages were sent. A time in the future is now.
func (c *capturing) timesOf(messages []capture.Message) (map[string]time.Time, error) {
	times := map[string]time.Time{}
	for i, m := range c.request.Messages {
		if m.At == "" {
			continue
		}
		at, _, err := memory.ReadTime(m.At, c.Zone)
		if err != nil {
			return nil, memory.Invalid("messages", "at: %s", err)
		}
		if at.Before(c.now) {
			times[messages[i].Key] = at
		}
	}
	return times, nil
}

// namesOf returns the names of the marks that show which messages are known.
func (c *capturing) namesOf(messages []capture.Message) (names []string) {
	for i, m := range messages {
		names = append(names, m.Key)
		if c.isNamedByContent(i, m) {
			names = append(names, c.saidByUser(m.Key))
		}
	}
	return names
}

// isNamedByContent reports whether another user who says the same has the same key.
func (c *capturing) isNamedByContent(i int, m capture.Message) bool {
	return c.by.User != "" && m.Role == capture.RoleUser && c.request.Messages[i].Key == ""
}

// saidByUser returns the name of the mark that this user said a message.
func (c *capturing) saidByUser(key string) string { return key + "\x00\x00" + c.by.User }

// repeatedByUser returns the last message of the user, if another user of the session
// said the same before. A host sends the messages of all users again with the sender of
// the last one, so no other message is surely this user's.
func (c *capturing) repeatedByUser(messages []capture.Message) map[string]bool {
	for i, m := range slices.Backward(messages) {
		if m.Role == capture.RoleUser {
			known := c.history.Known
			return map[string]bool{m.Key: c.isNamedByContent(i, m) && known[m.Key] && !known[c.saidByUser(m.Key)]}
		}
	}
	return nil
}

// markName returns the beginning of the names of marks about a message's texts.
func (c *capturing) markName(key string) string {
	if c.repeated[key] {
		return c.saidByUser(key)
	}
	return key
}
