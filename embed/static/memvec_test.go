package static_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
)

func mustRead(t testing.TB, src []byte) *static.Embedder {
	t.Helper()
	e, err := static.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// model describes a model file, which tests can damage.
type model struct {
	magic                                  string
	version, rows, dim, bits, tokens, flag uint32
	meta, vocabulary                       string
	metaLen, vocabularyLen                 int // in the header; 0: the real length
	scales                                 []float32
	codes                                  []byte
}

// small has four tokens of two numbers: [UNK] is zero, "a" and "##b" point along one
// axis each, and "c" points opposite to "a".
func small(bits uint32) model {
	m := model{magic: "MEMVEC\x00\x01", version: 1, rows: 4, dim: 2, bits: bits, tokens: 8, meta: `{"name": "small"}`,
		vocabulary: "[UNK]\na\n##b\nc", scales: []float32{0, 1, 0.5, 0.25}}
	if bits == 8 { // is refused
		minus8 := int8(-8)
		m.codes = []byte{0, 0, 127, 0, 0, 2, byte(minus8), 0}
	} else {
		m.codes = []byte{0x88, 0x8f, 0xa8, 0x80}
	}
	return m
}

func (m model) bytes() []byte {
	b := []byte(m.magic)
	metaLen, vocabularyLen := len(m.meta), len(m.vocabulary)
	if m.metaLen != 0 {
		metaLen = m.metaLen
	}
	if m.vocabularyLen != 0 {
		vocabularyLen = m.vocabularyLen
	}
	for _, n := range []uint32{m.version, m.rows, m.dim, m.bits, m.tokens, m.flag, uint32(metaLen), uint32(vocabularyLen)} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = append(append(b, m.meta...), m.vocabulary...)
	for _, s := range m.scales {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s))
	}
	return append(b, m.codes...)
}

func TestReadModels(t *testing.T) {
	for _, bits := range []uint32{4} {
		e := mustRead(t, small(bits).bytes())
		if !strings.HasPrefix(e.Model(), "static/small@") || e.Dim() != 2 {
			t.Errorf("%d bits: Model = %s, Dim = %d", bits, e.Model(), e.Dim())
		}
		for text, want := range map[string][]float32{"a": {1, 0}, "c": {-1, 0}, "x": {0, 0}, "": {0, 0}, "b": {0, 0}} {
			if v := vector(t, e, text); !slices.Equal(v, want) {
				t.Errorf("%d bits: vector of %q = %v, want %v", bits, text, v, want)
			}
		}
		if ids, _ := e.Tokens("ab AB abb bb"); !slices.Equal(ids, []int32{1, 2, 1, 2, 1, 2, 2, 0}) {
			t.Errorf("%d bits: tokens %v", bits, ids)
		}
		if v := vector(t, e, "cb"); !(v[0] < 0 && v[1] > 0) {
			t.Errorf("%d bits: vector of cb = %v", bits, v)
		}
	}
}

func TestReadRefusesDamagedFiles(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, tt := range []struct {
		name   string
		change func(m *model)
		want   string
	}{
		{"another magic", func(m *model) { m.magic = "MEMVEC\x00\x02" }, "not a MEMVEC file"},
		{"a newer version", func(m *model) { m.version = 2 }, "version 2"},
		{"unknown flags", func(m *model) { m.flag = 1 }, "unknown flags 0x1"},
		{"16 bits", func(m *model) { m.bits = 16 }, "16 bits"},
		{"no rows", func(m *model) { m.rows, m.scales, m.codes = 0, nil, nil }, "0 rows"},
		{"more rows than the file has", func(m *model) { m.rows = 5 }, "by the header"},
		{"4 billion rows", func(m *model) { m.rows = math.MaxUint32 }, "rows"},
		{"rows that overflow", func(m *model) { m.rows = 1 << 30 }, "rows"},
		{"no dimension", func(m *model) { m.dim, m.codes = 0, nil }, "0 numbers"},
		{"half a byte", func(m *model) { m.dim = 3 }, "3 numbers of 4 bits"},
		{"a dimension that overflows", func(m *model) { m.dim = 1 << 31 }, "numbers of 4 bits"},
		{"no tokens per text", func(m *model) { m.tokens = 0 }, "0 tokens per text"},
		{"no limit of tokens", func(m *model) { m.tokens = math.MaxUint32 }, "tokens per text"},
		{"meta beyond the end", func(m *model) { m.metaLen = math.MaxUint32 }, "by the header"},
		{"vocabulary beyond the end", func(m *model) { m.vocabularyLen = math.MaxUint32 - 16 }, "by the header"},
		{"meta into the vocabulary", func(m *model) { m.metaLen, m.vocabularyLen = len(m.meta)+2, len(m.vocabulary)-2 }, "meta: invalid character"},
		{"vocabulary into the meta", func(m *model) { m.metaLen, m.vocabularyLen = len(m.meta)-2, len(m.vocabulary)+2 }, "meta: unexpected end"},
		{"no name", func(m *model) { m.meta = `{}` }, "name of 0 bytes"},
		{"a name of 500 bytes", func(m *model) { m.meta = `{"name":"` + strings.Repeat("x", 500) + `"}` }, "name of 500 bytes"},
		{"a name with a line break", func(m *model) { m.meta = `{"name":"a\nb"}` }, "the name"},
		{"too few tokens", func(m *model) { m.vocabulary = "[UNK]\na\n##b" }, "3 tokens for 4 rows"},
		{"too many tokens", func(m *model) { m.vocabulary += "\n" }, "5 tokens for 4 rows"},
		{"no [UNK]", func(m *model) { m.vocabulary = "x\na\n##b\nc" }, "no [UNK]"},
		{"invalid UTF-8 in the vocabulary", func(m *model) { m.vocabulary = "[UNK]\na\n##b\n\xff" }, "not UTF-8"},
		{"a scale that is not a number", func(m *model) { m.scales[2] = nan }, "row 2 has the scale NaN"},
		{"an infinite scale", func(m *model) { m.scales[1] = inf }, "row 1 has the scale +Inf"},
		{"a scale that overflows", func(m *model) { m.scales[1] = math.MaxFloat32 }, "row 1 has the scale"},
		{"a scale below zero", func(m *model) { m.scales[3] = -1 }, "row 3 has the scale -1"},
		{"one byte too many", func(m *model) { m.codes = append(m.codes, 0) }, "by the header"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := small(4)
			tt.change(&m)
			e, err := static.Read(m.bytes())
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "read the static model") {
				t.Errorf("Read = %v, %v; want %q", e, err, tt.want)
			}
		})
	}
}

func TestReadRefusesTruncatedFiles(t *testing.T) {
	whole := small(4).bytes()
	for n := range len(whole) {
		if _, err := static.Read(whole[:n]); err == nil {
			t.Errorf("the first %d of %d bytes: no error", n, len(whole))
		}
	}
	big, err := os.ReadFile("memvec-en-256.memvec")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 7, 39, 40, 1000, len(big) / 2, len(big) - 1} {
		if _, err := static.Read(big[:n]); err == nil {
			t.Errorf("the first %d of %d bytes of the built-in model: no error", n, len(big))
		}
	}
}

// FuzzRead checks that a file is refused or gives valid vectors.
func FuzzRead(f *testing.F) {
	for _, bits := range []uint32{4} {
		f.Add(small(bits).bytes(), "ab c x")
	}
	damaged := small(4)
	damaged.rows, damaged.vocabularyLen = 1<<20, 1<<31
	f.Add(damaged.bytes(), "")
	f.Add(bytes.Repeat([]byte{0xff}, 64), "a")
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		e, err := static.Read(src)
		if err != nil {
			return
		}
		vectors, err := e.Embed(t.Context(), embed.Query, []string{text, "a b c", ""})
		if err == nil {
			err = embed.Check(vectors, 3, e.Dim())
		}
		if err != nil {
			t.Error(err)
		}
	})
}
