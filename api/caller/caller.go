// Package caller knows who asks over the network. A token of this program, or an identity token
// of an OpenID provider, names the caller. The unix socket needs neither: only its owner reaches it.
package caller

import (
	"net"
	"slices"

	"github.com/memory-tiered/memory"
)

// Caller is who asks, and what is in reach. One without limits reaches all that the socket does.
type Caller struct {
	Name       string   `json:"name"`
	User       string   `json:"user,omitempty"`       // the identity whose requests these are; empty: nobody in particular
	Workspaces []string `json:"workspaces,omitempty"` // empty: all
	Model      bool     `json:"model,omitempty"`      // a model reads the answers
}

// IsLimited reports whether something is out of reach.
func (c Caller) IsLimited() bool { return c.User != "" || len(c.Workspaces) > 0 || c.Model }

// Workspace returns the workspace of a request that names one, or none. One out of reach does
// not exist.
func (c Caller) Workspace(name string) (string, error) {
	switch {
	case len(c.Workspaces) == 0 || slices.Contains(c.Workspaces, name):
		return name, nil
	case name == "":
		return c.Workspaces[0], nil
	}
	return "", &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: "there is no workspace " + name}
}

// IsLocal reports whether a host is this machine alone.
func IsLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
