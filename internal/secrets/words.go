package secrets

import "github.com/memory-tiered/memory/internal/lazyregexp"

// passwordWord matches the words for a password in the languages of the
// trigger tables of capture.
const passwordWord = `(?i:(?:pass?w|kennw)(?:orte?s?|örtern?)\b|\b(?:pass?[ -]?(?:words?|wrods?)|pass[ -]?(?:codes?|phrases?)|passwd|pwds?|pw|losungswort|geheimwort|` +
	`mots? de passe|mdp|contrase[ñn]as?|clave|pin(?:[- ]?(?:code|number|nummer|nr))?|code pin)\b|` + passwordCJK + `)`

// keyWord matches the words for a key of a program. Its values have letters and digits:
// "the number of tokens is 4096" states none.
const keyWord = `(?i:\b(?:token|(?:api|access|secret|licen[cs]e|recovery)[ -]?keys?|(?:api|zugangs|lizenz|wiederherstellungs)-?(?:schlüssel|token)|clés? (?:d')?api|clave (?:de )?api)\b|密钥|密鑰|令牌|APIキー|アクセスキー|トークン)`

// passwordCJK matches the same words in Japanese and Chinese.
const passwordCJK = `パスワード|パスコード|パスフレーズ|暗証番号|合言葉|密码|口令|密碼`

// The words for a code that opens something, a language each. A code of another
// kind, such as an exit code or a postal code, is no secret.
const (
	codeEnglish = `(?:front[ -]?door|door|gate|alarm|safe|garage|lock(?:[ -]?box)?|key[ -]?box|locker|entry|entrance|access|unlock(?:ing)?|security|recovery|` +
		`backup|emergency|verification|confirmation|activation|two[ -]?factor|pairing|log-?in|sign-?in|auth(?:entication|enticator)?|2fa|mfa|otp|one[ -]time|sms|master|` +
		`disarm(?:ing)?|override|voicemail|key[ -]?pad|intercom|secret|puk)[ -]?(?:codes?|pins?)|otp|puk|` +
		`codes?\s+(?:for|to|of|on|from)\s+(?:\S+\s+){0,3}?(?:door|gate|alarm|safe|garage|lock|locker|building|house|entrance|flat|apartment|phone|sim|keypad|` +
		`vault|card|suitcase|bike|wi-?fi|router|login|shed|cellar|office|gym)|` +
		`(?:safe|lock|locker|vault|suitcase)(?:'s)?\s+combination|combination\s+(?:of|for|to|on)\s+(?:\S+\s+){0,3}?(?:safe|lock|locker|vault|suitcase|padlock|bike|gate|door)|(?:my|our)\s+codes`
	codeGerman = `(?:tür|tor|eingangs|alarm|anlagen|tresor|safe|garagen|schloss|zugangs|zutritts|entsperr|freischalt|aktivierungs|sicherheits|` +
		`wiederherstellungs|backup|notfall|bestätigungs|verifizierungs|einmal|anmelde|login|geheim|zahlen|öffnungs|master|recovery)-?codes?|` +
		`geheim(?:zahl|nummer)|zahlenkombination|(?-i:TAN)|code\s+(?:für|zu|zum|zur|von|vom|der|des|am)\s+(?:\S+\s+){0,3}?\p{L}*(?:tür|tor|alarm|anlage|tresor|` +
		`safe|garage|schloss|haus|wohnung|keller|handy|schließfach|spind|koffer|fahrrad)|(?:meine|unsere)\s+codes`
	codeFrench = `digicode|code\s+(?:secret|confidentiel|personnel|puk)|(?:code|combinaison)\s+(?:(?:de|pour)\s+(?:la\s+|le\s+|l')?|du\s+|d'|des\s+)` +
		`(?:récupération|secours|sécurité|vérification|validation|confirmation|accès|entrée|activation|déverrouillage|connexion|sauvegarde|porte|portail|` +
		`portillon|alarme|coffre|immeuble|garage|cadenas|casier|maison|bâtiment|appartement|téléphone|carte|valise|vélo)`
	codeSpanish = `(?:c[oó]digo|clave|n[uú]mero)\s+secret[oa]|(?:c[oó]digo|combinaci[oó]n|clave)\s+(?:de\s+(?:la\s+|l\s+)?|del\s+|para\s+(?:la\s+|el\s+)?)` +
		`(?:recuperaci[oó]n|respaldo|acceso|seguridad|verificaci[oó]n|confirmaci[oó]n|activaci[oó]n|desbloqueo|entrada|emergencia|alarma|puerta|portal|` +
		`garaje|caja|candado|taquilla|edificio|casa|m[oó]vil|tarjeta|maleta)`
	codeCJK = `(?:验证|校验|恢复|备用|备份|安全|门禁|门锁|开门|解锁|动态|激活|授权|取款|确认|驗證|恢復|備用|備份|門禁|門鎖|開門|解鎖|動態|確認|识别)[码碼]|` +
		`(?:認証|確認|復旧|リカバリー?|回復|バックアップ|セキュリティ|アクセス|解除|解錠|ドア|暗証|PIN|ピン|ワンタイム|緊急|有効化|アラーム|玄関)(?:の)?(?:コード|番号)|PIN[码碼]`
)

// otherCode matches what comes before the word of a code that opens nothing: a postal code.
var otherCode = lazyregexp.New(`(?i)\b(?:postal|post|zip|area|country|dialling|dialing|exit|status|error|return|response|promo|discount|coupon|voucher|product|booking|colou?r|dress|source|tax)[ -]$`)

// loginWord matches the words for a name with its password.
const loginWord = `(?i:\b(?:login|credentials|creds|zugangsdaten|anmeldedaten|identifiants|credenciales)\b)`

// codeWord matches the words for a code that opens something.
const codeWord = `(?i:\b(?:` + codeEnglish + `|` + codeFrench + `|` + codeSpanish + `)\b|(?:` + codeGerman + `)\b)`

// pinWord matches the words for a number that opens something.
const pinWord = `(?i:\b(?:pin(?:[ -]?(?:codes?|numbers?|nummer|nr))?|code pin|passcodes?|(?-i:PINs))\b)`

// secretWord matches a word behind which any value is a secret, ordinary words too.
// "key" and "clave" alone are not such words: they have other meanings.
const secretWord = `(?i:\b(?:pass?[ -]?(?:word|wrod)|pass[ -]?(?:code|phrase)|passwd|pwd|pw|(?:code|secret|safe)[ -]?word|codewort|kenncode|mot secret|[\w-]*pass?wort|[\w-]*kennwort|losungswort|mot de passe|mdp|contrase[ñn]a|mi clave|clave (?:de acceso|del? wi-?fi)|` +
	`(?:seed|recovery|secret)[ -](?:phrase|words)|wiederherstellungsphrase|phrase (?:de récupération|secrète)|frase (?:semilla|de recuperación|secreta)|` +
	`(?:encryption|decryption|wi-?fi|wlan|wpa2?|network|signing|licen[cs]e|recovery|master|ssh)[ _-]?key|(?:wi-?fi|wlan|netzwerk)-?(?:schlüssel|key)|clé (?:du )?wi-?fi)\b)`

// determiner matches a word before "password" that tells whose it is.
const determiner = `(?i:the|this|my|our|your|his|her|their|[\p{L}]+'s|das|der|die|mein|meine|unser|unsere|dein|deine|euer|sein|ihr|le|la|mon|ma|notre|ton|votre|son|el|mi|nuestr[oa]|tu|su)`

// compoundNoun matches what makes another thing of the word before it, as in
// "password manager".
const compoundNoun = `(?i:[ -](?:managers?|polic(?:y|ies)|resets?|rules?|hash(?:es)?|fields?|forms?|pages?|prompts?|files?|length|rotation|stores?|vaults?|databases?|entr(?:y|ies)|hints?|strength|checks?|checkers?|generators?|protection|safes?|tools?|apps?|servers?|recovery|change|dialog|box|reader|keeper|service|endpoint|module|package|library|function|helper))`

// digitWord matches a digit in words.
const digitWord = `(?i:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins?|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun|` +
	`zéro|un|deux|trois|quatre|cinq|sept|huit|neuf|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)`

// secretStem matches a part of each word for a secret of this package.
var secretStem = lazyregexp.New(`(?i)pass|safe|pasw|pas wo|pwd|open|\block|padlock|unlock|disarm|entsperr|öffn|aufge|ouvre|abre|secret|开|開|门|pw|pin|code|c[oó]digo|kennw|wort|mdp|clave|contrase|key|token|schlüssel|cl[eé]|phrase|frase|puk|tan|otp|cv[vc]|` +
	`combina|geheim|kombination|n[uú]mero|login|cred|zugang|anmelde|identifiant|` + passwordCJK + `|番号|码|碼|コード|トークン|キー|合言葉|令牌|密`)
