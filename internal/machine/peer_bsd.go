//go:build darwin || freebsd

package machine

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// solLocal is SOL_LOCAL, the option level of local sockets. Package unix does not
// define it on every BSD.
const solLocal = 0

// PeerUID asks the kernel which user's process connected.
func PeerUID(c *net.UnixConn) (uid int, known bool, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, false, err
	}
	var cred *unix.Xucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptXucred(int(fd), solLocal, unix.LOCAL_PEERCRED)
	})
	if err = errors.Join(err, credErr); err != nil {
		return 0, false, err
	}
	return int(cred.Uid), true, nil
}
