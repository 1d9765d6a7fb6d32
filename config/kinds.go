package config

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/memory-tiered/memory/decay"
)

// checkKind checks a text of a kind, which the tag kind of a field names.
func checkKind(kind, text string) error {
	switch kind {
	case "address":
		return checkAddress(text)
	case "cron":
		_, err := decay.ParseSchedule(text)
		return err
	case "listen":
		if _, port, err := net.SplitHostPort(text); err != nil || port == "" {
			return fmt.Errorf("%q is not an address with a port, such as 0.0.0.0:7443", text)
		}
	case "path":
		rest, isHome := strings.CutPrefix(text, "~")
		if !filepath.IsAbs(text) && (!isHome || rest != "" && !os.IsPathSeparator(rest[0])) {
			return fmt.Errorf("%q is not an absolute path, such as /home/me/notes or ~/notes", text)
		}
	case "zone":
		if _, err := time.LoadLocation(text); err != nil {
			return fmt.Errorf("%q is not a time zone, such as Europe/Berlin", text)
		}
	}
	return nil
}

// checkAddress refuses a text that is not the address of a server, or has more than that: a
// password would be shown.
func checkAddress(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q is not the address of a server, such as http://localhost:11434/v1", text)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("it contains more than the address of a server")
	}
	return nil
}

// Words is a list of words or phrases: a YAML list, or a text with commas.
type Words []string

// UnmarshalText reads words with commas between them.
func (w *Words) UnmarshalText(text []byte) error {
	*w = nil
	for word := range strings.SplitSeq(string(text), ",") {
		if word = strings.TrimSpace(word); word != "" {
			*w = append(*w, word)
		}
	}
	return nil
}

// String returns the words with commas between them, as a person writes them.
func (w Words) String() string { return strings.Join(w, ", ") }

// listText reads items with commas between them. one reads each.
func listText[T any](text []byte, one func(string) T) (items []T) {
	var words Words
	_ = words.UnmarshalText(text) // it never fails
	for _, word := range words {
		items = append(items, one(word))
	}
	return items
}
