package config

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

// A secret is written as a reference to the place that has it, or as it is.
const (
	variablePrefix   = "env:"
	filePrefix       = "file:"
	credentialPrefix = "credential:"
)

// credentialService is the service of our credentials in the store of a system.
const credentialService = "memory-tiered"

// IsReference reports whether a secret is kept in another place.
func IsReference(text string) bool {
	return strings.HasPrefix(text, variablePrefix) || strings.HasPrefix(text, filePrefix) || strings.HasPrefix(text, credentialPrefix)
}

// maskSecret returns what may be shown of a secret: where it is kept, or that it is set.
func maskSecret(text string) string {
	if text == "" || IsReference(text) {
		return text
	}
	return "(set)"
}

// Reveal returns a secret. For env:NAME it is the content of the variable, and for file:PATH
// that of the file. For credential:NAME it is the credential, and otherwise the text itself.
func Reveal(ctx context.Context, key, text string, env func(string) string) (string, error) {
	if name, ok := strings.CutPrefix(text, variablePrefix); ok {
		value := strings.TrimSpace(env(name))
		if value == "" {
			return "", memory.Invalid(key, "%s refers to the variable %s, which is not set", key, name).
				WithHint("a service does not have the variables of your shell; file:PATH works everywhere")
		}
		return value, nil
	}
	if path, ok := strings.CutPrefix(text, filePrefix); ok {
		return secretFile(key, path)
	}
	if name, ok := strings.CutPrefix(text, credentialPrefix); ok {
		return credential(ctx, key, name, env)
	}
	return text, nil
}

func secretFile(key, path string) (string, error) {
	src, err := ReadFile(path)
	if errors.As(err, new(unusableFile)) {
		return "", memory.Invalid(key, "%s: %s", key, err).WithHint("name the file that contains the key alone")
	}
	if err != nil {
		return "", memory.Unavailable(err, "read %s", key).WithHint("it refers to the file %s", path)
	}
	return strings.TrimSpace(string(src)), nil
}

// credential returns what systemd gives the service under a name, or else what the system's
// store has.
func credential(ctx context.Context, key, name string, env func(string) string) (string, error) {
	if !filepath.IsLocal(name) || filepath.Base(name) != name {
		return "", memory.Invalid(key, "%s: %q is not the name of a credential", key, name).WithHint("a name such as openai: %sopenai", credentialPrefix)
	}
	if dir := env("CREDENTIALS_DIRECTORY"); dir != "" {
		if secret, err := secretFile(key, filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return secret, err
		}
	}
	secret, err := machine.Credential(ctx, credentialService, name)
	if err == nil && strings.TrimSpace(secret) == "" {
		err = errors.New("it is empty")
	}
	if err != nil {
		return "", memory.Unavailable(err, "read the credential %s of %s", name, key).
			WithHint("keep the key in the store of this system: %s", machine.KeepCredential(credentialService, name))
	}
	return strings.TrimSpace(secret), nil
}
