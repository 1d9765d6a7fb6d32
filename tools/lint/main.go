// Command lint contains go vet's analysers and all other linters that the
// repository uses. "make lint" builds it and runs it as go vet -vettool, so that
// the build cache keeps the results of each package.
//
// It links the analysers directly. golangci-lint has the same analysers and about
// a hundred more, and takes four times as long to compile.
package main

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/polyfloyd/go-errorlint/errorlint"
	"github.com/gordonklaus/ineffassign/pkg/ineffassign"
	"github.com/gostaticanalysis/nilerr"
	"github.com/kisielk/errcheck/errcheck"
	"github.com/sonatard/noctx"
	"github.com/timakin/bodyclose/passes/bodyclose"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/scannererr"
	"golang.org/x/tools/go/analysis/passes/sqlrowserr"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/unused"
)

func main() {
	analyzers := []*analysis.Analyzer{
		ineffassign.Analyzer,               // an assigned value that nothing reads is often a mistake
		nilerr.Analyzer,                    // a nil error returned where err is not nil
		unusedCode,                         // code that nothing uses is deleted
		inProduct(uncheckedErrors),         // an ignored error loses data sooner or later
		inProduct(errorlint.NewAnalyzer()), // errors cross a socket: compare with errors.Is and errors.As
		inProduct(bodyclose.Analyzer),      // an open body keeps its connection
		inProduct(noctx.Analyzer),          // requests and queries without a context cannot be cancelled
	}
	for _, a := range vet.Suite { // what go vet checks
		if a == scannererr.Analyzer || a == sqlrowserr.Analyzer { // a loop over lines or rows that failed looks like one that ended
			a = inProduct(a)
		}
		analyzers = append(analyzers, a)
	}
	for _, a := range slices.Concat(staticcheck.Analyzers, simple.Analyzers) { // mistakes that compile, deprecated names, needless code
		analyzers = append(analyzers, a.Analyzer)
	}
	unitchecker.Main(analyzers...)
}

// inProduct returns a without what it reports in test files.
func inProduct(a *analysis.Analyzer) *analysis.Analyzer {
	filtered := *a
	filtered.Run = func(pass *analysis.Pass) (any, error) {
		p := *pass
		p.Report = func(d analysis.Diagnostic) {
			if !strings.HasSuffix(pass.Fset.Position(d.Pos).Filename, "_test.go") {
				pass.Report(d)
			}
		}
		return a.Run(&p)
	}
	return &filtered
}

// uncheckedErrors reports what errcheck finds, with the function's name. It
// leaves out functions whose errors nobody can act on.
var uncheckedErrors = &analysis.Analyzer{
	Name:     "uncheckederrors",
	Doc:      "report calls whose error nothing checks",
	Requires: []*analysis.Analyzer{errcheck.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		found := pass.ResultOf[errcheck.Analyzer].(errcheck.Result)
		for _, e := range found.UncheckedErrors {
			name := e.FuncName[strings.LastIndex(e.FuncName, ".")+1:]
			if !slices.Contains(mayFail, name) {
				report(pass, e.Pos.Filename, e.Pos.Offset, "nothing checks the error of "+e.FuncName)
			}
		}
		return nil, nil
	},
}

// mayFail are the names of functions and methods whose error may be ignored:
// closing what was read, deleting temporary files, and writing to a terminal or
// to a table whose Flush is checked.
var mayFail = []string{"Close", "Flush", "Remove", "RemoveAll", "Fprint", "Fprintf", "Fprintln", "Print", "Printf", "Println"}

// unusedCode reports what the analysis of staticcheck's U1000 finds, which
// reports nothing by itself.
var unusedCode = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "report code that nothing uses",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, object := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
			report(pass, object.Position.Filename, object.Position.Offset, fmt.Sprintf("%s %s is unused", object.Kind, object.Name))
		}
		return nil, nil
	},
}

// report reports a message at an offset of one of the files of a pass.
func report(pass *analysis.Pass, name string, offset int, message string) {
	for _, f := range pass.Files {
		if file := pass.Fset.File(f.FileStart); file.Name() == name {
			pass.Reportf(file.Pos(offset), "%s", message)
		}
	}
}
