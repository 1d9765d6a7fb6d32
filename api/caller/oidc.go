package caller

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/memory-tiered/memory"
)

// Channel is the channel of senders that an OpenID provider names.
const Channel = "oidc"

// Provider accepts the identity tokens of an OpenID provider. Only people whom an identity lists
// as oidc:CLAIM are callers.
type Provider struct {
	Issuer     string
	Audience   string   // that the tokens must be for
	Claim      string   // that names the person, such as email
	Workspaces []string // that people reach; empty: all
	Identities func() memory.Identities

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier // nil: the provider was not asked yet
}

// find returns the caller of an identity token, or ErrUnknown.
func (p *Provider) find(ctx context.Context, token string) (c Caller, err error) {
	verifier, err := p.connect(ctx)
	if err != nil {
		return c, memory.Unavailable(err, "ask the OpenID provider")
	}
	claims := map[string]any{}
	checked, err := verifier.Verify(ctx, token)
	if err == nil {
		err = checked.Claims(&claims)
	}
	if err != nil {
		return c, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	name, _ := claims[p.Claim].(string)
	all := p.Identities()
	user := all.UserOf(memory.Sender{User: name, Channel: Channel}, memory.AudienceModel)
	_, isListed := all[user]
	if isVerified := p.Claim != "email" || claims["email_verified"] == true; name == "" || !isListed || !isVerified {
		return c, ErrUnknown
	}
	return Caller{Name: Channel + ":" + name, User: user, Workspaces: p.Workspaces}, nil
}

// connect asks the provider for its keys, once.
func (p *Provider) connect(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.verifier != nil {
		return p.verifier, nil
	}
	if p.Audience == "" {
		return nil, errors.New("server.oidc.audience is empty")
	}
	provider, err := oidc.NewProvider(context.WithoutCancel(ctx), p.Issuer)
	if err != nil {
		return nil, err
	}
	p.verifier = provider.Verifier(&oidc.Config{ClientID: p.Audience})
	return p.verifier, nil
}
