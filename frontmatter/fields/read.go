package fields

import (
	"fmt"

	"github.com/memory-tiered/memory"
)

func readTier(d *memory.Declared, v Value) error { return readEnum(&d.Tier, v, memory.ParseTier) }

func readType(d *memory.Declared, v Value) error { return readEnum(&d.Type, v, memory.ParseType) }

func readCategory(d *memory.Declared, v Value) error {
	return readEnum(&d.Category, v, memory.ParseCategory)
}

func readLabel(d *memory.Declared, v Value) error {
	return readEnum(&d.ImportanceLabel, v, memory.ParseImportanceLabel)
}

func readEnum[W ~string](to *W, v Value, parse func(string) (W, error)) error {
	s, err := v.shortText()
	if err != nil {
		return err
	}
	word, err := withHint(parse(Truncate(s)))
	if err == nil {
		*to = word
	}
	return err
}

func readScope(d *memory.Declared, v Value) error {
	s, err := v.shortText()
	d.Scope = memory.Scope(s)
	return err
}

// readUser treats a value that is no single name, and a key without a value, as nobody's:
// the memory was meant for some users only.
func readUser(d *memory.Declared, v Value) error {
	s, err := v.shortText()
	if err != nil {
		d.User = memory.NobodyUser
		return fmt.Errorf("%w; treated as nobody's", err)
	}
	d.User = memory.FoldUser(s)
	return nil
}

// readSource sets Source for a known value. Any other value becomes SourceRef,
// because other programs keep an address in this key.
func readSource(d *memory.Declared, v Value) error {
	s, err := v.shortText()
	if err != nil {
		return err
	}
	if source, err := memory.ParseSource(s); err == nil {
		d.Source = source
	} else if d.SourceRef == "" {
		d.SourceRef = s
	}
	return nil
}

func readSourceRef(d *memory.Declared, v Value) error {
	s, err := v.shortText()
	if err == nil {
		d.SourceRef = s
	}
	return err
}

// readSupersededBy reads the id of another memory. Fewer than 12 digits may soon
// mean several memories.
func readSupersededBy(d *memory.Declared, v Value) error {
	s, err := v.shortText()
	if err != nil {
		return err
	}
	id, err := memory.ParseIDPrefix(s)
	if err != nil || len(memory.ID(id).InFile()) < digitsInFile {
		return fmt.Errorf("%q is not the id of a memory (write its first %d hexadecimal digits, in quotation marks)", Truncate(s), digitsInFile)
	}
	d.SupersededBy = memory.ID(id).Linked()
	return nil
}

func readImportance(d *memory.Declared, v Value) error {
	f, err := v.importance()
	if err == nil {
		d.Importance = &f
	}
	return err
}

func readPinned(d *memory.Declared, v Value) error {
	b, err := v.Boolean()
	if err == nil {
		d.Pinned = &b
	}
	return err
}

// readTrust treats a value that is no tier as quarantined, and a key without a value as
// well.
func readTrust(d *memory.Declared, v Value) error {
	s, err := v.Text()
	if err != nil {
		d.Trust = memory.TrustQuarantined
		return fmt.Errorf("%w; treated as %s", err, d.Trust)
	}
	d.Trust, err = memory.ReadTrust(s)
	return err
}

// readPrivate treats an invalid value, and a key without a value, as private: it
// was meant as something, and this mistake can be undone.
func readPrivate(d *memory.Declared, v Value) error {
	b, err := v.Boolean()
	if err != nil {
		b, err = true, fmt.Errorf("%w; treated as private", err)
	}
	d.Private = &b
	return err
}

// readForgotten accepts a date or a boolean. It treats an invalid value as
// forgotten, and a key without a value as well.
func readForgotten(d *memory.Declared, v Value) error {
	b, err := v.Boolean()
	if err != nil {
		b = true
		if d.ForgottenAt, _, err = v.time(); err != nil {
			err = fmt.Errorf("%w; treated as forgotten", err)
		}
	}
	d.Forgotten = &b
	return err
}

// readOnly reads the key that limits forgetting to one memory, without its
// copies.
func readOnly(d *memory.Declared, v Value) (err error) {
	d.Only, err = v.Boolean()
	return err
}

func readSince(d *memory.Declared, v Value) (err error) {
	d.Since, d.SinceDay, err = v.time()
	return err
}

func readCreated(d *memory.Declared, v Value) (err error) {
	d.Created, _, err = v.time()
	return err
}

// readExpires reads a date as its first moment: the memory has expired on that
// day.
func readExpires(d *memory.Declared, v Value) (err error) {
	d.Expires, _, err = v.time()
	return err
}

func readTags(d *memory.Declared, v Value) (err error) {
	d.Tags, err = v.list()
	return err
}
