package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/configuration.md")

func TestThePageListsEveryKey(t *testing.T) {
	const page = "../docs/configuration.md"
	if *update {
		if err := os.WriteFile(page, []byte(referencePage()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if written, err := os.ReadFile(page); err != nil || string(written) != referencePage() {
		t.Errorf("%s is out of date (%v): run make docs", page, err)
	}
}

// referencePage returns the reference page of every key.
func referencePage() string {
	var b strings.Builder
	b.WriteString("# Configuration\n\n" +
		"Settings have four sources: defaults, `config.yaml` in the state folder (or the file that `--config` or " +
		"`MEMORY_CONFIG` names), the environment, and flags. A later source overrides an earlier one. " +
		"The variable of `injection.maxItems` is `MEMORY_INJECTION_MAX_ITEMS`. " +
		"An unknown key is an error that names its line. `memory config` prints every value and its source. " +
		"`memory config set KEY VALUE` changes this key only, and keeps every other line. " +
		"A group on one line, such as `{a: 1}`, has to be edited by hand. " +
		"A file that is named has to exist; `config set` creates it.\n\n" +
		"A running service uses a setting of `memory config set` at once, and the command reports it. After an edit by hand, " +
		"`memory reload` (or SIGHUP) makes the service read the file again. A file that is not valid changes nothing; " +
		"the error names the line.\n\n" +
		"This page is generated: `make docs`.\n\n")
	writeTable(&b, Keys())
	b.WriteString("\n## Workspaces\n\nOne service serves several folders, each with one name. `memory workspace add` registers a folder.\n\n")
	writeTable(&b, WorkspaceKeys())
	b.WriteString("\n```yaml\nworkspaces:\n  main:\n    path: /home/ada/notes\n    timezone: Europe/Berlin\n" +
		"    globs:\n      - {glob: \"projects/**/*.md\", tier: warm, scope: work}\n```\n" +
		"\n## Users\n\n`identities.NAME` lists the channel ids of a user ([users](users.md)). The name `owner` is the owner of the memories. " +
		"The id `none` means an agent's requests without a sender.\n\n" +
		"```yaml\nidentities:\n  owner: [\"telegram:4711\", \"signal:+491701234567\"]\n  lena: [\"telegram:2345\", \"slack:U2\"]\n```\n" +
		"\n## Scopes of agents and channels\n\nA rule of `scopes` gives a scope to the requests of an agent or a channel ([users](users.md#scopes-of-agents-and-channels)).\n\n" +
		"```yaml\nscopes:\n  - {scope: work, agent: coder}\n  - {scope: family, channel: \"telegram:-100*\"}\n```\n")
	return b.String()
}

func writeTable(b *strings.Builder, keys []Key) {
	b.WriteString("| key | default | unit | meaning |\n|---|---|---|---|\n")
	for _, k := range keys {
		value, doc := "–", k.Doc+k.rangeText()
		if k.Default != "" {
			value = "`" + k.Default + "`"
		}
		if k.Restart {
			doc += "; needs a restart"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", k.Name, value, k.Unit, doc)
	}
}
