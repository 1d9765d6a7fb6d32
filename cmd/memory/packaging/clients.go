//go:build packaging

package packaging

import (
	"io"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/clients"
)

// writeClients writes the page of each client into a folder.
func writeClients(dir string) error {
	err := os.MkdirAll(dir, 0o755)
	for _, c := range clients.All() {
		if err == nil {
			err = writeNewFile(filepath.Join(dir, c.Name+".md"), func(w io.Writer) error { return hostsetup.WritePage(w, c) })
		}
	}
	return err
}
