package frontmatter

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// field is one key that declares something. read sets it in d and leaves d
// unchanged on an error, unless the error names the assumed value. write
// returns the value as text, empty if d does not declare it.
type field struct {
	key      string
	alias    string // an alternative key
	levels   level
	shared   bool // other programs use the alias or the key too: at file level an unknown value is no fault
	protects bool // a misspelled key still applies if its value hides a memory or trusts it less
	read     func(d *memory.Declared, v value) error
	write    func(d memory.Declared, zone *time.Location) string
}

// level tells where a key has a meaning.
type level uint8

const (
	fileLevel level = 1 << iota
	entryLevel
)

// fields lists the keys in writing order.
var fields = []field{
	{key: "pinned", levels: entryLevel, read: readPinned, write: writePinned},
	{key: "forgotten", levels: entryLevel, protects: true, read: readForgotten, write: writeForgotten},
	{key: "only", levels: entryLevel, read: readOnly, write: writeOnly},
	{key: "tier", levels: fileLevel | entryLevel, read: readTier, write: writeTier},
	{key: "since", levels: entryLevel, read: readSince, write: writeSince},
	{key: "memory_type", alias: "type", levels: fileLevel | entryLevel, read: readType, write: writeType},
	{key: "category", levels: fileLevel | entryLevel, shared: true, read: readCategory, write: writeCategory},
	{key: "scope", levels: fileLevel | entryLevel, read: readScope, write: writeScope},
	{key: "importance", levels: fileLevel | entryLevel, read: readImportance, write: writeImportance},
	{key: "importance_label", levels: fileLevel | entryLevel, read: readLabel, write: writeLabel},
	{key: "trust", levels: fileLevel | entryLevel, protects: true, read: readTrust, write: writeTrust},
	{key: "source", levels: fileLevel | entryLevel, read: readSource, write: writeSource},
	{key: "source_ref", levels: fileLevel | entryLevel, read: readSourceRef, write: writeSourceRef},
	{key: "created", levels: fileLevel | entryLevel, read: readCreated, write: writeCreated},
	{key: "expires", levels: fileLevel | entryLevel, read: readExpires, write: writeExpires},
	{key: "private", levels: fileLevel | entryLevel, protects: true, read: readPrivate, write: writePrivate},
	{key: "superseded_by", levels: entryLevel, read: readSupersededBy, write: writeSupersededBy},
	{key: "tags", levels: fileLevel | entryLevel, read: readTags, write: writeTags},
}

// digitsInFile is the number of digits of an id that front matter contains.
const digitsInFile = 12

// memoriesKey is the key of the list of entries.
const memoriesKey = "memories"

// findField returns the field of a key in any case, or nil.
func findField(key string, p level) *field {
	key = strings.TrimSpace(key)
	for i := range fields {
		if f := &fields[i]; f.levels&p != 0 && key != "" && f.hasKey(key) {
			return f
		}
	}
	return nil
}

func (f field) hasKey(key string) bool {
	return strings.EqualFold(f.key, key) || f.alias != "" && strings.EqualFold(f.alias, key)
}

// entryOnlyKeys are decisions about single memories that people also try on a
// whole file.
var entryOnlyKeys = []string{"pinned", "forgotten"}

// keysOf lists, by level, the words that a misspelled key may mean.
var keysOf = map[level][]string{
	fileLevel:  slices.Concat([]string{memoriesKey}, keysAt(fileLevel), entryOnlyKeys),
	entryLevel: slices.Concat(identityKeys, keysAt(entryLevel)),
}

// keysAt returns the keys of the fields at a level, with their aliases.
func keysAt(p level) (keys []string) {
	for _, f := range fields {
		if f.levels&p != 0 {
			keys = append(keys, f.key)
		}
		if f.levels&p != 0 && f.alias != "" {
			keys = append(keys, f.alias)
		}
	}
	return keys
}

func readTier(d *memory.Declared, v value) error { return readEnum(&d.Tier, v, memory.ParseTier) }
func readType(d *memory.Declared, v value) error { return readEnum(&d.Type, v, memory.ParseType) }
func readCategory(d *memory.Declared, v value) error {
	return readEnum(&d.Category, v, memory.ParseCategory)
}
func readLabel(d *memory.Declared, v value) error {
	return readEnum(&d.ImportanceLabel, v, memory.ParseImportanceLabel)
}

func readEnum[W ~string](to *W, v value, parse func(string) (W, error)) error {
	s, err := v.shortText()
	if err != nil {
		return err
	}
	word, err := withHint(parse(truncate(s)))
	if err == nil {
		*to = word
	}
	return err
}

func readScope(d *memory.Declared, v value) error {
	s, err := v.shortText()
	d.Scope = memory.Scope(s)
	return err
}

// readSource sets Source for a known value. Any other value becomes SourceRef,
// because other programs keep an address in this key.
func readSource(d *memory.Declared, v value) error {
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

func readSourceRef(d *memory.Declared, v value) error {
	s, err := v.shortText()
	if err == nil {
		d.SourceRef = s
	}
	return err
}

// readSupersededBy reads the id of another memory. Fewer than 12 digits may soon
// mean several memories.
func readSupersededBy(d *memory.Declared, v value) error {
	s, err := v.shortText()
	if err != nil {
		return err
	}
	id, err := memory.ParseIDPrefix(s)
	if err != nil || len(memory.ID(id).InFile()) < digitsInFile {
		return fmt.Errorf("%q is not the id of a memory (write its first %d hexadecimal digits, in quotation marks)", truncate(s), digitsInFile)
	}
	d.SupersededBy = memory.ID(id).Linked()
	return nil
}

func readImportance(d *memory.Declared, v value) error {
	f, err := v.importance()
	if err == nil {
		d.Importance = &f
	}
	return err
}

func readPinned(d *memory.Declared, v value) error {
	b, err := v.boolean()
	if err == nil {
		d.Pinned = &b
	}
	return err
}

// readTrust treats an unknown word as untrusted, never as trusted.
func readTrust(d *memory.Declared, v value) error {
	s, err := v.text()
	switch {
	case errors.Is(err, errEmpty):
		return err
	case err != nil:
		d.Trust = lowestTrust(v.node)
		return fmt.Errorf("%w; treated as %s", err, d.Trust)
	}
	d.Trust, err = memory.ReadTrust(s)
	return err
}

// lowestTrust returns the trust of a value that is no single word: quarantined if
// it contains that word, else untrusted.
func lowestTrust(n *yaml.Node) memory.TrustTier {
	if containsNode(resolveAlias(n), func(n *yaml.Node) bool {
		t, _ := memory.ReadTrust(n.Value)
		return n.Kind == yaml.ScalarNode && t == memory.TrustQuarantined
	}) {
		return memory.TrustQuarantined
	}
	return memory.TrustUntrusted
}

// readPrivate treats an invalid value, and a key without a value, as private: it
// was meant as something, and this mistake can be undone.
func readPrivate(d *memory.Declared, v value) error {
	b, err := v.boolean()
	if err != nil {
		b, err = true, fmt.Errorf("%w; treated as private", err)
	}
	d.Private = &b
	return err
}

// readForgotten accepts a date or a boolean. It treats an invalid value as
// forgotten, and a key without a value as well.
func readForgotten(d *memory.Declared, v value) error {
	b, err := v.boolean()
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
func readOnly(d *memory.Declared, v value) (err error) {
	d.Only, err = v.boolean()
	return err
}

func readSince(d *memory.Declared, v value) (err error) {
	d.Since, d.SinceDay, err = v.time()
	return err
}

func readCreated(d *memory.Declared, v value) (err error) {
	d.Created, _, err = v.time()
	return err
}

// readExpires reads a date as its first moment: the memory has expired on that
// day.
func readExpires(d *memory.Declared, v value) (err error) {
	d.Expires, _, err = v.time()
	return err
}

func readTags(d *memory.Declared, v value) (err error) {
	d.Tags, err = v.list()
	return err
}

func writeTier(d memory.Declared, _ *time.Location) string { return strings.ToLower(string(d.Tier)) }
func writeType(d memory.Declared, _ *time.Location) string { return string(d.Type) }
func writeCategory(d memory.Declared, _ *time.Location) string {
	return string(d.Category)
}
func writeScope(d memory.Declared, _ *time.Location) string { return quoteNonEmpty(string(d.Scope)) }
func writeLabel(d memory.Declared, _ *time.Location) string { return string(d.ImportanceLabel) }
func writeTrust(d memory.Declared, _ *time.Location) string { return string(d.Trust) }
func writeSource(d memory.Declared, _ *time.Location) string {
	return string(d.Source)
}
func writeSourceRef(d memory.Declared, _ *time.Location) string { return quoteNonEmpty(d.SourceRef) }
func writeSupersededBy(d memory.Declared, _ *time.Location) string {
	return quoteNonEmpty(d.SupersededBy.InFile())
}
func writePinned(d memory.Declared, _ *time.Location) string  { return formatBool(d.Pinned) }
func writePrivate(d memory.Declared, _ *time.Location) string { return formatBool(d.Private) }
func writeCreated(d memory.Declared, zone *time.Location) string {
	return formatTime(d.Created, zone)
}
func writeExpires(d memory.Declared, zone *time.Location) string {
	return formatTime(d.Expires, zone)
}

// writeForgotten writes the date only: the audit has the time, and a date is
// easier to read in a diff. The date is the one of the zone in which it was decided,
// so that it stays the same if the workspace gets another zone.
func writeForgotten(d memory.Declared, _ *time.Location) string {
	if d.Forgotten != nil && *d.Forgotten && !d.ForgottenAt.IsZero() {
		return d.ForgottenAt.Format(time.DateOnly)
	}
	return formatBool(d.Forgotten)
}

// writeOnly writes only if forgetting does not apply to every copy.
func writeOnly(d memory.Declared, _ *time.Location) string {
	if d.Only {
		return "true"
	}
	return ""
}

func writeSince(d memory.Declared, _ *time.Location) string {
	if d.SinceDay {
		return d.Since.Format(time.DateOnly)
	}
	if d.Since.IsZero() {
		return ""
	}
	return d.Since.UTC().Format(time.RFC3339)
}

func writeImportance(d memory.Declared, _ *time.Location) string {
	if d.Importance == nil {
		return ""
	}
	return strconv.FormatFloat(*d.Importance, 'f', -1, 64)
}

func writeTags(d memory.Declared, _ *time.Location) string {
	if len(d.Tags) == 0 {
		return ""
	}
	var all []string
	for _, tag := range d.Tags {
		all = append(all, quoteYAML(tag))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func formatBool(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}

// formatTime writes the start of a day as a date without a time.
func formatTime(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return ""
	}
	local := at.In(zone)
	if y, m, d := local.Date(); at.Equal(time.Date(y, m, d, 0, 0, 0, 0, zone)) {
		return local.Format(time.DateOnly)
	}
	return at.UTC().Format(time.RFC3339)
}

func quoteNonEmpty(s string) string {
	if s == "" {
		return ""
	}
	return quoteYAML(s)
}
