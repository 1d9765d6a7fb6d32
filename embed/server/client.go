// Package server embeds with a model on a server that speaks OpenAI's embeddings API:
// OpenAI, Google's Gemini, Ollama, LM Studio, llama.cpp, vLLM and others. The client makes
// batches, masks secrets and checks answers.
package server

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/internal/modelserver"
)

// Vendor is a public service that speaks the API.
type Vendor struct {
	Base        string // its address
	Model       string // its default model
	KeyVariable string // the usual variable of its key
}

// Vendors lists the public services by the name of the provider.
var Vendors = map[string]Vendor{
	"openai": {"https://api.openai.com/v1", "text-embedding-3-small", "OPENAI_API_KEY"},
	"gemini": {"https://generativelanguage.googleapis.com/v1beta/openai", "gemini-embedding-001", "GEMINI_API_KEY"},
}

// knownDims are the models of the vendors and their dimensions.
var knownDims = map[string]int{"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536,
	"gemini-embedding-001": 3072}

// maxBatch is the number of texts per request. Services accept 100 and more, but a model on
// this machine's processor would need minutes for them.
const maxBatch = 64

// Options configure the server and the model.
type Options struct {
	Provider   string              // the name of a vendor
	Base       string              // empty: the vendor's own
	Model      string              // empty: the vendor's default
	Key        string              // empty: none; never shown, even if the server repeats it
	Dimensions int                 // 0: the known dimension of the model; see also [Probe]
	Mask       func(string) string // masks secrets in texts that leave the machine; nil: no masking
	Pace       *Pace               // nil: the default
}

// Pace contains the time limits and retries of a client.
type Pace struct {
	QueryTimeout   time.Duration // of a query with all its retries
	RequestTimeout time.Duration // of one request with passages
	MaxTries       int           // for passages
	Pause          time.Duration // after the first failure; it doubles with each
	MaxPause       time.Duration // if the server asks for a longer pause, the client fails
	BreakerTime    time.Duration // after a failed query, queries fail at once for this time
}

// defaultPace suits local and remote servers. A query waits three seconds, because
// late vectors are worse for recall than keyword search alone. A batch waits a
// minute, because a model on a small machine may need that.
var defaultPace = Pace{QueryTimeout: 3 * time.Second, RequestTimeout: time.Minute, MaxTries: 4, Pause: 500 * time.Millisecond,
	MaxPause: 20 * time.Second, BreakerTime: 15 * time.Second}

// client is an embedder that uses one server. It is safe for concurrent use.
type client struct {
	Options
	server  *modelserver.Client
	name    string
	dim     int // 0: that of the first answer
	pace    Pace
	breaker breaker
}

// Open returns an embedder. The dimension of its model must be known: from the options,
// of a vendor's model, or from [Probe]. It sends no request.
func Open(o Options) (embed.Embedder, error) {
	c, err := newClient(o)
	if err == nil && c.dim == 0 {
		err = memory.Invalid("embedding.dimensions", "the dimension of the model %s is not known", c.Options.Model)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Probe returns the dimension of the model. It sends a request only if the dimension is not
// known.
func Probe(ctx context.Context, o Options) (int, error) {
	c, err := newClient(o)
	if err != nil || c.dim != 0 {
		return c.Dim(), err
	}
	defer c.server.Close()
	vectors, err := c.Embed(ctx, embed.Query, []string{"How long is a vector?"})
	if err != nil {
		return 0, memory.Unavailable(err, "find the dimension of the model %s", c.Options.Model).
			WithHint("or set it: memory config set embedding.dimensions N")
	}
	return len(vectors[0]), nil
}

func newClient(o Options) (*client, error) {
	vendor := Vendors[o.Provider]
	at := ""
	if o.Base == "" || o.Base == vendor.Base {
		if o.Base = vendor.Base; o.Key == "" {
			return nil, memory.Invalid("embedding.apiKey", "%s needs a key", o.Provider).
				WithHint("memory config set embedding.apiKey env:%s", vendor.KeyVariable)
		}
	}
	o.Model = cmp.Or(o.Model, vendor.Model)
	to, err := modelserver.New(modelserver.Options{Base: o.Base, Key: o.Key, Mask: o.Mask,
		Settings: modelserver.Settings{Base: "embedding.baseUrl", Key: "embedding.apiKey", Model: "embedding.model"}})
	if err != nil {
		return nil, err
	}
	if o.Base != vendor.Base {
		at = to.Host() + "/"
	}
	c := &client{Options: o, server: to, dim: cmp.Or(o.Dimensions, knownDims[o.Model]), pace: defaultPace}
	c.name = fmt.Sprintf("%s/%s%s@%d", o.Provider, at, o.Model, c.dim)
	if o.Pace != nil {
		c.pace = *o.Pace
	}
	return c, nil
}

// Model returns a name that contains everything that changes the vectors: server, model and
// dimension.
func (c *client) Model() string { return c.name }

// Dim returns the dimension; 0: that of the first answer.
func (c *client) Dim() int {
	if c == nil {
		return 0
	}
	return c.dim
}

// Remote reports whether texts leave this machine.
func (c *client) Remote() bool { return c.server.Remote() }

// UsesServer returns true: see [embed.UsesServer].
func (c *client) UsesServer() bool { return true }

// Embed requests the vectors of all texts, batch by batch. It does not send blank
// texts; they get the zero vector. Queries have a short time limit. After a failed
// query, queries fail at once for a while, with the same error.
func (c *client) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	limited := ctx
	if kind == embed.Query {
		if err := c.breaker.check(); err != nil {
			return nil, err
		}
		var cancel context.CancelFunc
		limited, cancel = c.server.WithTimeout(ctx, c.pace.QueryTimeout)
		defer cancel()
	}
	vectors, err := c.embedAll(limited, kind, texts)
	if err == nil || ctx.Err() == nil {
		c.breaker.note(err, c.pace.BreakerTime)
	}
	return vectors, err
}

func (c *client) embedAll(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var sent []string
	var positions []int // of sent in texts
	for i, text := range texts {
		if text = c.outgoing(text); strings.TrimFunc(text, isBlank) == "" {
			vectors[i] = make([]float32, c.dim)
			continue
		}
		sent, positions = append(sent, text), append(positions, i)
	}
	for from := 0; from < len(sent); from += maxBatch {
		got, err := c.embedBatch(ctx, kind, sent[from:min(from+maxBatch, len(sent))])
		if err != nil {
			return nil, err
		}
		for n, v := range got {
			vectors[positions[from+n]] = v
		}
	}
	return vectors, nil
}

// outgoing returns the text as it is sent: shortened, and masked for remote servers.
func (c *client) outgoing(text string) string {
	text = shorten(text, maxChars, maxChars/12)
	if c.Remote() && c.Mask != nil {
		text = c.Mask(text)
	}
	return text
}

// isBlank reports whether some servers treat a text of such characters as empty, and
// refuse it.
func isBlank(r rune) bool {
	return r <= ' ' || r == 0x7f || r == 0xa0 || r == '\u200b' || r == '\ufeff'
}
