package hostsetup

import (
	_ "embed" // client.md
	"io"
	"text/template"
)

//go:embed client.md
var pageText string

// WritePage writes the page about a client: what it does, what it costs, how to see what was
// given, and how to turn it off.
func WritePage(w io.Writer, c Client) error {
	page, err := template.New("client").Parse(pageText)
	if err != nil {
		return err
	}
	return page.Execute(w, c)
}
