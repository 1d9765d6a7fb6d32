package secrets_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

func TestFindNamesTheKind(t *testing.T) {
	for _, tt := range []struct{ text, kind string }{
		{"Remember that the wifi password is Blaubeere#7719.", "password"},
		{"Das WLAN-Passwort lautet Blaubeere#7719.", "password"},
		{"le mot de passe du wifi est Myrtille#7719", "password"},
		{"la contraseña del wifi es Arandano#7719", "password"},
		{"WiFiのパスワードはBlaubeere#7719です。", "password"},
		{"WiFi密码是Blaubeere#7719。", "password"},
		{"the alarm PIN is 4482", "password"},
		{"die PIN der Alarmanlage ist 4482", "password"},
		{"暗証番号は4482です", "password"},
		{"netflix pw sunflower22", "password"},
		{"User admin, password Gr4nada!x.", "password"},
		{"the code de vérification 482913", "one-time code"},
		{"验证码是482913", "one-time code"},
		{"postgres://ada:hunter2@db:5432/x", "credentials in an address"},
		{"pay with 4111 1111 1111 1111", "card number"},

		{"We decided to rotate all passwords every 90 days.", ""},
		{"Hash every password with SHA-256 or bcrypt.", ""},
		{"The password policy is strict: twelve characters.", ""},
		{"the password manager runs on port 8081", ""},
		{"パスワードは90日ごとに変更します。", ""},
		{"我们决定每90天更换一次密码。", ""},
		{"pin the version to 1.26.4", ""},
		{"pin 1.26.4 in go.mod", ""},
		{"tan caro como 2024 euros", ""},
		{"la clave es dormir bien", ""},
	} {
		kind, found := secrets.Find(tt.text)
		if kind != tt.kind || found != (tt.kind != "") {
			t.Errorf("Find(%q) = %q, %t", tt.text, kind, found)
		}
	}
}
