package fields

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// digitsInFile is the number of digits of an id that front matter contains.
const digitsInFile = 12

// word is one of some words.
func word[W ~string](field func(*memory.Declared) *W, parse func(string) (W, error)) kind {
	return kind{
		read: func(d *memory.Declared, v Value) error {
			s, err := v.shortText()
			if err != nil {
				return err
			}
			value, err := withHint(parse(Truncate(s)))
			if err == nil {
				*field(d) = value
			}
			return err
		},
		write: func(d memory.Declared, _ *time.Location) []string { return one(string(*field(&d))) },
	}
}

// name is a text on one line.
func name[W ~string](field func(*memory.Declared) *W) kind {
	return kind{
		quoted: true,
		read: func(d *memory.Declared, v Value) error {
			s, err := v.shortText()
			if err == nil {
				*field(d) = W(s)
			}
			return err
		},
		write: func(d memory.Declared, _ *time.Location) []string { return one(string(*field(&d))) },
	}
}

// flag is a boolean. With an assumed meaning, an invalid value counts as true: it was meant as
// something, and this mistake can be undone.
func flag(field func(*memory.Declared) **bool, assumed string) kind {
	return kind{
		read: func(d *memory.Declared, v Value) error {
			set, err := v.Boolean()
			if v.InComment && errors.Is(err, ErrEmpty) {
				set, err = true, nil
			}
			if err != nil {
				if assumed == "" {
					return err
				}
				set, err = true, fmt.Errorf("%w; treated as %s", err, assumed)
			}
			*field(d) = &set
			return err
		},
		write: func(d memory.Declared, _ *time.Location) []string { return boolean(*field(&d)) },
	}
}

// date is a time, or the start of a day.
func date(field func(*memory.Declared) *time.Time) kind {
	return kind{
		read: func(d *memory.Declared, v Value) (err error) {
			*field(d), _, err = v.time()
			return err
		},
		write: func(d memory.Declared, zone *time.Location) []string { return instant(*field(&d), zone) },
	}
}

var tier = func() kind {
	k := word(func(d *memory.Declared) *memory.Tier { return &d.Tier }, memory.ParseTier)
	k.write = func(d memory.Declared, _ *time.Location) []string { return one(strings.ToLower(string(d.Tier))) }
	return k
}()

// user is a name. A value that is no single name, and a key without a value, is nobody's: the
// memory was meant for some users only. A comment has the name with escapes (%20), so that
// nothing in it ends the comment or the annotation, and no two users become one.
var user = kind{
	quoted: true,
	read: func(d *memory.Declared, v Value) error {
		s, err := v.shortText()
		if plain, notEscaped := url.PathUnescape(s); err == nil && v.InComment {
			if notEscaped == nil {
				s = plain
			}
			if strings.ContainsAny(s, `<,[]{}"`) {
				err = errors.New("is no name")
			}
		}
		if err != nil {
			d.User = memory.NobodyUser
			return fmt.Errorf("%w; treated as nobody's", err)
		}
		d.User = memory.FoldUser(s)
		return nil
	},
	write:   func(d memory.Declared, _ *time.Location) []string { return one(d.User) },
	comment: func(text string) string { return strings.ReplaceAll(url.PathEscape(text), "--", "-%2D") },
}

// source is a known source. Any other value becomes SourceRef, because other programs keep an
// address in this key.
var source = kind{
	read: func(d *memory.Declared, v Value) error {
		s, err := v.shortText()
		if err != nil {
			return err
		}
		if known, err := memory.ParseSource(s); err == nil {
			d.Source = known
		} else if d.SourceRef == "" {
			d.SourceRef = s
		}
		return nil
	},
	write: func(d memory.Declared, _ *time.Location) []string { return one(string(d.Source)) },
}

// supersededBy is the id of another memory. Fewer than 12 digits may soon mean several
// memories.
var supersededBy = kind{
	quoted: true,
	read: func(d *memory.Declared, v Value) error {
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
	},
	write: func(d memory.Declared, _ *time.Location) []string { return one(d.SupersededBy.InFile()) },
}

// importance has two scales. A bare 1 is the highest value in front matter, and the lowest in a
// comment, whose scale is 1 to 10.
var importance = kind{
	read: func(d *memory.Declared, v Value) error {
		s, err := v.Text()
		if err != nil {
			return err
		}
		bareOne := 1.0
		if v.InComment {
			bareOne = 0.1
		}
		n, err := readImportance(s, bareOne)
		if err == nil {
			d.Importance = &n
		}
		return err
	},
	write: func(d memory.Declared, _ *time.Location) []string {
		if d.Importance == nil {
			return nil
		}
		return one(strconv.FormatFloat(*d.Importance, 'f', -1, 64))
	},
	comment: func(text string) string {
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	},
}

// trust is a tier of trust. A value that is none, and a key without a value, is quarantined.
var trust = kind{
	read: func(d *memory.Declared, v Value) error {
		s, err := v.Text()
		if err != nil {
			d.Trust = memory.TrustQuarantined
			return fmt.Errorf("%w; treated as %s", err, d.Trust)
		}
		d.Trust, err = readTrust(s)
		return err
	},
	write: func(d memory.Declared, _ *time.Location) []string { return one(string(d.Trust)) },
}

// forgotten is a date or a boolean. An invalid value, and a key without a value, is true. Only
// the date is written: the audit has the time, and a date is easier to read in a diff. The date
// is the one of the zone in which it was decided, so that it stays the same if the workspace
// gets another zone.
var forgotten = kind{
	read: func(d *memory.Declared, v Value) error {
		set, err := v.Boolean()
		if err != nil {
			set = true
			if d.ForgottenAt, _, err = v.time(); err != nil {
				err = fmt.Errorf("%w; treated as forgotten", err)
			}
		}
		d.Forgotten = &set
		return err
	},
	write: func(d memory.Declared, _ *time.Location) []string {
		if IsForgotten(d) && !d.ForgottenAt.IsZero() {
			return one(d.ForgottenAt.Format(time.DateOnly))
		}
		return boolean(d.Forgotten)
	},
}

// only limits forgetting to one memory, without its copies.
var only = kind{
	read: func(d *memory.Declared, v Value) (err error) {
		d.Only, err = v.Boolean()
		return err
	},
	write: func(d memory.Declared, _ *time.Location) []string {
		if !d.Only {
			return nil
		}
		return one("true")
	},
}

var since = kind{
	read: func(d *memory.Declared, v Value) (err error) {
		d.Since, d.SinceDay, err = v.time()
		return err
	},
	write: func(d memory.Declared, _ *time.Location) []string {
		if d.SinceDay {
			return one(d.Since.Format(time.DateOnly))
		}
		return instant(d.Since, nil)
	},
}

var tags = kind{
	quoted: true,
	list:   true,
	read: func(d *memory.Declared, v Value) (err error) {
		d.Tags, err = v.list()
		return err
	},
	write: func(d memory.Declared, _ *time.Location) []string { return append([]string(nil), d.Tags...) },
}

// one returns a single text, or nothing if it is empty.
func one(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func boolean(b *bool) []string {
	if b == nil {
		return nil
	}
	return one(strconv.FormatBool(*b))
}

// instant returns a time. In a zone, the start of a day is a date without a time.
func instant(at time.Time, zone *time.Location) []string {
	if at.IsZero() {
		return nil
	}
	if zone != nil {
		local := at.In(zone)
		if y, m, d := local.Date(); at.Equal(time.Date(y, m, d, 0, 0, 0, 0, zone)) {
			return one(local.Format(time.DateOnly))
		}
	}
	return one(at.UTC().Format(time.RFC3339))
}

// readImportance parses an importance that a person wrote in Markdown and
// returns it as 0 to 1. A number up to 1 is on the scale from 0 to 1, a larger
// one on the scale from 1 to 10. A bare 1 is on both, so one is its value.
func readImportance(s string, one float64) (float64, error) {
	n, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(n) || n < 0 || n > 10:
		return 0, fmt.Errorf("%q is not a number from 0 to 1, or from 1 to 10", memory.Shorten(s))
	case s == "1":
		return one, nil
	case n > 1:
		return n / 10, nil
	}
	return n, nil
}

// readTrust parses a trust tier that a person wrote in Markdown. An unknown word
// is an error and means quarantined: nobody can tell how much it trusts.
func readTrust(s string) (memory.TrustTier, error) {
	t, err := memory.ParseTrustTier(s)
	if err != nil {
		t, err = memory.TrustQuarantined, fmt.Errorf("unknown trust %q (one of: %s, %s, %s); treated as %s",
			memory.Shorten(s), memory.TrustTrusted, memory.TrustUntrusted, memory.TrustQuarantined, memory.TrustQuarantined)
	}
	return t, err
}
