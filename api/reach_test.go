package api_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/api/caller"
	"github.com/memory-tiered/memory/internal/must"
)

// serveNetwork starts a server on a port of this machine, and returns its address.
func serveNetwork(t *testing.T, b api.Backend, who func(*http.Request) (caller.Caller, error)) (address string, log *lockedBuffer) {
	t.Helper()
	l := must.Get(api.ListenNetwork(t.Context(), "127.0.0.1:0", "", ""))(t)
	log = &lockedBuffer{}
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() {
		stopped <- api.Serve(ctx, l, b, api.Options{Log: slog.New(slog.NewTextHandler(log, nil)), Authenticate: who})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-stopped; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return "http://" + l.Addr().String(), log
}

// as returns a client whose requests are those of a caller.
func as(t *testing.T, f *fakeBackend, c caller.Caller) *api.Client {
	t.Helper()
	address, _ := serveNetwork(t, f, func(*http.Request) (caller.Caller, error) { return c, nil })
	client := must.Get(api.DialURL(address, "t"))(t)
	client.SetTimeouts(waitLimit, waitLimit, waitLimit)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestACallerWithLimitsReachesOnlyRequestsWithASender(t *testing.T) {
	limited := []caller.Caller{{User: "lena"}, {Workspaces: []string{"home"}}, {Model: true}}
	for _, who := range limited {
		f := &fakeBackend{hook: func(context.Context, string, any) error { return memory.Conflict("the backend was asked") }}
		address, _ := serveNetwork(t, f, func(*http.Request) (caller.Caller, error) { return who, nil })
		for _, r := range api.Routes() {
			_, hasSender := r.Request.FieldByName("Sender")
			if isOwners := r.Path == "/v1/export" || r.Path == "/v1/import" || r.Path == "/v1/verify"; isOwners {
				hasSender = false
			}
			open := r.Path == "/v1/health" || r.Path == "/v1/workspaces" && r.Method == http.MethodGet
			body := "{}"
			if r.Method == http.MethodGet || r.Method == http.MethodDelete || r.Upload {
				body = ""
			}
			request := must.Get(http.NewRequestWithContext(t.Context(), r.Method, address+strings.NewReplacer("{id}", "abcd", "{action}", "pin", "{name}", "x").Replace(r.Path), strings.NewReader(requiredOf(r, body))))(t)
			answer := must.Get(http.DefaultClient.Do(request))(t)
			_ = answer.Body.Close()
			isInvalid := answer.StatusCode == http.StatusBadRequest // before the backend is asked
			if refused := answer.StatusCode == http.StatusForbidden; refused == (hasSender || open) && !isInvalid {
				t.Errorf("%+v: %s %s: %d", who, r.Method, r.Path, answer.StatusCode)
			}
		}
		http.DefaultClient.CloseIdleConnections()
	}
}

// requiredOf returns a body with every field that a route requires.
func requiredOf(r api.Route, body string) string {
	if body == "" || !r.InBody {
		return ""
	}
	var fields []string
	for _, name := range r.Required {
		value := `"x"`
		for i := range r.Request.NumField() {
			if f := r.Request.Field(i); strings.HasPrefix(f.Tag.Get("json"), name) && f.Type.Kind() == reflect.Slice {
				value = "[]"
			}
		}
		fields = append(fields, `"`+name+`": `+value)
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func TestRequestsOfACallerAreMadeItsOwn(t *testing.T) {
	f := &fakeBackend{}
	lena := as(t, f, caller.Caller{User: "lena", Workspaces: []string{"home", "work"}, Model: true})
	_, err := lena.Search(t.Context(), memory.SearchRequest{Query: "x", Sender: memory.Sender{User: "owner", Channel: "telegram"}})
	want := memory.SearchRequest{Query: "x", Workspace: "home", Sender: memory.Sender{User: "lena"}, For: memory.AudienceModel}
	if got := f.lastCall()[0]; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the backend got %+v, %v; want %+v", got, err, want)
	}
	if _, err := lena.Search(t.Context(), memory.SearchRequest{Query: "x", Workspace: "diary"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("another workspace: %v", err)
	}
	if _, err := lena.Search(t.Context(), memory.SearchRequest{Query: "x", Folder: "/home/owner"}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a folder: %v", err)
	}
	must.Get(lena.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{"abcd"}}))(t)
	if got := f.lastCall()[0].(memory.DecideRequest); got.User != "lena" || got.For != memory.AudienceModel || got.Workspace != "home" {
		t.Errorf("a decision: %+v", got)
	}
	if _, err := lena.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{"abcd"}, Confirm: true}); !errors.Is(err, memory.ErrForbidden) {
		t.Errorf("destroyed for a caller with limits: %v", err)
	}
	guest := as(t, f, caller.Caller{Workspaces: []string{"home"}})
	sender := memory.Sender{User: "telegram:4"}
	if _, err := guest.Recall(t.Context(), memory.RecallRequest{Prompt: "x", Sender: sender}); err != nil || f.lastCall()[0].(memory.RecallRequest).Sender != sender {
		t.Errorf("a host names its senders: %+v, %v", f.lastCall(), err)
	}
}

func TestACallerSeesOnlyTheNamesOfItsWorkspaces(t *testing.T) {
	f := &fakeBackend{answers: map[string]any{"Workspaces": memory.WorkspacesAnswer{Workspaces: []memory.WorkspaceInfo{
		{Name: "home", Path: "/home/owner/notes"}, {Name: "diary", Path: "/home/owner/diary"}}}}}
	got, err := as(t, f, caller.Caller{Workspaces: []string{"home"}}).Workspaces(t.Context())
	if err != nil || len(got.Workspaces) != 1 || got.Workspaces[0].Name != "home" || got.Workspaces[0].Path != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = as(t, f, caller.Caller{}).Workspaces(t.Context()); err != nil || len(got.Workspaces) != 2 || got.Workspaces[0].Path == "" {
		t.Errorf("without limits: %+v, %v", got, err)
	}
}

func TestTheNetworkNeedsACallerAndIsLogged(t *testing.T) {
	f := &fakeBackend{}
	address, log := serveNetwork(t, f, func(r *http.Request) (caller.Caller, error) {
		switch r.Header.Get("Authorization") {
		case "Bearer good":
			return caller.Caller{Name: "laptop"}, nil
		case "Bearer hasty":
			return caller.Caller{}, caller.ErrTooMany
		case "Bearer damaged":
			return caller.Caller{}, memory.Invalid("", "/home/owner/tokens.json cannot be read")
		}
		return caller.Caller{}, caller.ErrUnknown
	})
	ask := func(path, token, origin string) (int, string) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		answer := must.Get(http.DefaultClient.Do(r))(t)
		body, err := io.ReadAll(answer.Body)
		must.Do(t, errors.Join(err, answer.Body.Close()))
		http.DefaultClient.CloseIdleConnections()
		return answer.StatusCode, string(body)
	}
	for _, c := range []struct {
		path, token, origin string
		status              int
	}{
		{"/v1/memories", "good", "", http.StatusOK},
		{"/v1/memories", "bad", "", http.StatusUnauthorized},
		{"/v1/memories", "hasty", "", http.StatusTooManyRequests},
		{"/v1/memories", "damaged", "", http.StatusServiceUnavailable},
		{"/v1/memories", "good", "https://page.example", http.StatusForbidden},
		{"/v1/health", "", "", http.StatusOK}, // for what balances the load
		{"/metrics", "", "", http.StatusUnauthorized},
		{"/metrics", "good", "", http.StatusOK},
	} {
		if got, body := ask(c.path, c.token, c.origin); got != c.status || strings.Contains(body, "/home/owner") {
			t.Errorf("%s as %q from %q: %d, want %d: %s", c.path, c.token, c.origin, got, c.status, body)
		}
	}
	// A request is logged after its answer, which the client may read first.
	eventually(t, "the log says who asked for what, and why nobody could", func() bool {
		text := log.String()
		return strings.Contains(text, "caller=laptop method=GET route=/v1/memories status=200") && strings.Contains(text, "/home/owner/tokens.json cannot be read")
	})
}

func TestOtherMachinesNeedACertificate(t *testing.T) {
	if l, err := api.ListenNetwork(t.Context(), "0.0.0.0:0", "", ""); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("without a certificate: %v, %v", l, err)
	}
	dir := t.TempDir()
	certificate, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if _, err := api.ListenNetwork(t.Context(), "127.0.0.1:0", certificate, key); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("with files that do not exist: %v", err)
	}
	writeCertificate(t, certificate, key, 1)
	l := must.Get(api.ListenNetwork(t.Context(), "127.0.0.1:0", certificate, key))(t)
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.(*tls.Conn).Handshake() // the test looks at the other side
			_ = c.Close()
		}
	}()
	for serial := range int64(2) {
		writeCertificate(t, certificate, key, serial+1)
		c, err := tls.Dial("tcp", l.Addr().String(), &tls.Config{InsecureSkipVerify: true}) // the certificate itself is compared
		if err != nil {
			t.Fatal(err)
		}
		if got := c.ConnectionState().PeerCertificates[0].SerialNumber.Int64(); got != serial+1 {
			t.Errorf("the certificate in use has the number %d, the file %d", got, serial+1)
		}
		_ = c.Close()
	}
}

// writeCertificate writes a certificate of this machine with a serial number, and its key.
func writeCertificate(t *testing.T, certificate, key string, serial int64) {
	t.Helper()
	private := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), DNSNames: []string{"localhost"}, NotAfter: time.Now().Add(time.Hour)}
	public, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	encoded, keyErr := x509.MarshalPKCS8PrivateKey(private)
	must.Do(t, errors.Join(err, keyErr, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: public}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), 0o600)))
}

// A token never goes in plain text to another machine.
func TestAddressesOfServices(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://memory.example:7443": true, "https://memory.example/base/": true, "http://127.0.0.1:7443": true, "http://localhost:7443": true, "http://[::1]:7443": true,
		"http://memory.example:7443": false, "memory.example:7443": false, "": false, "ftp://memory.example": false,
	} {
		if _, err := api.DialURL(address, "t"); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := api.DialURL("https://memory.example", ""); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("without a token: %v", err)
	}
}

// TestWhatAnswersIsNoService asks a page that redirects, and a server that never answers: the
// cause is the address, no fault of this program.
func TestWhatAnswersIsNoService(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) },
		"page":     func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"no page":  http.NotFound,
		"silent":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		web := httptest.NewServer(answer)
		client, err := api.DialURL(web.URL, "t")
		if err != nil {
			t.Fatal(err)
		}
		client.SetTimeouts(time.Second/10, time.Second/10, time.Second/10)
		_, err = client.Workspaces(t.Context())
		if f := api.Describe(err); f.Code != "unavailable" || !strings.Contains(f.Message, web.URL) || !strings.Contains(f.Hint, "MEMORY_REMOTE_URL") {
			t.Errorf("%s: %+v", name, f)
		}
		_ = client.Close()
		web.Close()
	}
}

// TestTooManyRequestsSayWhenToTryAgain asks more often than a caller may.
func TestTooManyRequestsSayWhenToTryAgain(t *testing.T) {
	address, _ := serveNetwork(t, &fakeBackend{}, func(*http.Request) (caller.Caller, error) { return caller.Caller{}, caller.ErrTooMany })
	answer := must.Get(http.Get(address + "/v1/workspaces"))(t)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusTooManyRequests || answer.Header.Get("Retry-After") == "" {
		t.Errorf("%s, Retry-After %q", answer.Status, answer.Header.Get("Retry-After"))
	}
}
