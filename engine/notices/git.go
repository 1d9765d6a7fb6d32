package notices

import (
	"fmt"

	"github.com/memory-tiered/memory/internal/git"
)

// gitNotice tells a person why lines that files lack do not count, and what to do. It is
// empty if they count.
func gitNotice(dir string) string {
	repository := git.Find(dir)
	const effect = "meanwhile a line that a file has lost changes nothing: what was forgotten, private or less trusted stays so"
	if lock := repository.Lock(); lock != "" {
		return fmt.Sprintf("git is at work: %s exists; %s. If no git command is running, delete that file", lock, effect)
	}
	if operation := repository.Operation(); operation != "" {
		return fmt.Sprintf("a git operation is not finished: %s exists; %s. git status shows how to finish or abort it", operation, effect)
	}
	return ""
}
