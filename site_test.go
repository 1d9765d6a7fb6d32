package memory_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var linkToFile = regexp.MustCompile(`\]\(([^)#:]+)[^):]*\)`)

// TestSiteHasEveryPage checks without the generator of the site what most often breaks it.
func TestSiteHasEveryPage(t *testing.T) {
	config := readText(t, "mkdocs.yml")
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%v, %v", pages, err)
	}
	for _, page := range pages {
		if name := filepath.Base(page); !strings.Contains(config, "- "+name+"\n") {
			t.Errorf("mkdocs.yml does not list %s", name)
		}
		for i, part := range strings.Split(readText(t, page), "`") {
			for _, link := range linkToFile.FindAllStringSubmatch(part, -1) {
				if _, err := os.Stat(filepath.Join("docs", link[1])); err != nil && i%2 == 0 { // outside code
					t.Errorf("%s: %v", page, err)
				}
			}
		}
	}
}
