package extract

import (
	"bytes"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTML returns what a browser shows of a page as Markdown, without its navigation, and with
// &, < and > as entities. The title is the heading above all others.
func readHTML(src []byte) ([]string, error) {
	root, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	title := "" // there may be none
	for n := range root.Descendants() {
		if n.DataAtom == atom.Title && n.FirstChild != nil {
			title = "# " + html.EscapeString(strings.Join(strings.Fields(n.FirstChild.Data), " ")) + "\n\n"
			break
		}
	}
	removeHidden(root)
	c := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	text, err := c.ConvertNode(root)
	return []string{title + string(text)}, err
}

// removeHidden removes what is not shown. It lowers headings by a level, takes out emphasis and
// the addresses of links, and escapes &.
func removeHidden(n *html.Node) {
	for c, next := n.FirstChild, (*html.Node)(nil); c != nil; c = next {
		next = c.NextSibling
		if c.Type == html.TextNode {
			c.Data = strings.ReplaceAll(c.Data, "&", "&amp;") // the converter escapes < and > alone
		}
		if isHidden(c) {
			n.RemoveChild(c)
			continue
		}
		switch c.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5:
			c.Data = "h" + string(c.Data[1]+1)
			c.DataAtom = atom.Lookup([]byte(c.Data))
		case atom.A, atom.B, atom.Strong, atom.I, atom.Em:
			c.Data, c.DataAtom = "span", atom.Span
		}
		removeHidden(c)
	}
}

// isHidden reports whether a browser shows nothing of an element, or only what leads to other
// pages. A text that no reader of the page can see is likely to be one for a model.
func isHidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Img, atom.Iframe, atom.Object, atom.Nav, atom.Select, atom.Textarea, atom.Button, atom.Dialog:
		return true
	}
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
		return a.Key == "hidden" || a.Key == "style" && (strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden"))
	})
}
