package api

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api/caller"
)

// ListenNetwork opens a port for other machines. It speaks TLS. Only a port of this machine alone
// needs no certificate. The certificate is read for each connection, so a new one needs no restart.
func ListenNetwork(ctx context.Context, address, certificate, key string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, memory.Invalid("server.listen", "%q is not an address with a port", address).WithHint("such as 0.0.0.0:7443")
	}
	isPlain := certificate == "" && key == ""
	if isPlain && !caller.IsLocal(host) {
		return nil, memory.Invalid("server.certificate", "there is no certificate for %s", address).
			WithHint("set server.certificate and server.key, or listen on 127.0.0.1 behind a proxy that speaks TLS")
	}
	load := func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		return &pair, err
	}
	if _, err := load(nil); err != nil && !isPlain {
		return nil, memory.Invalid("server.certificate", "the certificate cannot be used: %v", err).
			WithHint("server.certificate and server.key name two files in PEM")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, memory.Unavailable(err, "listen on %s", address).WithHint("choose another address: server.listen")
	}
	if isPlain {
		return listener, nil
	}
	return tls.NewListener(listener, &tls.Config{GetCertificate: load, MinVersion: tls.VersionTLS12}), nil
}
