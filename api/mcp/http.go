package mcp

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memory-tiered/memory"
)

const (
	headerTimeout = 10 * time.Second       // a client on the same machine sends its headers at once
	sessionLimit  = 24 * time.Hour         // an idle session of a day is over
	stopTimeout   = 500 * time.Millisecond // streams stay open by design, so an end does not wait for them
)

// NewToken returns a random token for clients of ServeHTTP.
func NewToken() string { return rand.Text() }

// Listen opens a port for ServeHTTP. It refuses an address that other machines reach.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, memory.Invalid("http", "%q is not an address of this machine alone", address).WithHint("for example 127.0.0.1:7431; port 0 takes a free one")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, memory.Unavailable(err, "listen on %s", address).WithHint("choose another port")
	}
	return listener, nil
}

// ServeHTTP serves the protocol over streamable HTTP until ctx ends. A request needs the
// token. Pages of a browser are refused.
func ServeHTTP(ctx context.Context, listener net.Listener, token string, s *sdk.Server) error {
	web := &http.Server{Handler: requireToken(token, bothProtocols(s)), ReadHeaderTimeout: headerTimeout}
	stop := context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		if web.Shutdown(end) != nil {
			_ = web.Close() // streams that clients keep open
		}
	})
	defer stop()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return memory.Unavailable(err, "serve HTTP")
	}
	return nil
}

// firstStateless is the first version of the protocol that has no sessions over HTTP.
const firstStateless = "2026-07-28"

// bothProtocols serves the versions with sessions and those without. The library has a handler
// for either.
func bothProtocols(s *sdk.Server) http.Handler {
	handler := func(o sdk.StreamableHTTPOptions) http.Handler {
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &o)
	}
	stateful, stateless := handler(sdk.StreamableHTTPOptions{SessionTimeout: sessionLimit}), handler(sdk.StreamableHTTPOptions{Stateless: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= firstStateless {
			stateless.ServeHTTP(w, r)
		} else {
			stateful.ServeHTTP(w, r)
		}
	})
}

// requireToken refuses requests without "Authorization: Bearer TOKEN", and those whose
// origin is a page.
func requireToken(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case r.Header.Get("Origin") != "":
			http.Error(w, "pages of a browser may not ask", http.StatusForbidden)
		case subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
