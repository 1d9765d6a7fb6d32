package secrets

import (
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// purpose matches what a password is for, between its word and the verb.
const purpose = `(?i:\s+(?:for|of|to|on|from|at|für|zum|zur|von|vom|des|der|meine[rs]|du|de|d'|del|para)\b[^\n.!?:=,;"“”„]{1,40}?)?`

// quotes are the marks that may begin a value.
const quotes = "\"'`“„«「『"

// anyPassword matches the beginning of a sentence about passwords in general, such as
// "a good password is". No group of the pattern matches there.
const anyPassword = `(?i:\b(?:an?|every|each|any|no|eine?|jedes|jede|keine?|une?|chaque|cada|una)\s+(?:[\w-]+\s+){0,2}?)` + secretWord + `\s+(?i:is|ist|est|es)\s`

var (
	statedAfter = lazyregexp.New(anyPassword + `|` + secretWord + purpose + `(?:\s+(?i:is|ist|lautet|est|es)\s*:?\s+|["']?[ \t]*[:=：][ \t]*)([` + quotes + `]?[^\n.!?;,。]{1,80})`)
	statedEarly = lazyregexp.New(secretWord + `(?i:\s+(?:für|zum|zur|vom|des|der|meine[rs])(?:\s+\S+){1,2})?\s+([` + quotes + `]?\S+)\s+ist\s*(?:[.!,;]|$)`)
	statedHan   = lazyregexp.New(`(?:密码|密碼|口令)(?:是|为|為|叫|[改换设变]成了?|[改换设]为了?|[:：=])\s*([「“"']?[^\n。!?,.]{2,40})`)
	statedKana  = lazyregexp.New(`(?:パスワード|合言葉)(?:は|[:：=])\s*([^\n。!?、]{2,40}?)(?:です|だよ|だ|である)?(?:[。!?、\n]|$)`)
	pinBefore   = lazyregexp.New(`\bPIN\b[^\n.!?]{0,40}?\s(\d{4,8})\s+(?:ist|lautet)\b`)
)

// statedRules find secrets that a sentence states in its own words.
var statedRules = []rule{
	{"password", statedAfter, isValue},
	{"password", statedEarly, isValue},
	{"password", statedHan, isHanValue},
	{"password", statedKana, isKanaValue},
	{"password", pinBefore, nil},
}

// isValue reports whether the words after "the password is" are the password, and do
// not describe it: "stored in the vault", "required", "too short".
func isValue(rest string) bool {
	words := strings.Fields(rest)
	switch {
	case len(words) == 0 || strings.HasPrefix(rest, mask):
		return false
	case strings.IndexAny(rest, quotes) == 0:
		return true
	}
	first, next := trimMarks(words[0]), ""
	if len(words) > 1 {
		next = trimMarks(words[1])
	}
	lower := strings.ToLower(first)
	switch {
	case utf8.RuneCountInString(first) < 2 || functionWords[lower]:
		return false
	case descriptions[lower] || participle.MatchString(first):
		return isName(next)
	}
	return true
}

// isName reports whether a word is more likely part of a password than of a sentence
// about one.
func isName(word string) bool {
	lower := strings.ToLower(word)
	return word != "" && !functionWords[lower] && !descriptions[lower] && !participle.MatchString(word) && !strings.HasSuffix(word, "ly")
}

// trimMarks returns a word without the punctuation around it.
func trimMarks(word string) string { return strings.Trim(word, ".,;:!?)(\"'`”“»…") }

// participle matches words that tell what is done with a password: stored, rotated,
// gespeichert, geändert, stocké, guardada. Names and German nouns have a capital letter.
var participle = lazyregexp.New(`^(?:[a-z-]{3,}(?:ed|ing)|(?:ab|an|auf|ein|hinter|über)?ge\p{L}{3,}(?:t|en)|(?:ver|be|er|ent|zer)\p{L}{3,}(?:t|en)|\p{L}{3,}(?:ées?|és?|ad[oa]|id[oa]))$`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// functionWords begin a description, or go on with one. A password that is a single
// word is none of them.
var functionWords = wordSet(`
	a an the this that these those my your our his her its their no not never now only just still always also already often usually too very so
	in on at by for from with without of to under over behind between inside outside beside near next within until since after before
	and or but if when where what who which why how because as than like every each all any some both either neither per once twice
	see siehe voir véase i you he she it we they there here something nothing everything someone nobody up out off more less most least much about almost
	been being done kept set sent known shown hidden written lost stolen built read made given taken gone found held changed reset up-to-date
	ein eine einer eines einem einen der die das den dem des im am beim zum zur vom in an auf bei mit ohne von für unter über hinter neben
	nicht nie nur noch immer schon auch jetzt sehr zu so wie was wer wo warum kein keine mein meine dein unser ihr sein und oder aber wenn weil dass nach vor seit bis
	un une le la les l' du de des dans sur sous chez avec sans pour par mon ma mes ton ta son sa notre votre ne pas jamais toujours déjà aussi encore très trop plus moins et ou mais si quand comme que qui quoi ce cette
	el los las una unos unas del en con sin por para mi tu su nuestro no nunca siempre ya también aún muy demasiado más menos y o pero cuando como qué quién lo ese esa`)

// descriptions are words that describe a password. Before another word of a password
// they belong to it: "correct horse battery staple".
var descriptions = wordSet(`
	expire expires required valid invalid wrong correct incorrect right long short strong weak safe unsafe secure insecure unique different same new old empty blank mandatory optional missing
	public private personal important necessary available unavailable unknown ok okay fine good bad easy hard difficult impossible possible simple complex random secret sensitive
	confidential case-sensitive strict visible plain plaintext cleartext temporary permanent due stale active inactive ready enough sufficient useless worthless obsolete memorable
	falsch richtig gültig ungültig lang kurz stark schwach sicher unsicher einzigartig anders gleich neu alt leer pflicht nötig notwendig wichtig optional geheim öffentlich privat bekannt unbekannt einfach schwer komplex abgelaufen weg da fällig hinterlegt zufällig
	obligatoire facultatif valable valide invalide long court fort faible sûr unique différent même nouveau ancien vide nécessaire important secret public privé inconnu connu requis faux bon mauvais simple complexe incorrect
	obligatoria obligatorio opcional válida larga corta fuerte débil segura insegura única diferente misma nueva vieja vacía necesaria importante secreta pública privada personal incorrecta correcta fácil difícil simple compleja aleatoria`)

var (
	hanProse  = lazyregexp.New(`^(?:必|存|放|加密|保|由|用|在|什么|不|每|定期|随机|唯一|可以|需|为了|我们|系统|自动|怎|否|从|按|通过|最|很|太|一个|一种)|的$|(?:更换|存储|保存|加密|字符|位数?)`)
	kanaProse = lazyregexp.New(`(?:必要|必須|重要|安全|不要|有効|無効|間違い|同じ|秘密|保管|管理|変更|設定|文字|以上|ごと|毎|定期|別|何|どこ|ます|ません|ください|ない|い)$|(?:ごとに|以上|文字|で管理|に保|にあ|を|が必要)`)
)

func isHanValue(text string) bool  { return !hanProse.MatchString(text) }
func isKanaValue(text string) bool { return !kanaProse.MatchString(text) }
