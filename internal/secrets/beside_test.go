package secrets_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

// besideSecrets state a secret in one sentence with its word. It is before the word or
// behind others, has blanks or is in words, or has full-width characters.
var besideSecrets = []string{
	"kumquat7 is the password",
	"kumquat7 is still our guest wifi password",
	"use kumquat7 as the password",
	"log in with kumquat7 as password, please",
	"kumquat7 (the wifi password) is on the fridge",
	"sunflower is the wifi password.",
	"remember that sunflower is our password for the router",
	"the password of the router changed to kumquat99",
	"we changed the wifi password to kumquat99 yesterday",
	"we changed the wifi password to sunflower",
	"the password for the wifi, as Anna said, is kumquat99",
	"the password, which was printed on the box, is kumquat99",
	"the password of www.example.com is kumquat99",
	"my password: I think it is kumquat99",
	"the passwords are kumquat99 and berry123",
	"password -> kumquat99",
	"| password | kumquat99 |",
	"Password: **sunflower**",
	"the ｐａｓｓｗｏｒｄ is hunter2",
	"the password is ｈｕｎｔｅｒ２",
	"the 𝗽𝗮𝘀𝘀𝘄𝗼𝗿𝗱 is hunter2",
	"the pass\u200bword is hunter2",
	"the pass\u00adword is hunter2",
	"my PIN: 4 7 1 1",
	"my PIN is 47 11",
	"my PIN is 4-7-1-1",
	"the pin, if I remember right, is 4711",
	"my PIN is ４７１１",
	"my PIN is four seven one one",
	"4711 is my PIN",
	"the PIN of the card changed to 4711",
	"the recovery code is ABCD-EFGH-IJKL",
	"recovery code: abcd1-efgh2-ijkl3",
	"the backup codes are a1b2c3d4 and e5f6a7b8",
	"the alarm code is 9921",
	"the alarm code, as always, is 9921",
	"the code for the front door is 9921#",
	"9921 is the code for the garage",
	"the door code changed to 9921",
	"gate code 9921",
	"the combination of the safe is 12-34-56",
	"my codes:\n- alarm: 9921\n- garage: 4711",
	"my passwords:\n- wifi: kumquat99\n- router: berry1234",
	"PUK 12345678",
	"the CVV is 123",
	"the seed phrase is apple banana cherry",
	"credentials: anna / kumquat99",
	"password of the NAS tulip88",
	"Passwort vom NAS tulip88",
	"contraseña del router tulip88",
	"the PIN of the phone 2580",
	"PIN vom Handy 2580",
	"PIN del móvil 2580",
	"the passcode of the ipad, 258025",
	"from today the password will be tulip88",
	"my pasword is tulip88",
	"das Pasword vom Router ist tulip88",
	"the API key that we use, since May, is a1b2c3d4e5",

	"Die Geheimzahl ist 4711",
	"die Geheimzahl der Karte, glaube ich, ist 4 7 1 1",
	"kumquat7 ist das WLAN-Passwort",
	"dass kumquat7 das Passwort für das WLAN ist",
	"dass Sonnenblume das WLAN-Passwort ist",
	"das Passwort vom Router wurde auf kumquat99 geändert",
	"das Passwort wurde auf Sonnenblume geändert",
	"das Kennwort, das Anna mir gab, ist kumquat99",
	"dass das Passwort von der alten Fritzbox Blaubeere7 ist",
	"die Passwörter lauten kumquat99 und beere123",
	"der Code für die Haustür ist 9921",
	"der Türcode lautet 9921",
	"der Alarmcode ist jetzt 9921",
	"dass der Code der Alarmanlage 9921 ist",
	"die Zahlenkombination ist 12 34 56",
	"der Wiederherstellungscode ist ABCD-EFGH",
	"meine PIN ist vier sieben eins eins",
	"Zugangsdaten: anna / kumquat99",

	"kumquat7 est le mot de passe",
	"le mot de passe du wifi, d'après Anna, est kumquat99",
	"le mot de passe, c'est kumquat99",
	"on a changé le mot de passe en kumquat99",
	"le code de la porte est le 9921",
	"le code de l'alarme est 99 21",
	"le digicode est 4711",
	"le code de récupération est ABCD-EFGH",
	"mon code secret est quatre sept un un",

	"kumquat7 es la contraseña",
	"la contrasena del wifi es kumquat99",
	"la contraseña del wifi, según Ana, es kumquat99",
	"cambiamos la contraseña a kumquat99",
	"el código de la puerta es el 9921",
	"el código de la alarma es 99 21",
	"el código de recuperación es ABCD-EFGH",
	"mi número secreto es 4711",

	"密码改成了kumquat99",
	"kumquat99是WiFi密码",
	"门禁码是9921",
	"恢复码是ABCD-EFGH",
	"密码是４７１１",
	"PIN码是四七一一",
	"验证码：48 29 13",

	"パスワードが変わってkumquat99になりました。パスワードはkumquat99",
	"kumquat99がWiFiのパスワードです",
	"ﾊﾟｽﾜｰﾄﾞはkumquat99です",
	"玄関の暗証番号は４７１１です",
	"リカバリーコードはABCD-EFGHです",
	"アラームの解除コードは9921",
}

// besideProse has the words of besideSecrets, and numbers and names beside them.
var besideProse = []string{
	"the password manager is KeePass2",
	"1Password is our password manager",
	"KeePass2 is the password manager",
	"Bitwarden is the password manager of the team",
	"this is the password",
	"what is the password",
	"the problem is the password",
	"vault42 is where the passwords are",
	"the password of web01 is rotated every 90 days",
	"ask Ben for the password of web01",
	"the password for the bank expires in 2027",
	"the password for the wifi of room 1204 is in the vault",
	"PIN of the card expires in 2027",
	"the PIN for the phone has 4 digits",
	"Passwort vom NAS wird jährlich geändert",
	"passwords are rotated, and the server is web0123",
	"we changed the password policy to 12 characters",
	"we switched the password hash to argon2id",
	"the password was changed to comply with the policy",
	"we set the password to expire",
	"the number of tokens is 4096",
	"max tokens: 8192",
	"a token is about 4 bytes",
	"the pins are 17 27 22 and 5",
	"pin 1.26.4 in go.mod",
	"pin the version to 1.26.4",
	"pin 13 is the LED",
	"the exit code is 137",
	"the postal code is 10115",
	"the status code was 404 or 5001",
	"the area code is 0301234",
	"the backup code is 5000 lines long",
	"the backup code is in backup.go",
	"the recovery code runs on port 8081",
	"the security code review is in 2027",
	"the alarm code is in the safe",
	"the alarm code was changed on 12 March 2026",
	"the access code is tested with Go 1.26",
	"the login code was refactored in 2025",
	"the door is 2000 mm high",
	"the combination of Go and SQLite is fast",
	"der Code für die Suche ist in search.go",
	"der Code hat 4711 Zeilen",
	"die Geheimzahl steht im Tresor",
	"der Türcode wurde gestern geändert",
	"das Passwort wurde auf Wunsch von Anna geändert",
	"le code postal est 75011",
	"le code de la page est dans index.html",
	"le code de l'alarme est dans le coffre",
	"el código postal es 28001",
	"el código de la aplicación es de 2024",
	"la clave del proyecto es dormir bien",
	"邮政编码是100001",
	"错误码是5001",
	"密码管理器是KeePass",
	"郵便番号は1000001です",
	"エラーコードは5001です",
}

func TestFindSecretsBesideTheirWord(t *testing.T) {
	for _, text := range besideSecrets {
		if _, found := secrets.Find(text); !found {
			t.Errorf("no secret in %q", text)
		}
		if secrets.Mask(text) == text {
			t.Errorf("nothing is masked in %q", text)
		}
	}
}

func TestProseBesideTheWordsIsNoSecret(t *testing.T) {
	for _, text := range besideProse {
		if kind, found := secrets.Find(text); found {
			t.Errorf("%q is taken for a %s: %q", text, kind, secrets.Mask(text))
		}
	}
}

// A secret in characters that look otherwise is masked at its place.
func TestMaskKeepsTheTextAroundFoldedSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"für alle: the ｐａｓｓｗｏｒｄ is ｈｕｎｔｅｒ２ （neu）":  "für alle: the ｐａｓｓｗｏｒｄ is [secret] （neu）",
		"my PIN: ４ ７ １ １, danke":                   "my PIN: [secret], danke",
		"kumquat7 is the password of Zoë":          "[secret] is the password of Zoë",
		"my codes:\n- alarm: 9921\n- garage: 4711": "my codes:\n- alarm: [secret]\n- garage: [secret]",
	} {
		if got := secrets.Mask(in); got != want {
			t.Errorf("Mask(%q) = %q, want %q", in, got, want)
		}
	}
}

// Work stays linear in the length of a hostile text.
func TestFindInLongTexts(t *testing.T) {
	for _, part := range []string{"password ", "password is ", "PIN 1 ", "code for the ", "kumquat7 is the ", "ｐ", "a1 "} {
		secrets.Find(strings.Repeat(part, 200))
	}
}
