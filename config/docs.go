package config

import (
	"fmt"
	"strings"
)

// Markdown returns the reference page of every key.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Configuration\n\n" +
		"Settings have four sources: defaults, `config.yaml` in the state folder (or the file that `--config` or " +
		"`MEMORY_CONFIG` names), the environment, and flags. A later source overrides an earlier one. " +
		"An unknown key is an error that names its line, and so is a second YAML document (`---`). `memory config` prints every value and its source. " +
		"`memory config set KEY VALUE` changes this key only, and keeps the other lines and every comment line. " +
		"A file that is named has to exist; `config set` creates it.\n\n" +
		"A running service uses a setting of `memory config set` at once, and the command reports it. After an edit by hand, " +
		"`memory reload` (or SIGHUP) makes the service read the file again. A file that is not valid changes nothing; " +
		"the error names the line and the key. Other commands work with the settings of the service then, with a note. The page marks settings that need a restart.\n\n" +
		"This page is generated: `make docs`.\n\n" +
		"| key | default | unit | meaning | environment |\n|---|---|---|---|---|\n")
	for _, k := range Keys() {
		writeRow(&b, k, "`"+k.Env+"`")
	}
	b.WriteString("\n## Workspaces\n\nOne service serves several folders, each with a name. `memory workspace add` registers a folder. " +
		"A folder has one name: a second one is refused, also by way of a link.\n\n" +
		"| key | default | unit | meaning |\n|---|---|---|---|\n")
	for _, k := range WorkspaceKeys() {
		writeRow(&b, k, "")
	}
	b.WriteString("\n```yaml\nworkspaces:\n  main:\n    path: /home/ada/notes\n    timezone: Europe/Berlin\n" +
		"    globs:\n      - {glob: \"projects/**/*.md\", tier: warm, scope: work}\n```\n")
	b.WriteString("\n## Users\n\n`identities.NAME` lists the channel ids of a user ([users](users.md)). The name `owner` is the owner of the memories. " +
		"The id `none` means an agent's requests without a sender. A channel id belongs to one user. " +
		"`memory config set identities.NAME \"ID, ID\"` sets them too.\n\n" +
		"```yaml\nidentities:\n  owner: [\"telegram:4711\", \"signal:+491701234567\"]\n  lena: [\"telegram:2345\", \"slack:U2\"]\n```\n")
	b.WriteString("\n## Scopes of agents and channels\n\nA rule of `scopes` gives a scope to the requests of an agent or a channel ([users](users.md#scopes-of-agents-and-channels)). " +
		"In the file, a rule may be a mapping:\n\n" +
		"```yaml\nscopes:\n  - {scope: work, agent: coder}\n  - {scope: work, channel: slack}\n  - {scope: family, channel: \"telegram:-100*\"}\n```\n")
	return b.String()
}

func writeRow(b *strings.Builder, k Key, env string) {
	value := "–"
	if k.Default != "" {
		value = "`" + k.Default + "`"
	}
	doc := k.Doc
	if k.rangeText() != "" {
		doc += k.rangeText()
	}
	if k.Restart {
		doc += "; needs a restart"
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |", k.Name, value, k.Unit, doc)
	if env != "" {
		fmt.Fprintf(b, " %s |", env)
	}
	b.WriteByte('\n')
}
