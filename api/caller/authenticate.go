package caller

import (
	"errors"
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
	ErrUnknown = &memory.Error{Kind: memory.ErrForbidden, Message: "the token is missing, wrong or too old", Hint: "on the server, memory token create makes one"}
	ErrTooMany = &memory.Error{Kind: memory.ErrUnavailable, Message: "too many requests with this token in the last minute (server.requestsPerMinute)", Hint: "wait some seconds"}
)

// Authenticate returns the caller of a request.
func (a *Authenticator) Authenticate(r *http.Request) (Caller, error) {
	token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !isBearer || token == "" {
		return Caller{}, ErrUnknown
	}
	c, err := a.Tokens.find(token)
	if errors.Is(err, ErrUnknown) && a.Provider != nil {
		c, err = a.Provider.find(r.Context(), token)
	}
	if err == nil && !a.limitOf(c.Name).Allow() {
		err = ErrTooMany
	}
	return c, err
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
