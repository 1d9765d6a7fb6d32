package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) captureCommand() *cobra.Command {
	r := memory.CaptureRequest{Sender: memory.Sender{User: memory.OwnerIdentity}}
	from := ""
	c := &cobra.Command{
		Use:  "capture FILE|- | --from CLIENT",
		Args: argumentCount(0, 1, ""),
	}
	flags := c.Flags()
	flags.BoolVar(&r.Preview, "preview", false, "show what would be kept, and change nothing")
	flags.StringVar(&from, "from", "", "read the conversations of this `client`: claude-code or codex")
	complete(c, "from", func(*cobra.Command, string) []string { return readableClients() })
	flags.StringVar(&r.Session, "session", "", "the `name` of the session; the same message in another session is examined again")
	a.userFlag(c, &r.Sender, r.User, "the sender of the `user`'s messages: a channel id or an identity")
	flags.StringVar(&r.Agent, "agent", "", "the agent of the conversation")
	c.RunE = func(c *cobra.Command, args []string) error {
		r.Command = uuid.NewString()
		switch {
		case from != "" && len(args) > 0:
			return usageError(c, "--from takes no file")
		case from != "":
			return a.captureFrom(c.Context(), from, r)
		case len(args) == 0:
			return usageError(c, "the file of the conversation is missing")
		}
		messages, err := a.readTranscript(args[0])
		if err != nil {
			return err
		}
		texts := map[string]string{}
		captureTurns := func(b api.Backend, ctx context.Context, r memory.CaptureRequest) (memory.CaptureAnswer, error) {
			answer := memory.CaptureAnswer{Action: "capture", Preview: r.Preview}
			return answer, captureAll(ctx, b, r, messages, &answer, texts)
		}
		return callBackend(c, a, writesUnless(r.Preview), captureTurns, &r, &r.Workspace, func(w io.Writer, answer memory.CaptureAnswer) { display.Captured(w, answer, texts) })
	}
	return c
}

// captureAll captures a conversation turn by turn, and adds what happened to an answer. It
// notes the text of each message by its key.
func captureAll(ctx context.Context, b api.Backend, r memory.CaptureRequest, messages []memory.CaptureMessage, answer *memory.CaptureAnswer, texts map[string]string) error {
	for _, turn := range turnsOf(messages) {
		r.Messages = turn
		for i, key := range memory.CaptureKeys(turn) {
			texts[key] = string(turn[i].Content)
		}
		part, err := b.Capture(ctx, r)
		if err != nil {
			return err
		}
		answer.Stored = append(answer.Stored, part.Stored...)
		answer.Skipped = append(answer.Skipped, part.Skipped...)
		answer.Superseded = append(answer.Superseded, part.Superseded...)
		answer.Receipt = cmp.Or(part.Receipt, answer.Receipt)
	}
	return nil
}

// transcriptHint describes a conversation.
const transcriptHint = `name a file with one JSON object a line, or - for standard input: {"role": "user", "content": "…"}`

// readTranscript reads a conversation from a file, or from standard input.
func (a *app) readTranscript(name string) (messages []memory.CaptureMessage, err error) {
	in, err := a.openInput(name, "file", transcriptHint)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // an editor's mark of UTF-8
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var m memory.CaptureMessage
			if err := json.Unmarshal(line, &m); err != nil {
				return nil, transcriptError(name, n, err)
			}
			m.Content = shortenContent(m.Content)
			messages = append(messages, m)
		}
		if errors.Is(err, io.EOF) {
			return messages, nil
		}
		if err != nil {
			return nil, memory.Unavailable(err, "read the conversation")
		}
	}
}

func transcriptError(name string, line int, err error) error {
	message := strings.TrimPrefix(err.Error(), "json: ")
	if detail, ok := errors.AsType[*memory.Error](err); ok {
		message = detail.Message
	}
	return memory.Invalid("", "%s:%d: %s", name, line, message).WithHint(`each line is one JSON object: {"role": "user", "content": "…"}`)
}

// maxContent is the part of a message that is sent, in bytes. A longer one is mostly
// pasted, and only its ends can hold a memory.
const maxContent = 256 << 10

func shortenContent(c memory.MessageContent) memory.MessageContent {
	if len(c) <= maxContent {
		return c
	}
	return memory.MessageContent(strings.ToValidUTF8(string(c[:maxContent/2])+"\n\n"+string(c[len(c)-maxContent/2:]), ""))
}

// turnsOf cuts a conversation after each message of the user, as a host sends it. At
// most three memories of a turn are kept, however long the conversation is. A message
// that needs the next one is in the same turn.
func turnsOf(messages []memory.CaptureMessage) (turns [][]memory.CaptureMessage) {
	plain := make([]capture.Message, len(messages))
	for i, m := range messages {
		plain[i] = capture.Message{Role: m.Role, Text: string(m.Content)}
	}
	begin := 0
	for i, m := range messages {
		if m.Role == capture.RoleUser && !capture.Continues(plain, i) || i == len(messages)-1 {
			turns = append(turns, messages[begin:i+1])
			begin = i + 1
		}
	}
	return turns
}
