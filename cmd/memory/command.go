package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// useCase is a function of the backend.
type useCase[R, A any] func(api.Backend, context.Context, R) (A, error)

// question makes a command that asks the backend. Flags and arguments fill the request, and the
// session sets its workspace.
func question[R, A any](a *app, use string, args arguments, ask useCase[R, A], r *R, workspace *string, print func(io.Writer, A)) *cobra.Command {
	return newCommand(use, args, func(c *cobra.Command) error {
		return callBackend(c, a, readsIndex, ask, r, workspace, print)
	})
}

// change is question for a command that changes the index, unless it only previews. preview may
// be nil.
func change[R, A any](a *app, use string, args arguments, preview *bool, do useCase[R, A], r *R, workspace *string, print func(io.Writer, A)) *cobra.Command {
	return newCommand(use, args, func(c *cobra.Command) error {
		return callBackend(c, a, writesUnless(preview != nil && *preview), do, r, workspace, print)
	})
}

// callBackend sends a request to the backend, and prints the answer.
func callBackend[R, A any](c *cobra.Command, a *app, need access, call useCase[R, A], r *R, workspace *string, print func(io.Writer, A)) error {
	return a.withSession(c.Context(), need, func(s *session) error {
		*workspace = s.Workspace
		return printed(a, print)(call(s.Backend, c.Context(), *r))
	})
}

// arguments are what a command takes beside its flags. The zero value takes nothing.
type arguments struct {
	least, most int    // a negative most means no limit
	missing     string // names what is missing
	read        func(args []string) error
	complete    cobra.CompletionFunc
}

// newCommand makes a command that reads its arguments, and runs.
func newCommand(use string, args arguments, run func(*cobra.Command) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Args: argumentCount(args.least, args.most, args.missing), ValidArgsFunction: args.complete,
		RunE: func(c *cobra.Command, given []string) error {
			if args.read != nil {
				if err := args.read(given); err != nil {
					return err
				}
			}
			return run(c)
		},
	}
}

// idArgument is the id of a memory.
func (a *app) idArgument(id *string) arguments {
	return one("the id", id, a.completeID)
}

// one is one argument. missing names it. complete may be nil.
func one(missing string, to *string, complete func(c *cobra.Command, typed string) []string) arguments {
	args := arguments{least: 1, most: 1, missing: missing, read: func(given []string) error { *to = given[0]; return nil }}
	if complete != nil {
		args.complete = firstArgument(complete)
	}
	return args
}

// fileArgument is at most one file, or least one. read gets its name, or "".
func fileArgument(least int, to *string) arguments {
	return arguments{least: least, most: 1, missing: "FILE",
		read: func(given []string) error { *to = strings.Join(given, ""); return nil },
		complete: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
}

// textArguments are the words of one text. The argument "-" reads it from standard input.
func (a *app) textArguments(missing string, text *string) arguments {
	return arguments{least: 1, most: -1, missing: missing, read: func(given []string) (err error) {
		*text, err = a.textArgument(given)
		return err
	}}
}

// usageError returns the error of a command line that cannot work.
func usageError(c *cobra.Command, format string, args ...any) error {
	return memory.Invalid("", format, args...).WithHint("%s --help shows how to use it", c.CommandPath())
}

// noEmptyFlag refuses a flag with an empty value, without which the command would do more.
func noEmptyFlag(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.String() == "" {
			err = usageError(c, "--%s is empty; nothing was changed", f.Name)
		}
	})
	return err
}

// argumentCount checks the number of arguments, as [arguments] has it. A command without Args
// takes none.
func argumentCount(least, most int, missing string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usageError(c, "%s is missing", missing)
		case most >= 0 && len(args) > most:
			return usageError(c, "unexpected argument %q", args[most])
		}
		return nil
	}
}

// textArgument joins the arguments to one text. The argument "-" reads it from
// standard input.
func (a *app) textArgument(args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	src, err := io.ReadAll(io.LimitReader(a.in, maxInput+1))
	if err != nil {
		return "", memory.Unavailable(err, "read standard input")
	}
	if len(src) > maxInput {
		return "", memory.Invalid("", "standard input has more than %d bytes", maxInput)
	}
	return string(src), nil
}

// openInput opens a file that the command line names, or standard input for "-". The hint
// tells which file is meant.
func (a *app) openInput(name, field, hint string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.in), nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &memory.Error{Kind: memory.ErrNotFound, Field: field, Message: name + " does not exist", Hint: hint}
	}
	if err != nil {
		return nil, memory.Unavailable(err, "read %s", name).WithHint("%s", hint)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(memory.Invalid(field, "%s is a folder", name).WithHint("%s", hint), f.Close())
	}
	return f, nil
}

// maxInput limits standard input, in bytes: more than the longest prompt that a
// service accepts.
const maxInput = 1 << 20

// wordFlag adds a flag whose value is one of the known words.
func wordFlag[W ~string](c *cobra.Command, to *W, parse func(string) (W, error), known []W, name, help string) {
	c.Flags().Var(textFlag[W]{to, parse, name}, name, help)
	completeWords(c, name, known)
}

// textFlag is a flag whose value has a parse function.
type textFlag[W ~string] struct {
	to    *W
	parse func(string) (W, error)
	name  string
}

func (f textFlag[W]) String() string { return strings.ToLower(string(*f.to)) }
func (f textFlag[W]) Type() string   { return f.name }
func (f textFlag[W]) Set(s string) error {
	w, err := f.parse(s)
	if detail, ok := errors.AsType[*memory.Error](err); ok {
		return fmt.Errorf("%w (%s)", err, detail.Hint) // cobra keeps only the text of the error
	}
	if err == nil {
		*f.to = w
	}
	return err
}

// completeWords completes the value of a flag from a list.
func completeWords[W ~string](c *cobra.Command, flag string, known []W) {
	complete(c, flag, func(*cobra.Command, string) (names []string) {
		for _, w := range known {
			names = append(names, strings.ToLower(string(w)))
		}
		return names
	})
}

// complete completes the value of a flag with the words that list returns.
func complete(c *cobra.Command, flag string, list func(c *cobra.Command, typed string) []string) {
	err := c.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return list(c, typed), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(fmt.Sprintf("%s has no flag %s: %v", c.Name(), flag, err)) // a bug in the command table
	}
}

// firstArgument completes the first argument of a command with the words that list returns.
func firstArgument(list func(c *cobra.Command, typed string) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return list(c, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// tierFlag, typeFlag and categoryFlag add the flags of these names.
func tierFlag(c *cobra.Command, to *memory.Tier, name, help string) {
	wordFlag(c, to, memory.ParseTier, memory.Tiers, name, help+": hot, warm, cold, archive")
}

func typeFlag(c *cobra.Command, to *memory.Type, help string) {
	wordFlag(c, to, memory.ParseType, memory.Types, "type", help+": procedural, factual, project, episodic")
}

func categoryFlag(c *cobra.Command, to *memory.Category, help string) {
	wordFlag(c, to, memory.ParseCategory, memory.Categories, "category", help)
}

// filterFlags adds the flags that select memories by their properties.
func filterFlags(c *cobra.Command, f *memory.Filter) {
	tierFlag(c, &f.Tier, "tier", "only this tier")
	typeFlag(c, &f.Type, "only this memory type")
	categoryFlag(c, &f.Category, "only this category")
	flags := c.Flags()
	flags.StringVar((*string)(&f.Scope), "scope", "", "only this scope (global and unscoped memories match any)")
	flags.StringVar(&f.Tag, "tag", "", "only memories with this tag")
	flags.StringVar(&f.Entity, "entity", "", "only memories about the person or thing with this `name`: memory entity list")
	flags.IntVar(&f.Hops, "hops", 0, "with --entity: also about what is related to it, at this distance: 1 or 2")
	flags.StringVar(&f.Scene, "scene", "", "only memories of the scene with this `id`: memory scenes list")
	flags.StringVar(&f.Path, "path", "", "only memories in files that match this `glob`; ** matches across folders")
	flags.StringVar(&f.Since, "since", "", "only memories created on this `date` or later (2026-11-20, today, yesterday, RFC 3339)")
	flags.StringVar(&f.Until, "until", "", "only memories created on this `date` or earlier (the same forms)")
	wordFlag(c, &f.Source, memory.ParseSource, memory.Sources, "source", "only memories from this source: file, tool, auto-capture, import, legacy")
	flags.BoolVar(&f.Expired, "expired", false, "only memories whose expiry date has passed")
	flags.Float64Var(&f.Unused, "unused", 0, "only memories that were not created, edited or used for this many `days`")
}

// optionalFlag returns the value of a flag, or nil if the command line does not have it.
func optionalFlag[T any](c *cobra.Command, name string, value *T) *T {
	if c.Flags().Changed(name) {
		return value
	}
	return nil
}

// userFlag adds the flag --user. Its value is completed with the names of the
// identities.
func (a *app) userFlag(c *cobra.Command, s *memory.Sender, byDefault, help string) {
	c.Flags().StringVar(&s.User, "user", byDefault, help)
	complete(c, "user", func(*cobra.Command, string) []string {
		cfg, _, err := a.load()
		if err != nil {
			return nil
		}
		return slices.Sorted(maps.Keys(cfg.Identities))
	})
}

// readerHelp is the help of --user for commands that show memories.
const readerHelp = "answer as for this `user`, a channel id or an identity: with the user's own memories and everybody's"

// completeID completes an id prefix. The id of restore is one of a forgotten memory.
func (a *app) completeID(c *cobra.Command, typed string) (found []string) {
	_ = a.withSession(c.Context(), readsIndex, func(s *session) error { // an error completes nothing
		user, _ := c.Flags().GetString("user") // empty where the command has no such flag
		r := memory.ListRequest{Workspace: s.Workspace, Properties: true, Sender: memory.Sender{User: user}}
		r.Forgotten = c.Name() == string(memory.ActionRestore)
		all, err := s.List(c.Context(), r)
		found = display.MatchingIDs(all.Memories, typed)
		return err
	})
	return found
}
