package api

import "reflect"

// Route is a route as the tests of the OpenAPI document see it.
type Route struct {
	Method, Path    string
	Request, Answer reflect.Type
	Required        []string
	InBody, Events  bool
	Written         bool // answers with something other than JSON
}

// Routes lists all that is served.
func Routes() []Route {
	var all []Route
	for _, r := range routes() {
		all = append(all, Route{r.method, r.path, r.request, r.answer, r.required, r.takesBody(), r.events, r.write != nil})
	}
	return all
}

// OpenAPI is the document that is served.
func OpenAPI() []byte { return openAPI }

// Failed is the body of an answer that is not a success.
var Failed = reflect.TypeFor[failed]()

// DecodeBody and DecodeQuery read a request, for fuzzing.
var (
	DecodeBody  = decodeBody
	DecodeQuery = decodeQuery
	EncodeQuery = encodeQuery
)
