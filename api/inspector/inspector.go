// Package inspector shows the memories to their owner in a browser. The pages show what
// agents were given and why, and what was kept of conversations. The package decides what a
// page shows, which form does what, and who may see it.
//
// A page works without script: links and forms do everything. htmx and keys.js only make it
// smoother. A page is for a person, so it also shows forgotten and private memories, and
// marks them. Every change is a POST of a form, with the token of its session.
package inspector

import (
	"context"
	"embed"
	"html/template"
	"net/http"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// Backend has the use cases that the pages need.
type Backend interface {
	Recall(context.Context, memory.RecallRequest) (memory.RecallAnswer, error)
	Search(context.Context, memory.SearchRequest) (memory.SearchAnswer, error)
	List(context.Context, memory.ListRequest) (memory.ListAnswer, error)
	Entities(context.Context, memory.ListRequest) (knowledge.EntitiesAnswer, error)
	Graph(context.Context, memory.ListRequest) (knowledge.Graph, error)
	Scenes(context.Context, memory.ListRequest) (knowledge.ScenesAnswer, error)
	Show(context.Context, memory.ShowRequest) (memory.ShowAnswer, error)
	Decide(context.Context, memory.DecideRequest) (memory.DecideAnswer, error)
	Feedback(context.Context, memory.FeedbackRequest) (memory.ChangeAnswer, error)
	Edit(context.Context, memory.EditRequest) (memory.ChangeAnswer, error)
	Audit(context.Context, memory.AuditRequest) (memory.AuditAnswer, error)
	Explain(context.Context, memory.ExplainRequest) (memory.ExplainAnswer, error)
	WhyNot(context.Context, memory.WhyNotRequest) (memory.WhyNotAnswer, error)
	Receipts(context.Context, memory.ReceiptsRequest) (memory.ReceiptsAnswer, error)
	Last(context.Context, memory.LastRequest) (memory.LastAnswer, error)
	Review(context.Context, memory.ReviewRequest) (memory.ReviewAnswer, error)
	ReviewStep(context.Context, memory.ReviewStepRequest) (memory.ReviewStepAnswer, error)
	Doctor(context.Context, memory.DoctorRequest, func(memory.Progress)) (memory.DoctorAnswer, error)
	Stats(context.Context, memory.StatsRequest) (memory.Stats, error)
	Status(context.Context) (memory.Status, error)
	Workspaces(context.Context) (memory.WorkspacesAnswer, error)
}

// Options configures the pages.
type Options struct {
	// Connect calls use with a backend and the name of a workspace: the named one, or the
	// default one for an empty name.
	Connect func(ctx context.Context, workspace string, writes bool, use func(Backend, string) error) error
	// Describe returns the HTTP status of an error, its message, and what the person can do.
	Describe func(error) (status int, message, hint string)
	Now      func() time.Time
	Zone     *time.Location // in which times are shown
}

// Inspector serves the pages.
type Inspector struct {
	Options
	access *access
	mux    *http.ServeMux
}

//go:embed templates static/style.css static/keys.js static/htmx.min.js static/icon.svg
var files embed.FS

// templates are parsed at the first page, because a hook starts the same program and has no time for it.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(functions()).ParseFS(files, "templates/*.html"))
})

// New returns the pages. They answer requests to one of these hosts only, each with its port.
func New(o Options, hosts ...string) *Inspector {
	i := &Inspector{Options: o, access: newAccess(o.Now, hosts), mux: http.NewServeMux()}
	for _, p := range pages {
		i.mux.HandleFunc(http.MethodGet+" "+p.path, i.show(p))
	}
	i.mux.HandleFunc(http.MethodPost+" /do", i.do)
	i.mux.Handle(http.MethodGet+" /static/", http.FileServerFS(files))
	return i
}

// pages lists the pages, each with its template and its entry of the menu.
var pages = []pageKind{
	{path: "/{$}", template: "given", menu: "given", title: "Given", build: (*request).given},
	{path: "/block/{id}", template: "block", menu: "given", title: "Block", build: (*request).block},
	{path: "/search", template: "search", menu: "search", title: "Search", build: (*request).search},
	{path: "/why", template: "whypage", part: "why", menu: "given", title: "Why", build: (*request).why},
	{path: "/timeline", template: "timeline", menu: "timeline", title: "Timeline", build: (*request).timeline},
	{path: "/review", template: "review", menu: "review", title: "Review", build: (*request).review},
	{path: "/memories", template: "memories", menu: "memories", title: "Memories", build: (*request).memories},
	{path: "/names", template: "names", menu: "memories", title: "People and things", build: (*request).names},
	{path: "/scenes", template: "scenes", menu: "memories", title: "Scenes", build: (*request).scenes},
	{path: "/m/{id}", template: "memory", menu: "memories", title: "Memory", build: (*request).memory},
	{path: "/health", template: "health", menu: "health", title: "Health", build: (*request).health},
}

// pageKind is one kind of page.
type pageKind struct {
	path, template string
	part           string // the template for a request of htmx for a part; empty: the same
	menu, title    string
	build          func(*request) (data any, err error)
}

// Token returns a token that opens a session once, within a few minutes.
func (i *Inspector) Token() string { return i.access.newToken() }

// ServeHTTP answers a request of a browser that has a session, or a token for one.
func (i *Inspector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w)
	if refused := i.access.check(r); refused != "" {
		http.Error(w, refused, http.StatusForbidden)
		return
	}
	if r.URL.Path == openPath {
		i.access.open(w, r)
		return
	}
	s, known := i.access.sessionOf(r)
	if !known {
		fail(w, http.StatusUnauthorized, "This page needs a new address", "Run memory ui again: an address works once, and a session ends after a day.")
		return
	}
	i.mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), sessionKey{}, s)))
}
