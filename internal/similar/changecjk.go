package similar

import (
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// Parts of statements in Chinese and Japanese, which have no spaces between words.
var (
	changeHan = lazyregexp.New(`^(.{2,}?)(?:已经|已|现在|被|将|也)?(改到|改在|改成|改为|变成|变为|推迟到|提前到|延期到|延到|涨到|涨成|降到|降为|升到|升为|调到|调整为|移到|换成|换到|搬到|搬去|现在在|现在是|现在为)(.+?)了?$`)
	stateHan  = lazyregexp.New(`^(.{2,}?)(住在|定在|安排在|在|是|为)(.+)$`)

	changeKana = lazyregexp.New(`^(.+?)[はが](?:今は|今では)?(.+?)(?:に|へ|と)(?:変更|変わり|移動|移り|延期|なりました|なった|上がり|上がった|下がり|下がった|引っ越し|引っ越した|移転|前倒し|繰り上げ|値上げ|値下げ).*$`)
	stateKana  = lazyregexp.New(`^(.+?)[はが](.+?)(?:です|だ|である|に住んで.*|にあります|に行われます|で行われます|で働いて.*)?$`)

	noLongerHan  = lazyregexp.New(`不再|已经不`)
	noLongerKana = lazyregexp.New(`^(.+?は)もう(.+?)(?:ではありません|じゃありません|ではない|じゃない)$`)

	homeHan = lazyregexp.New(`^搬`)
	dayCJK  = lazyregexp.New(`星期|周[一二三四五六日天]|礼拜|曜日|月.{0,3}[日号]|[上下]午`)
	numCJK  = lazyregexp.New(`[0-9０-９一二三四五六七八九十百千万]`)
)

// changesCJK reports whether a statement gives the subject of an older one another value, in
// words of change, or says that it no longer holds.
func changesCJK(newer, older string) bool {
	newer, older = strings.TrimRight(newer, "。.！! "), strings.TrimRight(older, "。.！! ")
	if noLongerHan.MatchString(newer) {
		return strings.TrimSuffix(noLongerHan.ReplaceAllString(newer, ""), "了") == strings.TrimSuffix(older, "了")
	}
	if m := noLongerKana.FindStringSubmatch(newer); m != nil {
		return m[1]+m[2] == strings.TrimSuffix(strings.TrimSuffix(older, "です"), "だ")
	}
	if m := changeHan.FindStringSubmatch(newer); m != nil {
		old := stateHan.FindStringSubmatch(older)
		return old != nil && old[1] == m[1] && homeHan.MatchString(m[2]) == (old[2] == "住在") && (old[2] == "住在" || areValuesCJK(m[3], old[3]))
	}
	m, old := changeKana.FindStringSubmatch(newer), stateKana.FindStringSubmatch(older)
	if m == nil || old == nil || old[1] != m[1] || changeKana.MatchString(older) {
		return false
	}
	moves, lives := strings.Contains(newer, "引っ越し"), strings.Contains(older, "住んで")
	return moves == lives && (lives || areValuesCJK(m[2], old[2]))
}

// areValuesCJK reports whether two values differ, and are of one kind: days or numbers.
func areValuesCJK(a, b string) bool {
	const longest = 12 // characters
	if a == b || max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) > longest {
		return false
	}
	if dayCJK.MatchString(a) || dayCJK.MatchString(b) {
		return dayCJK.MatchString(a) && dayCJK.MatchString(b)
	}
	return numCJK.MatchString(a) && numCJK.MatchString(b)
}
