package migrate_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/migrate"
)

// fakeNode answers as Node does: about itself, and then with lines.
const fakeNode = `#!/bin/sh
if [ "$1" = -e ]; then echo '{"major": MAJOR, "platform": "PLATFORM", "arch": "x64", "glibc": true}'; exit; fi
[ "$4" = memories ] || { echo '{"tables": ["others"]}'; exit; }
cat <<'END'
LINES
END
`

// fakeNPM installs packages that have nothing but their version.
const fakeNPM = `#!/bin/sh
echo "$@" >>"$3/calls"
for p in @lancedb/lancedb@0.39.0 @lancedb/lancedb-linux-x64-gnu@0.39.0 apache-arrow@18.1.0; do
  mkdir -p "$3/node_modules/${p%@*}"
  echo "{\"version\": \"${p##*@}\"}" >"$3/node_modules/${p%@*}/package.json"
done
`

type fake struct{ major, platform, lines, npm string }

func (f fake) reader(t *testing.T) *migrate.LanceReader {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake programs are shell scripts")
	}
	dir := t.TempDir()
	if f.npm == "" {
		f.npm = fakeNPM
	}
	program := strings.NewReplacer("MAJOR", f.major, "PLATFORM", f.platform, "LINES", f.lines).Replace(fakeNode)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "node"), []byte(program), 0o700), os.WriteFile(filepath.Join(dir, "npm"), []byte(f.npm), 0o700)); err != nil {
		t.Fatal(err)
	}
	return &migrate.LanceReader{Node: filepath.Join(dir, "node"), NPM: filepath.Join(dir, "npm"), Folder: filepath.Join(dir, "state", "lancedb"),
		Environ: os.Environ(), Note: func(string) {}}
}

func TestRowsAreReadAndThePackageIsInstalledOnce(t *testing.T) {
	r := fake{major: "26", platform: "linux", lines: "{\"rows\": 2}\n{\"text\": \"a\"}\n{\"text\": \"b\"}"}.reader(t)
	for range 2 {
		var got string
		err := r.Read(context.Background(), "/db", "memories", func(total int, lines io.Reader) error {
			src, err := io.ReadAll(lines)
			if got = string(src); total != 2 {
				t.Errorf("%d rows", total)
			}
			return err
		})
		if err != nil || got != "{\"text\": \"a\"}\n{\"text\": \"b\"}\n" {
			t.Errorf("%q, %v", got, err)
		}
	}
	calls, err := os.ReadFile(filepath.Join(r.Folder, "calls"))
	if err != nil || strings.Count(string(calls), "\n") != 1 || !strings.Contains(string(calls), "--ignore-scripts") {
		t.Errorf("npm was called with %q, %v", calls, err)
	}
}

func TestWhatCannotBeReadIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		fake
		table string
		kind  error
		want  string
	}{
		"an old Node":         {fake{major: "20", platform: "linux"}, "memories", memory.ErrUnavailable, "needs Node 22"},
		"no Node":             {fake{major: "x", platform: "linux"}, "memories", memory.ErrUnavailable, "is no Node"},
		"no build":            {fake{major: "26", platform: "darwin"}, "memories", memory.ErrUnavailable, "no build for darwin-x64"},
		"another table":       {fake{major: "26", platform: "linux"}, "x", memory.ErrNotFound, "has no table x; it has: others"},
		"a row is missing":    {fake{major: "26", platform: "linux", lines: "{\"rows\": 2}\n{\"text\": \"a\"}"}, "memories", memory.ErrUnavailable, "has 2 rows, and 1 were read"},
		"a crash":             {fake{major: "26", platform: "linux", lines: "END\necho 'Error: bad file' >&2; exit 1; cat <<'END'"}, "memories", memory.ErrUnavailable, "Error: bad file"},
		"npm without network": {fake{major: "26", platform: "linux", npm: "#!/bin/sh\necho 'npm error network'; exit 1\n"}, "memories", memory.ErrUnavailable, "npm error network"},
		"npm without a build": {fake{major: "26", platform: "linux", npm: "#!/bin/sh\n"}, "memories", memory.ErrUnavailable, "without its build"},
	} {
		err := c.reader(t).Read(context.Background(), "/db", c.table, func(_ int, lines io.Reader) error {
			_, err := io.Copy(io.Discard, lines)
			return err
		})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
