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
		{"Shipped🤖today", "Shipped today emoji129302"},
		{"Done 🎉 now 👍🏽 🎉 ☂", "emoji127881 emoji128077 emoji9730"}, // no skin tones
		{"ＡＢＣ銀行", "ABC 銀行 行"},
		{"サーバー", "サー ーバ バー ー"},
		{"ｻｰﾊﾞｰ", "サー ーバ バー ー"},
		{"Herr Müller, Hauptstraße, GRÖßE", "Mueller Hauptstrasse GROessE GR Öß"},
		{"Mu\u0308ller, jardín, Łódź", "Mueller"},
		{"東京v2", "東京 京 v2"},
	} {
		if got := text.Parts(c.in); got != c.want {
			t.Errorf("parts of %q: %q, want %q", c.in, got, c.want)
		}
	}
}
