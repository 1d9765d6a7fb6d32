package browse

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// View draws the screen: the query, the hits, the chosen one, a notice, and the keys. It uses
// bold and faint text, and no colours.
func (m *model) View() tea.View {
	if m.height < 1 || m.width < 1 {
		return tea.NewView("")
	}
	const prompt = "search: "
	body := m.browsed(prompt)
	if m.explaining {
		body = m.explained()
	}
	v := tea.NewView(strings.Join(append(body, m.fit(m.keys())), "\n"))
	v.AltScreen = true
	if !m.choosing && !m.explaining && m.height > 1 {
		v.Cursor = tea.NewCursor(min(len(prompt)+ansi.StringWidth(m.queryEnd(prompt)), m.width-1), 0)
	}
	return v
}

// queryEnd returns the part of the query that fits beside the prompt.
func (m *model) queryEnd(prompt string) string {
	query := display.Visible(m.query)
	return ansi.TruncateLeft(query, max(0, ansi.StringWidth(query)-max(1, m.width-len(prompt)-1)), "")
}

// browsed returns all lines but the last: the keys.
func (m *model) browsed(prompt string) []string {
	lines := append([]string{m.fit(prompt + m.queryEnd(prompt))}, m.list()...)
	lines = append(lines, m.describedHit()...)
	notice := 0
	if m.notice != "" {
		notice = 1
	}
	room := max(0, m.height-1-notice)
	lines = append(lines, make([]string, room)...)[:room]
	if notice > 0 && m.height > 1 {
		lines = append(lines, m.fit(bold(oneLine(m.notice))))
	}
	return lines
}

// explained returns the lines of the explanation that are on the screen.
func (m *model) explained() []string {
	var page strings.Builder
	if m.isDescribed() {
		display.Explanation(&page, m.detail.explanation)
	}
	all, room := m.wrapped(page.String()), max(0, m.height-1)
	m.pageTop = max(0, min(m.pageTop, len(all)-room))
	return append(all[m.pageTop:], make([]string, room)...)[:room]
}

// listRows is how many hits are on the screen: with the line below, half of it at most.
func (m *model) listRows() int { return max(1, min(len(m.hits), (m.height-3)/2)) }

func (m *model) list() (lines []string) {
	rows := m.listRows()
	top := max(0, min(m.at-rows/2, len(m.hits)-rows))
	for i := top; i < min(top+rows, len(m.hits)); i++ {
		hit := m.hits[i]
		share := "    "
		if hit.Similarity > 0 {
			share = fmt.Sprintf("%3.0f%%", 100*hit.Similarity)
		}
		line := share + " " + display.State(hit.Memory) + oneLine(hit.Text)
		if i == m.at {
			line = bold("> " + m.cut(line, 2))
		} else {
			line = "  " + line
		}
		lines = append(lines, m.fit(line))
	}
	rule := strings.Repeat("-", m.width)
	switch {
	case m.slow:
		rule = "-- waiting for the answer " + rule
	case m.outdated():
		rule = "-- … " + rule
	case len(m.hits) > 0:
		rule = fmt.Sprintf("-- %d of %d %s", m.at+1, len(m.hits), rule)
	}
	return append(lines, ansi.Truncate(rule, m.width, ""))
}

// describedHit returns the lines about the chosen hit: where it is, its text between its
// neighbours, and why it has its place.
func (m *model) describedHit() []string {
	if len(m.hits) == 0 {
		return nil
	}
	hit := m.hits[m.at]
	where := strings.Join(append([]string{display.Location(hit.Memory), string(hit.Tier), hit.ID.Short()}, hit.Heading...), "  ")
	e := m.detail.explanation
	if !m.isDescribed() {
		return append([]string{m.fit(where)}, m.wrapped(hit.Text)...)
	}
	lines := []string{m.fit(where)}
	for _, n := range m.detail.before {
		lines = append(lines, m.neighbour(n))
	}
	lines = append(lines, m.wrapped(hit.Text)...)
	for _, n := range m.detail.after {
		lines = append(lines, m.neighbour(n))
	}
	var parts []string
	for _, f := range e.Factors {
		if f.Points != 0 {
			parts = append(parts, fmt.Sprintf("%s %.2f", f.Name, f.Points))
		}
	}
	why := fmt.Sprintf("\nscore %.2f = %s\ninjected: %s", e.Score, strings.Join(parts, " + "), e.Reason)
	return append(lines, m.wrapped(why)...)
}

// isDescribed reports whether the details are those of the chosen hit.
func (m *model) isDescribed() bool {
	return m.detail.explanation.Memory.ID != "" && m.detail.explanation.Memory.ID == m.chosen().ID
}

func (m *model) neighbour(n memory.Memory) string {
	return "\x1b[2m" + m.fit("  "+oneLine(n.Text)) + "\x1b[22m"
}

func bold(text string) string { return "\x1b[1m" + text + "\x1b[22m" }

// oneLine returns a text that may be another's as one visible line.
func oneLine(text string) string { return display.Visible(strings.Join(strings.Fields(text), " ")) }

// fit cuts a line at the width of the screen.
func (m *model) fit(line string) string { return m.cut(line, 0) }

// cut cuts a line so that some columns stay free.
func (m *model) cut(line string, free int) string {
	return ansi.Truncate(line, max(0, m.width-free), "…")
}

// wrapped breaks a text into lines that fit.
func (m *model) wrapped(text string) []string {
	text = strings.ReplaceAll(display.Visible(text), "\t", "    ")
	return strings.Split(ansi.Wrap(text, m.width, ""), "\n")
}
