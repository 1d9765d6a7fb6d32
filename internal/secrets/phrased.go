package secrets

import (
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// Parts of the patterns for a secret that a sentence gives in passing.
const (
	// verb connects the word for a secret and its value.
	verb = `(?i:\s(?:is|was|ist|war|lautet|lautete|heißt|heisst|est|c['’]est|es|equals|becomes|reads)\s+(?:now\s+|still\s+|jetzt\s+|maintenant\s+|ahora\s+|always\s+been\s+|le\s+|el\s+|la\s+)?)`
	// opened matches what a password opens, as a word before or behind "password".
	opened = `(?i:wi-?fi|wlan|router|nas|admin|root|bank|bancaire|e-?mail|mail|netflix|amazon|google|apple|paypal|vpn|server|laptop|phone|tablet|ipad|iphone|handy|pc|computer|guest|gast|invité|invitados|database|db|account|konto|compte|cuenta|actuel|nouveau|actual|nuev[oa])`
	// oneWord matches a value of one word that ends a clause.
	oneWord = `([` + quotes + `]?[\p{L}\d][^\s.,;:!?"'’”]*["'”]?)\s*(?:[.,;!\n]|$)`
	// relative matches a clause behind the word: "the password that we use", "the password, by the way,".
	relative = `(?i:\s+(?:that|which|we|i|you|they|he|she|das|den|die|wir|ich|que|qui|nous|on)\s[^\n.!?:=,;]{1,40}?|\s*,[^\n.!?:=,;]{1,40},)`
	// pronoun matches a word that refers to the secret before it, and its verb.
	pronoun = `(?i:(?:it|that|this|das|es|er|sie|dies)(?:\s+(?:is|ist|lautet|heißt|war|was)|['’]s)|c['’]est|(?:il|elle|ce)\s+est|(?:ella\s+)?es)`
	// thing matches what a code opens.
	thing = `(?i:doors?|gate|garage|safe|vault|lock|locker|building|shed|alarm|phone|tablet|ipad|haus|\p{L}*tür|tor|tresor|schloss|alarmanlage|handy|porte|portail|coffre|cadenas|alarme|garaje|puerta|portal|caja|candado|alarma)`
	// opens matches a verb for opening it.
	opens = `(?i:opens?|opened|unlocks?|unlocked|disarms?|disarmed|öffnet|öffnen|entsperrt|aufgeht|s['’]ouvre|ouvre|se abre|abre)`
	// digits matches a number that opens something, not an amount or a port.
	digits = `(\d(?:[ -]?\d){3,9}#?)(?:[\s.,;!?)]|$)`
	// personHan matches whose password it is, in Chinese.
	personHan = `(?:我们|我|咱们|家里|公司|他|她)?(?:的)?(?:\p{Han}|\w){0,6}?`
)

// pattern joins parts of a pattern.
func pattern(parts ...string) *lazyregexp.Regexp { return lazyregexp.New(strings.Join(parts, "")) }

// phrasedRules find secrets that a sentence gives in passing. There may be a possessive, an
// object or a clause between. Or the value is in the next sentence, or opens something.
var phrasedRules = []rule{
	{"password", pattern(secretWord, compoundNoun, `|`, secretWord, `(?:`, purpose, relative, `|\s+`, opened, `(?:\s+\p{L}+)?)`, verb, `([`, quotes, `]?[^\n.!?;,。]{1,80})`), isValue},
	{"password", pattern(secretWord, `\s+`, opened, `\s*[:=]\s*`, oneWord), isValue},
	{"password", pattern(secretWord, `['’]s\s+`, oneWord), isPlainName},
	{"password", pattern(secretWord, `\s*\([^()\n]{1,40}\)\s*[:=]?\s*([^\s"]{4,})`), isMixed},
	{"password", pattern(secretWord, purpose, `(?i:\s+c['’]est|\s*,\s*`, pronoun, `)\s+([`, quotes, `]?[^\n.!?;,。]{1,80})`), isValue},
	{"password", pattern(secretWord, `[^\n.!?]{0,40}[.!]\s+`, pronoun, `\s+([`, quotes, `]?[^\n.!?;,。]{1,80})`), isPlainName},
	{"password", pattern(secretWord, purpose, `(?:\s+\p{L}+){0,2}?\s+([`, quotes, `]?\S+)\s+(?i:lautet|heißt|heisst)\s*(?:[.!,;]|$)`), isPlainName},
	{"password", pattern(`(?i:\b(?:use|uses|with|nimm|benutze|mit|utilise|avec|usa|usamos|con)\s+)(?:`, determiner, `\s+)?(?:`, opened, `\s+)?`, secretWord, `\s+`, oneWord), isPlainName},
	{"password", pattern(`(?i:\b(?:user ?names?|benutzername|login|log-in|nom d['’]utilisateur|identifiant|usuario|utilisateur)\b|\buser[:,]|\buser\s\w+,)[^\n.!?]{0,30}?[\s,;/]`, secretWord, `\s*[:=]?\s+`, oneWord), isPlainName},
	{"credentials", pattern(loginWord, `[^\n.!?:=]{0,30}?\s(?i:are|is|sind|sont|son)\s+[\w.@+-]+\s*(?:[/,]|\s(?i:and|und|et|y)\s)\s*([^\s,;]{4,})`), isMixed},
	{"token", pattern(`(?i:\b(?:keys?|secret|\p{L}*schlüssel|clés?|clave|llave)\b)[^\n.!?:=]{0,50}?(?:`, verb, `|\s*[:=]\s*)([A-Za-z0-9+/=_-]{10,})`), isOpaque},
	{"token", pattern(`(?i:\btoken\s+(?:for|of|für|pour|para)\s[^\n.!?:=,]{1,40},\s*)([A-Za-z0-9+/=_-]{10,})`), isOpaque},
	{"token", pattern(`\b([A-Za-z0-9+/=_-]{10,})\s+(?i:is|ist|est|es)\s+`, determiner, `\s+(?:\S+\s+){0,2}?(?i:[\p{L}-]*(?:key|secret|token|schlüssel)|clé|clave)\b`), isOpaque},
	{"one-time code", pattern(`(?i:\b`, thing, `\b[^\n.!?]{0,40}?\b`, opens, `\b[^\n.!?\d]{0,30}?\b(?:with|by|mit|avec|con)\s[^\n.!?\d]{0,20}?)`, digits), nil},
	{"one-time code", pattern(`(?i:\b`, thing, `\b[^\n.!?]{0,20}?\b(?:with|mit|avec|con)\s[^\n.!?\d]{0,20}?)`, digits[:len(digits)-len(`(?:[\s.,;!?)]|$)`)], `\s+(?i:aufgeht|geöffnet|entsperrt)\b`), nil},
	{"one-time code", pattern(`(?i:\b`, thing, `\b[^\n.!?]{0,40}?\b(?:mit|avec|con)\s)`, digits[:len(digits)-len(`(?:[\s.,;!?)]|$)`)], `\s+(?i:entsperren|öffnen|aufmachen)\b`), nil},
	{"one-time code", pattern(`(?i:\b`, thing, `\b[^\n.!?\d]{0,40}?\s)(\d(?:[ -]?\d){2,9}#?)\s+(?i:as|als|comme|como)\s+(?:(?i:its)\s+|`, determiner, `\s+)?(?i:codes?|c[oó]digo|combination|kombination|combinaison|combinación)\b`), nil},
	{"one-time code", pattern(`(?i:\b`, thing, `\b[^\n.!?\d]{0,30}?\b(?:is|set|opens|ist|steht|öffnet|est|s['’]ouvre|es|se abre)\s(?:(?:at|to|on|auf|bei|à|sur|a|en)\s)?)(\d{1,2}(?:-\d{1,2}){2,})(?:[\s.,;!?)]|$)`), nil},
	{"one-time code", pattern(`(?:^|[\s:,])(?:(?i:with|mit|avec|con)\s+)?(\d(?:[ -]?\d){3,9}#?)\s+(?i:opens|unlocks|disarms|ouvre|abre|(?:die|das|den)\s)[^\n.!?]{0,15}?\b`, thing, `\b`), nil},
	{"one-time code", pattern(`(?i:\b(?:unlock|open|disarm|enter)\s+[^\n.!?\d]{0,40}\b(?:type|enter|dial|press|use)\s+)`, digits), nil},
	{"one-time code", pattern(`(?i:\b(?:type|enter|dial|press)\s+)(\d(?:[ -]?\d){3,9}#?)\s+(?i:to\s+(?:open|unlock|disarm|enter|get in))\b`), nil},
	{"one-time code", pattern(`(?i:\bcombinations?\b|\bkombination\b|\bcombinaison\b|\bcombinación\b)[^\n.!?]{0,30}?((?i:(?:left|right|links|rechts|gauche|droite|izquierda|derecha)\s+\d+[\s,]*(?:then\s+|dann\s+)?){2,})`), nil},
	{"one-time code", pattern(`(?i:\b(?:(?:security|luggage lock|bike lock) code|cvc2?|cvv2?|(?:sicherheits|prüf)(?:code|nummer)|code de sécurité|código de seguridad)\b(?:\s+(?:on|of|for|der|von|de|del)\s[^\n.!?:\d]{1,20})?)(?:`, verb, `|\s*[:=]\s*|\s+)(?:`, counted, `|(\d{3,4})(?:[\s.,;]|$))`), nil},
	{"password", pattern(`(?:密码|密碼|口令|暗証番号|パスワード|パスコード)\s*(\d{4,12})(?:[^\d\p{Han}\p{Hiragana}\p{Katakana}]|$)`), nil},
	{"password", pattern(`(?:密码|密碼|口令)(?:现在|目前|还|仍然|一直|就)+是\s*([^\n。!?,.]{2,40})`), isHanValue},
	{"password", pattern(`(?:^|[。,、:\s])(\p{Han}{2,6})就?是`, personHan, `(?:密码|密碼|口令)(?:[。!,\n]|$)`), isHanName},
	{"password", pattern(`(?:^|[。、,:\s])([\p{Han}\p{Hiragana}\p{Katakana}ー]{2,12}?)が(?:[^\n。、が]{0,10}の)?(?:パスワード|合言葉|パスコード)(?:です|だよ|だ|[。!、\n]|$)`), isKanaName},
	{"one-time code", pattern(`(?:门|锁|保险箱|ドア|玄関|金庫|鍵|扉)[^\n。!?\d]{0,10}?(\d{4,10})(?:で(?:開|解)|打开|开)`), nil},
	{"one-time code", pattern(`(?:输入|按|用)\s*(\d{4,10})\s*(?:可以|就能|就可以|能|来|就)?(?:开|打开|解)(?:门|锁|大门|保险箱)`), nil},
}

// isPlainName reports whether a single word in the place of a password is one. A small word
// with an ordinary ending or a noun of passwords describes it: "the password's length".
func isPlainName(rest string) bool {
	return isValue(rest) && !aboutPasswords.MatchString(strings.TrimSpace(rest))
}

// aboutPasswords matches a property of a password, or what is done with it.
var aboutPasswords = lazyregexp.New(`(?i)^(?:lengths?|strengths?|hash|salt|expiry|owner|age|format|entropy|characters?|rotation|history|policy|managers?|resets?|rules?|files?|fields?|forms?|prompts?|protection|security|storage|database|auth\w*|login|logins|only|too|enabled|disabled|length is|all|mine|yours|time|true|false|annoying|there|over|done|bad|good|fine)\b`)

// isOpaque reports whether a text looks like a key of a program. Its letters and digits
// change at least four times, or it is long and has no word.
func isOpaque(text string) bool {
	changes := 0
	var last bool
	for i, r := range text {
		digit := unicode.IsDigit(r)
		if i > 0 && digit != last {
			changes++
		}
		last = digit
	}
	return changes >= 4 && !notPasswords.MatchString(text) && strings.Count(text, "-")+strings.Count(text, "/")+strings.Count(text, "_") < 2
}

// isHanName and isKanaName report whether a word before "is our password" may be one.
func isHanName(text string) bool  { return !hanPointer.MatchString(text) && isHanValue(text) }
func isKanaName(text string) bool { return !kanaPointer.MatchString(text) && isKanaValue(text) }

var (
	hanPointer  = lazyregexp.New(`^(?:这|那|什么|哪|它|最)|的$|必须|应该|密码|问题|关键|重点`)
	kanaPointer = lazyregexp.New(`^(?:これ|それ|あれ|何|なに|どれ|どちら|問題|重要)|の$|こと$|もの$`)
)
