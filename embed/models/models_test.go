package models_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/models"
)

// content is the files of a small model.
var content = map[string][]byte{
	"model.onnx":     bytes.Repeat([]byte("weights "), 4096),
	"tokenizer.json": []byte(`{"model":{"type":"WordPiece"}}`),
	"config.json":    []byte(`{"hidden_size":8,"model_type":"bert"}`),
}

// catalogue lists only the small model.
func catalogue() []models.Model {
	m := models.Model{Name: "small", Dim: 8}
	for _, name := range []string{"model.onnx", "tokenizer.json", "config.json"} {
		sum := sha256.Sum256(content[name])
		m.Files = append(m.Files, models.File{Name: name, Bytes: int64(len(content[name])), SHA256: hex.EncodeToString(sum[:])})
	}
	m.Files[0].Path = "onnx/model.onnx"
	return []models.Model{m}
}

// mirror serves the small model.
type mirror struct {
	cut    int  // ends the answer after this many bytes; 0: it is complete
	spoil  bool // sends other bytes
	status int
	ranges []string
}

func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := filepath.Base(r.URL.Path)
	if name == "model.onnx" && r.URL.Path != "/mirror/onnx/model.onnx" {
		http.NotFound(w, r)
		return
	}
	if m.status != 0 {
		w.WriteHeader(m.status)
		return
	}
	src := content[name]
	if m.spoil {
		src = bytes.ToUpper(src)
	}
	m.ranges = append(m.ranges, r.Header.Get("Range"))
	if m.cut > 0 {
		w.Header().Set("Content-Length", "32768")
		_, _ = w.Write(src[:m.cut]) // the server then closes the connection
		return
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(src))
}

func TestPullContinuesAndRemoveDeletes(t *testing.T) {
	site := &mirror{}
	server := httptest.NewServer(site)
	defer server.Close()
	s := models.Store{Dir: filepath.Join(t.TempDir(), "models"), Catalogue: catalogue()}
	pull := func() (models.Model, error) {
		return s.Pull(t.Context(), "small", server.URL+"/mirror", nil)
	}

	site.cut = 1000
	if _, err := pull(); !errors.Is(err, memory.ErrUnavailable) {
		t.Fatalf("interrupted pull: %v", err)
	}
	if _, err := s.Get("small"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Get returns an incomplete model: %v", err)
	}
	site.cut, site.ranges = 0, nil
	var last memory.Progress
	m, err := s.Pull(t.Context(), "small", server.URL+"/mirror", func(p memory.Progress) { last = p })
	if err != nil {
		t.Fatal(err)
	}
	if site.ranges[0] != "bytes=1000-" {
		t.Errorf("the pull did not continue at byte 1000: %q", site.ranges)
	}
	if last.Done != last.Total || int64(last.Total) != m.Bytes() {
		t.Errorf("progress ends at %+v", last)
	}
	got, err := os.ReadFile(filepath.Join(s.Path("small"), "model.onnx"))
	if err != nil || !bytes.Equal(got, content["model.onnx"]) {
		t.Errorf("the file differs, %v", err)
	}
	site.ranges = nil
	if _, err := pull(); err != nil || len(site.ranges) != 0 {
		t.Errorf("second pull: %v, %q", err, site.ranges)
	}
	if list, faults, err := s.List(); err != nil || len(list) != 1 || len(faults) != 0 {
		t.Errorf("%v, %v, %v", list, faults, err)
	}
	if err := os.Truncate(filepath.Join(s.Path("small"), "model.onnx"), 77); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("small"); !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "77 bytes") {
		t.Errorf("truncated file: %v", err)
	}
	if err := s.Remove("small"); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove("small"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("second remove: %v", err)
	}
}

func TestPullFailsWithAReason(t *testing.T) {
	site := &mirror{}
	server := httptest.NewServer(site)
	defer server.Close()
	folder := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, tt := range []struct {
		name, model, from, want string
		site                    mirror
		ctx                     context.Context
	}{
		{name: "another file", model: "small", from: server.URL + "/mirror", site: mirror{spoil: true}, want: "not the pinned file"},
		{name: "404", model: "small", from: server.URL + "/mirror", site: mirror{status: 404}, want: "404"},
		{name: "500", model: "small", from: server.URL + "/mirror", site: mirror{status: 500}, want: "500"},
		{name: "no server", model: "small", from: "http://127.0.0.1:1", want: "fetch http://127.0.0.1:1"},
		{name: "interrupted", model: "small", from: server.URL + "/mirror", ctx: stopped, want: "canceled"},
		{name: "unknown", model: "gpt-99", want: "no model gpt-99"},
		{name: "a path", model: "../../etc", want: "not a valid name"},
		{name: "an empty folder", model: "own", from: t.TempDir(), want: "contains no model"},
		{name: "another tokeniser", model: "own", from: folder(map[string]string{"model.onnx": "x", "config.json": `{"hidden_size":8}`,
			"tokenizer.json": `{"model":{"type":"Unigram"}}`}), want: "not supported (tokens by Unigram)"},
		{name: "not the pinned one", model: "small", from: folder(map[string]string{"model.onnx": "x", "config.json": "{}", "tokenizer.json": "{}"}), want: "not those of small in the catalogue"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			*site = tt.site
			if tt.ctx == nil {
				tt.ctx = t.Context()
			}
			s := models.Store{Dir: filepath.Join(t.TempDir(), "models"), Catalogue: catalogue()}
			_, err := s.Pull(tt.ctx, tt.model, tt.from, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v; want %q", err, tt.want)
			}
			if list, _, err := s.List(); err != nil || len(list) != 0 {
				t.Errorf("the model is listed: %v, %v", list, err)
			}
		})
	}
}

func TestPullFromFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "onnx"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"model.onnx": "onnx/model.onnx", "tokenizer.json": "tokenizer.json", "config.json": "config.json"} {
		if err := os.WriteFile(filepath.Join(dir, path), content[name], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := models.Store{Dir: filepath.Join(t.TempDir(), "models"), Catalogue: catalogue()}
	for _, name := range []string{"small", "own"} {
		m, err := s.Pull(t.Context(), name, dir, nil)
		if err != nil || m.Dim != 8 {
			t.Fatalf("%s: %+v, %v", name, m, err)
		}
	}
	list, _, err := s.List()
	if err != nil || len(list) != 2 || list[0].Digest() != list[1].Digest() {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestCatalogueIsPinned(t *testing.T) {
	for _, m := range models.Catalogue {
		if len(m.Revision) != 40 || !strings.Contains(m.Source, m.Revision) || m.License == "" || m.Dim == 0 || len(m.Files) != 3 {
			t.Errorf("%+v", m)
		}
		for _, f := range m.Files {
			if _, err := hex.DecodeString(f.SHA256); err != nil || len(f.SHA256) != 64 || f.Bytes == 0 {
				t.Errorf("%s: %+v", m.Name, f)
			}
		}
	}
}
