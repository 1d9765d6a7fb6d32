package api_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/memory-tiered/memory/api"
)

// otherUserSocket names the environment variable that makes this test binary send
// one request to a socket, and do nothing else.
const otherUserSocket = "API_TEST_OTHER_USER_SOCKET"

func runAsOtherUser() bool {
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
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	self := filepath.Join(filepath.Dir(s.socket), "otheruser")
	binary, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(self, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	for uid, want := range map[uint32]string{65534: "status 403", 0: "status 200"} {
		other := exec.Command(self)
		other.Dir = "/"
		other.Env = []string{otherUserSocket + "=" + s.socket}
		other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := other.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("user %d: %v %s", uid, err, out)
		}
		if uid != 0 && !strings.Contains(string(out), `"code":"forbidden"`) {
			t.Errorf("user %d: %s", uid, out)
		}
	}
}
