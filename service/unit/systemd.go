package unit

import (
	"fmt"
	"strings"
)

// systemd returns the text of a systemd user unit.
//
// The limits work without a mount namespace: workspaces may lie anywhere and are
// added later, and some distributions forbid namespaces to users.
func systemd(s Spec) string {
	command := `"` + strings.ReplaceAll(s.Binary, "%", "%%") + `"` // systemd expands no variable in the program's name
	for _, argument := range s.Arguments() {
		command += " " + systemdQuote(argument)
	}
	return fmt.Sprintf(systemdUnit, description, command, name)
}

const systemdUnit = `# Written by "memory service install"; "memory service uninstall" removes it.
# Put changes of your own into a drop-in: systemctl --user edit memory-tiered
[Unit]
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
