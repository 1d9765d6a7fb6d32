package unit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// launchd returns the text of a launchd agent. launchd starts it at login, and again
// ten seconds after it fails.
func launchd(s Spec) string {
	var arguments strings.Builder
	for _, argument := range append([]string{s.Binary}, s.Arguments()...) {
		fmt.Fprintf(&arguments, "\t\t<string>%s</string>\n", escapeXML(argument))
	}
	return fmt.Sprintf(launchdAgent, label, arguments.String(), escapeXML(s.LogFile+".start"))
}

const launchdAgent = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>%s</string>
	<key>ProgramArguments</key>
	<array>
%s	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>10</integer>
	<key>ExitTimeOut</key>
	<integer>90</integer>
	<key>StandardErrorPath</key>
	<string>%s</string>
</dict>
</plist>
`

func escapeXML(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a bytes.Buffer never fails
	return b.String()
}
