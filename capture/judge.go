package capture

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/wording"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/learn"
)

// Values of Candidate.Trigger other than a category.
const (
	triggerRequest = "request"
	triggerOwn     = "own trigger"
)

// judge examines sentence n of a paragraph, which belongs to no request. It returns the
// candidate that begins there, and how many sentences it takes. A sentence without a trigger
// gives an empty candidate.
func (x *extraction) judge(p paragraph, n int, trust memory.TrustTier) (Candidate, int) {
	s := p[n]
	if s.long {
		return Candidate{Skip: SkipTooLong}, 1
	}
	if s.forgets() {
		return Candidate{Skip: SkipForget}, 1
	}
	c := Candidate{Trust: trust}
	text, label := stripLabel(s.text)
	c.Category = x.category(text, label)
	switch {
	case x.own.Match(s.seen):
		c.Trigger = triggerOwn
	case c.Category != "":
		c.Trigger = string(c.Category)
	default:
		return Candidate{Skip: s.leftOut()}, 1
	}
	used := extend(p, n)
	text, secret := x.withoutSecrets(p, n, used, text)
	if text == "" && secret != "" {
		return Candidate{Trigger: c.Trigger, Category: c.Category, Skip: SkipSecret, Detail: secret}, used
	}
	c.secret = secret
	var next sentence
	if n+used < len(p) {
		next = p[n+used]
	}
	if reason, detail := x.reject(c, s, next, text); reason != "" {
		return Candidate{Trigger: c.Trigger, Category: c.Category, Skip: reason, Detail: detail}, used
	}
	return c.keeping(text), used
}

// keeping returns the candidate with the text that it keeps.
func (c Candidate) keeping(text string) Candidate {
	c.Text, c.Category, c.Type = text, cmp.Or(c.Category, memory.CategoryFact), typeOf(lang.Fold(text))
	return c
}

// forgets reports whether a sentence asks to forget something.
func (s sentence) forgets() bool {
	bare := bare(s.seen)
	return in("forget", bare) || in("forget", behindAll(bare, "request frame")) || s.retreats() != noRetreat
}

// category returns the category of a sentence: the one of its label, or the one
// that the model gives it.
func (x *extraction) category(text string, label memory.Category) memory.Category {
	if label != "" {
		return label
	}
	return categoryOf(text)
}

// maxRun is the most letters, digits and +/=_- in a row of a sentence that is kept. More of them
// are a key or another value that the model knows nothing about.
const maxRun = 23

// categoryOf returns the category of what a sentence says that is worth keeping, or "".
func categoryOf(text string) memory.Category {
	text = strings.ReplaceAll(hideQuotations(text), string(lang.Hidden), "")
	run := 0
	for _, r := range text {
		if isKeyLike := r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("+/=_-", r)); !isKeyLike {
			run = 0
		} else if run++; run > maxRun {
			return ""
		}
	}
	return learn.Category(text)
}

// reject returns why a candidate is left out, or "". next is the sentence after it,
// which may mark it as a joke.
func (x *extraction) reject(c Candidate, s, next sentence, text string) (reason, detail string) {
	reason = s.leftOut()
	switch {
	case isQuestion(s.seen):
		return SkipQuestion, ""
	case reason != "":
		return reason, ""
	case next.text != "" && in("joke", next.seen) && categoryOf(next.text) == "":
		return SkipJoke, ""
	case in("vague", lang.Fold(text)):
		return SkipVague, ""
	case c.Trigger != string(memory.CategoryLesson) && c.Trigger != string(memory.CategoryDecision) && isInstruction(text, c.Trust):
		return SkipInstruction, ""
	case wording.IsFragment(text):
		return SkipTooShort, ""
	case utf8.RuneCountInString(text) > MaxChars:
		return SkipTooLong, ""
	}
	if c.Trigger == triggerOwn {
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

// leftOut returns why the words of a sentence are never kept without a request, or "".
func (s sentence) leftOut() string {
	for _, section := range []struct{ name, reason string }{
		{"hypothetical", SkipHypothetical}, {"joke", SkipJoke}, {"reported", SkipReported},
		{"temporary", SkipTemporary}, {"vague", SkipVague},
	} {
		if in(section.name, s.seen) {
			return section.reason
		}
	}
	return ""
}

// isInstruction reports whether a text of somebody else tells the agent how to behave.
func isInstruction(text string, trust memory.TrustTier) bool {
	return trust != memory.TrustTrusted && in("instruction", lang.Fold(text))
}

// trimLead removes what a lead-in leaves at the beginning of a text.
func trimLead(text string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`:,;：，；、。.!！-–—`, r)
	})
}

// WithoutLabel returns a text without a label such as "Decision:".
func WithoutLabel(text string) string {
	rest, _ := stripLabel(text)
	return rest
}

// stripLabel returns a text without a label such as "Decision:", and the category
// of the label.
func stripLabel(text string) (string, memory.Category) {
	f := lang.Fold(text)
	for _, c := range memory.Categories {
		start, end, ok := phrases("label " + string(c)).Find(f)
		if rest := strings.TrimSpace(text[min(end, len(text)):]); ok && strings.TrimSpace(text[:start]) == "" && rest != "" {
			return trimLead(rest), c
		}
	}
	return text, ""
}

// extend returns how many sentences of the paragraph belong to the candidate that
// begins at sentence n. These are the list after a colon, and sentences that
// begin with a word like "it" or "because".
func extend(p paragraph, n int) (used int) {
	used = 1
	list := p[n].endsInColon()
	chars := utf8.RuneCountInString(p[n].text)
	for n+used < len(p) {
		next := p[n+used]
		if next.long || isQuestion(next.seen) || next.retreats() != noRetreat {
			break
		}
		belongs := list && next.list && !p[n].list || next.continues()
		if chars += 1 + utf8.RuneCountInString(next.text); !belongs || chars > MaxChars {
			break
		}
		used++
	}
	return used
}

// continues reports whether a sentence belongs to the one before it.
func (s sentence) continues() bool { return !s.list && in("continuation", s.seen) }

// join appends the other sentences of a candidate. Items of a list stay items.
func join(text string, more paragraph) string {
	var b strings.Builder
	b.WriteString(text)
	for _, s := range more {
		switch {
		case s.list:
			b.WriteString("\n- ")
		case b.Len() > 0 && !lang.HasCJK(s.text):
			b.WriteByte(' ')
		}
		b.WriteString(s.text)
	}
	return b.String()
}

// isQuestion reports whether a sentence asks something.
func isQuestion(f lang.Folded) bool {
	return strings.ContainsAny(f.Text, "?？¿") || in("question", f)
}

// isPrivate reports whether a message asks not to be kept.
func isPrivate(b body) bool {
	for _, p := range b.paragraphs {
		for _, s := range p {
			if in("private", s.seen) || in("private", bare(s.seen)) {
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
		f = lang.Fold(strings.ReplaceAll(b.text, "\n", " "))
	}
	return in("agree", first) && !in("disagree", f) && !isQuestion(f)
}
