package caller

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/errgroup"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// bearer is a request with a token.
func bearer(token string) *http.Request {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/v1/memories", nil)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}

func TestATokenNamesItsCallerUntilItEnds(t *testing.T) {
	now := noon
	tokens := Tokens{Path: filepath.Join(t.TempDir(), "tokens.json"), Now: func() time.Time { return now }}
	who := &Authenticator{Tokens: tokens, PerMinute: 100}
	lena := Caller{Name: "lena", User: "lena", Workspaces: []string{"home"}}
	secret, err := tokens.Create(lena, 24*time.Hour)
	other, otherErr := tokens.Create(Caller{Name: "other"}, 0)
	if err != nil || otherErr != nil {
		t.Fatal(err, otherErr)
	}
	expect := func(token, name string, want error) {
		t.Helper()
		if c, err := who.Authenticate(bearer(token)); c.Name != name || !errors.Is(err, want) {
			t.Errorf("%q: %+v, %v; want %q, %v", token, c, err, name, want)
		}
	}
	expect(secret, "lena", nil)
	expect(other, "other", nil)
	for _, wrong := range []string{"", "x", secret[:len(secret)-1], secret + "A", strings.ToLower(secret)} {
		expect(wrong, "", ErrUnknown)
	}
	if _, err := tokens.Create(lena, 0); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("the same name again: %v", err)
	}
	if text, err := os.ReadFile(tokens.Path); err != nil || strings.Contains(string(text), secret) {
		t.Errorf("the file has the secret, or %v", err)
	}
	if info, err := os.Stat(tokens.Path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the file: %v, %v", info.Mode(), err)
	}
	now = noon.Add(25 * time.Hour)
	expect(secret, "", ErrUnknown)
	expect(other, "other", nil)
	must.Do(t, tokens.Revoke("other"))
	expect(other, "", ErrUnknown)
	if err := tokens.Revoke("other"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("revoked twice: %v", err)
	}
}

func TestTokensMadeAtOnceAreAllKept(t *testing.T) {
	tokens := Tokens{Path: filepath.Join(t.TempDir(), "tokens.json"), Now: func() time.Time { return noon }}
	var commands errgroup.Group
	const count = 20
	for i := range count {
		commands.Go(func() error {
			_, err := tokens.Create(Caller{Name: strconv.Itoa(i)}, 0)
			return err
		})
	}
	must.Do(t, commands.Wait())
	if all, err := tokens.List(); err != nil || len(all) != count {
		t.Errorf("%d tokens, %v", len(all), err)
	}
}

func TestDamagedTokensLetNobodyIn(t *testing.T) {
	tokens := Tokens{Path: filepath.Join(t.TempDir(), "tokens.json"), Now: func() time.Time { return noon }}
	secret, err := tokens.Create(Caller{Name: "a"}, 0)
	if err == nil {
		err = os.WriteFile(tokens.Path, []byte("[{"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Authenticator{Tokens: tokens, PerMinute: 1}).Authenticate(bearer(secret)); err == nil {
		t.Error("a token of a damaged file is valid")
	}
	if _, err := tokens.Create(Caller{Name: "b"}, 0); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a new token replaced the damaged file: %v", err)
	}
}

func TestEachCallerHasALimitOfItsOwn(t *testing.T) {
	tokens := Tokens{Path: filepath.Join(t.TempDir(), "tokens.json"), Now: time.Now}
	busy, err := tokens.Create(Caller{Name: "busy"}, 0)
	calm, calmErr := tokens.Create(Caller{Name: "calm"}, 0)
	if err != nil || calmErr != nil {
		t.Fatal(err, calmErr)
	}
	who := &Authenticator{Tokens: tokens, PerMinute: 3}
	for i := range 10 {
		if _, err := who.Authenticate(bearer(busy)); (i < 3) != (err == nil) || i >= 3 && !errors.Is(err, ErrTooMany) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	if _, err := who.Authenticate(bearer(calm)); err != nil {
		t.Errorf("another caller: %v", err)
	}
}

// provider is an OpenID provider whose key is known.
type provider struct {
	*httptest.Server
	signer jose.Signer
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	key := must.Get(rsa.GenerateKey(rand.Reader, 2048))(t)
	p := &provider{}
	p.signer = must.Get(jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: "1"}}, nil))(t)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := any(map[string]any{"issuer": p.URL, "jwks_uri": p.URL + "/keys", "authorization_endpoint": p.URL + "/a", "token_endpoint": p.URL + "/t",
			"id_token_signing_alg_values_supported": []string{"RS256"}})
		if r.URL.Path == "/keys" {
			answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "RS256"}}}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(p.Close)
	return p
}

// token signs claims.
func (p *provider) token(t *testing.T, claims map[string]any) string {
	t.Helper()
	body := must.Get(json.Marshal(claims))(t)
	signed := must.Get(p.signer.Sign(body))(t)
	text := must.Get(signed.CompactSerialize())(t)
	return text
}

func TestOnlyKnownPeopleOfAProviderAreCallers(t *testing.T) {
	p, stranger := newProvider(t), newProvider(t)
	identities := memory.Identities{"owner": {"telegram:1"}, "lena": {"oidc:lena@example.org"}}
	who := &Authenticator{Tokens: Tokens{Path: filepath.Join(t.TempDir(), "tokens.json"), Now: time.Now}, PerMinute: 100,
		Provider: &Provider{Issuer: p.URL, Audience: "memory", Claim: "email", Workspaces: []string{"home"}, Identities: func() memory.Identities { return identities }}}
	claims := func(changed map[string]any) map[string]any {
		all := map[string]any{"iss": p.URL, "aud": "memory", "sub": "1", "email": "lena@example.org", "email_verified": true, "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix()}
		for name, value := range changed {
			all[name] = value
		}
		return all
	}
	c, err := who.Authenticate(bearer(p.token(t, claims(nil))))
	if err != nil || c.User != "lena" || c.Name != "oidc:lena@example.org" || len(c.Workspaces) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	for name, token := range map[string]string{
		"for another audience":     p.token(t, claims(map[string]any{"aud": "another"})),
		"expired":                  p.token(t, claims(map[string]any{"exp": time.Now().Add(-time.Hour).Unix()})),
		"of another provider":      stranger.token(t, claims(nil)),
		"of somebody not known":    p.token(t, claims(map[string]any{"email": "eve@example.org"})),
		"with an unverified email": p.token(t, claims(map[string]any{"email_verified": false})),
		"without a verified email": p.token(t, claims(map[string]any{"email_verified": nil})),
		"that names an identity":   p.token(t, claims(map[string]any{"email": "owner"})),
		"without a name":           p.token(t, claims(map[string]any{"email": ""})),
		"not signed":               "eyJhbGciOiJub25lIn0.e30.",
	} {
		if c, err := who.Authenticate(bearer(token)); !errors.Is(err, ErrUnknown) {
			t.Errorf("a token %s: %+v, %v", name, c, err)
		}
	}
	identities = memory.Identities{}
	if c, err := who.Authenticate(bearer(p.token(t, claims(nil)))); !errors.Is(err, ErrUnknown) {
		t.Errorf("without identities everybody would be the owner: %+v, %v", c, err)
	}
	p.Close()
	who.Provider = &Provider{Issuer: p.URL, Audience: "memory", Claim: "email", Identities: func() memory.Identities { return identities }}
	if _, err := who.Authenticate(bearer("x.y.z")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a provider that does not answer: %v", err)
	}
}

func FuzzDamagedTokens(f *testing.F) {
	f.Add([]byte(`[{"name": "a", "sha256": "x", "expires": "2026-11-20T12:00:00Z"}]`))
	f.Add([]byte(`[null, {"workspaces": null}]`))
	f.Fuzz(func(t *testing.T, content []byte) {
		tokens := Tokens{Path: filepath.Join(t.TempDir(), "tokens.json"), Now: func() time.Time { return noon }}
		must.Do(t, os.WriteFile(tokens.Path, content, 0o600))
		if c, err := tokens.find("mt_1"); err == nil {
			t.Errorf("%q lets in %+v", content, c)
		}
	})
}
