package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
)

func (a *app) configCommand() *cobra.Command {
	c := newCommand("config", arguments{}, func(*cobra.Command) error {
		cfg, _, err := a.load()
		if err != nil {
			return err
		}
		settings := cfg.Settings()
		return printAnswer(a, map[string]any{"file": cfg.File, "settings": settings}, func(w io.Writer, _ map[string]any) { printSettings(w, settings...) })
	})
	c.AddCommand(a.configGet(), a.configSet(), a.configUnset())
	return c
}

func printSettings(w io.Writer, settings ...config.Setting) {
	display.Columns(w, 0, func(table io.Writer) {
		for _, s := range settings {
			fmt.Fprintf(table, "%s\t%s\t%s\n", s.Key, strings.TrimSpace(fmt.Sprint(s.Value)+" "+s.Unit), s.Source)
		}
	})
}

func (a *app) configGet() *cobra.Command {
	var key string
	return newCommand("get KEY", one("a key", &key, completeKey), func(*cobra.Command) error {
		cfg, _, err := a.load()
		if err != nil {
			return err
		}
		if s, found := settingOf(cfg, key); found {
			return a.printLine(s, "%v", s.Value)
		}
		if _, isKey := config.KeyNamed(key); isKey {
			return memory.Invalid("key", "%q is not set", key).WithHint("memory config set %s VALUE sets it", key)
		}
		return config.UnknownKey(key)
	})
}

func (a *app) configSet() *cobra.Command {
	return &cobra.Command{
		Use:               "set KEY VALUE",
		Args:              argumentCount(2, 2, "a key and its value"),
		ValidArgsFunction: firstArgument(completeKey),
		RunE: func(c *cobra.Command, args []string) error {
			return a.editSetting(c.Context(), args[0], func(cfg *config.Loaded) error {
				if name, ok := workspaceOfPath(args[0]); ok {
					if err := registry.CheckFolderIsFree(cfg, name, config.ExpandHome(args[1], a.environ)); err != nil {
						return err
					}
				}
				return config.Set(cfg.File, args[0], args[1])
			})
		},
	}
}

// negativeAsValue moves the negative number of "config set KEY -1" behind "--", because
// flags begin with a hyphen too.
func negativeAsValue(args []string) []string {
	set := slices.Index(args, "config") + 1
	at := slices.IndexFunc(args, func(arg string) bool {
		_, err := strconv.ParseFloat(arg, 64)
		return err == nil && strings.HasPrefix(arg, "-")
	})
	if set == 0 || at < set+2 || args[set] != "set" || slices.Contains(args, "--") {
		return args
	}
	return slices.Concat(args[:at], args[at+1:], []string{"--", args[at]})
}

func (a *app) configUnset() *cobra.Command {
	var key string
	return newCommand("unset KEY", one("a key", &key, completeKey), func(c *cobra.Command) error {
		return a.editSetting(c.Context(), key, func(cfg *config.Loaded) error { return config.Unset(cfg.File, key) })
	})
}

// editSetting edits the configuration file, makes a running service use it, and shows
// the setting that then applies: an environment variable may override the file. An
// edit whose result is not valid is taken back.
func (a *app) editSetting(ctx context.Context, key string, edit func(*config.Loaded) error) error {
	file, stateDir, err := a.configFile()
	if err != nil {
		return err
	}
	cfg, invalidBefore := a.loadValid(ctx)
	if cfg == nil {
		cfg = &config.Loaded{File: file} // the edit may be what makes the file valid
	}
	before, readErr := config.ReadFile(file)
	if err := edit(cfg); err != nil {
		return err
	}
	if cfg, err = a.loadValid(ctx); err != nil && invalidBefore == nil {
		return errors.Join(err, putBack(file, before, readErr))
	} else if cfg == nil {
		return err
	}
	use := a.reloadFor(ctx, key, cfg, stateDir)
	if use.note != "" {
		a.note("%s", use.note)
	}
	if k, _ := config.KeyNamed(key); !cfg.HasEffect(k) {
		a.note("%s has an effect %s", key, k.Condition())
	}
	if s, found := settingOf(cfg, key); found {
		return printAnswer(a, editedSetting{s, use}, func(w io.Writer, edited editedSetting) { printSettings(w, edited.Setting) })
	}
	return printAnswer(a, map[string]string{"key": key, "service": use.State}, func(io.Writer, map[string]string) {})
}

// settingOf returns the setting with a key, if it is set.
func settingOf(cfg *config.Loaded, key string) (config.Setting, bool) {
	settings := cfg.Settings()
	at := slices.IndexFunc(settings, func(s config.Setting) bool { return s.Key == key })
	if at < 0 {
		return config.Setting{}, false
	}
	return settings[at], true
}

// loadValid loads the configuration, and checks that a service could start with it. It
// returns nil if the file cannot be read.
func (a *app) loadValid(ctx context.Context) (*config.Loaded, error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return nil, err
	}
	_, err = a.engineOptions(ctx, cfg, stateDir, nil)
	return cfg, err
}

// workspaceOfPath returns the name of the workspace whose folder a key sets.
func workspaceOfPath(key string) (string, bool) {
	rest, ok := strings.CutPrefix(key, "workspaces.")
	name, isPath := strings.CutSuffix(rest, ".path")
	return name, ok && isPath
}

// completeKey completes the name of a setting.
func completeKey(*cobra.Command, string) (names []string) {
	for _, k := range config.Keys() {
		names = append(names, k.Name+"\t"+k.Doc)
	}
	return names
}

// editedSetting is a setting after an edit, and whether the service uses it.
type editedSetting struct {
	config.Setting
	serviceUse
}

// serviceUse reports whether a running service uses an edited setting. The states are "not
// running", "in force", "needs a restart", "unchanged", "other file" and "not reloaded". A
// setting is unchanged if the service had the value, or its environment overrides the file.
type serviceUse struct {
	State string `json:"service"`

	note string // what a person should know, with the command that helps
}

// reloadFor makes a running service read its configuration again, and reports what
// became of a key.
func (a *app) reloadFor(ctx context.Context, key string, cfg *config.Loaded, stateDir string) serviceUse {
	client := api.Dial(socketPath(stateDir))
	defer client.Close()
	err := probe(ctx, client)
	if err != nil && !errors.Is(err, api.ErrNoAnswer) {
		return serviceUse{State: "not running"}
	}
	var answer memory.ReloadAnswer
	if err == nil {
		answer, err = client.Reload(ctx)
	}
	if err != nil {
		return serviceUse{"not reloaded", fmt.Sprintf("the running service does not use it yet (%v): memory reload makes it read the file", err)}
	}
	isKey := func(changed string) bool { return changed == key || strings.HasPrefix(changed, key+".") }
	switch {
	case !sameFile(answer.File, cfg.File):
		return serviceUse{"other file", "the running service reads another file: " + answer.File}
	case slices.ContainsFunc(answer.Restart, isKey):
		pid := 0
		if status, err := client.Status(ctx); err == nil && status.Daemon != nil {
			pid = status.Daemon.PID
		}
		return serviceUse{"needs a restart", fmt.Sprintf("the running service uses it after a restart: stop it (kill %d), then start it with memory serve", pid)}
	case slices.ContainsFunc(answer.Applied, isKey):
		return serviceUse{"in force", "the running service uses it now"}
	}
	return serviceUse{"unchanged", "nothing changed for the running service: it had this value already, or a variable of its environment overrides the file"}
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return a == b || errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// putBack writes a file as it was before an edit; readErr is the error of reading it
// then.
func putBack(file string, before []byte, readErr error) error {
	var err error
	if readErr == nil {
		err = os.WriteFile(file, before, 0o600)
	} else if errors.Is(readErr, os.ErrNotExist) {
		err = os.Remove(file)
	}
	if err != nil {
		return memory.Unavailable(err, "write the configuration back")
	}
	return nil
}
