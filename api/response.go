package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"
)

const contentJSON = "application/json"

// response writes an answer. It records whether the answer has begun, and gives
// the client a limited time to read each part.
type response struct {
	http.ResponseWriter
	status  int // 0 until the answer has begun
	timeout time.Duration
}

func (w *response) started() bool { return w.status != 0 }

func (w *response) WriteHeader(status int) {
	if w.started() {
		return
	}
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// writeChunk is how many bytes of an answer a client must read within the
// timeout.
const writeChunk = 1 << 20

// push writes a part of the answer and flushes it. An error means that the
// client has left or does not read.
func (w *response) push(part []byte) error {
	control := http.NewResponseController(w.ResponseWriter)
	for chunk := range slices.Chunk(part, writeChunk) {
		if err := control.SetWriteDeadline(time.Now().Add(w.timeout)); err != nil {
			return err
		}
		if _, err := w.Write(chunk); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
	}
	return control.SetWriteDeadline(time.Time{})
}

// setReadTimeout limits how long the rest of the request may take. The limit
// ends when the body has been read.
func (w *response) setReadTimeout(d time.Duration) {
	// A connection that takes no deadline is closed; reading from it returns the
	// error.
	_ = http.NewResponseController(w.ResponseWriter).SetReadDeadline(time.Now().Add(d))
}

// heldBack is how many bytes deliver sends after it has counted the uses: the
// closing brace and the newline. No client can read the answer without them. A
// client that asks again after it has read an answer therefore finds the uses
// counted. An answer that cannot be sent is not counted.
const heldBack = 2

// deliver answers with JSON. It calls arrived when the client has all but the
// end of the answer.
func (w *response) deliver(body []byte, arrived func()) error {
	w.writeHeader(http.StatusOK, contentJSON, len(body))
	cut := len(body) - heldBack
	if err := w.push(body[:cut]); err != nil {
		return err
	}
	arrived()
	return w.push(body[cut:])
}

// send answers with a complete body.
func (w *response) send(contentType string, body []byte) error {
	w.writeHeader(http.StatusOK, contentType, len(body))
	return w.push(body)
}

// sendFailure answers with an error. It ignores a client that has left.
func (w *response) sendFailure(status int, f failureBody) {
	body, _ := encode(f) // strings can always be encoded
	w.writeHeader(status, contentJSON, len(body))
	_ = w.push(body)
}

func (w *response) writeHeader(status int, contentType string, length int) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	if length > 0 {
		h.Set("Content-Length", strconv.Itoa(length))
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // people read it, browsers do not
	err := e.Encode(v)
	return b.Bytes(), err
}
