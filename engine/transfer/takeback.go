package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// An import from another system marks its files in their first line of front matter. The
// mark has the name of the system, and the SHA-256 of all other lines. So the file itself
// tells whether it can be taken back, and whether it was edited.
const (
	headLine   = "---\n"
	markBegin  = "# memory migrate"
	markFormat = markBegin + " --from %s --rollback removes this file, if it is unedited: sha256 %s\n"
)

// marked adds the mark to a file. It has front matter, because all its memories have a source.
func marked(text []byte, system string) []byte {
	rest, _ := bytes.CutPrefix(text, []byte(headLine))
	return []byte(headLine + markLine(system, text) + string(rest))
}

func markLine(system string, text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf(markFormat, system, hex.EncodeToString(sum[:]))
}

// isMarked reports whether a file is from a system, and whether it is as it was written.
func isMarked(text []byte, system string) (isFrom, isUnedited bool) {
	rest, ok := bytes.CutPrefix(text, []byte(headLine))
	line, rest, _ := bytes.Cut(rest, []byte("\n"))
	if !ok || !bytes.HasPrefix(line, []byte(markBegin+" --from "+system+" ")) {
		return false, false
	}
	return true, string(line)+"\n" == markLine(system, append([]byte(headLine), rest...))
}

// TakeBack removes the files that imports from a system wrote, and the folders that are
// empty then. Before it changes anything, an edited file is a conflict.
func (t Target) TakeBack(ctx context.Context, now time.Time, r memory.ImportRequest) (memory.ImportAnswer, error) {
	answer := memory.ImportAnswer{DryRun: r.DryRun}
	scan, err := t.Folder.Walk(ctx)
	if err != nil {
		return answer, err
	}
	hashes := map[string]memory.Hash{}
	for _, f := range scan.Files {
		if !strings.HasPrefix(f.Path, importedFolder+"/") {
			continue
		}
		text, _, err := t.Folder.Read(f.Path)
		if err != nil {
			return answer, err
		}
		switch isFrom, isUnedited := isMarked(text, r.TakeBack); {
		case isFrom && isUnedited:
			answer.Removed, hashes[f.Path] = append(answer.Removed, f.Path), sha256.Sum256(text)
		case isFrom:
			answer.Kept = append(answer.Kept, f.Path)
		}
	}
	switch {
	case len(answer.Removed)+len(answer.Kept) == 0:
		return answer, &memory.Error{Kind: memory.ErrNotFound, Field: "from", Message: "nothing was migrated from " + r.TakeBack + " into " + t.Folder.Dir(),
			Hint: "-w names another workspace"}
	case len(answer.Kept) > 0 && !r.KeepEdited:
		return answer, memory.Conflict("somebody edited what the migration wrote: %s", firstOf(answer.Kept)).
			WithHint("--keep-edited keeps these files as they are, and removes the others; or move the files away first")
	case r.DryRun:
		return answer, nil
	}
	for _, name := range answer.Removed {
		if err := t.Folder.Remove(name, hashes[name]); err != nil {
			return answer, err
		}
		for folder := path.Dir(name); folder != path.Dir(importedFolder); folder = path.Dir(folder) {
			if err := t.Folder.RemoveFolder(folder); err != nil {
				return answer, memory.Unavailable(err, "remove the folder %s", folder)
			}
		}
	}
	return answer, t.Refresh(ctx, now, answer.Removed)
}

// maxListed is the number of names in an error.
const maxListed = 5

func firstOf(names []string) string {
	text := strings.Join(names[:min(len(names), maxListed)], ", ")
	if more := len(names) - maxListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
