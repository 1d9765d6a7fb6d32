package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/memory-tiered/memory"
)

// contentLines is the type of lines of JSON.
const contentLines = "application/x-ndjson"

// answerLines answers with lines that the use case writes. An error before the first line
// is answered like any other one. A later one cuts the connection off, so that no client
// takes a part for the whole.
func (s *server) answerLines(ctx context.Context, w *response, matched *route, request any) error {
	matched.lines(request, lineResponse{w})
	_, err := s.run(ctx, matched, request, nil)
	if err != nil && w.started() {
		s.Log.Warn("lines cut off", "route", matched.path, "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// lineResponse writes the header before the first part.
type lineResponse struct{ *response }

func (l lineResponse) Write(part []byte) (int, error) {
	if !l.started() {
		l.writeHeader(http.StatusOK, contentLines, 0)
	}
	return len(part), l.push(part)
}

// receive lets the use case read the body while the answer begins. The returned function
// reads what is left: most clients write all of a body before they read.
func (s *server) receive(w *response, r *http.Request, matched *route, request any) (finish func()) {
	_ = http.NewResponseController(w.ResponseWriter).EnableFullDuplex() // without it, no progress is sent
	body := bodyReader{r.Body, func() { w.setReadTimeout(s.Timeouts.Write) }}
	matched.upload(request, body)
	return func() { _, _ = io.Copy(io.Discard, body) }
}

// bodyReader gives a client a limited time for each part of a body.
type bodyReader struct {
	io.Reader
	extend func()
}

func (b bodyReader) Read(part []byte) (int, error) {
	b.extend()
	n, err := b.Reader.Read(part)
	if err != nil && !errors.Is(err, io.EOF) {
		err = memory.Invalid("", "the body did not arrive completely: %v", err).WithHint("send the whole body, without a pause")
	}
	return n, err
}

// readLines writes the lines of an answer to out, and returns the last one. The answer
// may take any time, as long as lines arrive.
func (c *Client) readLines(ctx context.Context, path string, request any, out io.Writer) (end memory.ExportEnd, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(c.timeouts.write, func() { cancel(errSilent) })
	defer silence.Stop()
	response, err := c.send(ctx, http.MethodGet, path, contentLines, request)
	if err != nil {
		return end, err
	}
	defer closeBody(response)
	last := &lastLine{out: out}
	if _, err := io.Copy(last, signsOfLife{response.Body, func() { silence.Reset(c.timeouts.write) }}); err != nil {
		return end, c.connectionError(ctx, err)
	}
	if json.Unmarshal(last.line, &end) != nil || !end.End {
		return end, memory.Unavailable(nil, "the export ended too early").WithHint("try again; memory doctor looks for what is wrong")
	}
	return end, nil
}

// lastLine passes lines on and keeps the last one.
type lastLine struct {
	out  io.Writer
	line []byte
}

// maxLastLine is more than the length of the last line of an export.
const maxLastLine = 4096

func (l *lastLine) Write(part []byte) (int, error) {
	l.line = append(l.line, part[max(0, len(part)-maxLastLine):]...)
	if at := bytes.LastIndexByte(bytes.TrimRight(l.line, "\n"), '\n'); at >= 0 {
		l.line = append(l.line[:0], l.line[at+1:]...)
	}
	l.line = l.line[max(0, len(l.line)-maxLastLine):]
	return l.out.Write(part)
}

// sendLines sends lines as the body of a request whose fields are in the query.
func (c *Client) sendLines(ctx context.Context, path string, request any, lines io.Reader) (*http.Response, error) {
	r, err := c.newRequest(ctx, http.MethodGet, path, request)
	if err != nil {
		return nil, err
	}
	r.Method, r.Body = http.MethodPost, io.NopCloser(lines)
	r.Header.Set("Content-Type", contentLines)
	return c.do(ctx, r, contentEvents)
}
