package inspector_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestTokenWorksOnce(t *testing.T) {
	b := newBrowser(t)
	token := b.pages.Token()
	first := b.newClient()
	first.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, _ := b.fetch(first, "/open?token="+token+"&w=a+b", nil)
	cookie := answer.Header.Get("Set-Cookie")
	if answer.StatusCode != http.StatusSeeOther || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		t.Errorf("%s, cookie %q", answer.Status, cookie)
	}
	if got := answer.Header.Get("Location"); got != "/?w=a+b" {
		t.Errorf("it opens %q", got)
	}
	for _, token := range []string{token, "", "guess"} {
		if answer, _ := b.fetch(b.newClient(), "/open?token="+token, nil); answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("token %q: %s", token, answer.Status)
		}
	}
	old := b.pages.Token()
	was := now
	now = now.Add(10 * 60e9)
	t.Cleanup(func() { now = was })
	if answer, _ := b.fetch(b.newClient(), "/open?token="+old, nil); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("an old token: %s", answer.Status)
	}
}

func TestNothingIsShownWithoutASession(t *testing.T) {
	b := newBrowser(t)
	for _, path := range []string{"/", "/search?q=tide", "/memories", "/timeline", "/review", "/health", "/static/style.css", "/m/1234", "/nothing"} {
		answer, body := b.fetch(b.newClient(), path, nil)
		if answer.StatusCode != http.StatusUnauthorized || strings.Contains(body, "MEMORY.md") {
			t.Errorf("%s: %s\n%s", path, answer.Status, body)
		}
	}
}

func TestEveryAnswerHasTheHeaders(t *testing.T) {
	b := newBrowser(t)
	for _, path := range []string{"/", "/search?q=tide", "/static/htmx.min.js", "/nothing", "/m/ffffffff"} {
		answer, body := b.fetch(b.client, path, nil)
		policy := answer.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || answer.Header.Get("Cache-Control") != "no-store" ||
			answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, answer.Header)
		}
		if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") && (strings.Contains(body, " style=") || strings.Contains(body, "<script>") || strings.Contains(body, " onclick")) {
			t.Errorf("%s has inline code", path)
		}
	}
}

func TestOtherOriginsAreRefused(t *testing.T) {
	b := newBrowser(t)
	id := b.find("Time stamps are UTC").ID
	token := tokenField.FindStringSubmatch(b.get("/m/" + string(id)))[1]
	values := url.Values{"do": {"forget"}, "id": {string(id)}, "token": {token}}
	for name, change := range map[string]func(*http.Request){
		"another origin":     func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"the null origin":    func(r *http.Request) { r.Header.Set("Origin", "null") },
		"no origin":          func(r *http.Request) { r.Header.Del("Origin") },
		"another host":       func(r *http.Request) { r.Host = "evil.example" },
		"another type":       func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
		"another token":      func(r *http.Request) { r.URL.RawQuery = "token=" + token },
		"the name localhost": func(r *http.Request) { r.Host = "localhost:1" },
	} {
		sent := url.Values{}
		for key := range values {
			sent.Set(key, values.Get(key))
		}
		if name == "another token" {
			sent.Set("token", "guess")
		}
		r := b.form(sent)
		change(r)
		if answer, _ := b.do(b.client, r); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", name, answer.Status)
		}
	}
	if answer, _ := b.fetch(b.client, "/do?do=forget&id="+string(id)+"&token="+token, nil); answer.StatusCode == http.StatusOK {
		t.Error("a GET changes something")
	}
	if b.show(id).Forgotten {
		t.Error("the memory is forgotten")
	}
}

func TestBackStaysInside(t *testing.T) {
	b := newBrowser(t)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	id := b.find("Time stamps are UTC").ID
	token := tokenField.FindStringSubmatch(b.get("/m/" + string(id)))[1]
	for _, back := range []string{"http://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""} {
		answer, _ := b.do(b.client, b.form(url.Values{"do": {"pin"}, "id": {string(id)}, "token": {token}, "back": {back}}))
		if answer.Header.Get("Location") != "/" {
			t.Errorf("%q leads to %q", back, answer.Header.Get("Location"))
		}
	}
}
