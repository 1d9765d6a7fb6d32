package fields

import (
	"bytes"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
)

var (
	// userLine matches a line that declares the user of a file in YAML, TOML or JSON,
	// valid or not.
	userLine = regexp.MustCompile(`(?mi)^[ \t?"'{\[-]*us(?:er|ers|r)["']?[ \t]*[:=]`)
	// userWordLine matches such a line with a value of one word. A line of a conversation
	// between two rules ("User: Hello there") is none.
	userWordLine = regexp.MustCompile(`(?mi)^[ \t?"'{\[-]*us(?:er|ers|r)["']?[ \t]*[:=][ \t]*["']?[^\s"',;}]*["']?[ \t]*(?:[,;}#].*)?\r?$`)
	// userComment matches a comment that probably declares a user.
	userComment = regexp.MustCompile(`(?i)<!--\W*us(?:er|ers|r)[ \t]*[:=]`)
)

// FindUser returns the number of line breaks before a line that declares a user, or -1.
func FindUser(raw []byte) int { return breaksBefore(userLine, norm.NFKC.Bytes(raw)) }

// FindUserComment returns the number of line breaks before a comment that probably
// declares a user, or -1.
func FindUserComment(text []byte) int { return breaksBefore(userComment, text) }

func breaksBefore(pattern *regexp.Regexp, text []byte) int {
	at := pattern.FindIndex(text)
	if at == nil {
		return -1
	}
	return bytes.Count(text[:at[0]], []byte("\n"))
}

// IsUserPair reports whether a key with its value probably declares a user.
func IsUserPair(key string, value *yaml.Node) bool {
	return memory.MeansUser(key, value.Value) && !strings.ContainsAny(strings.TrimSpace(value.Value), " \t\n")
}
