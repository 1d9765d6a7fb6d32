package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// The resources of the server.
const (
	lastURI   = "memory://last"
	statusURI = "memory://status"
	namesURI  = "memory://names"
	pageURI   = "memory://profile"
	scenesURI = "memory://scenes"
	memoryURI = "memory://m/" // and the id
)

func (s *server) addResources(to *sdk.Server) {
	add := func(uri, name, description string, read func(context.Context, *call) (string, error)) {
		to.AddResource(&sdk.Resource{URI: uri, Name: name, Description: description, MIMEType: "text/plain"}, s.reader(read))
	}
	add(lastURI, "last", "The notes that were last put before a model.", lastBlock)
	add(statusURI, "status", "How many memories the workspace has.", status)
	add(namesURI, "names", "The people and things that the notes name.", names)
	add(pageURI, "profile", "One page of what the notes tell about the user: preferences, people, projects, habits.", profile)
	add(scenesURI, "scenes", "Notes that belong together: conversations, sections, and what daily notes say of a name.", scenes)
	to.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: memoryURI + "{id}", Name: "memory", Description: "One note by its id.", MIMEType: "text/plain"}, s.reader(get))
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
