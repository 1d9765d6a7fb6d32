package modelserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/memory-tiered/memory/internal/modelserver"
	"github.com/memory-tiered/memory/internal/must"
)

const key = "test-0123456789abcdef"

// chat returns a model on a server that gives one answer, and what the server gets.
func chat(t *testing.T, status int, header, answer string) (*modelserver.Chat, *[]string) {
	t.Helper()
	var got []string
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.Header.Get("Authorization")+" "+r.URL.Path+" "+string(body))
		w.Header().Set("Location", header)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	model := must.Get(modelserver.NewChat(modelserver.Options{Base: server.URL + "/v1/", Key: key,
		Settings: modelserver.Settings{Base: "model.baseUrl", Key: "model.apiKey", Model: "model.name"}}, "tiny"))(t)
	return model, &got
}

func TestChatSendsOneRequest(t *testing.T) {
	model, got := chat(t, http.StatusOK, "", `{"choices":[{"message":{"role":"assistant","content":"{}"}}],"usage":{"prompt_tokens":12,"completion_tokens":3}}`)
	answer, err := model.Complete(t.Context(), "Be brief.", "Hello", json.RawMessage(`{"type": "object"}`), 50)
	if err != nil || answer != (modelserver.Completion{Text: "{}", In: 12, Out: 3}) {
		t.Fatalf("%+v, %v", answer, err)
	}
	head, body, _ := strings.Cut((*got)[0], "{")
	var sent struct {
		Model    string
		Messages []struct{ Role, Content string }
		Max      int `json:"max_tokens"`
	}
	must.Do(t, json.Unmarshal([]byte("{"+body), &sent))
	if head != "Bearer "+key+" /v1/chat/completions " || sent.Model != "tiny" || sent.Max != 50 || len(sent.Messages) != 2 || sent.Messages[1].Content != "Hello" {
		t.Errorf("%s%+v", head, sent)
	}
	if !strings.HasSuffix(model.Name(), "/tiny") || strings.Contains(model.Name(), key) {
		t.Error(model.Name())
	}
}

// An error names the setting to look at, and never the key.
func TestChatReportsFaults(t *testing.T) {
	for want, server := range map[string]struct {
		status         int
		header, answer string
	}{
		"refuses the key (401); it is set by model.apiKey: no …": {401, "", `{"error":{"message":"no ` + key + `"}}`},
		"see model.name and model.baseUrl":                       {404, "", ""},
		"redirects to 127.0.0.1:1":                               {307, "http://127.0.0.1:1/steal", ""},
		"not the JSON of a chat":                                 {200, "", "<html>"},
		"it has no text":                                         {200, "", `{"choices":[]}`},
		"the text is cut, because it is too long":                {200, "", `{"choices":[{"message":{"content":"{"},"finish_reason":"length"}]}`},
	} {
		model, got := chat(t, server.status, server.header, server.answer)
		_, err := model.Complete(t.Context(), "", "", nil, 50)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), key) {
			t.Errorf("%v; want %q", err, want)
		}
		if len(*got) == 0 || server.status < 300 && len(*got) > 1 {
			t.Errorf("%s: %d requests", want, len(*got))
		}
	}
}

// TestAServerWithoutSchemasIsAskedForAnyObject asks a server that refuses what it does not know.
func TestAServerWithoutSchemasIsAskedForAnyObject(t *testing.T) {
	for _, knows := range []string{"json_schema", "json_object"} {
		var asked []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var sent struct {
				Format struct{ Type string } `json:"response_format"`
			}
			_ = json.NewDecoder(r.Body).Decode(&sent)
			if asked = append(asked, sent.Format.Type); sent.Format.Type != knows {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"{}"}}]}`)
		}))
		model := must.Get(modelserver.NewChat(modelserver.Options{Base: server.URL}, "tiny"))(t)
		answer, err := model.Complete(t.Context(), "", "", json.RawMessage(`{"type": "object"}`), 50)
		if err != nil || answer.Text != "{}" || asked[0] != "json_schema" || asked[len(asked)-1] != knows {
			t.Errorf("%s: %+v, %v, asked for %v", knows, answer, err, asked)
		}
		server.Close()
	}
}
