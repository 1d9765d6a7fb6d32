package api_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/property"
)

// A body is either refused as invalid, with a hint, or decoded to exactly what
// encoding/json decodes.
func FuzzDecodeBody(f *testing.F) {
	for _, seed := range []string{`{"query":"a","limit":3,"tier":"hot","since":"2026-11-01"}`, `{"query":"a"}x`, `{"query":`,
		`{"Query":"a"}`, `{"query":"\ud800","deep":true}`, `{"query":null,"limit":null}`, `{"query":"a","query":"b"}`, "", "[]", "{}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var got memory.SearchRequest
		err := api.DecodeBody(body, &got, []string{"query"})
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) || api.Describe(err).Hint == "" {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		var want memory.SearchRequest
		d := json.NewDecoder(strings.NewReader(string(body)))
		d.DisallowUnknownFields()
		if err := d.Decode(&want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is decoded as %+v, want %+v, %v", body, got, want, err)
		}
	})
}

// A query is either refused as invalid, or stays the same when it is encoded and
// decoded again.
func FuzzDecodeQuery(f *testing.F) {
	for _, seed := range []string{"tier=HOT&limit=0&pinned=true", "limit=-1", "path=a%2Fb&tag=%23x", "limit=1&limit=2", "deep=1", "%zz", "a;b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var got, again memory.ListRequest
		if err := api.DecodeQuery(raw, &got); err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		if err := api.DecodeQuery(api.EncodeQuery(got).Encode(), &again); err != nil || !reflect.DeepEqual(got, again) {
			t.Fatalf("%q: %+v, then %+v, %v", raw, got, again, err)
		}
	})
}

func TestServerReadsEveryRequestThatClientWrites(t *testing.T) {
	text := rapid.String().Filter(utf8.ValidString)
	property.Check(t, func(t *rapid.T) {
		limit := rapid.Int().Draw(t, "limit")
		filter := memory.Filter{Tier: rapid.SampledFrom(memory.Tiers).Draw(t, "tier"), Type: rapid.SampledFrom(memory.Types).Draw(t, "type"),
			Category: rapid.SampledFrom(memory.Categories).Draw(t, "category"), Scope: memory.Scope(text.Draw(t, "scope")),
			Tag: text.Draw(t, "tag"), Entity: text.Draw(t, "entity"), Path: text.Draw(t, "path"), Since: text.Draw(t, "since"), Until: text.Draw(t, "until"),
			Deep: rapid.Bool().Draw(t, "deep"), Forgotten: rapid.Bool().Draw(t, "forgotten")}

		list := memory.ListRequest{Workspace: text.Draw(t, "workspace"), Filter: filter, Pinned: rapid.Bool().Draw(t, "pinned"),
			Sort: text.Draw(t, "sort"), Limit: &limit, Offset: rapid.Int().Draw(t, "offset")}
		var read memory.ListRequest
		if err := api.DecodeQuery(api.EncodeQuery(list).Encode(), &read); err != nil || !reflect.DeepEqual(list, read) {
			t.Fatalf("query: %+v, %v", read, err)
		}

		search := memory.SearchRequest{Query: text.Draw(t, "query"), Filter: filter, Limit: &limit,
			Lane: rapid.SampledFrom(memory.Lanes).Draw(t, "lane"), Record: rapid.Bool().Draw(t, "record")}
		body, err := json.Marshal(search)
		if err != nil {
			t.Fatal(err)
		}
		var found memory.SearchRequest
		if err := api.DecodeBody(body, &found, []string{"query"}); err != nil || !reflect.DeepEqual(search, found) {
			t.Fatalf("body: %+v, %v", found, err)
		}
	})
}
