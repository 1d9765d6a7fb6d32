package capture

import (
	"slices"

	"github.com/memory-tiered/memory/internal/secrets"
)

// Passage is what a language model may read of a message: what its author wrote, without what is
// private, secret or taken back.
type Passage struct {
	Key, Role string
	Sentences []Statement
}

// Statement is a sentence of a passage.
type Statement struct {
	Text      string
	States    bool // it states something that may be kept: it is no question, guess, joke or unagreed proposal
	IsPassing bool // it may be true on one day only
}

// Passages returns what a language model may read of a conversation, and counts what is left
// out by reason. An assistant's last messages wait for the answer of the user.
func Passages(t Turn) (passages []Passage, leftOut map[string]int) {
	leftOut = map[string]int{}
	isPrivateTurn := false // the user's last message is private, and so are the answers to it
	for i, m := range t.Messages {
		body, reason := ownText(m.Text), ""
		switch {
		case slices.Contains(automated, t.Trigger):
			reason = SkipAutomated
		case m.Role != RoleUser && m.Role != RoleAssistant:
			reason = SkipRole
		case isPrivate(body), isPrivateTurn && m.Role == RoleAssistant:
			reason = SkipPrivate
		case m.Role == RoleUser && body.retreats() != noRetreat:
			passages = withoutLastTurn(passages, leftOut)
			reason = SkipForget
		case m.Role == RoleUser && body.forgets():
			reason = SkipForget
		case nearSecret(t.Messages, i):
			reason = SkipSecret
		}
		if m.Role == RoleUser {
			isPrivateTurn = reason == SkipPrivate
		}
		if reason != "" {
			leftOut[reason]++
			continue
		}
		if p := passageOf(t, i, body, leftOut); len(p.Sentences) > 0 {
			passages = append(passages, p)
		}
	}
	for len(passages) > 0 && passages[len(passages)-1].Role == RoleAssistant {
		passages = passages[:len(passages)-1]
	}
	return passages, leftOut
}

// withoutLastTurn removes what the user said last, and the answers to it.
func withoutLastTurn(passages []Passage, leftOut map[string]int) []Passage {
	for n, p := range slices.Backward(passages) {
		if p.Role == RoleUser {
			leftOut[SkipForget] += len(passages) - n
			return passages[:n]
		}
	}
	return passages
}

// forgets reports whether a message asks to forget something.
func (b body) forgets() bool {
	return slices.ContainsFunc(b.paragraphs, func(p paragraph) bool { return slices.ContainsFunc(p, sentence.forgets) })
}

// nearSecret reports whether message i, or what is said before or after it, has a secret or a word
// for one. The value may be in another sentence or message than its name, or have many lines.
func nearSecret(all []Message, i int) bool {
	near := append(said(all, i), all[i].Text)
	for _, m := range all[i+1:] {
		if m.Role == RoleUser || m.Role == RoleAssistant {
			near = append(near, m.Text)
		}
		if m.Role == RoleUser {
			break
		}
	}
	return slices.ContainsFunc(near, mayHaveSecret)
}

func mayHaveSecret(text string) bool {
	_, found := secrets.Find(text)
	return found || slices.ContainsFunc(ownText(text).paragraphs, func(p paragraph) bool {
		return slices.ContainsFunc(p, func(s sentence) bool { return secrets.Names(s.text) })
	})
}

// passageOf returns what may be read of message i.
func passageOf(t Turn, i int, b body, leftOut map[string]int) Passage {
	m := t.Messages[i]
	isSaid := m.Role == RoleUser || i+1 < len(t.Messages) && t.Messages[i+1].Role == RoleUser && agrees(ownText(t.Messages[i+1].Text))
	trust := TrustOf(m.Role, t.Owner)
	passage := Passage{Key: m.Key, Role: m.Role}
	for _, p := range b.paragraphs {
		for n, s := range p {
			if s.long {
				leftOut[SkipTooLong]++
				continue
			}
			isPassing := s.leftOut() == SkipTemporary
			isGuess := isQuestion(s.seen) || s.leftOut() != "" && !isPassing || n+1 < len(p) && in("joke", p[n+1].seen)
			states := isSaid && (s.asks || !isGuess) && !isInstruction(s.text, trust)
			passage.Sentences = append(passage.Sentences, Statement{s.text, states, isPassing && !s.asks})
		}
	}
	return passage
}
