package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/memory-tiered/memory"
)

// callEvents asks a route for events: it hands on how far the task is, and
// gives its result.
func callEvents[A any](ctx context.Context, c *Client, method, path string, request any, progress func(memory.Progress)) (answer A, err error) {
	response, err := c.open(ctx, method, path, contentEvents, request)
	if err != nil {
		return answer, err
	}
	defer closeBody(response)
	lines := bufio.NewReader(response.Body)
	for {
		name, data, err := readEvent(lines)
		if err != nil {
			return answer, c.failure(ctx, err)
		}
		switch name {
		case eventProgress:
			var p memory.Progress
			if err := json.Unmarshal(data, &p); err != nil {
				return answer, c.failure(ctx, err)
			}
			progress(p)
		case eventResult:
			if err := json.Unmarshal(data, &answer); err != nil {
				return answer, c.failure(ctx, err)
			}
			return answer, nil
		case eventError:
			var f failed
			if err := json.Unmarshal(data, &f); err != nil {
				return answer, c.failure(ctx, err)
			}
			return answer, f.Error.Err()
		}
	}
}

// readEvent reads up to the empty line that ends an event. A stream that ends
// before its result was cut off.
func readEvent(lines *bufio.Reader) (name string, data []byte, err error) {
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" && name != "" {
			return name, data, nil
		}
		switch key, value, _ := strings.Cut(line, ":"); key {
		case "event":
			name = strings.TrimPrefix(value, " ")
		case "data":
			data = append(data, strings.TrimPrefix(value, " ")...)
		}
	}
}
