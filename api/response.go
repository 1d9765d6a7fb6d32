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

// response is where an answer goes: it remembers whether it has begun, and
// gives the client a bounded time to take each part.
type response struct {
	http.ResponseWriter
	status  int // 0 until it has begun
	timeout time.Duration
}

func (w *response) begun() bool { return w.status != 0 }

func (w *response) WriteHeader(status int) {
	if w.begun() {
		return
	}
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// piece is how much of an answer a client must take within the timeout.
const piece = 1 << 20

// push writes a part of the answer and sends it on its way. An error means that
// the client is gone or does not read.
func (w *response) push(part []byte) error {
	control := http.NewResponseController(w.ResponseWriter)
	for p := range slices.Chunk(part, piece) {
		if err := control.SetWriteDeadline(time.Now().Add(w.timeout)); err != nil {
			return err
		}
		if _, err := w.Write(p); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
	}
	return control.SetWriteDeadline(time.Time{})
}

// readWithin bounds how long the rest of the request may take. The bound goes
// when the body has been read.
func (w *response) readWithin(d time.Duration) {
	// A connection that takes no deadline is closed already: reading says so.
	_ = http.NewResponseController(w.ResponseWriter).SetReadDeadline(time.Now().Add(d))
}

// lastBytes is how much of an answer is held back until its uses are counted:
// the closing brace and the line's end, without which nobody has read it. So
// who asks again after reading an answer finds its uses counted, and an answer
// that cannot be sent is not counted.
const lastBytes = 2

// deliver answers with JSON. arrived is called when all but the end of the
// answer is with the client.
func (w *response) deliver(body []byte, arrived func()) error {
	w.head(http.StatusOK, contentJSON, len(body))
	cut := len(body) - lastBytes
	if err := w.push(body[:cut]); err != nil {
		return err
	}
	arrived()
	return w.push(body[cut:])
}

// whole answers with what is finished already.
func (w *response) whole(content string, body []byte) error {
	w.head(http.StatusOK, content, len(body))
	return w.push(body)
}

// finish answers with a failure. A client that is gone does not miss it.
func (w *response) finish(status int, f failed) {
	body, _ := encode(f) // texts can always be encoded
	w.head(status, contentJSON, len(body))
	_ = w.push(body)
}

func (w *response) head(status int, content string, length int) {
	h := w.Header()
	h.Set("Content-Type", content)
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
	e.SetEscapeHTML(false) // no browser reads it, people do
	err := e.Encode(v)
	return b.Bytes(), err
}
