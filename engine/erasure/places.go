package erasure

import (
	"cmp"
	_ "embed" // places.tsv
	"strings"
	"sync"
)

// The places of places.tsv.
const (
	inMarkdown      = "Markdown"
	inCaptured      = "captured files"
	inTables        = "tables"
	inPages         = "database pages" // free ones too
	inLog           = "write-ahead log"
	inBackup        = "backup"
	inCopies        = "database copies"
	inSnapshots     = "snapshots"
	inState         = "other state files"
	inExports       = "exports"
	inGit           = "git history"
	inRecalls       = "OpenClaw's recalls"
	inHost          = "OpenClaw's stores"
	inConversations = "conversations of "
	inMemories      = "memories of "
	inDatabase      = "database server" // its files, logs, replicas and backups
	inServer        = "embedding server"
	elsewhere       = "elsewhere"
)

//go:embed places.tsv
var table string

type row struct{ name, owner, advice string }

// The owners of places.
const (
	ofState  = "state"
	ofFiles  = "files"
	ofBeyond = "beyond"
)

var rows = sync.OnceValue(func() (all []row) {
	for line := range strings.Lines(table) {
		if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(fields) == 3 {
			all = append(all, row{fields[0], fields[1], cmp.Or(fields[2], "if the destroy is not finished, memory status tells why; else run memory doctor")})
		}
	}
	return all
})

// rowOf returns the row of a place.
func rowOf(place string) row {
	for _, r := range rows() {
		if place == r.name || strings.HasSuffix(r.name, " ") && strings.HasPrefix(place, r.name) {
			return r
		}
	}
	return row{}
}
