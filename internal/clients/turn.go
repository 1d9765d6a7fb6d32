package clients

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/folder"
)

// maxTurn bounds what is read of a transcript at the end of a turn, in bytes. A longer turn
// has mostly what tools returned.
const maxTurn = 256 << 10

// ReadTurn reads what a session said in a transcript after a place, up to the last message of
// the user. next is the place after it. What the agent says then is read with the next turn,
// whose first message may agree to it. Without a place (0), only the last turn is read. It
// reads at most the last 256 KB. Without a message of the user, next is place. A file outside
// of the client's folders dirs is not read.
func ReadTurn(dirs []string, path, session string, place int64) (messages []Message, next int64, err error) {
	file, err := openInside(dirs, path)
	if err != nil {
		return nil, place, err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, place, err
	}
	if place > size { // another file has its name now
		place = 0
	}
	begin := max(place, size-maxTurn)
	c, err := ReadTranscript(io.NewSectionReader(file, begin, size-begin)) // the rest of a cut line is no message
	if err != nil {
		return nil, place, err
	}
	messages = slices.DeleteFunc(c.Messages, func(m Message) bool { return m.session != "" && m.session != session })
	last := lastOfUser(messages)
	if last < 0 {
		return nil, place, nil
	}
	messages = messages[:last+1]
	if place == 0 {
		messages = messages[lastOfUser(messages[:last])+1:]
	}
	return messages, begin + messages[len(messages)-1].end, nil
}

// lastOfUser returns the index of the last message of the user; -1: there is none.
func lastOfUser(messages []Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == "user" {
			return i
		}
	}
	return -1
}

// openInside opens a file that is in one of some folders, wherever links lead. Reading anything
// else than a file, such as a pipe, could wait forever.
func openInside(dirs []string, path string) (*os.File, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	if err == nil && (!info.Mode().IsRegular() || !slices.ContainsFunc(dirs, func(dir string) bool { return folder.Contains(folder.RealPath(dir), real) })) {
		err = memory.Invalid("", "%s is no file in a folder of the client", path)
	}
	if err != nil {
		return nil, err
	}
	return os.Open(real)
}
