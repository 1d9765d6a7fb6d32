package api

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/memory-tiered/memory"
)

// route is one method on one path: what it takes, what it gives, and the use
// case in between.
type route struct {
	method, path string
	request      reflect.Type // its fields are the body's; on GET and DELETE, the query's
	answer       reflect.Type
	required     []string // fields of the body that must be there
	traits

	serve func(context.Context, Backend, any, func(memory.Progress)) (any, error)
}

// traits are what a few routes need and most do not.
type traits struct {
	always  bool                                                  // answered even when the server is full: it says how the server is
	long    bool                                                  // may take as long as an index does
	events  bool                                                  // tells its progress to who asks for events
	receipt func(request, answer any) (workspace, receipt string) // what counts gives
	write   func(*server, *response) error                        // answers by itself, with something other than JSON
}

// answers makes a route of a use case. R's fields with a json name are read
// from the body or the query, those with a path name from the path.
func answers[R, A any](method, path string, use func(Backend, context.Context, R) (A, error), required ...string) route {
	return route{method: method, path: path, required: required,
		request: reflect.TypeFor[R](), answer: reflect.TypeFor[A](),
		serve: func(ctx context.Context, b Backend, request any, _ func(memory.Progress)) (any, error) {
			return use(b, ctx, *request.(*R))
		}}
}

func (r route) with(t traits) route {
	r.traits = t
	return r
}

// takesBody says whether what is asked stands in the body.
func (r route) takesBody() bool { return r.method != http.MethodGet && r.method != http.MethodDelete }

// counts gives the receipt of an answer whose delivery is a use; empty where it
// is none.
func (r route) counts(request, answer any) (workspace, receipt string) {
	if r.receipt == nil {
		return "", ""
	}
	return r.receipt(request, answer)
}

// decode reads a request for the route: a pointer to its request type.
func (r route) decode(body []byte, rawQuery string, parts map[string]string) (any, error) {
	request := reflect.New(r.request).Interface()
	switch {
	case r.takesBody() && rawQuery != "":
		return nil, memory.Invalid("", "%s %s takes no query", r.method, r.path).
			WithHint("what is asked stands in the body, as JSON")
	case r.takesBody():
		if err := decodeBody(body, request, r.required); err != nil {
			return nil, err
		}
	case len(body) > 0:
		return nil, memory.Invalid("", "%s %s takes no body", r.method, r.path).
			WithHint("what is asked stands in the query, as in ?workspace=main")
	default:
		if err := decodeQuery(rawQuery, request); err != nil {
			return nil, err
		}
	}
	return request, decodePath(parts, request)
}

// find gives the route of a request and the parts of its path that stand for
// something, or the failure that there is no such route or method.
func find(routes []route, method, escapedPath string) (route, map[string]string, error) {
	var allowed []string
	for _, r := range routes {
		parts, ok := match(r.path, escapedPath)
		if ok && r.method == method {
			return r, parts, nil
		}
		if ok {
			allowed = append(allowed, r.method)
		}
	}
	if len(allowed) > 0 {
		return route{}, nil, &wrongMethod{allow: strings.Join(allowed, ", "), error: &httpError{
			memory.Invalid("", "%s is not possible here", method).WithHint("possible: %s", strings.Join(allowed, ", ")),
			http.StatusMethodNotAllowed}}
	}
	return route{}, nil, &memory.Error{Kind: memory.ErrNotFound, Message: "there is no route " + escapedPath,
		Hint: "GET /v1/openapi.yaml lists them all"}
}

// wrongMethod is a known path with a method that it does not have.
type wrongMethod struct {
	error
	allow string
}

func (e *wrongMethod) Unwrap() error { return e.error }

// match compares a path, still escaped, with a route's, part by part.
func match(pattern, escapedPath string) (map[string]string, bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(escapedPath, "/")
	if len(want) != len(got) {
		return nil, false
	}
	parts := map[string]string{}
	for i, part := range want {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			value, err := url.PathUnescape(got[i])
			if err != nil {
				return nil, false
			}
			parts[strings.TrimSuffix(name, "}")] = value
		} else if part != got[i] {
			return nil, false
		}
	}
	return parts, true
}
