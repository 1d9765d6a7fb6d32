package memory_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

func TestUserOfASender(t *testing.T) {
	family := memory.Identities{"owner": {"telegram:1", "none"}, "lena": {"telegram:2", "slack:U2"}}
	tests := []struct {
		all  memory.Identities
		s    memory.Sender
		want string
	}{
		{family, memory.Sender{User: "telegram:1"}, "owner"},
		{family, memory.Sender{User: "1", Channel: "telegram"}, "owner"},
		{family, memory.Sender{User: "telegram:1", Channel: "telegram"}, "owner"},
		{family, memory.Sender{Channel: "telegram:1"}, "owner"},       // no sender: none
		{family, memory.Sender{Channel: "lena"}, "owner"},             // a channel is no identity
		{family, memory.Sender{User: " ", Channel: "slack"}, "owner"}, // no sender: none
		{family, memory.Sender{User: " Owner "}, "owner"},
		{family, memory.Sender{User: "LENA"}, "lena"},
		{family, memory.Sender{User: "slack:U2"}, "lena"},
		{family, memory.Sender{User: "slack:u2"}, "slack:u2"},
		{family, memory.Sender{User: "U2", Channel: "Slack"}, "lena"},
		{family, memory.Sender{User: "owner", Channel: "irc"}, "irc:owner"}, // a nickname is no identity
		{family, memory.Sender{User: "2"}, "2"},
		{family, memory.Sender{User: "telegram:3"}, "telegram:3"},
		{family, memory.Sender{}, "owner"}, // none
		{memory.Identities{"lena": nil}, memory.Sender{}, ""},
		{memory.Identities{"lena": nil}, memory.Sender{Channel: "lena"}, ""},
		{nil, memory.Sender{}, ""},
		{nil, memory.Sender{User: "telegram:3"}, "owner"},
		{nil, memory.Sender{User: "3", Channel: "telegram"}, "owner"},
		{nil, memory.Sender{Channel: "telegram"}, ""},
		{nil, memory.Sender{User: "Lena"}, "lena"},
	}
	for _, tt := range tests {
		if got := tt.all.UserOf(tt.s, memory.AudienceModel); got != tt.want {
			t.Errorf("%+v is %q, want %q", tt.s, got, tt.want)
		}
	}
}

func TestReadableUsers(t *testing.T) {
	family := memory.Identities{"owner": {"telegram:1"}, "lena": {"telegram:2"}}
	tests := []struct {
		all  memory.Identities
		user string
		who  memory.Audience
		want []string
	}{
		{family, "telegram:2", memory.AudienceModel, []string{"", "lena", "telegram:2"}},
		{family, "lena", memory.AudiencePerson, []string{"", "lena", "telegram:2"}},
		{family, "telegram:9", memory.AudienceModel, []string{"", "telegram:9"}},
		{family, "", memory.AudienceModel, []string{""}},
		{family, "", memory.AudiencePerson, nil},
		{nil, "", memory.AudienceModel, nil},
		{nil, "telegram:2", memory.AudienceModel, nil},
		{nil, "lena", memory.AudienceModel, []string{"", "lena"}},
	}
	for _, tt := range tests {
		if got := tt.all.Readable(memory.Sender{User: tt.user}, tt.who); !slices.Equal(got, tt.want) || (got == nil) != (tt.want == nil) {
			t.Errorf("%q (%s) may read %q, want %q", tt.user, tt.who, got, tt.want)
		}
	}
}

func TestSenderThatCannotBeOneIsRefused(t *testing.T) {
	for _, s := range []memory.Sender{{User: memory.NobodyUser}, {User: "none"}, {User: strings.Repeat("x", 201)}, {User: "\xff"}, {Channel: strings.Repeat("x", 201)}} {
		if s.Check() == nil {
			t.Errorf("%.20q is a sender", s)
		}
	}
	for _, s := range []memory.Sender{{}, {User: "telegram:1"}, {User: "none", Channel: "irc"}} {
		if err := s.Check(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
