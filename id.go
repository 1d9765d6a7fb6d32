package memory

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// Fingerprint is the SHA-256 of a block's normalised text: Unicode NFC, white
// space folded, annotations stripped. It knows nothing of position.
type Fingerprint [sha256.Size]byte

func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// IsZero says that no text was fingerprinted.
func (f Fingerprint) IsZero() bool { return f == Fingerprint{} }

// ID is a memory's identity: a lower-case UUID in its 36-character form.
// People see 8 of its digits, files hold 12.
type ID string

// NewID makes the id of the memory with this fingerprint that is the
// occurrence-th (from 0) among those of equal text. It depends on nothing else,
// so that clones of a workspace agree: SHA-256 in the layout of UUID version 8.
func NewID(f Fingerprint, occurrence int) ID {
	h := sha256.New()
	h.Write([]byte("memory id 1\x00"))
	h.Write(f[:])
	h.Write(binary.BigEndian.AppendUint32(nil, uint32(occurrence)))
	u := h.Sum(nil)[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	s := hex.EncodeToString(u)
	return ID(s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:])
}

// Short is the 8 characters that people see.
func (id ID) Short() string { return id.digits(8) }

// InFile is the 12 characters, without hyphen, that front matter holds.
func (id ID) InFile() string { return id.digits(12) }

func (id ID) digits(n int) string {
	s := strings.ReplaceAll(string(id), "-", "")
	return s[:min(n, len(s))]
}

// MinIDPrefix is how many hexadecimal digits an id argument needs at least.
const MinIDPrefix = 4

// ParseIDPrefix reads what a person typed for an id, hyphens or not, any case,
// and gives it in the hyphenated form that ids are stored in.
func ParseIDPrefix(s string) (string, error) {
	digits := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(s), "-", ""))
	if len(digits) < MinIDPrefix || len(digits) > 32 || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", Invalid("id", "Invalid memory ID format").
			WithHint("an id is %d to 32 hexadecimal digits, as in 3f8a; to select by words pass --query", MinIDPrefix)
	}
	var b strings.Builder
	for i, r := range digits {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return b.String(), nil
}
