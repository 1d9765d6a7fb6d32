package question_test

import (
	"testing"

	"github.com/memory-tiered/memory/recall/question"
)

func TestMessageIsWhatAPersonWrote(t *testing.T) {
	const ask = "What can Mila not eat?"
	for _, prompt := range []string{
		ask,
		"[Sun 2026-11-22 18:55 UTC] " + ask,
		"[Telegram Ada id:4711 2026-11-22 18:55] " + ask,
		"[WhatsApp Ada +49 151 12:03:04]: " + ask,
		"2026/11/22 18:01:11 " + ask,
		"2026-11-22T18:01:11.123Z " + ask,
		"Nov 22 18:01:11 " + ask,
		ask + "\n-- \nAda Lovelace\nSent from my iPhone",
		ask + "\r\n--\r\nAda Lovelace",
		ask + "\nSent from my iPhone",
		ask + "\nVon meinem iPhone gesendet",
		"> We met on 3 August.\n> It was fine.\n" + ask,
		"On Mon, 3 Aug 2026 at 10:00, Ada Lovelace wrote:\n> We met.\n" + ask,
		"Am 03.08.2026 um 10:00 schrieb Ada:\n> Wir haben uns getroffen.\n" + ask,
	} {
		if got := question.Parse(question.Message(prompt)).Text; got != ask {
			t.Errorf("%q: %q", prompt, got)
		}
	}
}

func TestSmallTalkInAnEnvelopeIsTrivial(t *testing.T) {
	for _, prompt := range []string{"[Sun 2026-11-22 18:55 UTC] thanks!", "thanks\n-- \nAda", "ok\nSent from my iPhone"} {
		if !question.IsTrivial(question.Message(prompt)) {
			t.Errorf("%q is not trivial", prompt)
		}
	}
}

func TestMessageKeepsWhatIsAskedAbout(t *testing.T) {
	for _, prompt := range []string{
		"> We met on 3 August.\nWhat about it?", // the quote alone tells what
		"> Which port does the collector use?",
		"[2026-11-22 18:55]",
		"2026-11-22 18:01:11",
		"What happened on 2026-11-22 18:01?",
		"Which of [a] and [b]?",
		"The build failed:\n--\nWhich port does the collector use?",
		"- one\n- two\n--\nA long last line that goes on and on and on and is no signature, because signatures are short.",
		"On 3 August Ada wrote the report: where is it?",
	} {
		if got := question.Message(prompt); got != prompt {
			t.Errorf("%q became %q", prompt, got)
		}
	}
}
