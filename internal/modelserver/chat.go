package modelserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Chat is a language model that speaks OpenAI's chat API.
type Chat struct {
	server *Client
	model  string
}

// NewChat returns a language model on a server. It sends no request.
func NewChat(o Options, model string) (*Chat, error) {
	server, err := New(o)
	if err != nil {
		return nil, err
	}
	return &Chat{server, model}, nil
}

// Name returns the model's name, with its server.
func (c *Chat) Name() string { return c.server.Host() + "/" + c.model }

// Completion is the answer of a language model.
type Completion struct {
	Text    string
	In, Out int // tokens, as the server counts them; 0: it does not tell
}

// chatAttempts suits a model on this machine, which may need minutes for an answer. The caller
// counts the tokens of one request, and so there is one.
var chatAttempts = Attempts{Max: 1, Limit: 5 * time.Minute}

// openAI is the host whose models have another name for the limit of an answer.
const openAI = "api.openai.com"

// Complete asks for a JSON object of a schema as the answer to a text, of a limited number of
// tokens. A server that refuses schemas is asked for any JSON object.
func (c *Chat) Complete(ctx context.Context, instructions, text string, schema json.RawMessage, most int) (answer Completion, err error) {
	request := map[string]any{"model": c.model, "messages": []chatMessage{{"system", instructions}, {"user", text}}, "max_tokens": most}
	if c.server.Host() == openAI {
		delete(request, "max_tokens")
		request["max_completion_tokens"] = most
	}
	for _, format := range []responseFormat{{Type: "json_schema", Schema: &namedSchema{"answer", schema}}, {Type: "json_object"}} {
		request["response_format"] = format
		err = c.server.Post(ctx, "chat/completions", request, chatAttempts, func(body []byte) (err error) {
			answer, err = parseChat(body)
			return err
		})
		if !MayAcceptAnother(err) {
			break
		}
	}
	return answer, err
}

type responseFormat struct {
	Type   string       `json:"type"`
	Schema *namedSchema `json:"json_schema,omitempty"`
}

type namedSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// parseChat reads the answer of a server. After an error, it still has the tokens.
func parseChat(body []byte) (answer Completion, err error) {
	var a struct {
		Choices []struct {
			Message      chatMessage `json:"message"`
			FinishReason string      `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			In  int `json:"prompt_tokens"`
			Out int `json:"completion_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return answer, fmt.Errorf("not the JSON of a chat: %w", err)
	}
	const most = 1 << 30 // no model takes more
	answer.In, answer.Out = min(max(0, a.Usage.In), most), min(max(0, a.Usage.Out), most)
	switch {
	case len(a.Choices) == 0:
		return answer, errors.New("it has no text")
	case a.Choices[0].FinishReason == "length":
		return answer, errors.New("the text is cut, because it is too long")
	}
	answer.Text = a.Choices[0].Message.Content
	return answer, nil
}
