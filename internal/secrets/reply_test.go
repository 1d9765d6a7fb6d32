package secrets_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

func TestAReplyIsASecretIfTheMessageBeforeAsksForIt(t *testing.T) {
	for _, s := range [][2]string{
		{"What is your PIN?", "It is two five eight zero."}, {"What is your PIN?", "2580"}, {"What is the door code?", "it is 2580."},
		{"My password for the bank changed.", "it is now kumquat7."}, {"The wifi password?", "it's kumquat7."}, {"The wifi password?", "it is sunflower."},
		{"What is the wifi password?", "kumquat7"}, {"What is the wifi password?", "The new one is kumquat7."},
		{"Wie lautet deine PIN?", "sie ist 2580."}, {"Das Passwort hat sich geändert.", "es ist jetzt tulpe88."}, {"Das Passwort hat sich geändert.", "es jetzt tulpe88 ist."},
		{"Quel est le mot de passe ?", "c'est tulipe88."}, {"Le mot de passe a changé.", "il est maintenant tulipe88."},
		{"¿Cuál es la contraseña?", "es tulipan88."}, {"La contraseña cambió.", "ahora es tulipan88."},
		{"パスワードは何ですか？", "kumquat7です。"}, {"パスワードが変わりました。", "今はkumquat7です。"}, {"WiFi密码是什么？", "是kumquat7。"}, {"密码改了。", "现在是kumquat7。"},
	} {
		if _, found := secrets.FindReply(s[0], s[1]); !found {
			t.Errorf("%q after %q is no secret", s[1], s[0])
		}
	}
	for _, s := range [][2]string{
		{"What is your PIN?", "I prefer tea over coffee."}, {"The wifi password?", "it is in the vault."}, {"The wifi password?", "my sister lives in Graz."},
		{"Is the password reset done?", "the staging port is 8080."}, {"What is the PIN of the card?", "the meeting is on 2026-11-20 in room 412"},
		{"What is the port?", "it is 8080."}, {"My password is kumquat7.", "the bins go out on Tuesday."}, {"Did the token expire?", "the flat is too cold"},
		{"密码改了。", "我喜欢茶。"}, {"Das Passwort ist abgelaufen.", "wir das Treffen auf Montag legen"},
	} {
		if kind, found := secrets.FindReply(s[0], s[1]); found {
			t.Errorf("%q after %q is a %s", s[1], s[0], kind)
		}
	}
}
