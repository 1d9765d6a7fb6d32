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
	for _, tt := range []struct{ name, in, want, kind string }{
		{"no secret", "The staging port is 8081", "The staging port is 8081", ""},
		{"prose", "Rotate the password every month; the token is valid for an hour", "Rotate the password every month; the token is valid for an hour", ""},
		{"an assignment", "DB_PASSWORD=hunter2!x and more", "DB_PASSWORD=[secret] and more", "password"},
		{"a variable", "DB_PASSWORD=$OTHER", "DB_PASSWORD=$OTHER", ""},
		{"YAML", `api_key: "abcd1234"`, `api_key: "[secret]"`, "token"},
		{"JSON", `{"client_secret": "abcd1234"}`, `{"client_secret": "[secret]"}`, "token"},
		{"a sentence", "The wifi password is Sommer2024.", "The wifi password is [secret].", "password"},
		{"a PIN", "die PIN der Alarmanlage ist 4482", "die PIN der Alarmanlage ist [secret]", "PIN"},
		{"OpenAI", "use " + token("sk-", "proj-", "abcdefghijklmnop1234") + " here", "use [secret] here", "token"},
		{"GitHub", token("gh", "p_", strings.Repeat("a1", 18)), "[secret]", "token"},
		{"AWS", token("AK", "IA", "ABCDEFGHIJKLMNOP"), "[secret]", "cloud key"},
		{"Google", token("AI", "za", strings.Repeat("x", 35)), "[secret]", "cloud key"},
		{"JWT", token("ey", "JhbGciOiJI.", "eyJzdWIiOiIx.", "c2lnbmF0dXJl"), "[secret]", "signed token"},
		{"bearer", "Authorization: Bearer abcdefghijklmnop1234", "Authorization: Bearer [secret]", "token"},
		{"an address", "postgres://ada:hunter2@db:5432/x", "postgres://ada:[secret]@db:5432/x", "credentials in an address"},
		{"a private key", "key:\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nend", "key:\n[secret]\nend", "private key"},
		{"a private key without its end", "-----BEGIN PRIVATE KEY-----\nMIIE", "[secret]", "private key"},
		{"a card", "pay with 4111 1111 1111 1111 today", "pay with [secret] today", "card number"},
		{"another number", "order 4111 1111 1111 1112", "order 4111 1111 1111 1112", ""},
		{"a code", "your verification code is 482913", "your verification code is [secret]", "PIN"},
		{"two secrets", "password: aaaa1 token=bbbb2", "password: [secret] token=[secret]", "password"},
		{"full width", "für alle: the ｐａｓｓｗｏｒｄ is ｈｕｎｔｅｒ２ （neu）", "für alle: the ｐａｓｓｗｏｒｄ is [secret] （neu）", "password"},
		{"before its word", "kumquat7 is the password of Zoë", "[secret] is the password of Zoë", "password"},
		{"a list", "my PINs:\n- alarm code: 9921\n- garage code: 4711", "my PINs:\n- alarm code: [secret]\n- garage code: [secret]", "code"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := secrets.Mask(tt.in); got != tt.want {
				t.Errorf("Mask = %q, want %q", got, tt.want)
			}
			if kind, found := secrets.Find(tt.in); kind != tt.kind || found != (tt.kind != "") {
				t.Errorf("Find = %q, %t", kind, found)
			}
		})
	}
}

// Work stays linear in the length of a hostile text.
func TestFindInLongTexts(t *testing.T) {
	for _, part := range []string{"password ", "password is ", "PIN 1 ", "code for the ", "kumquat7 is the ", "ｐ", "a1 ", "密码", "://:", "1 "} {
		secrets.Find(strings.Repeat(part, 20_000))
	}
}

func FuzzMask(f *testing.F) {
	f.Add("password: aaaa1 token=bbbb2 postgres://a:b@c")
	f.Add("-----BEGIN PRIVATE KEY-----")
	f.Add("密码是四七一一, ｐａｓｓ: x’s")
	f.Fuzz(func(t *testing.T, text string) {
		if got := secrets.Mask(text); utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q gives %q", text, got)
		}
	})
}
