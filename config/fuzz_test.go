package config_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
)

// FuzzSet changes a key in any file, and takes the change back. A file that is not valid is
// refused as invalid. No other setting changes, and an edit that is refused changes nothing.
func FuzzSet(f *testing.F) {
	keys := everyKey()
	for i, k := range keys {
		for _, text := range forms(k.Name, validValue(k)) {
			if i%7 == 0 {
				f.Add([]byte(text), i)
			}
		}
	}
	file := filepath.Join(f.TempDir(), "config.yaml")
	f.Fuzz(func(t *testing.T, src []byte, at int) {
		if at < 0 {
			return
		}
		k := keys[at%len(keys)]
		must.Do(t, os.WriteFile(file, src, 0o600))
		before, err := settings(file)
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Fatalf("%q: %v", src, err)
			}
			return
		}
		if !isEdited(t, file, src, config.Set(file, k.Name, validValue(k))) {
			return
		}
		if now := only(t, file, before, k.Name); now != validValue(k) {
			t.Fatalf("%q: %s is set to %q and is %q", src, k.Name, validValue(k), now)
		}
		set := must.Get(os.ReadFile(file))(t)
		if isEdited(t, file, set, config.Unset(file, k.Name)) {
			if now := only(t, file, before, k.Name); now != k.Default && now != "" {
				t.Fatalf("%q: without it, %s is %q", src, k.Name, now)
			}
		}
	})
}

// isEdited checks that an edit which is refused changes nothing.
func isEdited(t *testing.T, file string, before []byte, err error) bool {
	t.Helper()
	after, readErr := os.ReadFile(file)
	if readErr != nil || err != nil && !bytes.Equal(before, after) {
		t.Fatalf("%q became %q: %v", before, after, errors.Join(err, readErr))
	}
	return err == nil
}

// only checks that no setting but key differs from before, and returns the value of key.
func only(t *testing.T, file string, before map[string]string, key string) string {
	t.Helper()
	after := must.Get(settings(file))(t)
	for name, value := range before {
		if name != key && after[name] != value && after[name] != "" {
			t.Fatalf("%s was %q and is %q after a change of %s", name, value, after[name], key)
		}
	}
	return after[key]
}

func settings(file string) (map[string]string, error) {
	l, err := config.Load(file, nil)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, s := range l.Settings() {
		values[s.Key] = fmt.Sprint(s.Value)
	}
	return values, nil
}
