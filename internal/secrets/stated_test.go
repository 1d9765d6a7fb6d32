package secrets_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

// statedSecrets state a secret of ordinary words, or by a name that other programs use.
var statedSecrets = []string{
	"the password is sunflower",
	"the wifi password is sunflower.",
	"the password for the guest network is sunflower",
	"The password is Beethoven",
	"my password is: 'correct horse'",
	"the passphrase is correct horse battery staple",
	"my passcode is blue river",
	"I have a new wifi password: sunflower",
	"the wifi key is kirschbaum",
	"the wifi key is kirschbaum77",
	"the encryption key is deadbeefcafebabe0011",
	"le mot de passe est soleil",
	"le mot de passe du wifi est soleil",
	"le mot de passe : soleil",
	"la contraseña es girasol",
	"la contraseña del wifi es girasol",
	"mi clave es girasol",
	"das Passwort ist Sonnenblume",
	"das WLAN-Passwort lautet Sonnenblume",
	"merk dir, dass das Passwort für das WLAN Sonnenblume ist",
	"die PIN meiner Karte 4711 ist",
	"密码是向日葵",
	"WiFi密码：向日葵",
	"パスワードはひまわりです",
	"パスワードはひまわり",
	"パスワード：ひまわり",
	"export SECRET_KEY=abcdefg12345",
	"DB_PASS=Tr0ub4dor&3",
	"SMTP_PASS: sunflower",
	"user: bob pass: hunter22",
	"user bob, pass sunflower",
	"pass: hunter22",
	"Authorization: Bearer abcdef123456789 is needed",
	"smtp creds bob@example.com:sunshine1",
	"the login is bob:sunshine",
}

// prose tells something about secrets, and states none.
var prose = []string{
	"the password is stored in the vault",
	"the password is rotated monthly",
	"the password is required",
	"the key is under the mat",
	"the wifi key is under the mat",
	"the recovery key is in the safe",
	"the password is too short",
	"the password is not sent by mail",
	"the password is valid for an hour",
	"the password is kept in 1Password",
	"the password for staging is in the vault",
	"the password for staging is shared with the team",
	"the password is the same on both servers",
	"the passphrase is long and random",
	"the passcode is changing every minute",
	"a good password is memorable",
	"every password is unique per service",
	"The password policy is strict: twelve characters",
	"the password manager is Bitwarden",
	"the password reset is handled by Anna",
	"the password is wrong, please ask Anna",
	"the master key is rotated yearly",
	"the signing key is kept offline",
	"le mot de passe est obligatoire",
	"le mot de passe est stocké dans le coffre",
	"le mot de passe est trop court",
	"la contraseña es obligatoria",
	"la contraseña es demasiado corta",
	"la contraseña está guardada en el cofre",
	"la clave es dormir bien",
	"das Passwort ist im Tresor",
	"das Passwort ist abgelaufen",
	"das Passwort ist gespeichert",
	"das Passwort ist Pflicht",
	"dass das Passwort im Tresor ist",
	"dass das Passwort zu kurz ist",
	"dass das Passwort für das WLAN wichtig ist",
	"die PIN ist geheim",
	"the pin is bent",
	"密码是必须的",
	"密码是加密存储的",
	"密码是我们每90天更换的",
	"パスワードは必要です",
	"パスワードは90日ごとに変更します",
	"パスワードは12文字以上です",
	"パスワードは金庫に保管しています",
	"first pass: all tests are green",
	"compass: north",
	"scp backup.tar bob@example.com:backup.tar",
	"I prefer basic authentication for the demo",
}

func TestFindStatedSecrets(t *testing.T) {
	for _, text := range statedSecrets {
		if _, found := secrets.Find(text); !found {
			t.Errorf("no secret in %q", text)
		}
		if secrets.Mask(text) == text {
			t.Errorf("nothing is masked in %q", text)
		}
	}
}

func TestProseAboutSecretsIsNoSecret(t *testing.T) {
	for _, text := range prose {
		if kind, found := secrets.Find(text); found {
			t.Errorf("%q is taken for a %s: %q", text, kind, secrets.Mask(text))
		}
	}
}
