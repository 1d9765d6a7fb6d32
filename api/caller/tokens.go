package caller

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// Token is a token as its file keeps it. The file has a hash of the secret, and not the secret.
type Token struct {
	Caller
	Hash    string    `json:"sha256,omitempty"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"` // zero: never
}

// Tokens is the file of the tokens. It is read for each request, so a change is in force at once.
type Tokens struct {
	Path string
	Now  func() time.Time
}

// List returns the tokens in the order in which they were made.
func (t Tokens) List() (all []Token, err error) {
	text, err := os.ReadFile(t.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, memory.Unavailable(err, "read the tokens")
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, memory.Invalid("", "%s cannot be read: %v", t.Path, err).WithHint("correct the file, or delete it; without it, no token is valid")
	}
	return all, nil
}

// Create makes a token that is valid for a time, or for ever if it is 0. It returns the secret,
// which cannot be read again.
func (t Tokens) Create(c Caller, valid time.Duration) (secret string, err error) {
	all, err := t.List()
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(all, func(known Token) bool { return known.Name == c.Name }) {
		return "", memory.Conflict("there is a token %s already", c.Name).WithHint("memory token revoke %s removes it", c.Name)
	}
	secret = "mt_" + rand.Text()
	added := Token{Caller: c, Hash: hashOf(secret), Created: t.Now().UTC().Truncate(time.Second)}
	if valid > 0 {
		added.Expires = added.Created.Add(valid)
	}
	return secret, t.write(append(all, added))
}

// Revoke removes a token.
func (t Tokens) Revoke(name string) error {
	all, err := t.List()
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(all), func(known Token) bool { return known.Name == name })
	if len(left) == len(all) {
		return &memory.Error{Kind: memory.ErrNotFound, Message: "there is no token " + name, Hint: "memory token list lists them"}
	}
	return t.write(left)
}

// find returns the caller of a secret.
func (t Tokens) find(secret string) (c Caller, found bool, err error) {
	all, err := t.List()
	hash := hashOf(secret)
	for _, known := range all {
		if subtle.ConstantTimeCompare([]byte(known.Hash), []byte(hash)) == 1 && (known.Expires.IsZero() || t.Now().Before(known.Expires)) {
			c, found = known.Caller, true
		}
	}
	return c, found, err
}

func (t Tokens) write(all []Token) error {
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = atomicfile.Write(t.Path, append(text, '\n'), 0o600)
	}
	return err
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
