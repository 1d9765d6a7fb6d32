package capture

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// Reasons why a message or a sentence is left out.
const (
	SkipRole         = "tool_result"  // not written by a person or the assistant
	SkipAutomated    = "automated"    // a cron, heartbeat or sub-agent turn
	SkipQuoted       = "quoted"       // quoted text, code, a log, a page or a host's block
	SkipReported     = "third_party"  // what somebody else says or wants
	SkipQuestion     = "question"     // a question
	SkipHypothetical = "hypothetical" // "if I moved to…"
	SkipJoke         = "joke"         // marked as a joke
	SkipTemporary    = "temporary"    // true today and not tomorrow
	SkipVague        = "vague"        // refers to something that the sentence does not name
	SkipInstruction  = "instruction"  // tells the agent how to behave, and is not the owner's
	SkipForget       = "forget"       // asks to forget something
	SkipSecret       = "secret"       // contains a password, key, token or card number
	SkipPrivate      = "private"      // marked private
	SkipCategory     = "category"     // of a category that capture.categories does not list
	SkipNoTrigger    = "no_trigger"   // nothing in it is worth keeping
	SkipNotAgreed    = "not_agreed"   // a proposal of the assistant that the user did not agree to
	SkipTooShort     = "too_short"
	SkipTooLong      = "too_long" // a sentence, or the middle of a long message
	SkipLimit        = "limit"    // the turn has too many sentences
)

// MaxChars is the longest text of a candidate, in characters. [wording.IsFragment] has the shortest.
const MaxChars = 500

// Roles of messages. Messages with other roles are never captured.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// automated lists the triggers of turns that no person started.
var automated = []string{"cron", "heartbeat", "subagent", "sub-agent"}

// Message is one message of a turn.
type Message struct {
	Key  string // names the message in a session
	Role string
	Text string

	// Before holds earlier messages of the conversation that are not in the turn, the last
	// first. One of them may ask for a password that this message tells. See [TextsBefore].
	Before []string
}

// Turn is what is searched for memories.
type Turn struct {
	Messages []Message // in order
	Trigger  string    // what started the turn; empty: a person
	Owner    bool      // the user's messages are the owner's own
}

// Settings decides what is captured.
type Settings struct {
	Categories []memory.Category // captured without an explicit request
	Triggers   []lang.Phrase     // more phrases; a sentence with one is captured in any category
}

// Candidate is a sentence or a short paragraph that may be kept.
type Candidate struct {
	Key      string // of its message
	Text     string // as it would be kept; empty where Skip is set
	Category memory.Category
	Type     memory.Type
	Trust    memory.TrustTier
	Explicit bool   // the user asked to keep it
	Trigger  string // why it is a candidate: "request", "own trigger", or the category's name
	Skip     string // why it is left out; empty: it is kept
	Detail   string // more about Skip: the kind of a secret, the category
	Later    bool   // nothing of the message was examined: another request may offer it again
	Earlier  bool   // the message takes back what an earlier turn said last
	Directly bool   // only the turn before counts: "just kidding"
	secret   string // the kind of a secret in a sentence that Text leaves out
}

// Kept reports whether the candidate is to be kept.
func (c Candidate) Kept() bool { return c.Skip == "" }

// maxSentences bounds the sentences of one turn that are examined. A person writes
// fewer; the others of a flood are reported as one limit.
const maxSentences = 400

// reasonOf returns why a message of the user has no candidate.
func reasonOf(b body) string {
	if b.quoted {
		return SkipQuoted
	}
	for _, p := range b.paragraphs {
		for _, s := range p {
			switch {
			case isQuestion(s.seen):
				return SkipQuestion
			case in("reported", s.seen):
				return SkipReported
			}
		}
	}
	return SkipNoTrigger
}

// Extract returns the candidates of a turn, in the order of the text. A message
// without any has one candidate that names the reason.
func Extract(t Turn, s Settings) []Candidate {
	x := extraction{turn: t, settings: s, own: lang.NewPhrases(s.Triggers), left: maxSentences}
	for i, m := range t.Messages {
		before := len(x.found)
		x.message(i, m)
		if len(x.found) == before {
			x.skip(m, SkipNoTrigger)
		}
	}
	return x.found
}

// extraction collects the candidates of one turn.
type extraction struct {
	turn     Turn
	settings Settings
	own      lang.Phrases // of settings.Triggers
	left     int          // sentences that may still be examined
	found    []Candidate
	examined int      // sentences of the message
	asked    bool     // the message asks to keep something
	lost     bool     // a request of the message announces what is quoted or pasted
	before   []string // what was said before the message, the last first
	after    string   // what the user says next, if it is in the turn
	said     []saidMessage
}

func (x *extraction) skip(m Message, reason string) {
	x.found = append(x.found, Candidate{Key: m.Key, Skip: reason})
}

func (x *extraction) message(i int, m Message) {
	switch {
	case slices.Contains(automated, x.turn.Trigger):
		x.skip(m, SkipAutomated)
		return
	case m.Role == RoleAssistant:
		x.proposal(i, m)
		return
	case m.Role != RoleUser:
		x.skip(m, SkipRole)
		return
	}
	body := ownText(m.Text)
	body.paragraphs = joinRequests(body.paragraphs)
	if how := body.retreats(); how != noRetreat {
		x.takeBackBefore(m, body, how)
	}
	x.said = append(x.said, saidMessage{len(x.found), body.isAside()})
	x.asked, x.lost = asksToKeep(body.paragraphs), body.lost
	if isPrivate(body) {
		x.found = append(x.found, Candidate{Key: m.Key, Skip: SkipPrivate, Explicit: x.asked})
		return
	}
	x.before, x.after = said(x.turn.Messages, i), x.nextOfUser(i)
	trust := TrustOf(m.Role, x.turn.Owner)
	before := len(x.found)
	x.examined = 0
	for _, p := range body.paragraphs {
		x.paragraph(m, p, trust)
		x.before = append(x.before, p[len(p)-1].text) // "My PIN:", and the value in the next paragraph
	}
	x.reportCut(m, body, before)
	if len(x.found) == before {
		x.skip(m, reasonOf(body))
	}
}

// TrustOf returns the trust of what somebody said. Only the owner's own words are trusted.
func TrustOf(role string, owner bool) memory.TrustTier {
	if role == RoleUser && owner {
		return memory.TrustTrusted
	}
	return memory.TrustUntrusted
}

// nextOfUser returns the next message of the user after message i, or "".
func (x *extraction) nextOfUser(i int) string {
	rest := x.turn.Messages[i+1:]
	if n := slices.IndexFunc(rest, func(m Message) bool { return m.Role == RoleUser }); n >= 0 {
		return rest[n].Text
	}
	return ""
}

// mayExamine counts a sentence that is examined next. It returns false once the turn has
// had too many.
func (x *extraction) mayExamine() bool {
	x.left--
	if x.left >= 0 {
		x.examined++
	}
	return x.left >= 0
}

// reportCut reports what of a message was not examined: sentences beyond those of a turn,
// its middle, or quoted text. before is the number of candidates before the message.
func (x *extraction) reportCut(m Message, b body, before int) {
	switch {
	case x.left < 0 && len(b.paragraphs) > 0:
		x.found = append(x.found, Candidate{Key: m.Key, Skip: SkipLimit, Later: x.examined == 0, Explicit: x.asked})
	case len(b.middle) > 0:
		x.found = append(x.found, Candidate{Key: m.Key, Skip: SkipTooLong, Detail: "only its beginning and its end count", Explicit: x.asked || m.Role == RoleUser && asksToKeep(paragraphs(b.middle))})
	case b.lost || b.quoted && len(x.found) > before:
		x.found = append(x.found, Candidate{Key: m.Key, Skip: SkipQuoted, Detail: "quoted or pasted lines", Explicit: b.lost})
	}
}

// proposal examines a message of the assistant: a decision or a lesson counts if
// the user agrees to it in the next message.
func (x *extraction) proposal(i int, m Message) {
	x.asked = false
	body := ownText(m.Text)
	if isPrivate(body) {
		x.skip(m, SkipPrivate)
		return
	}
	x.before, x.after = said(x.turn.Messages, i), x.nextOfUser(i)
	agreed := i+1 < len(x.turn.Messages) && x.turn.Messages[i+1].Role == RoleUser && agrees(ownText(x.turn.Messages[i+1].Text))
	before := len(x.found)
	x.examined = 0
	for _, p := range body.paragraphs {
		for n := 0; n < len(p); n++ {
			if !x.mayExamine() {
				break
			}
			if _, isRequest := requestAt(p, n); isRequest {
				continue
			}
			c, used := x.judge(p, n, memory.TrustUntrusted)
			if c.Category != memory.CategoryDecision && c.Category != memory.CategoryLesson || c.Trigger == triggerOwn {
				continue
			}
			if c.Kept() && !agreed {
				c = Candidate{Skip: SkipNotAgreed}
			}
			c.Key = m.Key
			x.found = append(x.found, c)
			n += used - 1
		}
	}
	x.reportCut(m, body, before)
}

// paragraph examines the sentences of one paragraph of the user.
func (x *extraction) paragraph(m Message, p paragraph, trust memory.TrustTier) {
	for n := 0; n < len(p); n++ {
		if !x.mayExamine() {
			return
		}
		if how := p[n].retreats(); n > 0 && how != noRetreat && len(x.said) > 0 {
			x.takeBack(x.said[len(x.said)-1].from, how)
		}
		if r, isRequest := requestAt(p, n); isRequest {
			for _, c := range x.settle(p, n, r, trust) {
				c.Key = m.Key
				x.found = append(x.found, c)
			}
			n += r.used - 1
			continue
		}
		c, used := x.judge(p, n, trust)
		if c.Text == "" && c.Skip != SkipForget && c.Skip != SkipSecret && in("request unclear", p[n].seen) {
			c = Candidate{Trigger: triggerRequest, Explicit: true, Skip: SkipVague}
		}
		if c.Trigger == "" && c.Skip == "" {
			if x.asked {
				_, c.secret = x.withoutSecrets(p, n, 1, p[n].text)
			}
		} else {
			c.Key = m.Key
			c.Explicit = c.Explicit || c.Skip == SkipSecret && x.asked
			x.found = append(x.found, c)
		}
		if c.secret != "" {
			x.found = append(x.found, Candidate{Key: m.Key, Skip: SkipSecret, Detail: c.secret, Explicit: x.asked})
		}
		n += used - 1
	}
}

// asksToKeep reports whether a message asks to keep something.
func asksToKeep(paragraphs []paragraph) bool {
	for _, p := range paragraphs {
		for n := range p {
			if _, asked := requestAt(p, n); asked {
				return true
			}
		}
	}
	return false
}
