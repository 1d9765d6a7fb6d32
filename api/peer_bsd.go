//go:build darwin || freebsd

package api

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// solLocal is SOL_LOCAL, the level of options of local sockets; the package
// unix does not name it on every BSD.
const solLocal = 0

// peerUID asks the kernel whose process connected.
func peerUID(c *net.UnixConn) (uid int, known bool, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, false, err
	}
	var cred *unix.Xucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		cred, asked = unix.GetsockoptXucred(int(fd), solLocal, unix.LOCAL_PEERCRED)
	})
	if err = errors.Join(err, asked); err != nil {
		return 0, false, err
	}
	return int(cred.Uid), true, nil
}
