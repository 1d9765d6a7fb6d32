package config

import (
	"fmt"
	"strings"
)

// Markdown is the reference page of every key, made from the keys themselves.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Configuration\n\n" +
		"Settings come from, the later winning: defaults, `config.yaml` in the state folder " +
		"(or `--config`, `MEMORY_CONFIG`), the environment, flags. An unknown key is an error with its line. " +
		"`memory config` prints what is in force and where each value came from; " +
		"`memory config set KEY VALUE` changes one line of the file and leaves the rest as it is.\n\n" +
		"This page is made from the program: `make docs`.\n\n" +
		"| key | default | unit | meaning | environment |\n|---|---|---|---|---|\n")
	for _, k := range Keys() {
		row(&b, k, "`"+k.Env+"`")
	}
	b.WriteString("\n## A workspace\n\nOne daemon serves several folders, each under a name; `memory workspace add` registers one.\n\n" +
		"| key | default | unit | meaning |\n|---|---|---|---|\n")
	for _, k := range WorkspaceKeys() {
		row(&b, k, "")
	}
	b.WriteString("\n```yaml\nworkspaces:\n  main:\n    path: /home/ada/notes\n    timezone: Europe/Berlin\n" +
		"    globs:\n      - {glob: \"projects/**/*.md\", tier: warm, scope: work}\n```\n")
	return b.String()
}

func row(b *strings.Builder, k Key, env string) {
	value := "–"
	if k.Default != "" {
		value = "`" + k.Default + "`"
	}
	doc := k.Doc
	if k.rangeText() != "" {
		doc += k.rangeText()
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |", k.Name, value, k.Unit, doc)
	if env != "" {
		fmt.Fprintf(b, " %s |", env)
	}
	b.WriteByte('\n')
}
