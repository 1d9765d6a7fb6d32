package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/embed/transformer"
	"github.com/memory-tiered/memory/internal/must"
)

// newRegistry loads a configuration and makes a registry in a state folder.
func newRegistry(t *testing.T, stateDir, yaml string) *provider.Registry {
	t.Helper()
	writeConfig(t, stateDir, yaml)
	cfg := must.Get(config.Load(filepath.Join(stateDir, "config.yaml"), nil))(t)
	return provider.New(cfg, provider.Options{Getenv: func(string) string { return "" }, StateDir: stateDir,
		Mask: func(text string) string { return text }})
}

func writeConfig(t *testing.T, stateDir, yaml string) {
	t.Helper()
	must.Do(t, os.WriteFile(filepath.Join(stateDir, "config.yaml"), []byte(yaml), 0o600))
}

func requireModel(t *testing.T, r *provider.Registry, prefix string) string {
	t.Helper()
	e := must.Get(r.Configured(t.Context()))(t)
	if !strings.HasPrefix(e.Model(), prefix) {
		t.Fatalf("the configured model is %s, want %s…", e.Model(), prefix)
	}
	return e.Model()
}

func TestConfiguredFollowsTheConfigurationFile(t *testing.T) {
	dir := t.TempDir()
	r := newRegistry(t, dir, "embedding:\n  provider: local\n")
	requireModel(t, r, "static/")
	writeConfig(t, dir, "embedding:\n  provider: none\n")
	requireModel(t, r, "none")
}

func TestServerIsAskedOnceForItsDimensions(t *testing.T) {
	server, dir := embedtest.Serve(t), t.TempDir()
	yaml := "embedding:\n  provider: openai\n  model: words\n  baseUrl: " + server.URL + "/v1\n"
	requireModel(t, newRegistry(t, dir, yaml), "openai/")
	if len(server.Requests()) == 0 {
		t.Fatal("the server was not asked")
	}
	requireModel(t, newRegistry(t, dir, yaml), "openai/")
	if seen := server.Requests(); len(seen) > 0 {
		t.Errorf("the second start asked the server again: %v", seen)
	}
}

func TestPreviousIsMadeFromTheCache(t *testing.T) {
	server, dir := embedtest.Serve(t), t.TempDir()
	model := requireModel(t, newRegistry(t, dir, "embedding:\n  provider: openai\n  model: words\n  baseUrl: "+server.URL+"/v1\n"), "openai/")
	r := newRegistry(t, dir, "embedding:\n  provider: local\n")
	requireModel(t, r, "static/")
	e, err := r.Previous(t.Context(), model)
	if err != nil || e.Model() != model {
		t.Errorf("Previous(%s): %v, %v", model, e, err)
	}
	if _, err := r.Previous(t.Context(), "openai/other@3"); err == nil {
		t.Error("Previous of an unknown model returns no error")
	}
}

func TestAutoSelectsTheConfiguredServer(t *testing.T) {
	server, dir := embedtest.Serve(t), t.TempDir()
	requireModel(t, newRegistry(t, dir, "embedding:\n  provider: auto\n"), "static/")
	yaml := "embedding:\n  provider: auto\n  model: words\n  baseUrl: " + server.URL + "/v1\n"
	requireModel(t, newRegistry(t, dir, yaml), "openai/")
}

func TestCacheHoldsNoLiteralKey(t *testing.T) {
	server, dir := embedtest.Serve(t), t.TempDir()
	for _, name := range []string{"openai", "auto"} {
		requireModel(t, newRegistry(t, dir, "embedding:\n  provider: "+name+"\n  model: words\n  apiKey: very-private-key\n  baseUrl: "+server.URL+"/v1\n"), "openai/")
		src, err := os.ReadFile(filepath.Join(dir, "embedding.json"))
		if err != nil || !strings.Contains(string(src), "words") || strings.Contains(string(src), "very-private-key") {
			t.Errorf("provider %s: the cache is %s, %v", name, src, err)
		}
	}
}

func TestDamagedCacheIsEmpty(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "embedding.json"), []byte("{damaged"), 0o600))
	requireModel(t, newRegistry(t, dir, "embedding:\n  provider: local\n"), "static/")
}

func TestQualitySelectsTheModelInTheBinary(t *testing.T) {
	for _, tt := range []struct{ yaml, want string }{
		{"embedding:\n  provider: local\n", "static/"},
		{"embedding:\n  local: {quality: fast}\n", "static/"},
		{"embedding:\n  local: {quality: best}\n", transformer.Model},
		{"embedding:\n  provider: auto\n  local: {quality: best}\n", transformer.Model},
		{"embedding:\n  model: static\n  local: {quality: best}\n", "static/"},
		{"embedding:\n  model: transformer\n", transformer.Model},
	} {
		r := newRegistry(t, t.TempDir(), tt.yaml)
		requireModel(t, r, tt.want)
		if e, err := r.Previous(t.Context(), transformer.Model); err != nil || e.Model() != transformer.Model {
			t.Errorf("%s: the transformer that served before: %v", tt.yaml, err)
		}
	}
}
