package ingest

import (
	"reflect"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

// TestHashDependsOnAllButThePosition changes each field of a block, and of what it declares.
func TestHashDependsOnAllButThePosition(t *testing.T) {
	r := &run{Ingester: New(nil, nil, Options{}), aliases: map[string][]string{}, speakers: map[speakerKey]bool{{"a.md", "Ada"}: true}}
	position := map[string]bool{"Start": true, "End": true, "LineStart": true, "LineEnd": true}
	whole := identity.NewBlock{Path: "a.md", Block: memory.Block{Text: "Ada: it rains"}}
	before := r.hashOf(whole)
	check := func(what string, changed identity.NewBlock, differs bool) {
		if got := r.hashOf(changed) != before; got != differs {
			t.Errorf("%s: another hash: %v", what, got)
		}
	}
	for _, at := range []func(*identity.NewBlock) reflect.Value{
		func(b *identity.NewBlock) reflect.Value { return reflect.ValueOf(&b.Block).Elem() },
		func(b *identity.NewBlock) reflect.Value { return reflect.ValueOf(&b.Block.Annotations).Elem() },
	} {
		fields := at(&whole).Type()
		for i := range fields.NumField() {
			if changed := whole; !position[fields.Field(i).Name] && fields.Field(i).Name != "Annotations" {
				fill(at(&changed).Field(i))
				check(fields.Field(i).Name, changed, true)
			}
		}
	}
	changed := whole
	changed.Ordinal, changed.Block.Start, changed.Block.End, changed.Block.LineStart, changed.Block.LineEnd = 3, 5, 5, 2, 2
	check("position", changed, false)
	changed.Block.End++
	check("length", changed, true)
	changed = whole
	changed.User = "lena"
	check("user", changed, true)
	r.aliases["a.md"] = []string{"weather"}
	check("aliases", whole, true)
	r.aliases["a.md"], r.speakers = nil, nil
	check("speaker", whole, true)
}

// fill sets a value that is not the zero value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Array:
		v.Index(0).SetUint(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	default:
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
	}
}
