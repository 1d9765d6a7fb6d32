package text_test

import (
	"testing"

	"github.com/memory-tiered/memory/index/text"
)

func TestParts(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain words have none", ""},
		{"getUserName", "get User Name"},
		{"parseHTTPRequest", "parse HTTP Request"},
		{"utf8mb4", "utf mb"}, // numbers of one byte are dropped
		{"部署到", "部署 署到 到"},
		{"把Nekuig部署", "把 Nekuig 部署 署"},
		{"ไทย", "ไท ทย ย"},
		{"Shipped🤖today", "Shipped today"},
		{"Done 🎉 now", ""},
		{"東京v2", "東京 京 v2"},
	} {
		if got := text.Parts(c.in); got != c.want {
			t.Errorf("parts of %q: %q, want %q", c.in, got, c.want)
		}
	}
}
