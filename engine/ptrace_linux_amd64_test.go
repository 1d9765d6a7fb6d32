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
	failing  map[int]bool // threads whose present call is to fail
}

// traceCalls runs a command with a fault and returns the calls that it made. It waits
// for threads that it traces itself: other tests start processes at the same time.
func traceCalls(t *testing.T, c *exec.Cmd, root string, f fault) []call {
	t.Helper()
	runtime.LockOSThread() // a tracer is a thread
	defer runtime.UnlockOSThread()
	c.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := c.Start(); err != nil {
		t.Skipf("cannot trace a process here: %v", err)
	}
	tr := tracer{t: t, root: root, fault: f, child: c.Process.Pid, failing: map[int]bool{}}
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
			err := syscall.PtraceSetOptions(thread, syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE|ptraceExitKill)
			if err != nil {
				t.Fatal(err)
			}
		}
		tr.resume(thread, int(status.StopSignal()))
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
func (tr *tracer) resume(thread, signal int) {
	tr.t.Helper()
	switch signal {
	case int(syscall.SIGTRAP) | 0x80:
		signal = 0
		if tr.stopped(thread) {
			return
		}
	case int(syscall.SIGTRAP), int(syscall.SIGSTOP):
		signal = 0 // a signal of ptrace itself
	}
	if err := syscall.PtraceSyscall(thread, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		tr.t.Fatal(err)
	}
}

// stopped counts a call and applies the fault. It reports whether it killed the
// command.
func (tr *tracer) stopped(thread int) (killed bool) {
	tr.t.Helper()
	if tr.failing[thread] {
		delete(tr.failing, thread)
		tr.setRegisters(thread, func(r *syscall.PtraceRegs) { r.Rax = -uint64(tr.fault.errno) })
		return false
	}
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
			if err := syscall.Kill(tr.child, syscall.SIGKILL); err != nil {
				tr.t.Fatal(err)
			}
			return true
		}
		tr.failing[thread] = true
		tr.setRegisters(thread, func(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) }) // no call has this number
	}
	return false
}

func (tr *tracer) setRegisters(thread int, change func(*syscall.PtraceRegs)) {
	tr.t.Helper()
	var r syscall.PtraceRegs
	err := syscall.PtraceGetRegs(thread, &r)
	if err == nil {
		change(&r)
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
	if errno != 0 || info.op != syscallEntry || !known {
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
