package main

import (
	"cmp"
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/knowledge"
)

func (a *app) extractCommand() *cobra.Command {
	x := extraction{app: a}
	c := &cobra.Command{Use: "extract FILE|-… | --from CLIENT", Args: argumentCount(0, -1, "")}
	flags := c.Flags()
	flags.BoolVar(&x.Preview, "preview", false, "show what would be sent and its cost, and send nothing")
	flags.BoolVar(&x.yes, "yes", false, "do not ask")
	flags.StringVar(&x.from, "from", "", "read the conversations of this `client`: claude-code or codex")
	complete(c, "from", func(*cobra.Command, string) []string { return readableClients() })
	flags.StringVar(&x.Session, "session", "", "the `name` of the session, as for capture")
	a.userFlag(c, &x.Sender, memory.OwnerIdentity, "the sender of the `user`'s messages: a channel id or an identity")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case x.from != "" && len(args) > 0:
			return usageError(c, "--from takes no file")
		case x.from == "" && len(args) == 0:
			return usageError(c, "the file of the conversation is missing")
		case x.Session != "" && len(args) > 1:
			return usageError(c, "--session is for one file")
		}
		x.Command = uuid.NewString()
		requests, err := x.requests(args)
		if err != nil {
			return err
		}
		need := writesAmongAll // the tokens of all workspaces count
		if x.from != "" {
			need = writesSettings // each conversation belongs to the workspace of its folder
		}
		return a.withSession(c.Context(), need, func(s *session) error {
			for i := range requests {
				requests[i].Workspace = cmp.Or(s.Workspace, a.workspaceFlag)
			}
			return x.run(c.Context(), s, requests)
		})
	}
	return c
}

// extraction is one command line.
type extraction struct {
	*app
	memory.CaptureRequest // what its requests share
	yes                   bool
	from                  string
}

// maxPart is how many bytes of messages one request has. The service accepts a megabyte, with
// the escapes of JSON.
const maxPart = 256 << 10

// requests returns a request for each conversation, or several for a long one.
func (x *extraction) requests(files []string) (all []memory.CaptureRequest, err error) {
	add := func(r memory.CaptureRequest, messages []memory.CaptureMessage) {
		size := maxPart
		for i, key := range memory.CaptureKeys(messages) {
			m := messages[i]
			m.Key = key
			if size += len(m.Content); size > maxPart {
				all, size = append(all, r), len(m.Content)
			}
			last := &all[len(all)-1]
			last.Messages = append(last.Messages, m)
		}
	}
	r := x.CaptureRequest
	for _, name := range files {
		messages, err := x.readTranscript(name)
		if err != nil {
			return nil, err
		}
		add(r, messages)
	}
	if x.from == "" {
		return all, nil
	}
	client, conversations, err := x.transcriptsOf(x.from)
	for _, name := range conversations {
		c, err := readConversation(name)
		if err != nil {
			return nil, err
		}
		if len(c.Messages) > 0 {
			r.Agent, r.Session, r.Folder = client.Name, client.Name+":"+c.Session, c.Messages[0].Folder
			add(r, toCapture(c.Messages))
		}
	}
	return all, err
}

// run says what the requests cost, asks, and sends them.
func (x *extraction) run(ctx context.Context, s *session, requests []memory.CaptureRequest) error {
	cost, err := x.extract(ctx, s, requests, true)
	if err != nil {
		return err
	}
	if !x.Preview && cost.Batches > 0 {
		if !x.json {
			display.ExtractionCost(x.err, cost)
		}
		if agreed, err := x.confirmed(x.yes, "Send them?"); err != nil || !agreed {
			return err
		}
		if cost, err = x.extract(ctx, s, requests, false); err != nil {
			return err
		}
	}
	cost.Preview = x.Preview
	if err := printAnswer(x.app, cost, display.Extraction); err != nil {
		return err
	}
	if cost.Stopped != "" {
		x.note("%s", cost.Stopped)
		return errFound
	}
	return nil
}

func (x *extraction) extract(ctx context.Context, s *session, requests []memory.CaptureRequest, preview bool) (sum knowledge.Extraction, err error) {
	for i, r := range requests {
		x.show(memory.Progress{Stage: "conversations", Done: i, Total: len(requests)})
		r.Preview = preview
		part, err := s.Extract(ctx, r, x.show)
		if err != nil && sum.Batches > 0 && !preview {
			sum.Stopped = err.Error()
			return sum, nil
		}
		if err != nil {
			return sum, err
		}
		if sum.Add(part); sum.Stopped != "" {
			break
		}
	}
	return sum, nil
}
