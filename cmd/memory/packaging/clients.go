//go:build packaging

package packaging

import (
	_ "embed"
	"io"
	"os"
	"path/filepath"
	"text/template"

	"github.com/memory-tiered/memory/internal/clients"
)

//go:embed client.md
var clientText string

// writeClients writes a page for each client into a folder, from the table of clients.
func writeClients(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	page, err := template.New("client").Parse(clientText)
	for _, c := range clients.All() {
		if err == nil {
			err = writeNewFile(filepath.Join(dir, c.Name+".md"), func(w io.Writer) error { return page.Execute(w, c) })
		}
	}
	return err
}
