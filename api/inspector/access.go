package inspector

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	openPath     = "/open"         // takes a token
	cookieName   = "memory_ui"     // of a session
	tokenLife    = 5 * time.Minute // from the command to the click
	sessionLife  = 24 * time.Hour  // a day of work
	maxSessions  = 20              // of one person's browsers; the oldest ends
	maxFormBytes = 64 << 10        // a memory has at most 10,000 characters
	policy       = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

// session is one browser that opened the pages with a token.
type session struct {
	id, csrf string
	ends     time.Time

	mu    sync.Mutex
	flash *flash // for the next page; nil: none
}

type sessionKey struct{}

// access decides who may see the pages.
type access struct {
	now   func() time.Time
	hosts []string

	mu       sync.Mutex
	tokens   map[string]time.Time // when they expire
	sessions []*session           // oldest first
}

func newAccess(now func() time.Time, hosts []string) *access {
	return &access{now: now, hosts: hosts, tokens: map[string]time.Time{}}
}

func (a *access) newToken() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	token := rand.Text()
	a.tokens[token] = a.now().Add(tokenLife)
	return token
}

// check returns why a request is refused: another host, as after a change of its name's
// address, or a page of another origin.
func (a *access) check(r *http.Request) string {
	switch {
	case !slices.Contains(a.hosts, r.Host):
		return "another host was asked for"
	case r.Header.Get("Origin") != "" && r.Header.Get("Origin") != "http://"+r.Host:
		return "a page of another origin asked"
	case r.Method == http.MethodPost && r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") != "same-origin":
		return "a form needs its origin"
	case r.Method == http.MethodPost && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded"):
		return "only forms may change anything"
	}
	return ""
}

// open makes a session of a token, which is used up.
func (a *access) open(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	a.mu.Lock()
	defer a.mu.Unlock()
	expires, known := a.tokens[token]
	delete(a.tokens, token)
	if !known || r.Method != http.MethodGet || a.now().After(expires) {
		fail(w, http.StatusUnauthorized, "This address was used, or is too old", "Run memory ui again for a new one.")
		return
	}
	s := &session{id: rand.Text(), csrf: rand.Text(), ends: a.now().Add(sessionLife)}
	a.sessions = append(a.sessions, s)
	a.sessions = a.sessions[max(0, len(a.sessions)-maxSessions):]
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: s.id, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: int(sessionLife.Seconds())})
	start := "/"
	if workspace := r.URL.Query().Get("w"); workspace != "" {
		start += "?w=" + url.QueryEscape(workspace)
	}
	http.Redirect(w, r, start, http.StatusSeeOther)
}

// sessionOf returns the session of a request.
func (a *access) sessionOf(r *http.Request) (*session, bool) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return nil, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.sessions {
		if subtle.ConstantTimeCompare([]byte(s.id), []byte(cookie.Value)) == 1 && a.now().Before(s.ends) {
			return s, true
		}
	}
	return nil, false
}

// setHeaders sets the headers of every answer: nothing is kept, and nothing but the files of
// this package runs.
func setHeaders(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}
