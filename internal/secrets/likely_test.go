package secrets_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

func TestANumberBesideTheWordIsLikelyASecret(t *testing.T) {
	for _, text := range []string{
		"my PIN is the year 1969", "the voicemail PIN's last digit is 8 and the first three are 552", "my PIN starts with 55 and ends with 28",
		"my recovery words are brick lamp onion ferry sugar table", "meine Wiederherstellungswörter sind Ziegel Lampe Zwiebel Fähre Zucker", "the p/w for the NAS: plumtree88",
		"the wifi is called Plum and the pass is plumtree88", "my logins:\n- NAS: admin / plumtree88\n- Router: root / Fig#12", "die Kombination vom Tresor 12-44-31 ist",
		"you disarm the alarm with 5528", "the garage keypad is 5528", "la combinaison du coffre, c'est 12 44 31", "la combinación de la caja es 12-44-31",
		"金庫のダイヤルは12-44-31です", "保险箱是12-44-31", "die PIN von Omas Karte endet auf 55 und beginnt mit 28",
		"to get into the cellar you press 3 then 8 then 1 then 5", "my login for the tax portal is hana with Plum_Winter_12", "man ins Lager mit 5528 und Raute kommt", "para entrar en el garaje se marca 5528",
		"wifi Figtree / plum9988", "the guest network is Fig, key: barn-owl-lamp", "the card expires in May, and the three digits on the back are 552", "the two-factor code is 552 901", "the safe word is marmalade", "进大门按5528", "pour entrer dans la cour on tape 55B28",
		"the token for the build starts with qpz and goes on 51rr62ss73", "the gate wants 6-2-9-9 as its code", "das Tor nimmt 6299 als Code", "the key safe beside the garage is set to 0629", "der Schlüsselsafe steht auf 0629",
		"the luggage lock combination is 629", "das Vorhängeschloss am Keller steht auf 629", "the padlock on the gate is 6-2-9", "mein Tablet sich mit 6299 entsperren lässt", "my tablet is unlocked by 6299",
		"the vault opens at 21-43-65", "the MFA recovery: 6k2m-99xw-41tb",
	} {
		if _, found := secrets.FindLikely(text); !found {
			t.Errorf("no secret in %q", text)
		}
	}
}

func TestFindLikelyKnowsProse(t *testing.T) {
	more := []string{
		"we lock the door at 22:00", "the locker room is on floor 2", "the mountain pass is 2300 meters high", "the combination of work and sport took 3000 hours", "the account of Tom: see page 12 / 14",
		"the PIN has to be changed before 2027", "the pass to the castle opens in May", "we unlock the gate in 2027", "the backup phrase is in the safe", "the boss is called Bob",
		"the safe opens at 9:30", "the padlock was bought in 2021", "the padlock is 350 grams", "the access token is signed with HS256", "the token limit of the model is 128000", "2FA backups are due in 2027", "the bank vault opens on 12 May", "the key box hangs beside room 1204", "Tom came second with 482 as a result",
		"the postal code of the office is 10115", "the wifi network is called Figtree24", "press the green button twice", "we get into the hall at 19:00", "Anna gets in at 08:15 on line 12", "the exit code of the alarm script is 1375",
	}
	for _, list := range [][]string{prose, besideProse, more} {
		for _, text := range list {
			if kind, found := secrets.FindLikely(text); found {
				t.Errorf("%q is taken for a %s", text, kind)
			}
		}
	}
}
