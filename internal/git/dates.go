package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// ErrNotCommitted means that the commit that is checked out has no such file.
var ErrNotCommitted = errors.New("the file is not committed")

// maxBlame bounds the time for one file. A file of 100,000 lines with a long
// history takes some seconds.
const maxBlame = 30 * time.Second

// Line is a line of a committed file.
type Line struct {
	Text       string
	AuthoredAt time.Time // author date of the commit that introduced it
}

// Lines returns the lines of a file of the folder, as the commit that is checked
// out has them. It reads objects only: no file of the work tree, so that no filter
// runs, and no other repository or server. In a shallow clone the oldest commit
// counts as the one that introduced its lines.
func Lines(ctx context.Context, dir, name string) (lines []Line, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxBlame)
	defer cancel()
	err = run(ctx, dir, func(r io.Reader) (err error) {
		lines, err = parseBlame(r)
		return err
	}, "blame", "--no-textconv", "--no-progress", "-w", "--porcelain", "HEAD", "--", name)
	return lines, err
}

// maxLine bounds a line of a file, for which a longer one has no date.
const maxLine = 1 << 20

// parseBlame parses git blame --porcelain. For each line it has a head "hash
// from to", fields of the commit when it occurs first, and the text after a
// tab.
func parseBlame(r io.Reader) (lines []Line, err error) {
	dates := map[string]time.Time{}
	commit := ""
	in := bufio.NewReaderSize(r, maxLine)
	for {
		raw, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && len(raw) == 0:
			return lines, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, errors.New("a line is too long")
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		}
		if text, isText := bytes.CutPrefix(raw, []byte{'\t'}); isText {
			lines = append(lines, Line{Text: strings.TrimRight(string(text), "\r\n"), AuthoredAt: dates[commit]})
			continue
		}
		field, rest, _ := strings.Cut(strings.TrimSpace(string(raw)), " ")
		if field == "author-time" {
			if seconds, err := strconv.ParseInt(rest, 10, 64); err == nil && seconds > 0 {
				dates[commit] = time.Unix(seconds, 0).UTC()
			}
		} else if len(field) >= minHashChars && strings.Trim(field, "0123456789abcdef") == "" {
			commit = field
		}
	}
}
