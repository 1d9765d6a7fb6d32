package engine_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/memory-tiered/memory/internal/must"
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
	ptraceTraceSeccomp   = 0x80
	ptraceEventSeccomp   = 7
	seccompFilter        = 1
	seccompAllThreads    = 1
	seccompAllow         = 0x7fff0000
	seccompTrace         = 0x7ff00000
	noNewPrivileges      = 38
	sysSeccomp           = 317
	sysRenameat2         = 316
	openFlags            = 2 // the index of openat's flags argument
)

// stopAtWriteCalls makes every thread of this process stop for its tracer at the calls
// of writeCalls. A stop at each call of any kind would take more time than the command.
func stopAtWriteCalls(t *testing.T) {
	t.Helper()
	load, equal, give := uint16(syscall.BPF_LD|syscall.BPF_W|syscall.BPF_ABS), uint16(syscall.BPF_JMP|syscall.BPF_JEQ|syscall.BPF_K), uint16(syscall.BPF_RET|syscall.BPF_K)
	filter := []syscall.SockFilter{{Code: load}} // the number of the call
	for nr := range writeCalls {
		filter = append(filter, syscall.SockFilter{Code: equal, Jf: 1, K: uint32(nr)}, syscall.SockFilter{Code: give, K: seccompTrace})
	}
	filter = append(filter, syscall.SockFilter{Code: give, K: seccompAllow})
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); errno != 0 {
		t.Fatal(errno)
	}
	if _, _, errno := syscall.RawSyscall(sysSeccomp, seccompFilter, seccompAllThreads, uintptr(unsafe.Pointer(&program))); errno != 0 {
		t.Fatal(errno)
	}
}

// syscallInfo is the kernel's description of a thread that stopped at a call.
type syscallInfo struct {
	_    [8]uint8  // the kind of stop
	_    [2]uint64 // instruction and stack pointer
	nr   uint64
	args [6]uint64
	_    [2]uint64
}

// fault is what happens to a traced command at a call. The zero fault is none.
type fault struct {
	at    int           // the number of the call, from 1
	errno syscall.Errno // the call fails with it and does nothing; 0: the command is killed before the call
	stays bool          // every later call fails, too
	do    func()        // nil, or what happens before the call instead
	open  string        // count only calls that open a file of this name, to read it too
}

// tracer follows a command through the calls that change something below root. Only
// calls between those that open root/begin and root/end count.
type tracer struct {
	t        *testing.T
	root     string
	fault    fault
	child    int
	counting bool
	calls    []call
}

// traceCalls runs a command with a fault and returns the calls that it made after
// stopAtWriteCalls. It waits for threads that it traces itself: other tests start processes at the same time.
func traceCalls(t *testing.T, c *exec.Cmd, root string, f fault) []call {
	t.Helper()
	runtime.LockOSThread() // a tracer is a thread
	defer runtime.UnlockOSThread()
	c.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := c.Start(); err != nil {
		t.Skipf("cannot trace a process here: %v", err)
	}
	tr := tracer{t: t, root: root, fault: f, child: c.Process.Pid}
	for first := true; ; first = false {
		var status syscall.WaitStatus
		thread, err := syscall.Wait4(-1, &status, syscall.WALL|syscall.WNOTHREAD, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			t.Fatal(err)
		case thread == tr.child && (status.Exited() || status.Signaled()):
			tr.checkEnd(status)
			return tr.calls
		case !status.Stopped():
			continue
		}
		if first {
			must.Do(t, syscall.PtraceSetOptions(thread, ptraceTraceSeccomp|syscall.PTRACE_O_TRACECLONE|ptraceExitKill))
		}
		tr.resume(thread, status)
	}
}

// checkEnd checks that the command ended as the fault makes it end.
func (tr *tracer) checkEnd(status syscall.WaitStatus) {
	tr.t.Helper()
	due := tr.fault.at > 0 && tr.fault.errno == 0 && tr.fault.do == nil && len(tr.calls) == tr.fault.at
	if killed := status.Signaled(); killed != due || !killed && status.ExitStatus() != 0 {
		tr.t.Fatalf("the child ended with %v after %d calls; the fault was at %d, %v", status, len(tr.calls), tr.fault.at, tr.fault.errno)
	}
}

// resume looks at the call that stopped a thread, and lets the thread go on.
func (tr *tracer) resume(thread int, status syscall.WaitStatus) {
	tr.t.Helper()
	signal := int(status.StopSignal())
	switch {
	case status.TrapCause() == ptraceEventSeccomp:
		signal = 0
		if tr.stopped(thread) {
			return
		}
	case signal == int(syscall.SIGTRAP), signal == int(syscall.SIGSTOP):
		signal = 0 // a signal of ptrace itself
	}
	if err := syscall.PtraceCont(thread, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		tr.t.Fatal(err)
	}
}

// stopped counts a call and applies the fault. It reports whether it killed the
// command.
func (tr *tracer) stopped(thread int) (killed bool) {
	tr.t.Helper()
	made, ok := callAt(thread, tr.root, tr.fault.open != "")
	ok = ok && (tr.fault.open == "" || made.name == "open" && slices.Contains([]string{tr.fault.open, "begin", "end"}, filepath.Base(made.path)))
	switch {
	case !ok:
	case strings.HasSuffix(made.path, "/begin"):
		tr.counting = true
	case strings.HasSuffix(made.path, "/end"):
		tr.counting = false
	case tr.counting:
		tr.calls = append(tr.calls, made)
		if n := len(tr.calls); n != tr.fault.at && (n < tr.fault.at || !tr.fault.stays) {
			return false
		}
		if tr.fault.do != nil {
			tr.fault.do()
			return false
		}
		if tr.fault.errno == 0 {
			must.Do(tr.t, syscall.Kill(tr.child, syscall.SIGKILL))
			return true
		}
		tr.fail(thread)
	}
	return false
}

// fail makes the call that stopped a thread return the fault's error.
func (tr *tracer) fail(thread int) {
	tr.t.Helper()
	var r syscall.PtraceRegs
	err := syscall.PtraceGetRegs(thread, &r)
	if err == nil {
		r.Orig_rax, r.Rax = ^uint64(0), -uint64(tr.fault.errno) // no call has this number
		err = syscall.PtraceSetRegs(thread, &r)
	}
	if err != nil {
		tr.t.Fatal(err)
	}
}

// callAt returns the call that a stopped thread is about to make. The
// call changes something below root, or opens a file and opens are wanted.
func callAt(thread int, root string, opens bool) (call, bool) {
	var info syscallInfo
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(thread), unsafe.Sizeof(info),
		uintptr(unsafe.Pointer(&info)), 0, 0)
	w, known := writeCalls[info.nr]
	if errno != 0 || !known {
		return call{}, false
	}
	if w.byFile {
		on, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, info.args[0]))
		return call{w.name, strings.TrimPrefix(on, root)}, err == nil && strings.HasPrefix(on, root)
	}
	if info.nr == syscall.SYS_OPENAT && !opens && info.args[openFlags]&syscall.O_CREAT == 0 {
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
