package lookup

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/verify"
)

// TextToVerify returns the text of a request: its own, or that of the memory
// that it names.
func TextToVerify(ctx context.Context, db *index.DB, who memory.View, r memory.VerifyRequest, zone *time.Location) (string, error) {
	switch {
	case r.For == memory.AudienceModel && r.Text != "":
		return "", memory.Invalid("text", "a model looks for a memory, not for a text").WithHint("give the id of a memory")
	case r.ID != "" && r.Text != "":
		return "", memory.Invalid("text", "a request names either a text or an id, not both").WithHint("leave one of them out")
	case r.ID == "" && strings.TrimSpace(r.Text) == "":
		return "", memory.Invalid("text", "there is no text to look for").WithHint("give a text, or the id of a memory")
	case r.ID == "":
		return r.Text, nil
	}
	m, err := FindFor(ctx, db, who, r.ID)
	if !errors.Is(err, memory.ErrNotFound) || who.Users != nil {
		return m.Text, err // an id is made from a text: a user may not learn whether it existed
	}
	past, auditErr := db.Audit(ctx, memory.AuditRequest{ID: r.ID, Action: string(memory.ActionDestroy), Limit: 1})
	if auditErr == nil && past.Total > 0 {
		return "", memory.NotFound(r.ID).WithHint("it was destroyed on %s and its text is not kept; give the text itself to look for it",
			past.Audit[0].At.In(zone).Format("2006-01-02 15:04"))
	}
	return "", err
}

// AddDocuments adds the documents of a workspace whose passages have one of the texts.
func AddDocuments(ctx context.Context, db *index.DB, name, dir string, texts *verify.Matcher, to *memory.VerifyAnswer) error {
	passages, _, err := db.List(ctx, memory.Predicate{Forgotten: memory.Include, Archive: true}, "path", 0, 0)
	for _, m := range passages {
		if texts.Index([]byte(m.Text)) >= 0 {
			to.Add(memory.CheckedPlace{File: filepath.Join(dir, filepath.FromSlash(m.Path)), Found: true,
				Note: "a document: delete the file, then memory destroy --missing -w " + name})
		}
	}
	return err
}
