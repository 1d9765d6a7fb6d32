package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

const (
	resourceURI = "memory://"
	memoryURI   = resourceURI + "m/" // and the id
)

// page is what a client can read as a resource, and a model by memory_get.
type page struct {
	name, description string
	read              func(context.Context, *call) (string, error)
}

func pages() []page {
	return []page{
		{"profile", "One page of what the notes tell about the user: preferences, people, projects, habits.", profile},
		{"scenes", "Notes that belong together: conversations, sections, and what daily notes say of a name.", scenes},
		{"names", "The people and things that the notes name.", names},
		{"last", "The notes that were last put before a model.", lastBlock},
		{"status", "How many memories the workspace has.", status},
	}
}

func (s *server) addResources(to *sdk.Server) {
	for _, p := range pages() {
		to.AddResource(&sdk.Resource{URI: resourceURI + p.name, Name: p.name, Description: p.description, MIMEType: "text/plain"}, s.reader(p.read))
	}
	to.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: memoryURI + "{id}", Name: "memory", Description: "One note by its id.", MIMEType: "text/plain"}, s.reader(get))
}

// pageField is the argument of memory_get that names a page.
func pageField() field {
	f := field{name: "page", kind: "string", aliases: []string{"resource"}, description: "Instead of an id:"}
	for _, p := range pages() {
		f.words = append(f.words, p.name)
		f.description += " " + p.name + ": " + p.description
	}
	return f
}

// readPage returns a page, at most mostTextBytes of it.
func readPage(ctx context.Context, c *call, name string) (string, error) {
	for _, p := range pages() {
		if p.name != strings.TrimPrefix(strings.ToLower(name), resourceURI) {
			continue
		}
		text, err := p.read(ctx, c)
		if len(text) > mostTextBytes {
			text = text[:strings.LastIndexByte(text[:mostTextBytes], '\n')+1] + "There is more: search for it."
		}
		return cmp.Or(text, "The page is empty."), err
	}
	return "", memory.Invalid("page", "there is no page %q", name).WithHint("one of: %s", strings.Join(pageField().words, ", "))
}

// reader reads a resource. The last part of its URI is the argument id.
func (s *server) reader(read func(context.Context, *call) (string, error)) sdk.ResourceHandler {
	return func(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		text := ""
		err := s.connect(ctx, r.Session, false, func(c *call) (err error) {
			if id, found := strings.CutPrefix(r.Params.URI, memoryURI); found {
				c.values = map[string]string{"id": id}
			}
			text, err = read(ctx, c)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %s", r.Params.URI, s.describe(err))
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: text}}}, nil
	}
}

func lastBlock(ctx context.Context, c *call) (string, error) {
	answer, err := c.Last(ctx, memory.LastRequest{Workspace: c.workspace, Sender: owner, For: memory.AudienceModel})
	if err != nil {
		return "", err
	}
	lines := []string{fmt.Sprintf("At %s, %d memories:", answer.Receipt.At.Format("2006-01-02 15:04"), len(answer.Injected))}
	for _, each := range answer.Injected {
		if each.Memory != nil {
			lines = append(lines, line(*each.Memory))
		}
	}
	return strings.Join(lines, "\n"), nil
}

func status(ctx context.Context, c *call) (string, error) {
	stats, err := c.Stats(ctx, memory.StatsRequest{Workspace: c.workspace, Sender: owner, For: memory.AudienceModel})
	text := fmt.Sprintf("workspace %s: %d memories in %d files", stats.Workspace, stats.Total, stats.Files)
	for _, tier := range memory.Tiers {
		text += fmt.Sprintf("\n%s %d", tier, stats.Tiers[tier])
	}
	return text, err
}

func names(ctx context.Context, c *call) (string, error) {
	answer, err := c.Entities(ctx, memory.ListRequest{Workspace: c.workspace, Sender: owner, For: memory.AudienceModel})
	var lines []string
	for _, e := range answer.Entities {
		lines = append(lines, fmt.Sprintf("%s: %d memories, %s to %s", strings.Join(append([]string{e.Name}, e.Aliases...), ", "), e.Memories,
			e.First.Format(time.DateOnly), e.Last.Format(time.DateOnly)))
	}
	return strings.Join(lines, "\n"), err
}

func profile(ctx context.Context, c *call) (string, error) {
	page, err := c.Profile(ctx, knowledge.ProfileRequest{Workspace: c.workspace, Sender: owner, For: memory.AudienceModel})
	return page.Markdown(true), err
}

// scenes lists the newest scenes, each with its extract.
func scenes(ctx context.Context, c *call) (string, error) {
	limit := 50 // some 4,000 tokens
	answer, err := c.Scenes(ctx, memory.ListRequest{Workspace: c.workspace, Sender: owner, For: memory.AudienceModel, Limit: &limit})
	var lines []string
	for _, s := range answer.Scenes {
		lines = append(lines, fmt.Sprintf("%s (%s, %d memories, %s to %s, %s):\n  %s", s.Title, s.Kind, s.Memories,
			s.From.Format(time.DateOnly), s.To.Format(time.DateOnly), s.Trust, strings.ReplaceAll(s.Extract, "\n", "\n  ")))
	}
	return strings.Join(lines, "\n"), err
}

// addPrompts adds what a person may choose in a client's menu of prompts.
func addPrompts(to *sdk.Server) {
	to.AddPrompt(&sdk.Prompt{Name: "remember", Description: "Keep something for later sessions.", Arguments: []*sdk.PromptArgument{{Name: "text", Description: "What to remember.", Required: true}}},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return promptOf("Remember this with memory_store, as one sentence that is clear without this conversation: " + r.Params.Arguments["text"]), nil
		})
	to.AddPrompt(&sdk.Prompt{Name: "review", Description: "Look for outdated and contradictory notes about a subject.", Arguments: []*sdk.PromptArgument{{Name: "subject", Description: "What the notes are about.", Required: true}}},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return promptOf("Search my notes with memory_search about: " + r.Params.Arguments["subject"] +
				"\nList notes that are outdated, or that contradict or repeat each other, with their ids and dates. Ask me before you forget or replace one."), nil
		})
}

func promptOf(text string) *sdk.GetPromptResult {
	return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}
}
