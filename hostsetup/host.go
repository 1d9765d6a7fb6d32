package hostsetup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// Host runs the openclaw command of an installation.
type Host struct {
	Command      string // path of the program
	Installation Installation
	Environ      []string
}

// FindCommand returns the path of the openclaw program; name is a path, or empty for
// the one in PATH.
func FindCommand(name string) (string, error) {
	if name == "" {
		name = "openclaw"
	}
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", &memory.Error{Kind: memory.ErrNotFound, Message: "the program openclaw is not found", Cause: err,
			Hint: "install OpenClaw (npm install -g openclaw), or name its program: --openclaw PATH"}
	}
	return path, nil
}

// run runs the command for the installation and returns its standard output.
func (h Host) run(ctx context.Context, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, h.Command, args...)
	c.Env = append(h.Environ[:len(h.Environ):len(h.Environ)],
		"OPENCLAW_STATE_DIR="+h.Installation.StateDir, "OPENCLAW_CONFIG_PATH="+h.Installation.Config, "OPENCLAW_NO_AUTO_UPDATE=1", "NO_COLOR=1")
	var failure bytes.Buffer
	c.Stderr = &failure
	out, err := c.Output()
	if err != nil {
		err = memory.Unavailable(err, "openclaw %s", strings.Join(args, " ")).WithHint("it printed: %s", lastLine(string(out)+"\n"+failure.String()))
	}
	return out, err
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// testedVersion is the version of OpenClaw that this program was tested with. Older
// ones lack parts of the interface.
const testedVersion = "2026.9.6"

var versionPattern = lazyregexp.New(`\d{4}\.\d+\.\d+`)

// Version returns the host's version, and a note if it is newer than the tested one.
// An older host is an error.
func (h Host) Version(ctx context.Context) (version, note string, err error) {
	out, err := h.run(ctx, "--version")
	if err != nil {
		return "", "", err
	}
	version = versionPattern().FindString(string(out))
	if version == "" {
		return "", "", memory.Unavailable(nil, "%s prints no version of OpenClaw: %s", h.Command, lastLine(string(out)))
	}
	if note, err = checkVersion(version); err != nil {
		return "", "", err
	}
	return version, note, nil
}

// jsonFrom decodes the JSON in an output that may have lines of a log before it.
func jsonFrom(out []byte, v any) error {
	for at := range out {
		if out[at] != '{' && out[at] != '[' || at > 0 && out[at-1] != '\n' {
			continue
		}
		if err := json.NewDecoder(bytes.NewReader(out[at:])).Decode(v); err == nil {
			return nil
		}
	}
	return errors.New("it prints no JSON")
}

// compareVersions returns -1, 0 or 1 as version a is older than b, the same or newer.
func compareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		numberA, _ := strconv.Atoi(a) // the pattern has only digits
		numberB, _ := strconv.Atoi(b)
		return cmp.Compare(numberA, numberB)
	})
}
