package api

import (
	"reflect"
	"time"
)

// Route is a route as tests see it.
type Route struct {
	Method, Path    string
	Request, Answer reflect.Type
	Required        []string
	InBody, Events  bool
	Written         bool // the answer is not JSON
	Lines, Upload   bool // the answer, or the body, is lines of JSON
}

// Routes lists every route.
func Routes() []Route {
	var all []Route
	for _, r := range routes {
		all = append(all, Route{r.method, r.path, r.request, r.answer, r.required, r.takesBody(), r.events, r.write != nil, r.lines != nil, r.upload != nil})
	}
	return all
}

// MatchPath reports whether an escaped path matches the path of a route.
func MatchPath(pattern, escapedPath string) bool {
	_, ok := match(pattern, escapedPath)
	return ok
}

// OpenAPI returns the document that the server sends.
func OpenAPI() []byte { return openAPI }

// FailureBody is the type of the body of an error answer.
var FailureBody = reflect.TypeFor[failureBody]()

// DecodeBody, DecodeQuery and EncodeQuery read and write requests, for fuzzing.
var (
	DecodeBody  = decodeBody
	DecodeQuery = decodeQuery
	EncodeQuery = encodeQuery
)

// SetTimeouts replaces the time limits of a client's calls.
func (c *Client) SetTimeouts(read, write, silence time.Duration) {
	c.timeouts = clientTimeouts{read, write, silence}
}
