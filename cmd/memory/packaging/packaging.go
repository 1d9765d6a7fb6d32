//go:build packaging

package packaging

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/service/unit"
)

// packagedBinary is where packages of Linux install the program.
const packagedBinary = "/usr/bin/memory"

// Commands returns the command that writes the files into a folder. built tells the commit of
// the program and its time, which are empty without a repository. addHelp gives the commands
// their help.
func Commands(version string, built func() (commit, date string), addHelp func(*cobra.Command)) []*cobra.Command {
	return []*cobra.Command{{
		Use:     "packaging DIR",
		Short:   "write manual pages, completions and a systemd user unit into a folder",
		Example: "  memory packaging build/packaging",
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			_, date := built()
			addHelp(c.Root())
			if err := write(c.Root(), args[0], version, date); err != nil {
				return memory.Unavailable(err, "write the files of the package")
			}
			return nil
		},
	}}
}

// write writes the files. The same commit makes the same bytes.
func write(root *cobra.Command, dir, version, date string) error {
	man, completions, pages := filepath.Join(dir, "man"), filepath.Join(dir, "completions"), filepath.Join(dir, "commands")
	if err := errors.Join(os.MkdirAll(man, 0o755), os.MkdirAll(completions, 0o755), os.MkdirAll(pages, 0o755)); err != nil {
		return err
	}
	root.DisableAutoGenTag = true // it has the day of the build
	header := &doc.GenManHeader{Section: "1", Source: "memory " + version}
	if date != "" {
		committed, err := time.Parse(time.RFC3339, date)
		if err != nil {
			return err
		}
		header.Date = &committed
	}
	files := map[string]func(io.Writer) error{
		"memory.bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"memory.zsh":  root.GenZshCompletion,
		"memory.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"memory.ps1":  root.GenPowerShellCompletionWithDesc,
	}
	err := errors.Join(doc.GenManTree(root, header, man), doc.GenMarkdownTree(root, pages), writeClients(filepath.Join(dir, "clients")))
	for name, write := range files {
		err = errors.Join(err, writeNewFile(filepath.Join(completions, name), write))
	}
	return errors.Join(err, os.WriteFile(filepath.Join(dir, "memory-tiered.service"), []byte(unit.PackagedSystemd(packagedBinary)), 0o644))
}

func writeNewFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
