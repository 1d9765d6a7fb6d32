package inspector

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// request is one page being made.
type request struct {
	*Inspector
	*http.Request
	backend Backend
	page    *page
}

// page is what every template gets.
type page struct {
	Name       string // of the menu's entry
	Title      string
	Workspace  string
	Workspaces []string // to choose from; one or none: no choice
	Token      string   // that a form sends back
	Back       string   // the address of the page, to which a form returns
	Flash      *flash
	Search     string // what the field for searches has
	Data       any

	now  time.Time
	zone *time.Location
}

// flash tells what the last form did.
type flash struct {
	Text, Hint string
	IsError    bool
	Batch      string // of the command that undo reverses; empty: none

	id, draft string // a text that could not be written, of this memory
}

func (s *session) setFlash(f *flash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flash = f
}

func (s *session) takeFlash() *flash {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.flash
	s.flash = nil
	return f
}

// show answers with a page. A request of htmx for a part gets only the part.
func (i *Inspector) show(kind pageKind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s := r.Context().Value(sessionKey{}).(*session)
		p := &page{Name: kind.menu, Title: kind.title, Token: s.csrf, Back: r.URL.RequestURI(), Search: r.URL.Query().Get("q"), now: i.Now(), zone: i.Zone}
		isPart := r.Header.Get("HX-Request") == "true" && r.Header.Get("HX-Boosted") != "true"
		if !isPart {
			p.Flash = s.takeFlash()
		}
		err := i.Connect(r.Context(), r.URL.Query().Get("w"), false, func(b Backend, workspace string) (err error) {
			q := &request{Inspector: i, Request: r, backend: b, page: p}
			p.Workspace = workspace
			if all, err := b.Workspaces(q.Context()); err == nil && len(all.Workspaces) > 1 {
				for _, one := range all.Workspaces {
					p.Workspaces = append(p.Workspaces, one.Name)
				}
			}
			p.Data, err = kind.build(q)
			return err
		})
		if err != nil {
			status, message, hint := i.Describe(err)
			fail(w, status, message, hint)
			return
		}
		name := kind.template
		if isPart {
			name = cmp.Or(kind.part, name)
		}
		i.write(w, name, p)
	}
}

// write sends a template. It is made as a whole first, so that no half page is sent.
func (i *Inspector) write(w http.ResponseWriter, name string, p *page) {
	var body bytes.Buffer
	if err := templates().ExecuteTemplate(&body, name, p); err != nil {
		fail(w, http.StatusInternalServerError, "This page cannot be shown", err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(body.Bytes())
}

// failure is a page that only says what is wrong.
type failure struct{ Text, Hint string }

func fail(w http.ResponseWriter, status int, text, hint string) {
	var body bytes.Buffer
	if err := templates().ExecuteTemplate(&body, "failure", failure{text, hint}); err != nil {
		http.Error(w, text, status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// param returns a parameter of the address.
func (q *request) param(name string) string { return strings.TrimSpace(q.URL.Query().Get(name)) }

// URL returns an address of the inspector that stays in the workspace.
func (p *page) URL(path string, pairs ...string) string {
	values := url.Values{}
	if len(p.Workspaces) > 1 {
		values.Set("w", p.Workspace)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// Clock returns the time of day, and Day the day, of a time.
func (p *page) Clock(t time.Time) string { return t.In(p.zone).Format("15:04") }

func (p *page) Day(t time.Time) string {
	day, today := t.In(p.zone), p.now.In(p.zone)
	switch day.Format(time.DateOnly) {
	case today.Format(time.DateOnly):
		return "Today"
	case today.AddDate(0, 0, -1).Format(time.DateOnly):
		return "Yesterday"
	}
	if day.Year() == today.Year() {
		return day.Format("Monday, 2 January")
	}
	return day.Format("2 January 2006")
}

// Ago returns how long ago a time was, in one unit.
func (p *page) Ago(t time.Time) string {
	d := p.now.Sub(t)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	case d < 60*24*time.Hour:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	}
	return t.In(p.zone).Format("January 2006")
}

// Date returns a time with its day.
func (p *page) Date(t time.Time) string { return t.In(p.zone).Format("2006-01-02 15:04") }

// line is one memory of a page, with what can be done about it.
type line struct {
	*page
	Memory  memory.Memory
	Gone    string // why there is no memory; empty: there is one
	ID      memory.ID
	Score   float64
	Percent int // similarity to the question, -1: there is no question
	Query   string
	Receipt string // of the recall that gave it
	Reason  string // why it was left out
	Ranking memory.List[memory.Factor]
	InBlock bool // of a search: an agent would get it
}

// newLine returns the line of a memory outside of a question.
func (q *request) newLine(m memory.Memory) line {
	return line{page: q.page, Memory: m, ID: m.ID, Percent: -1}
}

// percentOf returns a share of 1 as a number of percent.
func percentOf(share float64) int { return int(share*100 + 0.5) }
