package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/api/mcp"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

func (a *app) mcpCommand() *cobra.Command {
	var address string
	var searchFetch bool
	c := newCommand("mcp", arguments{}, func(c *cobra.Command) error {
		a.turns = make(chan struct{}, 1) // a client sends several requests at once
		folder, _ := os.Getwd()          // without one, the memories of clients do not answer
		if address != "" {
			folder = "" // of several agents
		}
		s := mcp.NewServer(c.Context(), mcp.Options{
			Version: version, SearchFetch: searchFetch, Connect: a.connectMCP(folder), Patiently: a.patiently,
			Hint: func(err error) string { return api.Describe(err).Hint },
		})
		if address != "" {
			return a.serveMCP(c.Context(), s, address)
		}
		return mcp.ServeStreams(c.Context(), a.in, a.out, s)
	})
	c.Flags().StringVar(&address, "http", "", "serve streamable HTTP on this `address` of the machine, such as 127.0.0.1:7431")
	c.Flags().BoolVar(&searchFetch, "search-fetch", false, "serve only the tools search and fetch, for clients that know no others")
	return c
}

// connectMCP returns what opens a session for one request of an agent that works in a folder.
func (a *app) connectMCP(folder string) mcp.Connect {
	return func(ctx context.Context, writes bool, use func(mcp.Backend, string) error) error {
		return a.withSession(ctx, writesUnless(!writes), func(s *session) error {
			if b, ok := s.Backend.(everywhere); ok {
				b.folder = folder
				return use(b, s.Workspace)
			}
			return use(s, s.Workspace)
		})
	}
}

// serveMCP serves HTTP, and prints the address that clients need.
func (a *app) serveMCP(ctx context.Context, s *sdk.Server, address string) error {
	_, stateDir, err := a.load()
	if stateDir == "" {
		return err
	}
	token, file, err := mcpToken(stateDir)
	if err != nil {
		return err
	}
	listener, err := mcp.Listen(ctx, address)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "serving http://%s with the token in %s\n", listener.Addr(), file)
	return mcp.ServeHTTP(ctx, listener, token, s)
}

// mcpToken reads the token of the state folder, or makes one.
func mcpToken(stateDir string) (token, file string, err error) {
	file = filepath.Join(stateDir, "mcp-token")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(mcp.NewToken() + "\n")
		err = atomicfile.Write(file, text, 0o600)
	}
	if token = strings.TrimSpace(string(text)); err == nil && token == "" {
		return "", file, memory.Invalid("", "%s is empty", file).WithHint("delete it, so that the next start makes a new one")
	}
	if err != nil {
		return "", file, memory.Unavailable(err, "read the token %s", file)
	}
	return token, file, nil
}
