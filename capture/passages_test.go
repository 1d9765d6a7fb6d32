package capture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/capture"
)

// TestPassagesHaveWhatAModelMayRead: a line is "user: …" or "assistant: …". A sentence that may be
// kept has + before it, one that may be true today only has ~, and another one -.
func TestPassagesHaveWhatAModelMayRead(t *testing.T) {
	for _, tt := range []struct{ name, talk, want, leftOut string }{
		{"statements and questions", "user: I prefer tabs in Go. Did we choose NATS?", "+I prefer tabs in Go. -Did we choose NATS?", "map[]"},
		{"a guess and a joke", "user: If I moved to Bern, I would take the train.\nuser: I collect spoons. Just kidding.", "-If I moved to Bern, I would take the train.", "map[forget:1]"},
		{"a passing state", "user: I am tired today. My boat is called Frieda.", "~I am tired today. +My boat is called Frieda.", "map[]"},
		{"what others say", "user: Anna said she always takes the first train.", "-Anna said she always takes the first train.", "map[]"},
		{"a private message, and the answer to it", "user: Between us, I dislike my boss Karl.\nassistant: I see that you dislike Karl.\nuser: My boat is called Frieda.", "+My boat is called Frieda.", "map[private:2]"},
		{"a secret in one sentence", "user: My boat is called Frieda. The wifi password is Blaubeere#7719.", "", "map[secret:1]"},
		{"a secret that another message asks for", "assistant: What is your PIN?\ntool: the door is shut\nuser: 4711\nassistant: Thanks.\nuser: I live in Bern.", "", "map[secret:4 tool_result:1]"},
		{"a secret of many lines", "user: Here it is:\r-----BEGIN RSA PRIVATE KEY-----\rMIICXAIBAAKBgQDBs9x0\rACL8hxfkLYZXu2\r-----END RSA PRIVATE KEY-----\nassistant: Stored.\nuser: I live in Bern.\nuser: My boat is called Frieda.", "+My boat is called Frieda.", "map[secret:3]"},
		{"a secret in words", "user: My recovery phrase is below.\r\rabandon ability able about above absent\rabsorb abstract absurd abuse access accident", "", "map[secret:1]"},
		{"a private answer beside a secret", "user: My PIN is 4711.\nuser: Between us, I dislike my boss Karl.\nassistant: I see that you dislike Karl.\nuser: I live in Bern.", "+I live in Bern.", "map[private:2 secret:1]"},
		{"taken back", "user: My boat is called Frieda.\nassistant: A nice name for a boat.\nuser: Please forget what I just said.\nuser: I live in Bern.", "+I live in Bern.", "map[forget:3]"},
		{"to be forgotten", "user: Forget that my boat is called Frieda.", "", "map[forget:1]"},
		{"a proposal, and an agreement", "assistant: Decision: events go through NATS.\nuser: Yes, agreed.", "+Decision: events go through NATS. +Yes, agreed.", "map[]"},
		{"a proposal without an agreement", "assistant: Events go through NATS.\nuser: I live in Bern.", "-Events go through NATS. +I live in Bern.", "map[]"},
		{"an answer that waits for the user", "user: I live in Bern.\nassistant: Bern is the capital of Switzerland.", "+I live in Bern.", "map[]"},
		{"tools, quotations and blocks", "tool: The key is 1.\nuser: > quoted words of somebody\nuser: <relevant-memories>an earlier memory</relevant-memories> I live in Bern.", "+I live in Bern.", "map[tool_result:1]"},
	} {
		turn := capture.Turn{Owner: true}
		for i, line := range strings.Split(tt.talk, "\n") {
			role, text, _ := strings.Cut(line, ": ")
			turn.Messages = append(turn.Messages, capture.Message{Key: fmt.Sprint(i), Role: role, Text: text})
		}
		passages, leftOut := capture.Passages(turn)
		var got []string
		for _, p := range passages {
			for _, s := range p.Sentences {
				mark := "-"
				if s.States {
					mark = "+"
				}
				if s.IsPassing {
					mark = "~"
				}
				got = append(got, mark+s.Text)
			}
		}
		if strings.Join(got, " ") != tt.want || fmt.Sprint(leftOut) != tt.leftOut {
			t.Errorf("%s: %q, left out %v; want %q, %s", tt.name, got, leftOut, tt.want, tt.leftOut)
		}
	}
	if passages, leftOut := capture.Passages(capture.Turn{Trigger: "cron", Messages: []capture.Message{{Role: capture.RoleUser, Text: "I live in Bern."}}}); len(passages) > 0 || leftOut[capture.SkipAutomated] != 1 {
		t.Errorf("a turn of cron has %v", passages)
	}
}
