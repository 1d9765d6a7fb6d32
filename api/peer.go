package api

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/memory-tiered/memory"
)

type peerKey struct{}

// identify finds out once a connection who is on its other side.
func identify(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, trusted(c))
}

// trusted says why the other side of a connection is not served: only the user
// who runs the daemon is, and root, who can read everything anyway.
func trusted(c net.Conn) error {
	conn, ok := c.(*net.UnixConn)
	if !ok {
		return refusal("only a unix socket is served")
	}
	uid, known, err := peerUID(conn)
	if err != nil {
		return refusal("the system does not say who asks: " + err.Error())
	}
	if known && uid != 0 && uid != os.Getuid() {
		return refusal("this daemon belongs to another user")
	}
	return nil
}

// refuse says why a request is not served, whatever it asks for: it comes from
// another user, or through a browser, which always names an origin, a referring
// page, or the host that it believes to speak to.
func refuse(r *http.Request) error {
	if err, _ := r.Context().Value(peerKey{}).(error); err != nil {
		return err
	}
	for _, name := range []string{"Origin", "Referer"} {
		if _, named := r.Header[name]; named {
			return refusal("a request with the header " + name + " is refused: it comes from a browser")
		}
	}
	if !isLocalhost(r.Host) {
		return &memory.Error{Kind: memory.ErrForbidden, Message: "the host must be localhost",
			Hint: "curl --unix-socket SOCKET http://localhost/v1/health"}
	}
	return nil
}

// isLocalhost admits no port: nobody who means this socket names one.
func isLocalhost(host string) bool { return strings.EqualFold(host, "localhost") }

func refusal(message string) error {
	return &memory.Error{Kind: memory.ErrForbidden, Message: message}
}
