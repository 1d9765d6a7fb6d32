package capture

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/secrets"
	"github.com/memory-tiered/memory/internal/wording"
	"github.com/memory-tiered/memory/lang"
)

// request is what the user asks to keep explicitly.
type request struct {
	parts  paragraph // the sentences and items that are asked for, without the words of the request
	isHead bool      // the first part only announces the others: "the guests:"
	used   int       // sentences of the paragraph that the request takes
}

// requestAt returns the request that begins at sentence n of a paragraph, or whose words follow
// it there.
func requestAt(p paragraph, n int) (r request, ok bool) {
	first := p[n]
	if first.forgets() {
		return r, false
	}
	if first.text, ok = first.rest, first.asks; ok {
		r.isHead = p[n].endsInColon() || firstLetter(first.text) == 0
		r.used = 1 + following(p, n, r.isHead, startsSeries(first.text))
	} else if r.used = refersBack(p, n); r.used == 0 {
		return r, false
	} else {
		first.text = p[n].text
	}
	r.parts = append(paragraph{first}, p[n+1:n+r.used]...)
	if !ok {
		r.used++ // the request itself
	}
	return r, true
}

// following returns how many sentences behind a request belong to it. These are what its head
// announces, the rest of the line of a series, and sentences that begin with a word like "it".
func following(p paragraph, n int, isHead, isSeries bool) (count int) {
	rest := p[n+1:]
	switch {
	case isHead && p[n].endsInColon():
		count = announced(rest)
	case isHead && len(rest) > 0 && !rest[0].endsRequest(): // "Remember this. The key is …"
		count = 1
	case isSeries:
		for count < len(rest) && rest[count].more && !rest[count].endsRequest() {
			count++
		}
	}
	for count < len(rest) && rest[count].continues() && !rest[count].endsRequest() {
		count++
	}
	return count
}

// startsSeries reports whether a text names what it and the rest of its line list: "my routine: I
// get up at six."
func startsSeries(text string) bool {
	_, label := stripLabel(text)
	at := strings.Index(strings.ReplaceAll(text, "：", ": "), ": ")
	return label == "" && at > 0 && at < maxHead/2
}

// announced returns how many sentences a head announces. These are the items of the list that
// follows, whatever they look like, with the lines between them. Without a list these are all
// sentences up to a question or another request.
func announced(rest paragraph) (count int) {
	isList := len(rest) > 0 && rest[0].list
	for i, s := range rest {
		switch {
		case s.list && isList:
			count = i + 1
		case isList && s.endsInColon(), !isList && s.endsRequest():
			return count
		case !isList:
			count = i + 1
		}
	}
	return count
}

// endsRequest reports whether a sentence that is no item ends what a request asks for.
func (s sentence) endsRequest() bool {
	return s.endsInQuestionMark() && in("question", s.seen) || s.forgets() || s.asks
}

// refersBack returns how many sentences from n are meant by the request that follows them:
// "Please remember this." It returns 0 where none follows.
func refersBack(p paragraph, n int) (count int) {
	if p[n].asksAlone() || p[n].endsInQuestionMark() {
		return 0
	}
	for count = 1; n+count < len(p); count++ {
		next := p[n+count]
		if next.asksAlone() {
			return count
		}
		isItem := next.list && (p[n].list || p[n].endsInColon())
		if !isItem && !next.continues() {
			break
		}
	}
	return 0
}

// joinRequests puts the paragraphs together that a request joins. These are the ones that a head
// at the end of a paragraph announces, and one that only says "Please remember this."
func joinRequests(paragraphs []paragraph) (joined []paragraph) {
	var open, isList bool // a head announces the next paragraph; it announced a list so far
	for _, p := range paragraphs {
		isItem := p[0].list
		last := len(joined) - 1
		switch {
		case last < 0:
		case open && (!isList || isItem) && !p[0].asks, len(p) == 1 && p[0].asksAlone():
			joined[last], isList = append(joined[last], p...), isList || isItem
			continue
		}
		joined, open = append(joined, p), false
		for n := 0; n < len(p); n++ {
			if r, ok := requestAt(p, n); ok {
				n += r.used - 1
				isList = len(r.parts) > 1
				open = r.isHead && n == len(p)-1 && (!isList || p[n].list)
			}
		}
	}
	return joined
}

// settle decides about all that a request asks to keep. Each part is in the text of a candidate,
// or has a candidate that tells why it is left out. An explicit request counts more than what a
// sentence looks like. So no filter that guesses applies, but only what protects: secrets,
// requests to forget, commands of others and the size.
func (x *extraction) settle(p paragraph, n int, r request, trust memory.TrustTier) (found []Candidate) {
	c := Candidate{Trust: trust, Trigger: triggerRequest, Explicit: true}
	text, label := stripLabel(r.parts[0].text)
	c.Category = x.category(text, label)
	r.parts[0].text = text
	leaveOut := func(reason, detail string) {
		found = append(found, Candidate{Trigger: triggerRequest, Category: c.Category, Explicit: true, Skip: reason, Detail: detail})
	}
	parts := r.parts
	if r.isHead {
		parts = r.parts[1:]
	}
	var packs []paragraph
	for i, part := range parts {
		if reason, detail := x.refuse(p, n+len(r.parts)-len(parts)+i, part, trust); reason != "" {
			leaveOut(reason, detail)
			continue
		}
		packs = r.pack(packs, part)
	}
	if len(parts) == 0 && !x.lost {
		leaveOut(SkipVague, "")
	}
	for _, pack := range packs {
		text := r.textOf(pack)
		reason, detail := sizeReason(text), ""
		if kind, ok := secrets.Find(text); ok {
			reason, detail = SkipSecret, kind
		}
		if reason == "" {
			found = append(found, c.keeping(text))
			continue
		}
		for range pack {
			leaveOut(reason, detail)
		}
	}
	return found
}

// refuse returns why one part of a request is left out, or "". The part is sentence i of p.
func (x *extraction) refuse(p paragraph, i int, part sentence, trust memory.TrustTier) (reason, detail string) {
	if kind, ok := x.secretOf(p, i, part.text, true); ok {
		return SkipSecret, kind
	}
	switch {
	case part.forgets(), part.endsInRetreat():
		return SkipForget, ""
	case isInstruction(part.text, trust):
		return SkipInstruction, ""
	}
	return "", ""
}

// endsInRetreat reports whether the last clause takes the sentence back: "…, just kidding."
func (s sentence) endsInRetreat() bool {
	at := strings.LastIndexAny(s.seen.Text, ",、")
	if at < 0 {
		return false
	}
	_, size := utf8.DecodeRuneInString(s.seen.Text[at:])
	return sentence{seen: s.seen.From(at + size)}.retreats() != noRetreat
}

// pack adds a part to the last pack, or to a new one where the text would be too long.
func (r request) pack(packs []paragraph, part sentence) []paragraph {
	if last := len(packs) - 1; last >= 0 {
		longer := append(slices.Clip(packs[last]), part)
		if sizeReason(r.textOf(longer)) != SkipTooLong {
			packs[last] = longer
			return packs
		}
	}
	return append(packs, paragraph{part})
}

// textOf returns the text of a pack, with the head of the request before it.
func (r request) textOf(pack paragraph) string {
	if r.isHead && r.parts[0].text != "" {
		return join(r.parts[0].text, pack)
	}
	return join(pack[0].text, pack[1:])
}

func sizeReason(text string) string {
	switch {
	case wording.IsFragment(text):
		return SkipTooShort
	case utf8.RuneCountInString(text) > MaxChars:
		return SkipTooLong
	}
	return ""
}

// stripRequest returns a sentence without its request to remember, and whether it has one:
// "Remember that X" is X. What is before a request stays: "If X, remember that Y."
func stripRequest(s sentence) (text string, ok bool) {
	s = s.withoutTag()
	first, last := firstLetter(s.text), lastLetter(s.text)
	if text, ok = s.withoutRequest(s.inScriptOf(first)); !ok && lang.IsCJK(first) != lang.IsCJK(last) {
		text, ok = s.withoutRequest(s.inScriptOf(last))
	}
	if !ok {
		return s.withoutLastRequest()
	}
	return text, true
}

// withoutRequest returns a sentence without the clauses and words that ask to remember it. f is
// the sentence as the patterns see it.
func (s sentence) withoutRequest(f lang.Folded) (text string, ok bool) {
	before, from, to := 0, 0, len(s.text) // what is asked for ends at before, and goes on between the others
	for clause := range clauses(f) {
		a, asks := askOf(clause)
		start := clause.Original(0)
		switch {
		case !asks || s.endsInQuestionMark() && !a.framed:
		case a.alone && firstLetter(s.text[:start]) != 0:
			to, ok = start, true
		case !ok:
			before, from, ok = start, a.end, true
		}
	}
	text = s.text[from:max(from, to)]
	if from > 0 {
		text = withoutQue(trimLead(text))
	}
	if to < len(s.text) {
		text = strings.TrimRight(text, " ,、，:：;-–—")
	}
	if ok && s.endsInQuestionMark() {
		text = strings.TrimRight(text, " ?？吗")
	}
	if before > 0 {
		text = strings.TrimRight(s.text[:before], " ") + map[bool]string{false: " "}[f.CJK] + text
	}
	return text, ok
}

// withoutLastRequest returns a sentence without the request that ends it, in a language whose
// verb comes last.
func (s sentence) withoutLastRequest() (text string, ok bool) {
	f := s.inScriptOf(lastLetter(s.text))
	start, end, ok := phrases("request tail").FindFolded(f)
	if !ok || firstLetter(s.text[:f.Original(start)]) == 0 || strings.ContainsFunc(behindAll(f.From(end), "request filler").Text, isContent) {
		return s.text, false
	}
	return strings.TrimRight(s.text[:f.Original(start)], " ,、，"), true
}

// asksAlone reports whether a sentence only asks to remember what is said beside it: "Please
// remember this."
func (s sentence) asksAlone() bool {
	return s.asks && firstLetter(s.rest) == 0 && !s.endsInColon() && !s.forgets()
}

// withoutTag returns a sentence without the words at its end that only ask for an answer: ", ok?"
func (s sentence) withoutTag() sentence {
	if !s.endsInQuestionMark() {
		return s
	}
	if start, _, ok := phrases("tag").Find(s.inScriptOf(lastLetter(s.text))); ok && start > 0 {
		s.text = s.text[:start]
		s.seen = lang.Fold(hideQuotations(s.text))
	}
	return s
}

func (s sentence) endsInQuestionMark() bool {
	return strings.HasSuffix(s.text, "?") || strings.HasSuffix(s.text, "？")
}

// inScriptOf returns the sentence as the patterns of a letter's script see it. A request may be
// in another language than its fact.
func (s sentence) inScriptOf(letter rune) lang.Folded {
	if s.seen.CJK == lang.IsCJK(letter) || s.long {
		return s.seen
	}
	return lang.FoldAs(hideQuotations(s.text), lang.IsCJK(letter))
}

func firstLetter(text string) rune {
	for _, r := range text {
		if unicode.IsLetter(r) {
			return r
		}
	}
	return 0
}

func lastLetter(text string) rune {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }))
	return last
}

// withoutQue removes the "que" of a French clause that is joined to its first word.
func withoutQue(text string) string {
	if len(text) > 3 && strings.EqualFold(text[:2], "qu") {
		for _, mark := range []string{"'", "’"} {
			if rest, ok := strings.CutPrefix(text[2:], mark); ok {
				return rest
			}
		}
	}
	return text
}
