package git

import (
	"context"
	"io"
	"strings"
	"time"
)

// maxCommand bounds the time for a command of git that reads little.
const maxCommand = 10 * time.Second

// Configure sets a key in the configuration of the repository that a folder is in.
func Configure(ctx context.Context, dir, key, value string) error {
	_, err := command{dir: dir}.output(ctx, "config", "--local", key, value)
	return err
}

// Setting returns the value of a key in the configuration of the repository that a folder is in.
func Setting(ctx context.Context, dir, key string) (string, error) {
	return command{dir: dir}.output(ctx, "config", "--local", "--get", key)
}

// command is what one command of git gets.
type command struct {
	dir       string
	variables []string
	in        string
}

// output runs git, and returns what it prints, without the last line feed.
func (c command) output(ctx context.Context, args ...string) (string, error) {
	text, err := c.bytes(ctx, args...)
	return strings.TrimSuffix(string(text), "\n"), err
}

// bytes runs git, and returns what it prints.
func (c command) bytes(ctx context.Context, args ...string) (text []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxCommand)
	defer cancel()
	err = runIn(ctx, c.dir, c.variables, strings.NewReader(c.in), func(r io.Reader) (err error) {
		text, err = io.ReadAll(r)
		return err
	}, args...)
	return text, err
}
