package inspector_test

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/api/inspector"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// browser is a browser with the pages of a real engine on a copy of examples-workspace.
type browser struct {
	*engine.Engine
	t      *testing.T
	dir    string
	pages  *inspector.Inspector
	web    *httptest.Server
	client *http.Client
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	var err error
	embedder := static.New()
	b := &browser{t: t, dir: t.TempDir()}
	must.Do(t, os.CopyFS(b.dir, os.DirFS("../../examples-workspace")))
	b.Engine, err = engine.Open(t.Context(), onBackend(t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: b.dir, DBPath: filepath.Join(t.TempDir(), "tiered.db"), Zone: time.UTC}},
		Embedder:   embedder, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour, Retention: 90 * 24 * time.Hour,
		Now: func() time.Time { return now },
	}))
	if err != nil {
		t.Fatal(err)
	}
	b.index()
	connect := func(_ context.Context, _ string, _ bool, use func(inspector.Backend, string) error) error {
		return use(b.Engine, "main")
	}
	describe := func(err error) (int, string, string) {
		f := api.Describe(err)
		return api.Status(err), f.Message, f.Hint
	}
	b.web = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.pages.ServeHTTP(w, r) }))
	b.pages = inspector.New(inspector.Options{Connect: connect, Describe: describe, Now: func() time.Time { return now }, Zone: time.UTC}, b.web.Listener.Addr().String())
	b.web.Start()
	t.Cleanup(func() {
		b.web.Close()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	b.client = b.newClient()
	b.get("/open?token=" + b.pages.Token())
	return b
}

func (b *browser) newClient() *http.Client {
	jar := must.Get(cookiejar.New(nil))(b.t)
	return &http.Client{Jar: jar}
}

func (b *browser) index() {
	b.t.Helper()
	must.Get(b.Index(b.t.Context(), memory.IndexRequest{}, nil))(b.t)
}

// fetch returns the status and the body of an address.
func (b *browser) fetch(client *http.Client, path string, header http.Header) (*http.Response, string) {
	b.t.Helper()
	r := must.Get(http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.web.URL+path, nil))(b.t)
	for key := range header {
		r.Header.Set(key, header.Get(key))
	}
	return b.do(client, r)
}

func (b *browser) do(client *http.Client, r *http.Request) (*http.Response, string) {
	b.t.Helper()
	answer := must.Get(client.Do(r))(b.t)
	defer answer.Body.Close()
	body := must.Get(io.ReadAll(answer.Body))(b.t)
	return answer, string(body)
}

// get returns a page, which must be there.
func (b *browser) get(path string) string {
	b.t.Helper()
	answer, body := b.fetch(b.client, path, nil)
	if answer.StatusCode != http.StatusOK {
		b.t.Fatalf("GET %s: %s\n%s", path, answer.Status, body)
	}
	return body
}

var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

// post sends a form of a page, and returns the page that it leads to.
func (b *browser) post(values url.Values) string {
	b.t.Helper()
	values.Set("token", tokenField.FindStringSubmatch(b.get("/m/" + values.Get("page")))[1])
	answer, body := b.do(b.client, b.form(values))
	if answer.StatusCode != http.StatusOK {
		b.t.Fatalf("POST %v: %s\n%s", values, answer.Status, body)
	}
	return body
}

func (b *browser) form(values url.Values) *http.Request {
	r := must.Get(http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.web.URL+"/do", strings.NewReader(values.Encode())))(b.t)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", b.web.URL)
	return r
}

// act does something about a memory, on its page.
func (b *browser) act(id memory.ID, word string, more ...string) string {
	b.t.Helper()
	values := url.Values{"do": {word}, "id": {string(id)}, "page": {string(id)}, "back": {"/m/" + string(id)}}
	for i := 0; i < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return b.post(values)
}

func (b *browser) show(id memory.ID) memory.ShowAnswer {
	b.t.Helper()
	shown := must.Get(b.Show(b.t.Context(), memory.ShowRequest{ID: string(id)}))(b.t)
	return shown
}

// any returns a memory of a file that is one bullet in it.
func (b *browser) find(text string) memory.Memory {
	b.t.Helper()
	all := must.Get(b.List(b.t.Context(), memory.ListRequest{}))(b.t)
	for _, m := range all.Memories {
		if strings.Contains(m.Text, text) {
			return m
		}
	}
	b.t.Fatalf("no memory has %q", text)
	return memory.Memory{}
}

// recall is a recall of an agent whose answer arrives.
func (b *browser) recall(prompt string) memory.RecallAnswer {
	b.t.Helper()
	a, err := b.Recall(b.t.Context(), memory.RecallRequest{Prompt: prompt, Agent: "claude-code", Session: "s1"})
	if err == nil {
		err = b.Delivered(b.t.Context(), "", a.Receipt)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func has(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(page), text) {
			t.Errorf("the page lacks %q:\n%s", text, page)
		}
	}
}

// onBackend makes an engine use the backend of the tests.
func onBackend(t testing.TB, o engine.Options) engine.Options {
	var paths []string
	for _, w := range o.Workspaces {
		paths = append(paths, w.DBPath)
	}
	o.Server = indextest.OnServer(t, paths...)
	return o
}
