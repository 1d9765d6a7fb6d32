package caller

import (
	"net/http"
	"strings"
	"sync"

	"golang.org/x/time/rate"

	"github.com/memory-tiered/memory"
)

// Authenticator finds out who sent a request.
type Authenticator struct {
	Tokens    Tokens
	Provider  *Provider // nil: none
	PerMinute int       // how many requests a caller may send

	mu     sync.Mutex
	limits map[string]*rate.Limiter // by the caller's name
}

// Errors of a request whose caller may not ask.
var (
	ErrUnknown = &memory.Error{Kind: memory.ErrForbidden, Message: "the token is missing, wrong or too old", Hint: "memory token create makes one on the server"}
	ErrTooMany = &memory.Error{Kind: memory.ErrUnavailable, Message: "this token has sent too many requests in a minute", Hint: "wait some seconds; server.requestsPerMinute is the limit"}
)

// Authenticate returns the caller of a request.
func (a *Authenticator) Authenticate(r *http.Request) (Caller, error) {
	token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !isBearer || token == "" {
		return Caller{}, ErrUnknown
	}
	c, found, err := a.Tokens.find(token)
	if !found && err == nil && a.Provider != nil {
		c, found, err = a.Provider.find(r.Context(), token)
	}
	switch {
	case err != nil:
		return c, err
	case !found:
		return c, ErrUnknown
	case !a.limitOf(c.Name).Allow():
		return c, ErrTooMany
	}
	return c, nil
}

func (a *Authenticator) limitOf(name string) *rate.Limiter {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.limits[name]
	if l == nil {
		if a.limits == nil {
			a.limits = map[string]*rate.Limiter{}
		}
		const seconds = 60
		l = rate.NewLimiter(rate.Limit(float64(a.PerMinute)/seconds), max(1, a.PerMinute))
		a.limits[name] = l
	}
	return l
}
