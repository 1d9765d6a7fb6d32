package question_test

import (
	"math"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/question"
)

func TestSmallTalkIsTrivial(t *testing.T) {
	for _, prompt := range []string{
		"", "   ", "?", "...", "!!!", "👍", "🙏🙏🏽", "👨‍👩‍👧‍👦", "❤️", "1️⃣", ":)", ":D", ":thumbsup:", "🇩🇪", "🎉🎊", "🔥", "😺", "💪🏽", "✅", "🚀",
		"hi", "Hi!", "HELLO", "hey there 👋", "heyyyy", "hiiiii!!", "good morning", "good morning everyone ☀️", "yo",
		"thanks", "Thanks a lot!", "thank you so much 🙏", "thx", "ok", "OK.", "okkkk", "ok, thanks", "yes please", "no", "nope", "sure", "sounds good 👍", "that’s great",
		"got it", "perfect, thanks!", "lol", "hahahaha", "hmm", "hmmmm", "go ahead", "continue", "do it", "1", "42",
		"Guten Morgen!", "danke schön 🙂", "alles klar", "ja bitte", "tschüss", "Grüß Gott",
		"¡Hola!", "¿Qué tal?", "muchas gracias", "buenos dias", "sí", "jajaja", "merci beaucoup !", "ça va ?", "d'accord", "s'il te plaît", "bom dia", "obrigado", "grazie mille", "va bene",
		"dank je wel", "tack så mycket", "dziękuję", "děkuji", "köszönöm", "спасибо большое", "привет!", "ок", "ха-ха-ха", "дякую", "ευχαριστώ", "teşekkürler", "شكرا", "صباح الخير", "תודה רבה", "धन्यवाद", "ขอบคุณครับ", "cảm ơn", "terima kasih",
		"你好", "谢谢！", "好的，谢谢", "早上好👋", "哈哈哈", "謝謝", "ありがとう", "ありがとうございます！", "おはようございます", "はい", "了解です👍", "안녕하세요", "감사합니다", "ㅋㅋㅋㅋ", "ㅇㅋ",
		"Can you help me?", "One more time", "Let's start over", "What time is it?", "What's the date today?", "Noch einmal bitte", "Kürzer bitte", "plus court, s'il te plaît", "¿Qué hora es?", "もう一度お願いします", "再说一遍",
		"ＯＫ", "Ｔｈａｎｋｓ！", "ｈｅｌｌｏ", "ﾊｲ", "ｱﾘｶﾞﾄｳ",
		"/new", "/reset", "/status verbose", "／new", "/model gpt-5", "/think:high", "/compact now please",
		"HEARTBEAT_OK", "heartbeat", "ping",
		"Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK.",
		"thanks" + strings.Repeat("!", 200), "ok\x00", "o\u200bk",
	} {
		if !question.IsTrivial(prompt) {
			t.Errorf("%q is not trivial", prompt)
		}
	}
}

func TestPhrasesOfOtherLanguagesAreTrivial(t *testing.T) {
	for line := range lang.Lines("smalltalk") {
		if !question.IsTrivial(line.Text) || !question.IsTrivial(line.Text+"! "+line.Text) {
			t.Errorf("%s:%d: %q is not trivial", line.File, line.Number, line.Text)
		}
	}
}

func TestQuestionsAreNotTrivial(t *testing.T) {
	for _, prompt := range []string{
		"hi, which port does the collector use?", "thanks, and the staging url?", "what is my favourite tea", "deploy", "port 8081", "ERR_GRIB_TRUNCATED", "4821", "release?",
		"ok now deploy it to staging", "yes, on Tuesday", "good morning, when is the vet?", "Good morning, Kit", "no hazelnuts", "Emil", "test the alarm engine", "stop the collector",
		"/etc/hosts has a wrong line", "/tmp is full", "/var/lib/tidewatch/texel.db", "what does HEARTBEAT_OK mean?", "read the heartbeat log",
		"wann ist der Termin?", "gracias, ¿y el puerto?", "谢谢，部署在哪里？", "ありがとう、港の名前は？", "猫", "감사합니다 배포는 언제", "где лежит паспорт", "कब",
		"🐙 name?", "who is 👍", "🦊", "🚲?", "🥑 🍞", "hi " + strings.Repeat("hi ", 60) + "and where is the key",
	} {
		if question.IsTrivial(prompt) {
			t.Errorf("%q is trivial", prompt)
		}
	}
}

func TestSmallTalkHasAtMostFortyWords(t *testing.T) {
	if prompt := strings.Repeat("hi ", 40); !question.IsTrivial(prompt) {
		t.Error("40 greetings are not trivial")
	}
	if prompt := strings.Repeat("hi ", 41); question.IsTrivial(prompt) {
		t.Error("41 greetings are trivial")
	}
}

func TestMegabytePromptIsJudgedByItsHeadAndTail(t *testing.T) {
	const megabyte = 1 << 20
	for _, tt := range []struct {
		name, prompt string
		trivial      bool
	}{
		{"a letter", strings.Repeat("a", megabyte), true},
		{"punctuation", strings.Repeat("-", megabyte), true},
		{"an accented letter", strings.Repeat("a\u0301", megabyte/3), true},
		{"invisible characters", strings.Repeat("o\u200b", megabyte/4), true},
		{"thanks and punctuation", "thanks" + strings.Repeat("!", megabyte), true},
		{"greetings", strings.Repeat("hi ", megabyte/3), false},
		{"CJK", strings.Repeat("好", megabyte/3), false},
		{"a question before punctuation", "where is the key" + strings.Repeat("?", megabyte), false},
		{"a question after punctuation", strings.Repeat("!", megabyte) + " where is the key?", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := question.IsTrivial(tt.prompt); got != tt.trivial {
				t.Errorf("IsTrivial = %t", got)
			}
		})
	}
}

// A prompt 64 times as long must not take 64 times the allocations. The
// smallest of five runs counts: the count includes other goroutines, and a
// collection that empties the pools in between.
func TestGateAllocatesNoMoreForALongPrompt(t *testing.T) {
	for _, s := range []string{"a", "lo", "-", "hi ", "好", "@", ":d ", "a\u0301", "o\u200b"} {
		allocations := func(size int) float64 {
			prompt := strings.Repeat(s, size/len(s))
			least := math.Inf(1)
			for range 5 {
				least = min(least, testing.AllocsPerRun(1, func() { question.IsTrivial(prompt) }))
			}
			return least
		}
		size := 1 << 20
		if testing.Short() { // with the race detector
			size = 1 << 17
		}
		if short, long := allocations(1<<14), allocations(size); long > 8*short+16 {
			t.Errorf("%q repeated to 16 KiB takes %v allocations, to %d bytes %v", s, short, size, long)
		}
	}
}
