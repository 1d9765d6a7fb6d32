package frontmatter_test

import "strings"

// sampleFiles returns files as people and programs leave them. The tests of Set
// apply every edit to those that can be edited.
func sampleFiles() map[string]string {
	const entry = "  - {id: \"9c01aa7e44f1\", quote: \"The staging password rotates on\", forgotten: 2026-11-20}\n"
	files := map[string]string{
		"empty":                     "",
		"one newline":               "\n",
		"no front matter":           "# Title\n\n- one\n- two\n",
		"no final newline":          "# Title",
		"byte order mark":           "\ufeff# Title\n",
		"byte order mark and more":  "\ufeff---\ntier: hot\n---\n# Title\n",
		"comments":                  "---\n# first\ntier: hot # second\n\n# third\n---\nText\n",
		"comment only":              "---\n# mine\n---\nText\n",
		"comments among entries":    "---\nmemories: # decided\n  # one\n" + entry + "  # two\n\ntier: hot\n---\nText\n",
		"comment behind an entry":   "---\nmemories:\n" + strings.TrimSuffix(entry, "\n") + "   # why, \"so\" {x}\ntier: hot\n---\nText\n",
		"anchors elsewhere":         "---\nbase: &b {x: 1}\nmore: *b\nmemories:\n" + entry + "---\nText\n",
		"odd quoting":               "---\n\"tier\":   'hot'\n'memories':\n" + entry + "? title\n: >-\n  a\n  b\n---\nText\n",
		"unknown keys":              "---\nzeta: [1, 2]\nalpha: {b: c}\n---\nText\n",
		"unknown keys in an entry":  "---\nmemories:\n  - {id: \"9c01aa7e44f1\", note: 'it''s, {odd}', quote: \"The staging password rotates on\", pinned: true}\n---\nText\n",
		"rules in the body":         "---\ntier: hot\n---\nText\n\n---\n\nMore\n---\n",
		"rules without more":        "---\n\nText\n\n---\n\nMore\n",
		"second front matter":       "---\nmemories:\n" + entry + "---\n---\ntier: hot\n---\nText\n",
		"block scalar at the end":   "---\ntitle: |+\n  a\n\n\n---\nText\n",
		"dashes in a block scalar":  "---\ntitle: |\n  ---\n  a\nmemories:\n" + entry + "---\nText\n",
		"block style":               "---\nmemories:\n- quote: The staging password rotates on\n  id: 9c01aa7e44f1\n  # why\n  forgotten: 2026-11-20 # then\n- forgotten: true\n  id: aa01aa7e44f1\n  quote: >-\n    Some other\n    text\n\ntier: hot\n---\nText\n",
		"dash on its own line":      "---\nmemories:\n  -\n    id: 9c01aa7e44f1\n    quote: The staging password rotates on\n    pinned: true\n---\nText\n",
		"list on one line":          "---\nmemories: [{id: \"9c01aa7e44f1\", quote: \"The staging password rotates on\", pinned: true}, {id: \"aa01aa7e44f1\", quote: 'Some, other', tier: cold}]\ntier: hot\n---\nText\n",
		"list between brackets":     "---\nmemories: [\n  {id: \"9c01aa7e44f1\", quote: \"The staging password rotates on\", pinned: true},\n  ]\n---\nText\n",
		"entry over several lines":  "---\nmemories:\n  - {\n      id: \"9c01aa7e44f1\",\n      quote: \"The staging password\n        rotates on\",\n      pinned: true,\n    }\n  - {id: \"aa01aa7e44f1\", quote: \"Some other\"}\n---\nText\n",
		"empty list":                "---\nmemories: [] # none\ntier: hot\n---\nText\n",
		"list without lines":        "---\nmemories:\ntier: hot\n---\nText\n",
		"null list":                 "---\nmemories: ~\n---\nText\n",
		"unsorted":                  "---\nmemories:\n  - {id: \"ffffffffffff\", quote: \"f\", pinned: true}\n" + entry + "---\nText\n",
		"doubled":                   "---\nmemories:\n" + entry + entry + "---\nText\n",
		"not entries":               "---\nmemories:\n  - some text\n" + entry + "  - 7\n---\nText\n",
		"quote alone":               "---\nmemories:\n  - {quote: \"The staging password rotates on\", pinned: true}\n---\nText\n",
		"indented keys":             "---\n  tier: hot\n  memories:\n  " + entry + "---\nText\n",
		"list in the middle":        "---\na: 1\nmemories:\n" + entry + "b: 2\n---\nText\n",
		"faults":                    "---\ntier: gold\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"The staging password rotates on\", tier: gold, pinned: true}\n---\nText\n",
		"invalid UTF-8 in the body": "---\ntier: hot\n---\n\xff\x00\n",

		"toml":               "+++\ntier = \"hot\"\n[[memories]]\nid = \"9c01aa7e44f1\"\nquote = \"The staging password\"\n+++\nText\n",
		"json":               "{\n\"memories\": [{\"id\": \"9c01aa7e44f1\", \"quote\": \"The staging password\"}]\n}\n\nText\n",
		"dots":               "---\nmemories:\n" + entry + "...\nText\n",
		"broken":             "---\ntier: [\nmemories:\n" + entry + "---\nText\n",
		"no closing line":    "---\nmemories:\n" + entry + "\nText\n",
		"tabs":               "---\nmemories:\n\t- {id: \"9c01aa7e44f1\", quote: \"The staging\"}\n---\nText\n",
		"between braces":     "---\n{tier: hot, memories: [{id: \"9c01aa7e44f1\", quote: \"The staging\"}]}\n---\nText\n",
		"several documents":  "---\nmemories:\n" + entry + "--- # two\nmemories:\n" + entry + "---\nText\n",
		"list twice":         "---\nmemories:\n" + entry + "memories:\n" + entry + "---\nText\n",
		"anchored list":      "---\nmemories: &m\n" + entry + "copy: *m\n---\nText\n",
		"anchored entry":     "---\nmemories:\n  - &m {id: \"9c01aa7e44f1\", quote: \"The staging\"}\ncopy: *m\n---\nText\n",
		"alias in an entry":  "---\nq: &q The staging\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: *q}\n---\nText\n",
		"tagged":             "---\nmemories: !!seq\n" + entry + "---\nText\n",
		"no list":            "---\nmemories: all of them\n---\nText\n",
		"conflict":           "---\nmemories:\n<<<<<<< HEAD\n" + entry + "=======\n>>>>>>> other\n---\nText\n",
		"conflict below":     "---\nmemories:\n" + entry + "---\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n",
		"strange breaks":     "---\ntitle: \"a\u2028b\"\nmemories:\n" + entry + "---\nText\n",
		"lone returns":       "---\ntitle: a\rmemories:\r  - {id: \"9c01aa7e44f1\", quote: \"The staging\"}\n---\nText\n",
		"explicit keys":      "---\n? memories\n: - {id: \"9c01aa7e44f1\", quote: \"The staging\"}\n---\nText\n",
		"aliases in aliases": "---\na: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nmemories: *c\n---\nText\n",
	}
	for _, name := range []string{"comments", "comments among entries", "block style", "no front matter", "unsorted", "entry over several lines"} {
		files[name+", windows"] = strings.ReplaceAll(files[name], "\n", "\r\n")
	}
	return files
}
