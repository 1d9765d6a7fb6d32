// Package api is the socket protocol: the use cases as [Backend], the server
// that offers a backend over a unix socket ([Listen], [Serve]), the [Client]
// that is a backend on the other side of it, and how errors cross. It alone
// knows HTTP, and who may speak to the daemon.
package api
