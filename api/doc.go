// Package api is the socket protocol. [Backend] lists the use cases, [Listen]
// and [Serve] offer a backend over a unix socket. [Client] is a backend that
// asks such a socket. Package api alone knows HTTP, how errors cross the socket,
// and who may use the service.
package api
