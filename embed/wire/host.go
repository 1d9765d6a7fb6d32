package wire

import (
	"net"
	"net/url"
	"strings"

	"github.com/memory-tiered/memory"
)

// Base reads a server's address. remote says that it is on another machine: a
// loopback address is this one, whatever listens there.
func Base(text string) (u *url.URL, remote bool, err error) {
	u, err = url.Parse(strings.TrimRight(text, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, false, memory.Invalid("embedding.baseUrl", "%q is not the address of a server", text).
			WithHint("as http://localhost:11434/v1")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, false, memory.Invalid("embedding.baseUrl", "embedding.baseUrl holds more than an address").
			WithHint("a key belongs into embedding.apiKey")
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return u, !local, nil
}
