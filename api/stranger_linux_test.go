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

// strangerSocket tells this test binary to ask a socket as another user would,
// and nothing else.
const strangerSocket = "API_TEST_STRANGER_SOCKET"

func asStranger() bool {
	socket := os.Getenv(strangerSocket)
	if socket == "" {
		return false
	}
	w := &world{t: &testing.T{}, socket: socket}
	got := w.ask("GET", "/v1/health", "")
	fmt.Printf("status %d as %d: %s", got.status, os.Getuid(), got.body)
	return true
}

func TestOnlyTheOwnerAndRootAreServed(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	w := serve(t, &fake{}, api.Options{})
	// The rights of the files would keep the other user out already.
	for path := w.socket; path != os.TempDir(); path = filepath.Dir(path) {
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	self := filepath.Join(filepath.Dir(w.socket), "stranger")
	binary, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(self, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	for uid, want := range map[uint32]string{65534: "status 403", 0: "status 200"} {
		stranger := exec.Command(self)
		stranger.Dir = "/"
		stranger.Env = []string{strangerSocket + "=" + w.socket}
		stranger.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := stranger.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("user %d: %v %s", uid, err, out)
		}
		if uid != 0 && !strings.Contains(string(out), `"code":"forbidden"`) {
			t.Errorf("user %d: %s", uid, out)
		}
	}
}
