package rows

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// protectAsPart protects a new memory whose text is a part of another one's, as
// decisions protect that one. What entries about the part decide stays. The decision is
// in the sidecar: it is written into the file later, so that a clone knows it. It
// concerns the part alone, not the copies of its text. The path is that of the part.
func (r *Memory) protectAsPart(entries []Entry, whole *Memory, wholeEntries []Entry, path string, now sqldb.Millis) error {
	protected, err := whole.decided(wholeEntries, path)
	if err != nil {
		return err
	}
	own, err := r.decided(entries, path)
	if err != nil {
		return err
	}
	sidecar, err := ParseDeclared(r.Sidecar)
	if err != nil {
		return err
	}
	if whole.Forgotten && own.Forgotten == nil {
		sidecar.Forgotten, sidecar.ForgottenAt, sidecar.Only = new(true), now.Time(), true
		r.Forgotten = true
	}
	if protected.IsPrivate() && own.Private == nil {
		sidecar.Private = protected.Private
	}
	if protected.Trust != memory.TrustTrusted && own.Trust == "" {
		sidecar.Trust = protected.Trust
	}
	if own.User == "" {
		sidecar.User = protected.User
	}
	r.Protect(doubt{Private: sidecar.IsPrivate(), Trust: sidecar.Trust, User: sidecar.User})
	r.Sidecar, err = EncodeJSON(sidecar)
	return err
}

// decided returns what decisions about a memory declare, in files and in the index.
func (r *Memory) decided(entries []Entry, path string) (d memory.Declared, err error) {
	d = Merge(entries, path)
	for _, text := range []string{r.Sidecar, r.Inherited} {
		kept, err := ParseDeclared(text)
		if err != nil {
			return d, err
		}
		d = d.Over(kept)
	}
	return d, nil
}
