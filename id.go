package memory

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// Fingerprint is the SHA-256 of a block's normalised text: Unicode NFC, white
// space folded, annotations removed. It does not depend on the position.
type Fingerprint [sha256.Size]byte

func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// IsZero reports whether f is the zero value, which no text has.
func (f Fingerprint) IsZero() bool { return f == Fingerprint{} }

// ID identifies a memory: a lower-case UUID of 36 characters. People see its
// first 8 digits, files contain 12.
type ID string

// NewID returns the id of a memory of everybody. occurrence counts memories with an equal
// text, from 0. The id depends on nothing else, so that clones of a workspace agree. It
// is a SHA-256 in the layout of UUID version 8.
func NewID(f Fingerprint, occurrence int) ID { return NewUserID(f, "", occurrence) }

// NewUserID returns the id of a memory of a user, as the text or its file declares it;
// empty means everybody. occurrence counts this user's memories with an equal text, from
// 0. So an id does not tell whether another user has the text too.
func NewUserID(f Fingerprint, user string, occurrence int) ID {
	h := sha256.New()
	if user == "" {
		h.Write([]byte("memory id 1\x00"))
	} else {
		h.Write([]byte("memory id of user 1\x00"))
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(user))))
		h.Write([]byte(user))
	}
	h.Write(f[:])
	h.Write(binary.BigEndian.AppendUint32(nil, uint32(occurrence)))
	u := h.Sum(nil)[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	s := hex.EncodeToString(u)
	return ID(s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:])
}

// Short returns the first 8 digits, which people see.
func (id ID) Short() string { return id.digits(8) }

// InFile returns the first 12 digits without a hyphen, which front matter contains.
func (id ID) InFile() string { return id.digits(12) }

// Linked returns the first 12 digits in the hyphenated form of stored ids. A
// declaration refers to another memory by it: the rest of an id may change when a
// lost index is built again.
func (id ID) Linked() ID { return id[:min(len(id), len("3f8a91c2-b7d0"))] }

func (id ID) digits(n int) string {
	s := strings.ReplaceAll(string(id), "-", "")
	return s[:min(n, len(s))]
}

// MinIDPrefix is the smallest number of hexadecimal digits in an id argument.
const MinIDPrefix = 4

// ParseIDPrefix parses an id or its prefix, with or without hyphens, in any case.
// It returns the prefix in the hyphenated form of stored ids.
func ParseIDPrefix(s string) (string, error) {
	digits := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(s), "-", ""))
	if len(digits) < MinIDPrefix || len(digits) > 32 || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", Invalid("id", "Invalid memory ID format").
			WithHint("an id is %d to 32 hexadecimal digits, as in 3f8a; a search shows the ids", MinIDPrefix)
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

// IDsOf returns the ids of some memories, in their order.
func IDsOf(memories []Memory) (ids []ID) {
	for _, m := range memories {
		ids = append(ids, m.ID)
	}
	return ids
}

// TextsOf returns the texts of some memories, in their order.
func TextsOf(memories []Memory) (texts []string) {
	for _, m := range memories {
		texts = append(texts, m.Text)
	}
	return texts
}
