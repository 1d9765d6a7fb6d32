package erasure

import (
	_ "embed" // places.tsv
	"strings"
	"sync"
)

// The places of places.tsv, and those of the database, which need no advice of their own.
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
	inServer        = "embedding server"
	elsewhere       = "elsewhere"
)

//go:embed places.tsv
var table string

type row struct {
	name, advice string
	isBeyond     bool
}

var rows = sync.OnceValue(func() (all []row) {
	for line := range strings.Lines(table) {
		if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(fields) == 3 {
			all = append(all, row{fields[0], fields[2], fields[1] == "beyond"})
		}
	}
	return all
})

// adviceOn returns what a person can do about a text in a place, and whether nothing else can.
func adviceOn(place string) (text string, isBeyond bool) {
	for _, r := range rows() {
		if place == r.name || strings.HasSuffix(r.name, " ") && strings.HasPrefix(place, r.name) {
			return r.advice, r.isBeyond
		}
	}
	return "if the destroy is not finished, memory status tells why; else run memory doctor", false
}
