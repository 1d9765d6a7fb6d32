//go:build !packaging

package packaging

import "github.com/spf13/cobra"

// Commands returns no command.
func Commands(string, func() (commit, date string), func(*cobra.Command)) []*cobra.Command {
	return nil
}
