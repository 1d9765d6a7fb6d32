package api

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/memory-tiered/memory"
)

// route is one method on one path: its request, its answer, and the use case
// between them.
type route struct {
	method, path string
	request      reflect.Type // its fields are the body's; on GET and DELETE, the query's
	answer       reflect.Type
	required     []string // fields that the body must have
	traits

	serve func(ctx context.Context, b Backend, request any, progress func(memory.Progress)) (any, error)
}

// traits are properties that only some routes have.
type traits struct {
	reads   bool                                                  // changes nothing, although its method is POST
	always  bool                                                  // answers even when the server is full, because it reports how the server is
	owner   bool                                                  // a caller with limits does not reach it, although it has a sender
	long    bool                                                  // may take as long as an index run
	events  bool                                                  // sends its progress to clients that ask for events
	receipt func(request, answer any) (workspace, receipt string) // names the receipt whose delivery counts as use
	write   func(*server, *response) error                        // writes the whole answer itself, in a format other than JSON
	lines   func(request any, out io.Writer)                      // the answer is lines of JSON, which the use case writes to out
	upload  func(request any, in io.Reader)                       // the body is lines of JSON of any length, which the use case reads from in; the request is in the query
}

// row is a route with its types, which the server and the client share.
type row[R, A any] struct{ *route }

// answers adds the route of a use case to the table. The fields of R with a json name come
// from the body or the query, the fields with a path name from the path.
func answers[R, A any](method, path string, use func(Backend, context.Context, R) (A, error), required ...string) row[R, A] {
	return reports(method, path, func(b Backend, ctx context.Context, request R, _ func(memory.Progress)) (A, error) {
		return use(b, ctx, request)
	}, required...).with(traits{})
}

// reports is answers for a use case that takes long and reports its progress.
func reports[R, A any](method, path string, use func(Backend, context.Context, R, func(memory.Progress)) (A, error), required ...string) row[R, A] {
	added := &route{method: method, path: path, required: required,
		request: reflect.TypeFor[R](), answer: reflect.TypeFor[A](), traits: traits{long: true, events: true},
		serve: func(ctx context.Context, b Backend, request any, progress func(memory.Progress)) (any, error) {
			return use(b, ctx, *request.(*R), progress)
		}}
	routes = append(routes, added)
	return row[R, A]{added}
}

// writes adds a route that writes its answer itself, in a format other than JSON.
func writes(method, path string, write func(*server, *response) error) row[emptyRequest, emptyRequest] {
	return answers[emptyRequest, emptyRequest](method, path, nil).with(traits{always: true, write: write})
}

func (r row[R, A]) with(t traits) row[R, A] {
	r.traits = t
	return r
}

// pathOf returns the path of a request, with the values of its variables.
func (r *route) pathOf(request any) string {
	path, v := r.path, reflect.ValueOf(request)
	for i := range v.NumField() {
		if name, ok := v.Type().Field(i).Tag.Lookup("path"); ok {
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(v.Field(i).String()), 1)
		}
	}
	return path
}

// takesBody reports whether the request is in the body rather than the query.
func (r *route) takesBody() bool {
	return r.upload == nil && r.method != http.MethodGet && r.method != http.MethodDelete
}

// receiptOf returns the receipt of an answer whose delivery counts as use, or
// an empty one.
func (r *route) receiptOf(request, answer any) (workspace, receipt string) {
	if r.receipt == nil {
		return "", ""
	}
	return r.receipt(request, answer)
}

// decode reads a request for the route. It returns a pointer to a value of the
// route's request type.
func (r *route) decode(body []byte, rawQuery string, pathValues map[string]string) (any, error) {
	request := reflect.New(r.request).Interface()
	switch {
	case r.takesBody() && rawQuery != "":
		return nil, memory.Invalid("", "%s %s takes no query", r.method, r.path).
			WithHint("put the fields into the body, as JSON")
	case r.takesBody():
		if err := decodeBody(body, request, r.required); err != nil {
			return nil, err
		}
	case len(body) > 0:
		return nil, memory.Invalid("", "%s %s takes no body", r.method, r.path).
			WithHint("put the fields into the query, as in ?workspace=main")
	default:
		if err := decodeQuery(rawQuery, request); err != nil {
			return nil, err
		}
	}
	return request, decodePath(pathValues, request)
}

// find returns the route of a request and the values of the variables in its
// path. The error tells an unknown path from an unknown method.
func find(method, escapedPath string) (*route, map[string]string, error) {
	var allowed []string
	for _, r := range routes {
		values, ok := match(r.path, escapedPath)
		if ok && r.method == method {
			return r, values, nil
		}
		if ok {
			allowed = append(allowed, r.method)
		}
	}
	if len(allowed) > 0 {
		return nil, nil, &wrongMethod{allow: strings.Join(allowed, ", "), error: &httpError{
			memory.Invalid("", "this path does not take %s", method).WithHint("it takes: %s", strings.Join(allowed, ", ")),
			http.StatusMethodNotAllowed}}
	}
	return nil, nil, &memory.Error{Kind: memory.ErrNotFound, Message: "there is no route " + escapedPath,
		Hint: "if a memory command asked for it, the running service has another version: restart it; docs/protocol.md lists the routes"}
}

// wrongMethod is the error of a known path and a method that it does not take.
type wrongMethod struct {
	error
	allow string
}

func (e *wrongMethod) Unwrap() error { return e.error }

// match compares an escaped path with the path of a route, segment by segment,
// and returns the values of the route's variables.
func match(pattern, escapedPath string) (map[string]string, bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(escapedPath, "/")
	if len(want) != len(got) {
		return nil, false
	}
	values := map[string]string{}
	for i, segment := range want {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			value, err := url.PathUnescape(got[i])
			if err != nil {
				return nil, false
			}
			values[strings.TrimSuffix(name, "}")] = value
		} else if segment != got[i] {
			return nil, false
		}
	}
	return values, true
}
