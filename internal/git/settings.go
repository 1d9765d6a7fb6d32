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
	_, err := output(ctx, dir, nil, "config", "--local", key, value)
	return err
}

// Setting returns the value of a key in the configuration of the repository that a folder is in.
func Setting(ctx context.Context, dir, key string) (string, error) {
	return output(ctx, dir, nil, "config", "--local", "--get", key)
}

// output runs git in a folder, and returns what it prints, without the last line feed.
func output(ctx context.Context, dir string, in io.Reader, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, maxCommand)
	defer cancel()
	var text []byte
	err := runWith(ctx, dir, in, func(r io.Reader) (err error) {
		text, err = io.ReadAll(r)
		return err
	}, args...)
	return strings.TrimSuffix(string(text), "\n"), err
}
