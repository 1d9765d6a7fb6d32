package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// CaptureRequest offers the messages of a turn, or of a whole session, so that the
// memories in them are kept.
type CaptureRequest struct {
	Messages  []CaptureMessage `json:"messages"`
	Workspace string           `json:"workspace,omitempty"`
	Folder    string           `json:"folder,omitempty"`  // where the agent works, absolute; chooses the workspace if none is named
	Session   string           `json:"session,omitempty"` // a message of a session is examined once
	Agent     string           `json:"agent,omitempty"`
	Sender                     // of the user's messages
	Trigger   string           `json:"trigger,omitempty"` // what started the turn; nothing of cron, heartbeat and subagent is kept
	Success   *bool            `json:"success,omitempty"` // false: the turn failed, so that nothing of the assistant is kept
	Preview   bool             `json:"preview,omitempty"` // keep and record nothing

	// Command is the id of a person's command that sends the request, a UUID. Undo
	// reverses all requests of one command. Empty: undo leaves what the request keeps.
	Command string `json:"command,omitempty"`
}

// CaptureMessage is one message of a conversation.
type CaptureMessage struct {
	Key     string         `json:"key,omitempty"` // names the message in its session; empty: its role and content do
	Role    string         `json:"role"`          // user or assistant; nothing of other roles is kept
	Content MessageContent `json:"content"`
	At      string         `json:"at,omitempty"` // when it was sent, RFC 3339 or a date: the date of its memories; empty: now
}

// UnmarshalJSON reads a message strictly: an unknown field is an error.
func (m *CaptureMessage) UnmarshalJSON(b []byte) error {
	type plain CaptureMessage
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode((*plain)(m))
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		what := "a message"
		if wrong.Field != "" {
			what = "the field " + wrong.Field + " of a message"
		}
		return Invalid("messages", "%s is a JSON %s", what, wrong.Value).WithHint("a message is a JSON object with the fields key, role, content, at")
	}
	if err != nil {
		return Invalid("messages", "a message cannot be read: %s", strings.TrimPrefix(err.Error(), "json: ")).
			WithHint("a message has the fields key, role, content, at")
	}
	if m.Role == "" {
		return Invalid("messages", "a message has no role").WithHint("give each message a role: user, assistant or another one")
	}
	return nil
}

// CaptureKeys returns the key of each message. One without a key of its own is named
// by its role and content, without regard to white space and invisible characters. The
// same content again has another key.
func CaptureKeys(messages []CaptureMessage) []string {
	keys, repeated := make([]string, len(messages)), map[string]int{}
	for i, m := range messages {
		if keys[i] = m.Key; m.Key != "" {
			continue
		}
		sum := sha256.Sum256([]byte(m.Role + "\x00" + visibleWords(string(m.Content))))
		keys[i] = "sha256:" + hex.EncodeToString(sum[:8])
		if repeated[keys[i]]++; repeated[keys[i]] > 1 {
			keys[i] = fmt.Sprintf("%s/%d", keys[i], repeated[keys[i]])
		}
	}
	return keys
}

// visibleWords returns a text as one line without invisible characters, such as a
// zero-width space or a soft hyphen.
func visibleWords(text string) string {
	text = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		return c
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// MessageContent is the text of a message. JSON may have it as a list of parts;
// only parts of the type text count.
type MessageContent string

// UnmarshalJSON reads a text, or a list of {"type": "text", "text": …}.
func (c *MessageContent) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err == nil {
		*c = MessageContent(text)
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return Invalid("messages", "content is neither a text nor a list of parts").
			WithHint(`content is "…" or [{"type": "text", "text": "…"}]`)
	}
	var texts []string
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	*c = MessageContent(strings.Join(texts, "\n"))
	return nil
}

// CaptureAnswer reports what was kept of a conversation, and why the rest was not.
type CaptureAnswer struct {
	Action     string               `json:"action"` // "capture"
	Stored     List[Memory]         `json:"stored"`
	Skipped    List[CaptureSkipped] `json:"skipped"`
	Superseded List[ID]             `json:"superseded"`        // memories that a stored one replaces
	Receipt    string               `json:"receipt"`           // empty: none is kept
	Preview    bool                 `json:"preview,omitempty"` // nothing was stored
}

// CaptureSkipped is a message, or a sentence of one, that was left out.
type CaptureSkipped struct {
	Key    string `json:"key"`              // of the message
	Reason string `json:"reason"`           // such as secret, question or duplicate; docs/capture.md lists them
	ID     ID     `json:"id"`               // the memory that it duplicates, or that is forgotten; empty for other reasons
	Detail string `json:"detail,omitempty"` // the kind of the secret, or the category

	// NotKept tells the user, in a sentence, why a text is not kept that the user asked to
	// keep. It is empty for everything else.
	NotKept string `json:"not_kept,omitempty"`
}
