package unit

import (
	"fmt"
	"strings"
)

// systemd returns the text of the systemd user unit that "memory service install" writes.
func systemd(s Spec) string {
	return systemdText(installedNote, s.Binary, s.Arguments())
}

// PackagedSystemd returns the systemd user unit of a package. It serves every user: the
// program takes the folders and the settings of the one that starts it.
func PackagedSystemd(binary string) string {
	return systemdText(packagedNote, binary, []string{"serve"})
}

const installedNote = `# Written by "memory service install"; "memory service uninstall" removes it.
# Put changes of your own into a drop-in: systemctl --user edit memory-tiered
`

const packagedNote = `# Of the package. "memory service install" writes one that takes its place.
`

// systemdText returns the text of a unit that starts a command.
//
// The limits work without a mount namespace: workspaces may lie anywhere and are
// added later, and some distributions forbid namespaces to users.
func systemdText(note, binary string, arguments []string) string {
	command := `"` + strings.ReplaceAll(binary, "%", "%%") + `"` // systemd expands no variable in the program's name
	for _, argument := range arguments {
		command += " " + systemdQuote(argument)
	}
	return note + fmt.Sprintf(systemdUnit, description, command, name)
}

const systemdUnit = `[Unit]
Description=%s
StartLimitIntervalSec=60
StartLimitBurst=10

[Service]
Type=notify
NotifyAccess=main
ExecStart=%s
Restart=on-failure
RestartSec=2
# The daemon asks itself over its own socket. Without an answer it sends no sign of
# life, and systemd restarts it.
WatchdogSec=60
TimeoutStopSec=90
RuntimeDirectory=%s
RuntimeDirectoryMode=0700
NoNewPrivileges=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=default.target
`

// systemdQuote quotes a word of a command line as systemd.service(5) describes:
// inside double quotes, with specifiers (%) and variables ($) doubled.
func systemdQuote(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`, "\t", `\t`).Replace(word) + `"`
}
