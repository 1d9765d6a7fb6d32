package clients

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// TranscriptFiles returns the files with the conversations of a client, oldest name first. dir is
// the client's folder.
func (c Client) TranscriptFiles(dir string) (files []string) {
	for _, pattern := range c.Transcripts {
		found, _ := filepath.Glob(filepath.Join(escape(dir), filepath.FromSlash(pattern))) // only a bad pattern is an error
		files = append(files, found...)
	}
	slices.Sort(files)
	return files
}

// Message is what a user or an assistant said in a conversation.
type Message struct {
	Key    string // names it in its session
	Role   string // user or assistant
	Text   string
	At     string // when it was said, RFC 3339
	Folder string // where the client worked

	session string // that the line names; empty: none
	end     int64  // where the line ends, from the begin of what was read
}

// Conversation is the transcript of one session.
type Conversation struct {
	Session  string
	Messages []Message
}

// maxLine is the length of a line that is read. Messages are shorter; what tools return and
// what a client sends to its model may have any length.
const maxLine = 1 << 20

// ReadTranscript reads a transcript of Claude Code or Codex, one JSON object a line. It leaves
// out what tools and subagents said, and what the client added itself. Lines that it does not
// understand are no messages.
func ReadTranscript(r io.Reader) (c Conversation, err error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	folder, end := "", int64(0)
	for {
		text, n, err := readLine(lines)
		end += n
		var l line
		if len(text) > 0 && json.Unmarshal(text, &l) == nil {
			folder = cmp.Or(l.Folder, l.Payload.Folder, folder)
			c.Session = cmp.Or(c.Session, l.Session, l.Payload.Session)
			if l.isOfSubagent() {
				return Conversation{Session: c.Session}, nil
			}
			if m, ok := l.message(); ok {
				m.Folder, m.session, m.end = folder, cmp.Or(l.Session, l.Payload.Session), end
				c.Messages = append(c.Messages, m)
			}
		}
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return c, err
		}
	}
}

// readLine returns the next line, or nothing of one that is too long. n is its length.
func readLine(r *bufio.Reader) (text []byte, n int64, err error) {
	for tooLong := false; ; {
		part, err := r.ReadSlice('\n')
		n += int64(len(part))
		if tooLong = tooLong || len(text)+len(part) > maxLine; tooLong {
			text = nil
		} else {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, n, err
		}
	}
}

// line is a line of a transcript. Claude Code has the message in it, Codex in a payload.
type line struct {
	Type        string  `json:"type"`
	ID          string  `json:"uuid"`
	Session     string  `json:"sessionId"`
	Folder      string  `json:"cwd"`
	At          string  `json:"timestamp"`
	IsSidechain bool    `json:"isSidechain"`
	IsMeta      bool    `json:"isMeta"`
	IsSummary   bool    `json:"isCompactSummary"`
	Message     content `json:"message"`
	Payload     struct {
		content
		Type     string `json:"type"`
		ID       string `json:"id"`
		Session  string `json:"session_id"`
		Folder   string `json:"cwd"`
		Thread   string `json:"thread_source"`
		Metadata struct {
			Kinds []string `json:"content_item_kinds"`
		} `json:"internal_chat_message_metadata_passthrough"`
	} `json:"payload"`
}

// content is a role with what it said.
type content struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// isOfSubagent reports whether the line begins a session of a subagent.
func (l *line) isOfSubagent() bool {
	return l.Type == "session_meta" && l.Payload.Thread != "" && l.Payload.Thread != "user"
}

// message returns what a person or the main agent said, if the line has that.
func (l *line) message() (m Message, ok bool) {
	said, id := l.Message, l.ID
	if l.Type == "response_item" && l.Payload.Type == "message" {
		said, id = l.Payload.content, l.Payload.ID
	}
	if l.IsSidechain || l.IsMeta || l.IsSummary || said.Role != "user" && said.Role != "assistant" {
		return m, false
	}
	m = Message{Key: id, Role: said.Role, Text: said.text(l.Payload.Metadata.Kinds), At: l.At}
	return m, m.Text != "" && !isOfClient(m.Text)
}

// userText is the kind of a part that a person wrote, where Codex tells the kinds.
const userText = "user.text"

// text returns the texts of a message. kinds are those of its parts; empty: unknown.
func (c content) text(kinds []string) string {
	var whole string
	if json.Unmarshal(c.Content, &whole) == nil {
		return strings.TrimSpace(whole)
	}
	var parts []struct{ Type, Text string }
	if json.Unmarshal(c.Content, &parts) != nil {
		return ""
	}
	var texts []string
	for i, p := range parts {
		isText := strings.HasSuffix(p.Type, "text") // text, input_text, output_text
		if isText && (c.Role != "user" || i >= len(kinds) || kinds[i] == userText) {
			texts = append(texts, p.Text)
		}
	}
	return strings.TrimSpace(strings.Join(texts, "\n"))
}

// isOfClient reports whether a text is a block between tags as a whole. Clients write such
// texts: the environment, a command and its output.
func isOfClient(text string) bool {
	return strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">")
}
