package memory_test

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// decoders are the functions of libraries that read a format.
var decoders = []string{
	"json.Unmarshal", "json.NewDecoder", "yaml.Unmarshal", "yaml.NewDecoder", "toml.Unmarshal", "hujson.Parse",
	"xml.Unmarshal", "xml.NewDecoder", "csv.NewReader", "gzip.NewReader", "zlib.NewReader", "zip.NewReader", "tar.NewReader",
	"LittleEndian.Uint16", "LittleEndian.Uint32", "LittleEndian.Uint64", "bufio.NewScanner", "bufio.NewReader", "bufio.NewReaderSize",
}

// notFuzzed lists the packages with decoders and without a fuzz target, with the reason. A
// folder stands for what is below it too.
var notFuzzed = map[string]string{
	"index":              "reads its own database",
	"engine/commands":    "reads rows of the database",
	"engine/doctor":      "reads rows of the database",
	"engine/plan":        "reads rows of the database",
	"engine/receipts":    "reads rows of the database",
	"engine/snapshot":    "reads its own files, by engine/transfer",
	"embed/provider":     "reads its own file",
	"internal/folder":    "reads its own file",
	"cmd/memory/display": "reads what the service sends",
	"cmd/memory":         "reads lines that a person types, its own files and what the service sends",
	"hostsetup":          "reads single fields of JSON; what it edits is in internal/textedit",
	"learn":              "reads its own model, which is in the binary",
	"embed/transformer":  "reads its own model, which is in the binary",
	"embed/embedtest":    "is a part of tests",
}

// TestParsersOfOutsideBytesHaveAFuzzTarget finds the packages that decode something. Each
// has a fuzz target, or a reason to have none.
func TestParsersOfOutsideBytesHaveAFuzzTarget(t *testing.T) {
	decodes, fuzzed := map[string]string{}, map[string]bool{}
	for _, f := range sourceFiles(t) {
		if at := decoderIn(f.syntax); at != nil && !isTool(f.pkg) {
			decodes[f.pkg] = f.at(at)
		}
	}
	for _, f := range testFiles(t) {
		for _, d := range f.syntax.Decls {
			if fn, isFunc := d.(*ast.FuncDecl); isFunc && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				fuzzed[f.pkg] = true
			}
		}
	}
	excused := map[string]bool{}
	for pkg, at := range decodes {
		folder := pkg
		for notFuzzed[folder] == "" && folder != "." {
			folder = path.Dir(folder)
		}
		if excused[folder] = true; !fuzzed[pkg] && notFuzzed[folder] == "" {
			t.Errorf("%s: no fuzz target of %s reads this", at, pkg)
		}
	}
	for folder := range notFuzzed {
		if !excused[folder] || fuzzed[folder] {
			t.Errorf("%s decodes nothing, or has a fuzz target: take it off notFuzzed", folder)
		}
	}
}

// decoderIn returns a call of a decoder in a file, or nil.
func decoderIn(f *ast.File) (found ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		s, isSelector := n.(*ast.SelectorExpr)
		if !isSelector {
			return true
		}
		from := ""
		switch x := s.X.(type) {
		case *ast.Ident:
			from = x.Name
		case *ast.SelectorExpr:
			from = x.Sel.Name
		}
		if slices.Contains(decoders, from+"."+s.Sel.Name) {
			found = s
		}
		return true
	})
	return found
}
