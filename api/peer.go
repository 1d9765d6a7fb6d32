package api

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

type peerKey struct{}

// withPeer checks the other side of a new connection, once, and stores the
// result in its context.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, checkPeer(c))
}

// checkPeer returns an error unless the other side of a connection belongs to
// the user who runs the service or to root. Root can read everything anyway.
func checkPeer(c net.Conn) error {
	conn, ok := c.(*net.UnixConn)
	if !ok {
		return forbidden("only unix sockets are served")
	}
	uid, known, err := machine.PeerUID(conn)
	if err != nil {
		return forbidden("the system does not report which user asks: " + err.Error())
	}
	if known && uid != 0 && uid != os.Getuid() {
		return forbidden("this service belongs to another user")
	}
	return nil
}

// checkCaller returns an error for a request from another user or from a
// browser. A browser always sends an origin, a referring page, or the host that
// it believes to reach.
func checkCaller(r *http.Request) error {
	if err, _ := r.Context().Value(peerKey{}).(error); err != nil {
		return err
	}
	if err := refuseBrowser(r); err != nil {
		return err
	}
	if !isLocalhost(r.Host) {
		return &memory.Error{Kind: memory.ErrForbidden, Message: "the host must be localhost",
			Hint: "name localhost as the host, and the socket as curl --unix-socket does"}
	}
	return nil
}

// refuseBrowser returns an error for a request that a page sends.
func refuseBrowser(r *http.Request) error {
	for _, name := range []string{"Origin", "Referer"} {
		if _, sent := r.Header[name]; sent {
			return forbidden("a request with the header " + name + " is refused, because it comes from a browser")
		}
	}
	return nil
}

// isLocalhost accepts no port, because a socket has none.
func isLocalhost(host string) bool { return strings.EqualFold(host, "localhost") }

func forbidden(message string) error {
	return &memory.Error{Kind: memory.ErrForbidden, Message: message}
}
