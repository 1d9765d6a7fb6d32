package dates

import (
	"strconv"
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// cjkDate matches a date in Chinese, Japanese or Korean, with its weekday and the Korean
// particle: 2026年11月3日（火）, 11月3号, 十一月三日, 11월 3일에, 11月上旬.
var cjkDate = lazyregexp.New(`(?:(\d{4})\s?[年년]\s?)?(?:(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日号號일]|\s?([上中下]旬|初|底|末|초|중순|말))?|([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})[日号號])` +
	`(?:\s?[（(]?(?:[日月火水木金土](?:曜日?|[)）])|(?:星期|周|週|礼拜)[日天一二三四五六]|[일월화수목금토]요일)[）)]?)?(?:에는?)?`)

// cjkParts maps the thirds of a month.
var cjkParts = map[string]string{"上旬": "early", "初": "early", "초": "early", "中旬": "mid", "중순": "mid", "下旬": "late", "底": "late", "末": "late", "말": "late"}

// hasCJKDate is a quick test: a date has one of these characters.
func hasCJKDate(text string) bool { return strings.ContainsAny(text, "月월") }

// splitCJKDates returns the dates in a text and the words between them.
func splitCJKDates(text string) (tokens []token) {
	end := 0
	for _, m := range cjkDate.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		month, day := group(2), group(3)
		if group(5) != "" {
			month, day = cjkNumber(group(5)), cjkNumber(group(6))
		}
		n, _ := strconv.Atoi(month)
		if n < 1 || n > len(englishMonths) {
			continue
		}
		tokens = appendWords(tokens, text[end:m[0]], end)
		end = m[1]
		first := token{text: text[m[0]:m[1]], lower: englishMonths[n-1], field: text[m[0]:m[1]], previous: "in"}
		if part := group(4); part != "" {
			tokens = append(tokens, token{lower: cjkParts[part], previous: "in"})
			first.text = "" // it is no verb
		}
		tokens = append(tokens, first)
		for _, w := range []string{day, group(1)} {
			if w != "" {
				tokens = append(tokens, token{text: w, lower: w, previous: "in"})
			}
		}
	}
	return appendWords(tokens, text[end:], end)
}

// cjkNumber returns the digits of a number up to 99: 二十三 is 23.
func cjkNumber(s string) string {
	tens, units, found := strings.Cut(s, "十")
	if !found {
		return cjkNumbers.Replace(s)
	}
	n, one := 1, 0
	if tens != "" {
		n, _ = strconv.Atoi(cjkNumbers.Replace(tens))
	}
	if units != "" {
		one, _ = strconv.Atoi(cjkNumbers.Replace(units))
	}
	return strconv.Itoa(10*n + one)
}
