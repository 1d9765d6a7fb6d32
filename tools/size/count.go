package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// The counts, in the order in which they are printed.
const (
	goLines      = "lines of Go"
	packages     = "packages"
	wordLists    = "lists of words"
	listedWords  = "words in lists"
	expressions  = "regular expressions"
	docsWords    = "words of docs"
	developWords = "words for developers"
)

var names = []string{goLines, packages, wordLists, listedWords, expressions, docsWords, developWords}

// fewestWords is the number of strings from which a literal counts as a list of words.
// Shorter ones are mostly arguments and pairs.
const fewestWords = 4

// count counts the repository at root. Hidden folders, testdata and the module of the
// tools are left out.
func count(root string) (map[string]int, error) {
	counts, folders := map[string]int{}, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || path == filepath.Join(root, "tools")) {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			folders[filepath.Dir(path)] = true
			return countGo(path, counts)
		case strings.HasSuffix(name, ".md"):
			return countPage(root, path, counts)
		}
		return nil
	})
	counts[packages] = len(folders)
	return counts, err
}

// countPage adds the words of a page in docs/ or at the root. Pages for people who change
// the code count apart.
func countPage(root, path string, counts map[string]int) error {
	relative, err := filepath.Rel(root, path)
	if err != nil {
		return err
	}
	folder, file := filepath.Split(filepath.ToSlash(relative))
	if folder != "" && !strings.HasPrefix(folder, "docs/") {
		return nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	kind := docsWords
	if folder == "docs/decisions/" || file == "architecture.md" || file == "glossary.md" || file == "CONTRIBUTING.md" || file == "extending.md" {
		kind = developWords
	}
	counts[kind] += len(strings.Fields(string(content)))
	return nil
}

func countGo(path string, counts map[string]int) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.ParseComments)
	if err != nil {
		return err
	}
	if ast.IsGenerated(file) {
		return nil
	}
	counts[goLines] += bytes.Count(content, []byte("\n"))
	for _, declaration := range file.Decls {
		if general, isGeneral := declaration.(*ast.GenDecl); isGeneral {
			countTexts(general, counts)
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CompositeLit:
			addList(counts, literalWords(node))
		case *ast.CallExpr:
			if expressionCalls[called(node)] {
				counts[expressions]++
			}
		}
		return true
	})
	return nil
}

var expressionCalls = map[string]bool{"regexp.MustCompile": true, "regexp.Compile": true, "lazyregexp.New": true}

// countTexts counts the texts of a declaration of the package that are lists of words
// between blanks. A sentence, SQL and a pattern are no lists.
func countTexts(declaration *ast.GenDecl, counts map[string]int) {
	ast.Inspect(declaration, func(node ast.Node) bool {
		if _, isFunction := node.(*ast.FuncLit); isFunction {
			return false
		}
		if literal, isLiteral := node.(*ast.BasicLit); isLiteral && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil && !strings.ContainsAny(text, notInLists) {
				addList(counts, len(strings.Fields(text)))
			}
		}
		return true
	})
}

// notInLists are the characters of sentences, SQL, patterns and JSON.
const notInLists = "(){}[]=;:%?\\,<>|\""

func addList(counts map[string]int, words int) {
	if words >= fewestWords {
		counts[wordLists]++
		counts[listedWords] += words
	}
}

// literalWords counts the strings that are elements, keys or values of a literal itself.
// Nested literals count by themselves. Fields that are named are no list.
func literalWords(literal *ast.CompositeLit) int {
	if _, isStruct := literal.Type.(*ast.StructType); isStruct || namesFields(literal) {
		return 0
	}
	words := 0
	for _, element := range literal.Elts {
		if pair, keyed := element.(*ast.KeyValueExpr); keyed {
			words += stringWords(pair.Key) + stringWords(pair.Value)
		} else {
			words += stringWords(element)
		}
	}
	return words
}

// namesFields reports whether a literal is a struct with the names of its fields.
func namesFields(literal *ast.CompositeLit) bool {
	if _, isMap := literal.Type.(*ast.MapType); isMap || len(literal.Elts) == 0 {
		return false
	}
	pair, keyed := literal.Elts[0].(*ast.KeyValueExpr)
	if !keyed {
		return false
	}
	_, isName := pair.Key.(*ast.Ident)
	return isName
}

func stringWords(expression ast.Expr) int {
	if literal, isLiteral := expression.(*ast.BasicLit); isLiteral && literal.Kind == token.STRING {
		if text, err := strconv.Unquote(literal.Value); err == nil && strings.ContainsFunc(text, unicode.IsLetter) {
			return 1
		}
	}
	return 0
}

// called returns the name of a called function with its package, such as strings.Fields.
func called(call *ast.CallExpr) string {
	selector, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector {
		return ""
	}
	if pkg, isName := selector.X.(*ast.Ident); isName {
		return pkg.Name + "." + selector.Sel.Name
	}
	return ""
}
