package engine_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// call is a system call that changes files.
type call struct{ name, path string }

func (c call) String() string { return c.name + " " + c.path }

// writeCalls are the system calls that change files, and whether their first
// argument is a file descriptor.
var writeCalls = map[uint64]struct {
	name   string
	byFile bool
}{
	syscall.SYS_WRITE: {"write", true}, syscall.SYS_PWRITE64: {"write", true}, syscall.SYS_WRITEV: {"write", true},
	syscall.SYS_FTRUNCATE: {"truncate", true}, syscall.SYS_FSYNC: {"sync", true}, syscall.SYS_FDATASYNC: {"sync", true},
	syscall.SYS_FCHMOD: {"chmod", true}, syscall.SYS_FCHOWN: {"chown", true}, syscall.SYS_FALLOCATE: {"allocate", true},
	syscall.SYS_RENAMEAT: {"rename", false}, sysRenameat2: {"rename", false}, syscall.SYS_UNLINKAT: {"unlink", false},
	syscall.SYS_LINKAT: {"link", false}, syscall.SYS_MKDIRAT: {"mkdir", false}, syscall.SYS_OPENAT: {"open", false},
}

// Constants that package syscall lacks.
const (
	ptraceGetSyscallInfo = 0x420e
	ptraceExitKill       = 0x100000 // the child dies with its tracer
	sysRenameat2         = 316
	syscallEntry         = 1
	openFlags            = 2 // the index of openat's flags argument
)

// syscallInfo is the kernel's description of a thread that stopped at a call.
type syscallInfo struct {
	op   uint8
	_    [7]uint8
	_    [2]uint64 // instruction and stack pointer
	nr   uint64
	args [6]uint64
	_    [2]uint64
}

// traceCalls runs a command and stops it before each call that changes something
// below root. It kills the command before call number killAt; 0 lets it run. Only
// calls between those that open root/begin and root/end count.
func traceCalls(t *testing.T, c *exec.Cmd, root string, killAt int) (calls []call) {
	t.Helper()
	runtime.LockOSThread() // a tracer is a thread
	defer runtime.UnlockOSThread()
	c.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := c.Start(); err != nil {
		t.Skipf("cannot trace a process here: %v", err)
	}
	child := c.Process.Pid
	counting := false
	for first := true; ; first = false {
		var status syscall.WaitStatus
		at, err := syscall.Wait4(-1, &status, syscall.WALL, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			t.Fatal(err)
		case at == child && (status.Exited() || status.Signaled()):
			if killed := status.Signaled(); killed != (killAt > 0 && len(calls) == killAt) || !killed && status.ExitStatus() != 0 {
				t.Fatalf("the child ended with %v after %d calls; it was to be killed at %d", status, len(calls), killAt)
			}
			return calls
		case !status.Stopped():
			continue
		}
		if first {
			err := syscall.PtraceSetOptions(at, syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE|ptraceExitKill)
			if err != nil {
				t.Fatal(err)
			}
		}
		signal := int(status.StopSignal())
		switch {
		case signal == int(syscall.SIGTRAP)|0x80:
			signal = 0
			if made, ok := callAt(at, root); ok {
				switch {
				case strings.HasSuffix(made.path, "/begin"):
					counting = true
				case strings.HasSuffix(made.path, "/end"):
					counting = false
				case counting:
					if calls = append(calls, made); len(calls) == killAt {
						if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
							t.Fatal(err)
						}
						continue
					}
				}
			}
		case signal == int(syscall.SIGTRAP), signal == int(syscall.SIGSTOP):
			signal = 0 // a signal of ptrace itself
		}
		if err := syscall.PtraceSyscall(at, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
	}
}

// callAt returns the call that a stopped thread is about to make, if it changes
// something below root.
func callAt(thread int, root string) (call, bool) {
	var info syscallInfo
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(thread), unsafe.Sizeof(info),
		uintptr(unsafe.Pointer(&info)), 0, 0)
	w, known := writeCalls[info.nr]
	if errno != 0 || info.op != syscallEntry || !known {
		return call{}, false
	}
	if w.byFile {
		on, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, info.args[0]))
		return call{w.name, strings.TrimPrefix(on, root)}, err == nil && strings.HasPrefix(on, root)
	}
	if info.nr == syscall.SYS_OPENAT && info.args[openFlags]&syscall.O_CREAT == 0 {
		return call{}, false
	}
	return call{w.name, textAt(thread, uintptr(info.args[1]))}, true
}

// textAt reads a path from the memory of another process.
func textAt(thread int, at uintptr) string {
	b := make([]byte, 256)
	n, _ := syscall.PtracePeekData(thread, at, b)
	text, _, _ := strings.Cut(string(b[:n]), "\x00")
	return text
}
