package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// Values of Candidate.Trigger other than a category.
const (
	triggerRequest = "request"
	triggerOwn     = "own trigger"
)

// judge examines sentence n of a paragraph. It returns the candidate that begins
// there, and how many sentences it takes. A sentence without a trigger gives an
// empty candidate.
func (x *extraction) judge(p paragraph, n int, trust memory.TrustTier) (Candidate, int) {
	s := p[n]
	if s.seen.text == "" {
		return Candidate{Skip: SkipTooLong, Explicit: x.asked}, 1
	}
	if in(sectionForget, s.seen.bare()) || s.retreats() != noRetreat {
		return Candidate{Skip: SkipForget}, 1
	}
	c := Candidate{Trust: trust}
	text, explicit := stripRequest(s)
	if explicit {
		c.Trigger, c.Explicit = triggerRequest, true
	} else if refersBack(p, n) {
		c.Trigger, c.Explicit = triggerRequest, true
		text = s.text
	}
	text, label := stripLabel(text)
	c.Category = x.category(s, text, label)
	switch {
	case c.Explicit:
	case x.own.match(s.seen):
		c.Trigger = triggerOwn
	case c.Category != "":
		c.Trigger = string(c.Category)
	default:
		return Candidate{}, 1
	}
	used := extend(p, n, c.Explicit)
	text, secret := x.withoutSecrets(p, n, used, text, c.Explicit)
	if text == "" && secret != "" {
		return Candidate{Trigger: c.Trigger, Category: c.Category, Explicit: c.Explicit, Skip: SkipSecret, Detail: secret}, used
	}
	c.secret = secret
	if c.Explicit && refersBack(p, n) && n+1 < len(p) {
		used++ // the request itself
	}
	var next sentence
	if n+used < len(p) {
		next = p[n+used]
	}
	if reason, detail := x.reject(c, s, next, text); reason != "" {
		return Candidate{Trigger: c.Trigger, Category: c.Category, Explicit: c.Explicit, Skip: reason, Detail: detail}, used
	}
	if c.Category == "" {
		c.Category = memory.CategoryFact
	}
	c.Text, c.Type = text, typeOf(fold(text))
	return c, used
}

// category returns the category of a sentence: the one of its label, or the one
// that its words show.
func (x *extraction) category(s sentence, text string, label memory.Category) memory.Category {
	if label != "" {
		return label
	}
	if c := categoryOf(fold(hideQuotations(text))); c != "" {
		return c
	}
	return categoryOf(s.seen)
}

// hasTrigger reports whether a sentence says something of its own.
func hasTrigger(f folded) bool { return categoryOf(f) != "" }

// reject returns why a candidate is left out, or "". next is the sentence after it,
// which may mark it as a joke.
func (x *extraction) reject(c Candidate, s, next sentence, text string) (reason, detail string) {
	seen := s.seen
	switch n := utf8.RuneCountInString(text); {
	case !c.Explicit && isQuestion(seen):
		return SkipQuestion, ""
	case !c.Explicit && in(sectionHypothetical, seen):
		return SkipHypothetical, ""
	case in(sectionJoke, seen) || next.text != "" && in(sectionJoke, next.seen) && !hasTrigger(next.seen):
		return SkipJoke, ""
	case in(sectionReported, seen) && !c.Explicit:
		return SkipReported, ""
	case in(sectionTemporary, seen) && !c.Explicit:
		return SkipTemporary, ""
	case in(sectionVague, fold(text)):
		return SkipVague, ""
	case c.Trust != memory.TrustTrusted && in(sectionInstruction, fold(text)) && c.Trigger != string(memory.CategoryLesson) && c.Trigger != string(memory.CategoryDecision):
		return SkipInstruction, ""
	case n < MinChars && !hasCJK(text), n < minCJK:
		return SkipTooShort, ""
	case n > MaxChars:
		return SkipTooLong, ""
	}
	if c.Trigger == triggerRequest || c.Trigger == triggerOwn {
		return "", ""
	}
	for _, allowed := range x.settings.Categories {
		if allowed == c.Category {
			return "", ""
		}
	}
	if c.Category == memory.CategoryLesson && c.Trust == memory.TrustUntrusted { // the user agreed to it
		return "", ""
	}
	return SkipCategory, string(c.Category)
}

// minCJK is MinChars for Chinese and Japanese, where a character is half a word.
const minCJK = 5

// stripRequest returns a sentence without its request to remember, and whether it
// has one: "Remember that X" is X.
func stripRequest(s sentence) (text string, ok bool) {
	bare := s.seen.bare()
	if _, end, found := patternsOf(sectionRequestQuestion).find(bare); found {
		return strings.TrimRight(trimLead(s.text[end:]), " ?？吗"), true
	}
	if isQuestion(s.seen) {
		return s.text, false
	}
	if _, end, found := patternsOf(sectionRequest).find(bare); found {
		return withoutQue(trimLead(s.text[end:])), true
	}
	if start, end, found := patternsOf(sectionRequestTail).find(s.seen); found && strings.Trim(s.text[end:], "。.！! ~よね") == "" && start > 0 {
		return strings.TrimRight(s.text[:start], " ,、，"), true
	}
	return s.text, false
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

// trimLead removes what a lead-in leaves at the beginning of a text.
func trimLead(text string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`:,;：，；、。.!！-–—`, r)
	})
}

// stripLabel returns a text without a label such as "Decision:", and the category
// of the label.
func stripLabel(text string) (string, memory.Category) {
	f := fold(text)
	for _, c := range memory.Categories {
		start, end, ok := patternsOf(sectionLabel + string(c)).find(f)
		if rest := strings.TrimSpace(text[min(end, len(text)):]); ok && strings.TrimSpace(text[:start]) == "" && rest != "" {
			return trimLead(rest), c
		}
	}
	return text, ""
}

// refersBack reports whether the next sentence asks to remember this one.
func refersBack(p paragraph, n int) bool {
	return n+1 < len(p) && in(sectionRequestAfter, p[n+1].seen.bare()) && !in(sectionRequestAfter, p[n].seen.bare())
}

// extend returns how many sentences of the paragraph belong to the candidate that
// begins at sentence n. These are the list after a colon, and sentences that
// begin with a word like "it" or "because".
func extend(p paragraph, n int, explicit bool) (used int) {
	used = 1
	list := strings.HasSuffix(strings.TrimRight(p[n].text, " "), ":") || strings.HasSuffix(p[n].text, "：")
	chars := utf8.RuneCountInString(p[n].text)
	for n+used < len(p) {
		next := p[n+used]
		if next.seen.text == "" || isQuestion(next.seen) || next.retreats() != noRetreat {
			break
		}
		belongs := list && next.list && !p[n].list || !next.list && in(sectionContinuation, next.seen) ||
			explicit && used == 1 && isEmptyRequest(p[n])
		if chars += 1 + utf8.RuneCountInString(next.text); !belongs || chars > MaxChars {
			break
		}
		used++
	}
	return used
}

// isEmptyRequest reports whether a sentence is a request with nothing to remember,
// as in "Remember this. …" or "Note!".
func isEmptyRequest(s sentence) bool {
	text, ok := stripRequest(s)
	return ok && utf8.RuneCountInString(text) < minCJK
}

// join appends the other sentences of a candidate. Items of a list stay items.
func join(text string, more paragraph) string {
	var b strings.Builder
	b.WriteString(text)
	for _, s := range more {
		switch {
		case s.list:
			b.WriteString("\n- ")
		case b.Len() > 0 && !hasCJK(s.text):
			b.WriteByte(' ')
		}
		b.WriteString(s.text)
	}
	return b.String()
}

// isQuestion reports whether a sentence asks something.
func isQuestion(f folded) bool {
	return strings.ContainsAny(f.text, "?？¿") || in(sectionQuestion, f)
}

// isPrivate reports whether a message asks not to be kept.
func isPrivate(b body) bool {
	for _, p := range b.paragraphs {
		for _, s := range p {
			if in(sectionPrivate, s.seen) || in(sectionPrivate, s.seen.bare()) {
				return true
			}
		}
	}
	return strings.Contains(strings.ToLower(b.text), "[private]")
}

// maxAgreement is the length up to which an answer is an agreement and nothing
// else.
const maxAgreement = 80

// agrees reports whether a message agrees to what was said before.
func agrees(b body) bool {
	if len(b.paragraphs) == 0 || len(b.paragraphs[0]) == 0 {
		return false
	}
	first := b.paragraphs[0][0].seen
	f := first
	if utf8.RuneCountInString(b.text) <= maxAgreement {
		f = fold(strings.ReplaceAll(b.text, "\n", " "))
	}
	return in(sectionAgree, first) && !in(sectionDisagree, f) && !isQuestion(f)
}
