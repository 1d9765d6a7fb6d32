package capture_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory/capture"
)

func TestPastedWordsOfOthersAreNotKept(t *testing.T) {
	for _, text := range []string{
		"Bob: I prefer green tea over coffee\nMe: ok",
		"[10:22] Bob: I prefer green tea over coffee\n[10:23] Anna: we decided to move to Rome",
		"[10:23] Anna: we decided to move to Rome",
		"12.03.26, 10:22 - Anna Meyer: we decided to move to Rome",
		"Anna: we decided to move to Rome\nBob: I prefer Paris",
		"anna: we decided to move to Rome\nbob: why\nanna: I prefer the sun",
		"[10:22] <bob> I prefer green tea over coffee",
		"**Bob:** I prefer green tea over coffee\n**Me:** ok",
		"Anna Meyer 10:22 AM\nI prefer green tea over coffee\nBob 10:23 AM\nI always drink water",
		"小王：我喜欢绿茶，不喜欢咖啡\n我：好的",
		"Summarize this: We decided to use Postgres for everything. I always prefer blue.",
		"Please summarize this:\n\nI prefer tea.\n\nWe decided to use Postgres.",
		"Translate: Hello. I always prefer blue over green.",
		"Hi. Can you proofread this mail: Dear Tom. I prefer mornings.",
		"Translate this into German\nI always prefer blue over green.",
		"Übersetze ins Englische: Guten Tag. Ich bevorzuge immer Tee.",
		"Résume ceci : Bonjour. Je préfère toujours le thé.",
		"Traduce esto: Hola. Prefiero siempre el té.",
		"翻訳して：こんにちは。私は紅茶よりコーヒーが好きです。",
		"翻译：你好。我更喜欢喝茶，不喜欢咖啡。",
		"Anna wrote: Hello. I prefer green tea over coffee.",
		"Anna schrieb: Hallo. Ich bevorzuge immer Tee.",
	} {
		found := extract(text)
		if texts := kept(found); len(texts) > 0 || !slices.Contains(skipped(found), capture.SkipQuoted) {
			t.Errorf("%q: kept %q, skipped %q", text, texts, skipped(found))
		}
	}
}

func TestForgetRequestsAreNotKept(t *testing.T) {
	for _, text := range []string{
		"Forget that I prefer tabs over spaces.",
		"Please forget that we decided to use Kafka.",
		"Delete the memory that I prefer tabs.",
		"You can forget that I always deploy on Fridays.",
		"Vergiss bitte, dass ich immer Tee bevorzuge.",
		"Oublie que je préfère le thé.",
		"Olvida que prefiero el té.",
		"私が紅茶が好きなことを忘れてください。",
		"请忘记我更喜欢喝茶。",
	} {
		found := extract(text)
		if texts := kept(found); len(texts) > 0 || !slices.Contains(skipped(found), capture.SkipForget) {
			t.Errorf("%q: kept %q, skipped %q", text, texts, skipped(found))
		}
	}
}

// Names, colons and the word "forget" alone make no quotation.
func TestOwnWordsLikePastedOnesAreKept(t *testing.T) {
	for _, text := range []string{
		"Don't forget that I prefer tabs over spaces.",
		"Vergiss nicht, dass ich Tee bevorzuge.",
		"N'oublie pas que je préfère le thé.",
		"No olvides que prefiero el té.",
		"请不要忘记我更喜欢喝茶。",
		"Forget that I prefer tabs. I prefer spaces in Go.",
		"Editor: I prefer vim over emacs.",
		"Decision: no deploys on Fridays.\nReason: I prefer quiet weekends.",
		"Remember: we decided to use Postgres.\nNote: I prefer blue.",
		"As I said: hello. I prefer tea over coffee.",
		"I told Anna: hello. I prefer tea over coffee.",
		"For the summary: I prefer short sentences.",
		"I prefer two formats: JSON and YAML.",
		"Remember my sizes:\n- Shirt: L\n- Shoes: 44",
		"[Telegram Max 2026-11-20 10:00] I prefer tea over coffee.",
		"[2026-11-20 10:00] I prefer tea over coffee.",
		"The meeting is at 10:30: I prefer mornings.",
		"Hello!\n\nBob: I prefer tea\nMe: ok\n\nI prefer coffee over tea.",
	} {
		if found := extract(text); len(kept(found)) == 0 {
			t.Errorf("%q: kept nothing, skipped %q", text, skipped(found))
		}
	}
}
