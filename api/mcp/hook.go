package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memory-tiered/memory"
)

// hookTool is a tool that clients call for a hook, instead of starting a program. No model
// sees it.
const hookTool = "hook"

// addHook adds the tool of the hooks. Its text is what memory hook prints. It never fails,
// because a hook must not disturb its client.
func (s *server) addHook(protocol *sdk.Server) {
	declaration := &sdk.Tool{Name: hookTool, Description: "What the hook of a client prints.", InputSchema: schema(nil)}
	protocol.AddTool(declaration, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		input, err := readObject(r.Params.Arguments)
		output := ""
		if err == nil {
			s.Patiently(ctx, func(ctx context.Context) {
				_ = s.connect(ctx, r.Session, true, func(c *call) (err error) {
					output, err = c.hook(ctx, input)
					return err
				})
			})
		}
		return textResult(output), nil
	})
}

func (c *call) hook(ctx context.Context, input map[string]any) (string, error) {
	r := memory.HookRequest{Client: textOf(input["client"]), Event: textOf(input["event"]), Input: input}
	if textOf(input["cwd"]) == "" {
		r.Workspace = c.workspace
	}
	answer, err := c.Hook(ctx, r)
	if err == nil && answer.Receipt != "" {
		err = c.Delivered(ctx, answer.Workspace, answer.Receipt)
	}
	return answer.Output, err
}

// listing lists the tools in the order of this package, because the library sorts them by
// name, and without the tool of the hooks.
func listing(tools []tool) sdk.Middleware {
	place := func(t *sdk.Tool) int {
		return slices.IndexFunc(tools, func(own tool) bool { return own.name == t.Name })
	}
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			result, err := next(ctx, method, r)
			if listed, ok := result.(*sdk.ListToolsResult); ok && listed != nil {
				listed.Tools = slices.DeleteFunc(listed.Tools, func(t *sdk.Tool) bool { return t.Name == hookTool })
				slices.SortFunc(listed.Tools, func(a, b *sdk.Tool) int { return place(a) - place(b) })
			}
			return result, err
		}
	}
}
