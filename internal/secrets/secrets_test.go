package secrets_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/secrets"
)

func TestMaskReplacesSecretsAlone(t *testing.T) {
	// The examples are joined from parts, so that no scanner takes them for real secrets.
	token := func(parts ...string) string { return strings.Join(parts, "") }
	for _, tt := range []struct{ name, in, want string }{
		{"no secret", "The staging port is 8081", "The staging port is 8081"},
		{"prose about passwords", "Rotate the password every month; the token is valid for an hour", "Rotate the password every month; the token is valid for an hour"},
		{"an assignment", "DB_PASSWORD=hunter2!x and more", "DB_PASSWORD=[secret] and more"},
		{"YAML", `api_key: "abcd1234"`, `api_key: "[secret]"`},
		{"JSON", `{"client_secret": "abcd1234"}`, `{"client_secret": "[secret]"}`},
		{"a sentence", "The wifi password is Sommer2024.", "The wifi password is [secret]"},
		{"OpenAI", "use " + token("sk-", "proj-", "abcdefghijklmnop1234") + " here", "use [secret] here"},
		{"GitHub", token("gh", "p_", strings.Repeat("a1", 18)), "[secret]"},
		{"AWS", token("AK", "IA", "ABCDEFGHIJKLMNOP"), "[secret]"},
		{"Google", token("AI", "za", strings.Repeat("x", 35)), "[secret]"},
		{"JWT", token("ey", "JhbGciOiJI.", "eyJzdWIiOiIx.", "c2lnbmF0dXJl"), "[secret]"},
		{"bearer", "Authorization: Bearer abcdefghijklmnop1234", "Authorization: Bearer [secret]"},
		{"credentials in a URL", "postgres://ada:hunter2@db:5432/x", "postgres://ada:[secret]@db:5432/x"},
		{"a private key", "key:\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nend", "key:\n[secret]\nend"},
		{"a private key without its end", "-----BEGIN PRIVATE KEY-----\nMIIE", "[secret]"},
		{"a card", "pay with 4111 1111 1111 1111 today", "pay with [secret] today"},
		{"a number that fails the card check", "order 4111 1111 1111 1112", "order 4111 1111 1111 1112"},
		{"a one-time code", "your verification code is 482913", "your verification code is [secret]"},
		{"two secrets", "password: aaaa1 token=bbbb2", "password: [secret] token=[secret]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := secrets.Mask(tt.in); got != tt.want {
				t.Errorf("Mask = %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzMask(f *testing.F) {
	f.Add("password: aaaa1 token=bbbb2 postgres://a:b@c")
	f.Add("-----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, text string) {
		if got := secrets.Mask(text); utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q gives %q", text, got)
		}
	})
}
