package question

import "strings"

// smallTalk lists phrases that ask for nothing: greetings, thanks, consent, dissent and
// farewells. It also has phrases that steer an agent ("shorter", "one more time"), and
// questions that a clock answers. Commas and line ends separate the phrases. Case, width
// and accents do not matter.
const smallTalk = `
hi, hello, hello there, hey, heya, hiya, howdy, yo, sup, hi there, hey there, good morning, morning, good afternoon, good evening, evening, good night, night,
greetings, welcome back, i'm back, im back, back, what's up, whats up, wassup, how are you, how are you doing, how are you today, how's it going, hows it going, how do you do,
nice to meet you, long time no see, you there, are you there, anyone there, test, testing, ping, pong, heartbeat, heartbeat ok, no reply,
bye, goodbye, bye bye, see you, see ya, see you later, see you tomorrow, see you soon, later, cya, ttyl, talk to you later, talk later, good day, have a nice day, have a good one, take care, gn, gm,
thanks, thank you, thank u, thx, ty, tysm, tyvm, tnx, thanks a lot, thanks a bunch, thanks a million, many thanks, much appreciated, appreciate it, i appreciate it, cheers, no thanks, no thank you, thanks for that, thanks for your help, thanks for the help, thank you for your help, you're welcome, youre welcome, np, no problem, no worries, my pleasure, anytime,
ok, okay, okey, k, kk, oki, okie, okey dokey, alright, all right, right, aight, sure, sure thing, of course, certainly, absolutely, definitely, indeed, exactly, agreed, i agree, deal, done, roger, roger that, copy that, ack, acknowledged, understood, got it, gotcha, i see, makes sense, that makes sense, fair, fair enough, noted, sounds good, sounds great, looks good, looks great, looks good to me, lgtm, sgtm, all good, that's fine, thats fine, that is fine, that's great, that is great, that's good, that's perfect, that's awesome, it's fine, it's ok, fine, that works, works for me, good, great, good job, great job, good work, great work, nice, nice work, nice one, nice job, well done, cool, awesome, perfect, excellent, amazing, wonderful, brilliant, fantastic, sweet, neat, lovely, wow, whoa, yay, yippee, hooray, bravo, love it, i love it, i like it, correct, that's right, thats right, true, that's it, thats it, that's all, thats all,
yes, yeah, yep, yup, ya, yea, aye, yes please, y, no, nope, nah, n, not yet, not now, not really, never mind, nevermind, nvm, maybe, perhaps, i don't know, i dont know, idk, dunno, whatever, hm, hmm, mhm, uh, uhm, um, umm, uh huh, ah, aha, oh, oh well, oops, ouch, sorry, my bad, pardon, excuse me, lol, lmao, rofl, ha, haha, xd, omg, wtf,
go, go on, go ahead, go for it, do it, do that, continue, carry on, keep going, proceed, next, again, try again, retry, stop, wait, one moment, one sec, hold on, wait a moment, please, please do, please continue, please proceed, please go on, let's go, lets go, ready, start, begin, lets do it, let's do it,
help, help me, can you help, can you help me, could you help me, i need help, i need your help, next one, the next one, do the next one, one more, one more time, once more, start over, let's start over, lets start over, start again, let's start again, from the top, from the beginning, repeat, repeat that, say that again, come again, shorter, make it shorter, longer, make it longer, simpler, make it simpler, more detail, more details, in more detail, explain, explain that, rephrase, rephrase that, rewrite it, rewrite that, undo that, not that one, wrong, that's wrong, try something else, something else, are you sure, what do you think, what do you mean, what does that mean, tell me more,
what time is it, what time is it now, what's the time, what is the time, what day is it, what day is it today, what day is today, what's the date, what is the date, what's the date today, what is the date today, what's today's date, what is today's date,

hallo, hallöchen, moin, moin moin, servus, grüß gott, gruezi, guten morgen, guten tag, guten abend, gute nacht, na, wie geht's, wie gehts, wie geht es dir, tschüss, tschüs, tschau, ciao, auf wiedersehen, bis später, bis dann, bis morgen, bis bald, danke, danke schön, dankeschön, danke dir, vielen dank, besten dank, herzlichen dank, tausend dank, bitte, bitte schön, bitteschön, gern geschehen, kein problem, ja, ja bitte, jo, jap, jawohl, genau, nein, nein danke, nö, nee, gut, sehr gut, alles gut, alles klar, klar, passt, in ordnung, einverstanden, verstanden, stimmt, richtig, super, toll, prima, klasse, spitze, perfekt, wunderbar, ausgezeichnet, weiter, mach weiter, mach das, los, los geht's, warte, moment, entschuldigung, tut mir leid, achso, ach so, doch, vielleicht, mahlzeit,
hilfe, hilf mir, kannst du helfen, kannst du mir helfen, ich brauche hilfe, noch einmal, nochmal, noch mal, von vorne, kürzer, länger, ausführlicher, einfacher, das nächste, der nächste, die nächste, bist du sicher, wie meinst du das, was meinst du, erklär das, erkläre das, wiederhole das, falsch, das ist falsch, wie spät ist es, wie viel uhr ist es, welcher tag ist heute, welches datum ist heute, welches datum haben wir,

hola, buenas, buenos días, buen día, buenas tardes, buenas noches, qué tal, cómo estás, cómo está, qué pasa, adiós, chao, chau, hasta luego, hasta mañana, hasta pronto, nos vemos, gracias, muchas gracias, mil gracias, muchísimas gracias, de nada, por favor, sí, si, sí por favor, no gracias, vale, bien, muy bien, está bien, todo bien, bueno, claro, claro que sí, por supuesto, de acuerdo, entendido, listo, perfecto, genial, excelente, exacto, correcto, sigue, continúa, adelante, hazlo, espera, dale, venga, perdón, lo siento, tal vez, quizás,
ayuda, ayúdame, puedes ayudarme, me puedes ayudar, necesito ayuda, otra vez, una vez más, de nuevo, desde el principio, más corto, más largo, más detalles, el siguiente, la siguiente, siguiente, estás seguro, repite, repítelo, eso está mal, qué hora es, qué día es, qué día es hoy, qué fecha es hoy,

bonjour, bonsoir, bonne nuit, bonne journée, salut, coucou, ça va, comment ça va, comment allez-vous, au revoir, à bientôt, à demain, à plus, à plus tard, adieu, merci, merci beaucoup, merci bien, un grand merci, mille mercis, de rien, je t'en prie, je vous en prie, s'il te plaît, s'il vous plaît, svp, stp, oui, oui merci, non, non merci, d'accord, d'acc, bien sûr, très bien, c'est bon, c'est bien, ça marche, parfait, génial, super, excellent, compris, entendu, exactement, continue, continuez, vas-y, allez-y, allons-y, attends, attendez, désolé, pardon, peut-être, bravo, voilà,
à l'aide, aide-moi, aidez-moi, peux-tu m'aider, tu peux m'aider, pouvez-vous m'aider, j'ai besoin d'aide, encore une fois, on recommence, recommençons, depuis le début, plus court, plus long, plus de détails, le suivant, la suivante, suivant, es-tu sûr, tu es sûr, répète, c'est faux, quelle heure est-il, il est quelle heure, quel jour sommes-nous, quel jour on est, on est quel jour, quelle est la date,

olá, oi, bom dia, boa tarde, boa noite, tudo bem, tudo bom, como vai, e aí, tchau, adeus, até logo, até amanhã, até mais, obrigado, obrigada, muito obrigado, muito obrigada, valeu, de nada, por favor, sim, não, não obrigado, tá, tá bom, está bem, certo, claro, beleza, perfeito, ótimo, legal, entendi, pode ser, isso, isso mesmo, continue, continua, vamos, espera, desculpa, desculpe, talvez,

buongiorno, buonasera, buonanotte, salve, come stai, come va, arrivederci, a dopo, a domani, a presto, grazie, grazie mille, molte grazie, tante grazie, prego, per favore, per piacere, sì, no grazie, va bene, bene, benissimo, d'accordo, certo, certamente, perfetto, ottimo, esatto, giusto, capito, ho capito, fatto, fantastico, continua, avanti, vai, vai avanti, aspetta, scusa, scusi, mi dispiace, forse,

hoi, hallo daar, goedemorgen, goedemiddag, goedenavond, goedenacht, welterusten, hoe gaat het, doei, dag, tot ziens, tot later, tot morgen, bedankt, dank je, dank je wel, dankjewel, dank u, dank u wel, heel erg bedankt, graag gedaan, alsjeblieft, alstublieft, nee, nee dank je, prima, goed, heel goed, oké, akkoord, begrepen, duidelijk, klopt, ga door, ga verder, verder, wacht, sorry hoor, misschien, mooi, lekker, top,

hej, hejsan, tjena, god morgon, godmorgon, god kväll, god natt, hur mår du, hej då, vi ses, tack, tack så mycket, stort tack, varsågod, ja tack, nej, nej tack, okej, bra, jättebra, självklart, visst, precis, förstått, fortsätt, vänta, förlåt, kanske, hei, god morgen, god kveld, takk, tusen takk, mange takk, vær så snill, ha det, greit, selvfølgelig, fortsett, tak, mange tak, farvel, selvfølgelig, moi, moikka, terve, hyvää huomenta, kiitos, kiitos paljon, kyllä, joo, ei, hyvä, selvä,

cześć, dzień dobry, dobry wieczór, dobranoc, do widzenia, na razie, dzięki, dziękuję, dziękuję bardzo, proszę, tak, nie, dobrze, jasne, oczywiście, rozumiem, świetnie, super, dalej, kontynuuj, ahoj, dobrý den, dobré ráno, děkuji, díky, prosím, ano, ne, dobře, jasně, szia, jó napot, jó reggelt, köszönöm, köszi, igen, nem, rendben, jó, bună, bună ziua, mulțumesc, mersi, da, nu, bine,

привет, здравствуй, здравствуйте, доброе утро, добрый день, добрый вечер, спокойной ночи, как дела, пока, до свидания, до завтра, спасибо, спасибо большое, большое спасибо, благодарю, пожалуйста, не за что, да, нет, ага, угу, неа, ок, окей, хорошо, ладно, понятно, понял, поняла, ясно, отлично, супер, круто, класс, здорово, прекрасно, верно, точно, конечно, согласен, согласна, продолжай, дальше, давай, поехали, подожди, стоп, извини, извините, может быть, привіт, доброго ранку, добрий день, дякую, дуже дякую, будь ласка, так, ні, добре, зрозуміло, до побачення, здрасти, ха, благодаря, довиждане, γεια, γεια σου, καλημέρα, καλησπέρα, καληνύχτα, ευχαριστώ, ευχαριστώ πολύ, παρακαλώ, ναι, όχι, εντάξει, ωραία, τέλεια,

merhaba, selam, günaydın, iyi günler, iyi akşamlar, iyi geceler, nasılsın, hoşça kal, görüşürüz, teşekkürler, teşekkür ederim, çok teşekkürler, sağ ol, rica ederim, lütfen, evet, hayır, tamam, peki, olur, harika, süper, mükemmel, anladım, devam, devam et,
مرحبا, أهلا, أهلا وسهلا, السلام عليكم, وعليكم السلام, صباح الخير, مساء الخير, تصبح على خير, كيف حالك, مع السلامة, شكرا, شكرا جزيلا, شكرا لك, عفوا, من فضلك, نعم, لا, حسنا, تمام, طيب, ممتاز, رائع, فهمت, أكمل, استمر, سلام, صبح بخیر, ممنون, مرسی, متشکرم, بله, نه, باشه, خوب, عالی, خداحافظ,
שלום, היי, בוקר טוב, ערב טוב, לילה טוב, מה נשמע, להתראות, תודה, תודה רבה, בבקשה, כן, לא, בסדר, אוקיי, מעולה, מצוין, הבנתי, תמשיך,
नमस्ते, नमस्कार, हैलो, हाय, सुप्रभात, शुभ रात्रि, कैसे हो, कैसे हैं आप, अलविदा, धन्यवाद, शुक्रिया, बहुत धन्यवाद, कृपया, हाँ, हां, जी, जी हाँ, नहीं, ठीक है, ठीक, अच्छा, बहुत अच्छा, बढ़िया, समझ गया, जारी रखें, namaste, dhanyavaad, shukriya, haan, nahi, theek hai, accha,
สวัสดี, สวัสดีครับ, สวัสดีค่ะ, หวัดดี, ขอบคุณ, ขอบคุณครับ, ขอบคุณค่ะ, ขอบคุณมาก, ขอบใจ, ครับ, ค่ะ, ใช่, ไม่, โอเค, ตกลง, ได้, ดี, ดีมาก, เยี่ยม, ลาก่อน, xin chào, chào, chào bạn, cảm ơn, cám ơn, cảm ơn bạn, vâng, dạ, không, được, tốt, tốt lắm, tạm biệt, halo, hai, selamat pagi, selamat siang, selamat sore, selamat malam, apa kabar, terima kasih, makasih, terima kasih banyak, sama-sama, tolong, ya, tidak, baik, oke, bagus, mantap, lanjut, sampai jumpa, kumusta, salamat, maraming salamat, oo, hindi, sige, habari, jambo, asante, asante sana, ndiyo, hapana, sawa,

你好, 您好, 大家好, 嗨, 哈喽, 哈罗, 嘿, 喂, 在吗, 在嗎, 早, 早安, 早上好, 上午好, 中午好, 下午好, 晚上好, 晚安, 你好吗, 你好嗎, 最近怎么样, 再见, 再見, 拜拜, 明天见, 明天見, 回头见, 谢谢, 謝謝, 谢谢你, 謝謝你, 谢谢您, 多谢, 多謝, 感谢, 感謝, 非常感谢, 非常感謝, 辛苦了, 不客气, 不客氣, 没关系, 沒關係, 没事, 没问题, 沒問題, 请, 是, 是的, 对, 對, 对的, 嗯, 嗯嗯, 恩, 哦, 噢, 喔, 啊, 不, 不是, 不用, 不用了, 不用谢, 好, 好的, 好吧, 好啊, 好呀, 好嘞, 可以, 可以的, 行, 行吧, 当然, 當然, 同意, 明白, 明白了, 知道了, 了解, 收到, 懂了, 很好, 太好了, 太棒了, 棒, 真棒, 不错, 不錯, 厉害, 厲害, 完美, 没错, 继续, 繼續, 请继续, 下一步, 开始, 開始, 开始吧, 等一下, 稍等, 算了, 对不起, 對不起, 抱歉, 不好意思, 哈, 呵呵, 嘻嘻, 加油, 再来一次, 再说一遍, 短一点, 帮我, 你能帮我吗, 现在几点, 今天几号, 今天星期几, 早晨, 唔該, 多謝晒, 係, 得,
这个呢, 那个呢, 那这个呢, 另一个呢, 其他的呢, 然后呢, 为什么, 是吗, 真的吗, 這個呢, 那個呢, 那這個呢, 另一個呢, 其他的呢, 然後呢, 為什麼, 是嗎, 真的嗎,
おはよう, おはようございます, こんにちは, こんばんは, おやすみ, おやすみなさい, はじめまして, やあ, もしもし, お元気ですか, さようなら, じゃあね, またね, また明日, ではまた, バイバイ, ありがとう, ありがとうございます, ありがとうございました, どうも, どうもありがとう, どうもありがとうございます, 感謝します, サンキュー, お疲れ様, お疲れさま, お疲れ様です, お疲れ様でした, よろしく, よろしくお願いします, お願いします, お願い, どういたしまして, はい, ええ, うん, いいえ, いや, ううん, わかった, わかりました, 分かった, 分かりました, 了解, 了解です, 了解しました, 承知しました, かしこまりました, なるほど, そうですね, そうです, そう, いいね, いいよ, いいです, いいですね, いい, オッケー, オーケー, おけ, 大丈夫, 大丈夫です, すごい, 素晴らしい, すばらしい, 完璧, 最高, さすが, もちろん, 続けて, 続けてください, 次, 進めて, どうぞ, 待って, ちょっと待って, すみません, ごめん, ごめんなさい, 笑, もう一度, もう一度お願いします, 短く, 今何時, 今何時ですか, 今日は何日, 今日は何曜日, ハロー, これは, それは, あれは, もう一つは, 他のは, その他は, それで, なぜ, どうして, なんで, そうなの, 本当,
안녕, 안녕하세요, 안녕하십니까, 좋은 아침, 좋은 아침입니다, 잘 자, 잘자, 안녕히 주무세요, 잘 지내, 잘 지내세요, 안녕히 가세요, 안녕히 계세요, 잘 가, 바이, 고마워, 고마워요, 고맙습니다, 감사, 감사해요, 감사합니다, 정말 감사합니다, 대단히 감사합니다, 수고하셨습니다, 수고했어, 천만에요, 괜찮아, 괜찮아요, 괜찮습니다, 네, 예, 넵, 넹, 응, 어, 그래, 그래요, 아니, 아니요, 아뇨, 알겠어, 알겠어요, 알겠습니다, 알았어, 좋아, 좋아요, 좋습니다, 오케이, 굿, 최고, 완벽해, 완벽해요, 맞아, 맞아요, 물론, 물론이죠, 계속, 계속해, 계속해줘, 계속해 주세요, 부탁해, 부탁합니다, 부탁드려요, 잠깐, 잠깐만, 잠시만요, 미안, 미안해, 죄송합니다, ㅇㅇ, ㅇㅋ, ㄴㄴ, ㄱㅅ, ㅎㅇ, ㅋ, ㅋㅋ, ㅋㅋㅋ, ㅎㅎ, ㅎㅎㅎ, ㅠㅠ, ㅜㅜ, 이건, 그건, 저건, 이것은, 그것은, 다른 것은, 다른 건, 그래서, 왜
`

// fillers lists words that do not change small talk, and are none by themselves.
var fillers = foldedSet(strings.Fields(`so much very really a lot too and but then well now all everyone everybody folks team guys man dude mate
buddy friend my dear sir madam claude assistant again today just also quite super pretty
sehr so dann mal schon dir ihnen aber und auch wirklich muy y pero entonces amigo très et alors bien muito e mas molto e ma heel en
очень и ну а 了 吧 啊 呢 哈 呀 的 ね よ な です ます ー 요 ㅋ ㅎ`))

// phrases holds the folded phrases of smallTalk. maxPhraseWords is the length of the
// longest one in words.
var phrases, maxPhraseWords = parsePhrases()

func parsePhrases() (map[string]bool, int) {
	set, longest := map[string]bool{}, 0
	for _, phrase := range strings.FieldsFunc(smallTalk, func(r rune) bool { return r == ',' || r == '\n' }) {
		if words := splitGateWords(fold(phrase)); len(words) > 0 {
			set[strings.Join(words, " ")] = true
			longest = max(longest, len(words))
		}
	}
	return set, longest
}

func foldedSet(words []string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[fold(w)] = true
	}
	return set
}
