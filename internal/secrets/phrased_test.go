package secrets_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

// phrasedSecrets give a secret in passing: in another order, with a possessive, with an
// object between, in the next sentence, or as what opens something.
var phrasedSecrets = []string{
	"le mot de passe wifi c'est tournesol",
	"le mot de passe netflix est tournesol",
	"我的银行卡密码4711",
	"密码现在是向日葵",
	"向日葵是我们的密码",
	"输入4711可以开门",
	"password (new) sunflower99",
	"the key for the API is 9f8a7b6c5d4e3f2a1b0c",
	"der Schlüssel für die API lautet 9f8a7b6c5d4e3f",
	"the token for the dashboard, 9f8a7b6c5d4e3f",
	"9f8a7b6c5d4e3f is the API key of the shop",
	"the door opens with the code 2580",
	"the gate opens with 2580",
	"2580 opens the garage",
	"to unlock my phone you type 2580",
	"die Haustür mit dem Code 2580 aufgeht",
	"le portail s'ouvre avec le code 2580",
	"la puerta se abre con el código 2580",
	"玄関は2580で開きます",
	"der WLAN-Schlüssel Blaubeere7719 lautet",
	"das WLAN-Passwort Sonnenblume lautet",
	"the password's sunflower",
	"sunflower is our password",
	"ひまわりがうちのパスワードです",
	"暗証番号4711",
	"the pass phrase is correct horse battery staple",
	"our code word is marmalade",
	"the password that we share is sunflower",
	"the password, by the way, is sunflower",
	"username anna password sunflower",
	"login: anna, password sunflower",
	"we log in with the password sunflower",
	"my credentials are anna and sunflower99",
	"the password. It is sunflower.",
	"the wifi password! It's sunflower.",
	"das Passwort. Es ist Sonnenblume.",
	"le mot de passe. C'est tournesol.",
	"la contraseña. Es girasol.",
	"the wifi pw is sunflower",
	"the lock combination is left 12 right 34",
	"my security code is 123, on the back",
}

// phrasedProse has the words of phrasedSecrets, and gives none.
var phrasedProse = []string{
	"the password's length is twelve",
	"the password's gone",
	"the password's expired",
	"the password that we use is stored in the vault",
	"the password, by the way, is too short",
	"the password manager that we use is Bitwarden",
	"the wifi password is on the fridge",
	"the password wifi page: settings",
	"I changed the password. It is stored in the vault.",
	"I forgot my password. It is annoying.",
	"Set a password. That is required.",
	"use the password manager",
	"log in with the password only",
	"username and password are required",
	"the login page asks for a password twice",
	"the key for the config file is under theme",
	"the key to success is patience",
	"the primary key of the table is user_id",
	"the key of the object is report-2024-06-01",
	"the secret of good bread is time",
	"the file opens with 4096 bytes of header",
	"the shop opens with 2000 visitors a day",
	"the door opens with a remote",
	"the gate opens at 7:30",
	"port 8080 opens the dashboard",
	"2580 people opened the page",
	"the combination of left and right joins is slow",
	"the security code is 500 lines long",
	"the code word is 4 bytes",
	"das Passwort heißt im Englischen password",
	"die Tür öffnet sich mit 90 Grad",
	"le mot de passe actuel est valable",
	"la contraseña actual es segura",
	"这是我的密码",
	"最重要的是密码",
	"密码必须是强密码",
	"密码长度是12位",
	"重要なのがパスワードです",
}

func TestFindPhrasedSecrets(t *testing.T) {
	for _, text := range phrasedSecrets {
		if _, found := secrets.Find(text); !found {
			t.Errorf("no secret in %q", text)
		}
		if secrets.Mask(text) == text {
			t.Errorf("nothing is masked in %q", text)
		}
	}
}

func TestPhrasedProseIsNoSecret(t *testing.T) {
	for _, text := range phrasedProse {
		if kind, found := secrets.Find(text); found {
			t.Errorf("%q is taken for a %s: %q", text, kind, secrets.Mask(text))
		}
	}
}
