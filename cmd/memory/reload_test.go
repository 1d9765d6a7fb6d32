package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

// A setting that is made after the service has read its configuration, and before it
// listens, is in force.
func TestASettingMadeWhileTheServiceStartsIsInForce(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	a := newApp(t, dir, state)
	started, _, err := a.load()
	if err != nil {
		t.Fatal(err)
	}
	e := must.Get(a.engine(t.Context(), started, state, nil, false))(t)
	defer e.Close()
	file := filepath.Join(state, "config.yaml")
	must.Do(t, os.WriteFile(file, []byte("workspaces:\n  main:\n    path: "+dir+"\n"), 0o600))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- a.listenAndRun(ctx, started, state, e, slog.New(slog.DiscardHandler)) }()
	defer func() { stop(); <-ended }()
	client := api.Dial(socketPath(state))
	defer client.Close()
	for {
		if status, err := client.Status(ctx); err == nil && len(status.Workspaces) == 1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// otherValues has a value for every setting that differs from its default, where a
// larger number or the next allowed word does not do.
var otherValues = map[string]string{
	"dbPath": "/other/tiered.db", "index.backend": "sqlite", "index.url": "postgres://other/index", "embedding.local.modelPath": "/other", "embedding.baseUrl": "http://other", "model.baseUrl": "http://other", "capture.categories": "fact", "decay.schedule": "30 3 * * *", "grade.schedule": "@weekly", "scopes": "work agent=coder", "injection.floor": "0.5", "injection.budgets.pinned": "20", "injection.budgets.hot": "20",
	"server.listen": "0.0.0.0:1", "server.certificate": "/other", "server.key": "/other", "server.oidc.issuer": "http://other", "injection.budgets.warm": "20", "injection.budgets.cold": "1",
}

// Every setting either is in force after a reload, or is marked with restart:"true".
// A new setting that neither changes the options of the engine nor is marked would be
// reported as in force although it is not.
func TestEverySettingIsInForceAfterAReloadOrNeedsARestart(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	a := newApp(t, dir, state)
	file := filepath.Join(state, "config.yaml")
	must.Do(t, os.WriteFile(file, []byte("index: {backend: postgres, url: postgres://localhost/index}\nworkspaces:\n  main:\n    path: "+dir+"\n"), 0o600))
	started, _, err := a.load()
	if err != nil {
		t.Fatal(err)
	}
	before := optionsOf(t, a, started)
	for _, k := range config.Keys() {
		a.environ = []string{k.Env + "=" + otherValue(k)}
		r := &reloader{app: a, stateDir: state, log: slog.New(slog.DiscardHandler), level: new(slog.LevelVar), started: started, current: started}
		options, answer, err := r.read(t.Context())
		if err != nil {
			t.Errorf("%s=%s: %v", k.Name, otherValue(k), err)
			continue
		}
		listed := append(append([]string(nil), answer.Applied...), answer.Restart...)
		if !reflect.DeepEqual(listed, []string{k.Name}) {
			t.Errorf("%s changed, and the answer lists %v", k.Name, listed)
		}
		if k.Restart != (len(answer.Restart) == 1) {
			t.Errorf("%s: needs a restart: %v, listed so: %v", k.Name, k.Restart, answer.Restart)
		}
		follows := strings.HasPrefix(k.Name, "embedding.") // the embedders read these themselves
		follows = follows || k.Name == "native"            // the registry reads it for each look
		follows = follows || k.Name == "log.level" && r.level.Level() != slog.LevelInfo
		if after := comparable(options); k.Restart == (follows || !reflect.DeepEqual(before, after)) {
			t.Errorf("%s: marked with restart: %v, changes the options: %v", k.Name, k.Restart, !reflect.DeepEqual(before, after))
		}
	}
}

func otherValue(k config.Key) string {
	if value, ok := otherValues[k.Name]; ok {
		return value
	}
	switch {
	case len(k.OneOf) > 0:
		for _, word := range k.OneOf {
			if word != k.Default {
				return word
			}
		}
	case k.Default == "true":
		return "false"
	case k.Default == "false":
		return "true"
	case k.Default == "":
		return "other"
	}
	return strings.Replace("1", k.Default, "2", 1)
}

func optionsOf(t *testing.T, a *app, cfg *config.Loaded) engine.Options {
	o := must.Get(a.engineOptions(t.Context(), cfg, a.env("MEMORY_STATE_DIR"), nil))(t)
	return comparable(o)
}

// comparable replaces what two loads of the same configuration make differently.
func comparable(o engine.Options) engine.Options {
	o.Embedders, o.Registry, o.ClientDir, o.Language.Open = nil, nil, nil, nil
	if o.Recall.Expand != nil {
		o.Recall.Expand, o.Recall.Align = nil, nil
		o.Version += "with similar words"
	}
	return o
}
