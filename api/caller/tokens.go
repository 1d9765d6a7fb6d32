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

	"github.com/gofrs/flock"

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
	secret = "mt_" + rand.Text()
	added := Token{Caller: c, Hash: hashOf(secret), Created: t.Now().UTC().Truncate(time.Second)}
	if valid > 0 {
		added.Expires = added.Created.Add(valid)
	}
	return secret, t.change(func(all []Token) ([]Token, error) {
		if slices.ContainsFunc(all, func(known Token) bool { return known.Name == c.Name }) {
			return nil, memory.Conflict("there is a token %s already", c.Name).WithHint("memory token revoke %s removes it", c.Name)
		}
		return append(all, added), nil
	})
}

// Revoke removes a token.
func (t Tokens) Revoke(name string) error {
	return t.change(func(all []Token) ([]Token, error) {
		left := slices.DeleteFunc(slices.Clone(all), func(known Token) bool { return known.Name == name })
		if len(left) == len(all) {
			return nil, &memory.Error{Kind: memory.ErrNotFound, Message: "there is no token " + name, Hint: "memory token list lists them"}
		}
		return left, nil
	})
}

// change replaces the tokens. Two commands at once wait for each other.
func (t Tokens) change(to func(all []Token) ([]Token, error)) (err error) {
	lock := flock.New(t.Path+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return memory.Unavailable(err, "lock the tokens")
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	all, err := t.List()
	if err != nil {
		return err
	}
	if all, err = to(all); err != nil {
		return err
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(t.Path, append(text, '\n'), 0o600)
}

// find returns the caller of a secret, or ErrUnknown.
func (t Tokens) find(secret string) (c Caller, err error) {
	all, err := t.List()
	if err != nil {
		return c, err
	}
	hash := hashOf(secret)
	for _, known := range all {
		if subtle.ConstantTimeCompare([]byte(known.Hash), []byte(hash)) == 1 && (known.Expires.IsZero() || t.Now().Before(known.Expires)) {
			return known.Caller, nil
		}
	}
	return c, ErrUnknown
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
