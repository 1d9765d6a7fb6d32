package api_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

// otherUserSocket names the environment variable that makes this test binary send
// one request to a socket, and do nothing else.
const otherUserSocket = "API_TEST_OTHER_USER_SOCKET"

// otherUserListen names the environment variable that makes this test binary
// listen on a socket, and print the first bytes that a client sends.
const otherUserListen = "API_TEST_OTHER_USER_LISTEN"

func listenAsOtherUser(socket string) bool {
	l, err := net.Listen("unix", socket)
	if err != nil {
		fmt.Println(err)
		return true
	}
	_ = os.Chmod(socket, 0o777)
	fmt.Println("listening")
	conn, err := l.Accept()
	if err != nil {
		fmt.Println(err)
		return true
	}
	received, _ := io.ReadAll(conn)
	fmt.Printf("received %q\n", received)
	return true
}

func runAsOtherUser() bool {
	if socket := os.Getenv(otherUserListen); socket != "" {
		return listenAsOtherUser(socket)
	}
	socket := os.Getenv(otherUserSocket)
	if socket == "" {
		return false
	}
	s := &testServer{t: &testing.T{}, socket: socket}
	got := s.ask("GET", "/v1/health", "")
	fmt.Printf("status %d as %d: %s", got.status, os.Getuid(), got.body)
	return true
}

func TestOnlyTheOwnerAndRootAreServed(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	s := serve(t, &fakeBackend{}, api.Options{})
	// Without this, the file modes alone would keep the other user out.
	for path := s.socket; path != os.TempDir(); path = filepath.Dir(path) {
		must.Do(t, os.Chmod(path, 0o777))
	}
	for uid, want := range map[uint32]string{65534: "status 403", 0: "status 200"} {
		other := commandAs(t, uid, filepath.Dir(s.socket), otherUserSocket+"="+s.socket)
		out, err := other.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("user %d: %v %s", uid, err, out)
		}
		if uid != 0 && !strings.Contains(string(out), `"code":"forbidden"`) {
			t.Errorf("user %d: %s", uid, out)
		}
	}
}

// commandAs makes a command that runs this test binary as another user.
func commandAs(t *testing.T, uid uint32, dir, variable string) *exec.Cmd {
	t.Helper()
	self := filepath.Join(dir, "otheruser")
	binary := must.Get(os.ReadFile(os.Args[0]))(t)
	must.Do(t, os.WriteFile(self, binary, 0o755))
	c := exec.Command(self)
	c.Dir = "/"
	c.Env = []string{variable}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	return c
}

func TestClientSendsNothingToAnotherUsersDaemon(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	socket := socketPath(t)
	dir := filepath.Dir(socket)
	must.Do(t, os.MkdirAll(dir, 0o777))
	for path := dir; path != os.TempDir(); path = filepath.Dir(path) {
		must.Do(t, os.Chmod(path, 0o777))
	}
	other := commandAs(t, 65534, dir, otherUserListen+"="+socket)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, other.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "listening" {
		t.Fatalf("the other user's process: %q", lines.Text())
	}
	_, err = api.Dial(socket).Recall(t.Context(), memory.RecallRequest{Prompt: "a private prompt"})
	if !errors.Is(err, memory.ErrForbidden) || api.Describe(err).Hint == "" {
		t.Errorf("the client got %v", err)
	}
	if !lines.Scan() || lines.Text() != `received ""` {
		t.Errorf("the other user's process: %s", lines.Text())
	}
	if err := other.Wait(); err != nil {
		t.Error(err)
	}
}
