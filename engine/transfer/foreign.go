package transfer

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/internal/secrets"
	"github.com/memory-tiered/memory/internal/wording"
)

// maxForeign is the number of memories in a file, so that a person can read it.
const maxForeign = 500

// foreign is another memory system. The index knows nothing about its memories, so that
// their files declare all.
type foreign struct {
	system    string
	forgotten index.ForgottenTexts
	originals *wording.Originals // the texts of forgotten memories
	similar   []*alignment.Text
}

// openForeign reads what an import from another system compares with; nil: there is none.
func (i *importing) openForeign(ctx context.Context, system string) (*foreign, error) {
	if system == "" {
		return nil, nil
	}
	marks, err := i.DB.ForgottenTexts(ctx)
	if err != nil {
		return nil, err
	}
	f := &foreign{system: system, forgotten: marks}
	list, _, err := i.DB.List(ctx, memory.Predicate{Archive: true, Forgotten: memory.Only}, "path", 0, 0)
	var texts []string
	for _, m := range list {
		texts = append(texts, m.Text)
		f.similar = append(f.similar, alignment.Read(wording.Visible(m.Text)))
	}
	f.originals = wording.NewOriginals(texts)
	return f, err
}

// isForgotten reports whether a text was forgotten or destroyed here, or nearly repeats a
// forgotten one.
func (f *foreign) isForgotten(b memory.Block) bool {
	if f.forgotten.Contains(b.Fingerprint, b.Text, b.Heading) || f.forgotten.Contains(b.Fingerprint, b.Text, nil) {
		return true
	}
	if len(f.similar) == 0 || alignment.IsShort(strings.Join(strings.Fields(b.Text), " ")) {
		return false
	}
	text := alignment.Read(wording.Visible(b.Text))
	return f.originals.Repeated(b.Text) || slices.ContainsFunc(f.similar, text.Resembles)
}

// importForeign imports memories of another system. What looks like a secret becomes private.
func (i *importing) importForeign(ctx context.Context, rows []line) error {
	found, err := i.DB.FindImported(ctx, exportRows(rows), true)
	if err != nil {
		return err
	}
	brought, err := i.DB.KnownSourceRefs(ctx, exportRows(rows))
	if err != nil {
		return err
	}
	var write []line
	for n, l := range rows {
		reason := ""
		switch {
		case i.foreign.isForgotten(blockOf(l)):
			reason = "forgotten"
		case found[n].Present:
			reason = "duplicate"
		case brought[l.Declared.SourceRef]:
			reason = "migrated" // and edited since
		case path.Dir(l.Memory.Path) != importedFolder && (!i.Folder.Indexable(l.Memory.Path) || i.Folder.FolderObstacle(path.Dir(l.Memory.Path)) != nil):
			reason = "not_indexable"
		}
		if reason != "" {
			i.answer.LeftOut = append(i.answer.LeftOut, memory.ImportFailure{Line: l.number, Message: reason})
			continue
		}
		if kind, isSecret := secrets.Find(*l.Memory.Text); isSecret {
			l.Declared.Private = &isSecret
			i.answer.Private = append(i.answer.Private, memory.ImportFailure{Line: l.number, Message: kind})
		}
		write = append(write, l)
	}
	if i.request.DryRun {
		i.answer.Added += len(write)
		return nil
	}
	if err := i.writeFiles(ctx, write); err != nil {
		return err
	}
	return i.verify(ctx, write)
}

// verify compares what was written with the index.
func (i *importing) verify(ctx context.Context, lines []line) error {
	found, err := i.DB.FindImported(ctx, exportRows(lines), true)
	for n, l := range lines {
		isReported := slices.ContainsFunc(i.answer.Failed, func(f memory.ImportFailure) bool { return f.Line == l.number })
		if err == nil && !found[n].Present && !isReported {
			i.answer.Added--
			i.answer.Failed = append(i.answer.Failed, memory.ImportFailure{Line: l.number, Message: "the index does not have it"})
		}
	}
	return err
}

func exportRows(lines []line) (rows []memory.ExportRow) {
	for _, l := range lines {
		rows = append(rows, l.ExportRow)
	}
	return rows
}
