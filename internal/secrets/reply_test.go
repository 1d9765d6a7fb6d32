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

func TestAnAwaitedSecretMayHaveAnyWords(t *testing.T) {
	for _, s := range [][2]string{
		{"What is your PIN?", "two five eight zero."}, {"What is your PIN?", "2580 is the one I use."}, {"What is your PIN?", "it is twenty-five eighty."},
		{"What is the code for the door?", "Always use 4471 there."}, {"Which password do you use for the router?", "I always use sunflower meadow there."},
		{"Wie lautet Ihre PIN?", "zwei fünf acht null."}, {"Wie lautet Ihre PIN?", "fünfundzwanzig achtzig"}, {"My wifi password follows.", "sunflower meadow blue."},
		{"Can you tell me the wifi password?", "uh, it's like, um, kumquat seven"}, {"Here comes my seed phrase:", "apple banana cherry dune ember falcon grape harbor iris jungle kettle lemon"},
		{"What do I type to get in?", "4471 then hash"}, {"How do you unlock the phone?", "with 2580"}, {"Wie komme ich in die Garage rein?", "4471 tippen"},
		{"Comment ouvre-t-on le portail ?", "toujours 4471"}, {"Quel est le mot de passe du wifi ?", "toujours prairie tournesol"}, {"¿Cuál es la contraseña del wifi?", "siempre uso girasol pradera"},
		{"¿Cuál es tu PIN?", "dos cinco ocho cero"}, {"Quel est ton code PIN ?", "vingt-cinq quatre-vingts"},
		{"パスワードは何ですか？", "ひまわりです。"}, {"暗証番号を教えてください。", "二五八〇です"}, {"你的密码是什么？", "二五八零"}, {"WiFi密码是什么？", "向日葵花园"},
		{"What's the CVV?", "it's 123."}, {"The door code, please tell me.", "b as in blue, 4471"}, {"What is the wifi password?", "s u n f l o w e r"},
		{"What is the wifi password?", "It's sunflower, and by the way the router stands in the hall."}, {"What is the code for the front door?", "the front door is 2580"},
		{"Let me give you the alarm code.", "four four seven one"}, {"The wifi password is", "blue meadow"},
	} {
		if _, found := secrets.FindReply(s[0], s[1]); !found {
			t.Errorf("%q after %q is no secret", s[1], s[0])
		}
	}
	for _, s := range [][2]string{
		{"What is your PIN?", "the bins go out on Tuesday"}, {"What is your PIN?", "my sister lives in Graz"}, {"What is your PIN?", "the rent is 1200 euros a month"},
		{"When does the password expire?", "it expires on 2027-03-01"}, {"What is the password policy?", "rotate every year"}, {"Which password manager do we use?", "we use Bitwarden"},
		{"My password changed yesterday.", "Anna likes tea"}, {"My password changed yesterday.", "I always use dark mode"}, {"How do you open the shop?", "we open at 08:00"},
		{"Did you rotate the API key?", "the meeting moved to Tuesday"}, {"Is the PIN secret?", "we deploy on Mondays"}, {"What is the wifi password?", "it's printed on the router"},
		{"Wie lautet das Passwort?", "das steht auf dem Router"}, {"Quel est le mot de passe ?", "il est écrit sur la box"}, {"What is the exit code?", "it is 137"},
		{"How do I log in?", "we always use the account of the team with two factors"},
	} {
		if kind, found := secrets.FindReply(s[0], s[1]); found {
			t.Errorf("%q after %q is a %s", s[1], s[0], kind)
		}
	}
}

func TestASecretMayBeNamedAfterwards(t *testing.T) {
	for _, s := range [][2]string{
		{"blue meadow sunflower", "That's the wifi password."}, {"2580 for the card", "It is my PIN, by the way."}, {"prairie tournesol", "C'est le mot de passe du wifi."}, {"blaue Wiese", "Das ist das WLAN-Passwort."},
	} {
		if _, found := secrets.FindNamedAfter(s[0], s[1]); !found {
			t.Errorf("%q before %q is no secret", s[0], s[1])
		}
	}
	for _, s := range [][2]string{
		{"blue meadow sunflower", "That's my favourite song."}, {"the bins go out on Tuesday", "That's the password."}, {"we use Bitwarden", "That is our password manager."},
	} {
		if kind, found := secrets.FindNamedAfter(s[0], s[1]); found {
			t.Errorf("%q before %q is a %s", s[0], s[1], kind)
		}
	}
}
