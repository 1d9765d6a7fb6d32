package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/ingest"
)

// bootstrapFiles are the files that hosts usually inject whole.
var bootstrapFiles = []string{"MEMORY.md", "USER.md"}

// Files returns files as a host may inject them. They are without the memories
// that may not be injected, such as forgotten and private ones, and without the
// entries about memories.
func (e *Engine) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	folder, err := s.openFolder()
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	paths := r.Paths
	if len(paths) == 0 {
		paths = bootstrapFiles
	}
	who, err := e.readerOf(r.Sender, memory.AudienceModel)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	now := e.now()
	if err := e.refreshFiles(ctx, s, folder, now, paths); err != nil {
		return memory.FilesAnswer{}, err
	}
	scope := e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender)
	hidden, err := s.db.Redactions(ctx, now, index.Readable{Users: who.users, Scope: scope}, paths)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	hashes, err := s.db.Hashes(ctx, paths)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	server := fileServer{folder: folder, zone: s.Zone, now: now, who: who, scope: scope, redactions: hidden, hashes: hashes, allScanned: s.currentHealth().scannedAll}
	var answer memory.FilesAnswer
	for _, path := range paths {
		file, err := server.serve(path)
		if err != nil {
			return memory.FilesAnswer{}, err
		}
		answer.Files = append(answer.Files, file)
	}
	return answer, nil
}

// refreshWait limits how long a request for files waits for a running ingest. A host
// asks within the time budget of a prompt.
const refreshWait = 400 * time.Millisecond

// refreshFiles indexes the files that have changed since they were indexed. The
// identity of an edited text, and so whether it is forgotten, is known only then.
// Where the index is busy for longer, the files stay as they were indexed.
func (e *Engine) refreshFiles(ctx context.Context, s *workspaceState, folder *workspaceFolder, now time.Time, paths []string) error {
	if e.refuseWhenReadOnly() != nil {
		return nil
	}
	changed, err := s.changedSinceIndexed(ctx, folder, paths)
	if err != nil || len(changed) == 0 && s.currentHealth().behind == 0 {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, refreshWait)
	defer cancel()
	unlock, err := s.lockIngest(limited)
	if err != nil {
		return ctx.Err() // the index is busy or its disk is full
	}
	defer unlock()
	if changed, err = s.changedSinceIndexed(ctx, folder, paths); err != nil || len(changed) == 0 || !s.currentHealth().scannedAll {
		return err
	}
	_, err = s.ingestLocked(ctx, now, changed, false, func(memory.Progress) {})
	if errors.Is(err, memory.ErrUnavailable) {
		return nil // the disk is full: the files stay as they were indexed
	}
	return err
}

// changedSinceIndexed returns those of the paths whose bytes are not the indexed ones.
func (s *workspaceState) changedSinceIndexed(ctx context.Context, folder *workspaceFolder, paths []string) (changed []string, err error) {
	hashes, err := s.db.Hashes(ctx, paths)
	for _, path := range paths {
		if !folder.Indexable(path) {
			continue
		}
		if src, _, err := folder.Read(path); err == nil && hashes[path] != sha256.Sum256(src) {
			changed = append(changed, path)
		}
	}
	return changed, err
}

// fileServer redacts files for one request.
type fileServer struct {
	folder     *workspaceFolder
	zone       *time.Location
	now        time.Time
	who        reader
	scope      memory.Scope
	redactions index.Redactions
	hashes     map[string]memory.Hash // as the files were indexed
	allScanned bool                   // every decision of the workspace is known
}

func (f fileServer) serve(path string) (memory.ServedFile, error) {
	if !f.folder.Indexable(path) {
		return memory.ServedFile{}, memory.Invalid("path", "%s is not a file of this workspace", path).
			WithHint("memory list shows the paths: MEMORY.md, USER.md, files below memory/, and those that the workspace includes")
	}
	src, _, err := f.folder.Read(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, memory.ErrNotFound) {
		return memory.ServedFile{Path: path, Missing: true}, nil
	}
	if err != nil {
		return memory.ServedFile{}, err
	}
	hash := sha256.Sum256(src)
	file := f.redact(path, src, hash)
	if f.who.users == nil { // a hash confirms a guess of what other users have in the file
		file.Hash = "sha256:" + hex.EncodeToString(hash[:])
	}
	return file, nil
}

// redact returns the text of a file that may reach a model.
func (f fileServer) redact(path string, src []byte, hash memory.Hash) memory.ServedFile {
	parsed := frontmatter.Parse(src, f.zone)
	layout := chunker.Parse(src, parsed.BodyStart)
	blocks := layout.Blocks
	others := f.ofOthers(path, parsed, blocks)
	switch {
	case len(others) == len(blocks) && (len(blocks) > 0 || !memory.IsReadable(f.who.users, parsed.FileDefaults.User)):
		return memory.ServedFile{Path: path, Missing: true} // it does not exist for this user
	case f.isWithheld(parsed.FileDefaults):
		return memory.ServedFile{Path: path, Redacted: len(blocks) - len(others), Reason: "no text of this file may reach a model"}
	case !f.allScanned || f.hashes[path] != hash || parsed.HasConflict || ingest.BinaryReason(src) != "":
		return f.serveKnown(path, src, blocks, others)
	}
	var spans []frontmatter.Span
	hidden := map[int]bool{}
	for i, b := range blocks {
		declared := b.Annotations.Over(parsed.FileDefaults)
		if f.redactions.Hides(path, i, b) || f.isWithheld(declared) {
			hidden[i] = true
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	memories := len(spans) - len(others)
	spans = append(spans, f.withheldHeadings(src, layout)...)
	spans = append(spans, withheldTargets(src, layout, func(i int) bool { return hidden[i] })...)
	spans = append(spans, f.hiddenPieces(src, parsed.BodyStart, layout)...)
	cut := frontmatter.Redact
	if f.hidesHead(src, parsed) {
		cut = frontmatter.RedactWithoutHead
	}
	content := cut(src, parsed, spans)
	return memory.ServedFile{Path: path, Content: strings.ToValidUTF8(string(content), "\uFFFD"), Redacted: memories}
}

// ofOthers returns the numbers of the blocks that belong to other users. They do not
// exist for this one, so no answer counts them.
func (f fileServer) ofOthers(path string, parsed frontmatter.Parsed, blocks []memory.Block) map[int]bool {
	others := map[int]bool{}
	for i, b := range blocks {
		user := b.Annotations.Over(parsed.FileDefaults).User
		if !memory.IsReadable(f.who.users, user) || f.redactions.IsOthers(path, i, b) {
			others[i] = true
		}
	}
	return others
}

// serveKnown serves a file whose present version is not indexed: only those texts
// that are indexed in it and visible. It leaves out headings, comments and front
// matter, because nothing is known about them.
func (f fileServer) serveKnown(path string, src []byte, blocks []memory.Block, others map[int]bool) memory.ServedFile {
	file := memory.ServedFile{Path: path, Reason: "the file is not indexed as it is now: only texts that were indexed before are shown"}
	var texts []string
	for i, b := range blocks {
		switch {
		case f.redactions.Shows(path, b) && !f.isWithheld(b.Annotations):
			texts = append(texts, strings.TrimRight(string(src[b.Start:b.End]), "\r\n"))
		case !others[i]:
			file.Redacted++
		}
	}
	if len(texts) > 0 {
		file.Content = strings.Join(texts, "\n\n") + "\n"
	}
	return file
}

// isWithheld reports whether a declaration alone keeps a text from the model that reads
// the answer. It matters for texts that are not indexed yet.
func (f fileServer) isWithheld(d memory.Declared) bool {
	return !memory.IsReadable(f.who.users, d.User) || !d.Scope.Matches(f.scope) || d.Private != nil && *d.Private || d.Trust == memory.TrustQuarantined ||
		d.ImportanceLabel == memory.ImportanceIgnore || d.Tier == memory.TierArchive || !d.Expires.IsZero() && !d.Expires.After(f.now)
}
