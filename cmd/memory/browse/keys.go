package browse

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/memory-tiered/memory"
)

// Init begins the first search.
func (m *model) Init() tea.Cmd { return m.next() }

// Update handles a key, a new size of the terminal, or the end of a job.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case outcome:
		m.ended(msg)
	case slowJob:
		m.slow = m.slow || msg.job == m.running
	case tea.PasteMsg:
		m.typed(msg.Content)
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			m.stop() // also a call that writes
			return m, tea.Quit
		}
		m.pressed(msg)
	}
	return m, m.next()
}

// chosen returns the memory of the chosen hit; zero: there is none.
func (m *model) chosen() memory.Memory {
	if len(m.hits) == 0 {
		return memory.Memory{}
	}
	return m.hits[m.at].Memory
}

func (m *model) pressed(k tea.KeyPressMsg) {
	key := k.String()
	switch {
	case m.explaining:
		m.pressedOnPage(key)
	case m.moved(key):
	case m.choosing:
		m.notice = ""
		m.pressedOnHit(key)
	case key == "esc":
		m.quitting = true
	case key == "enter" || key == "tab" || key == "ctrl+j": // an Enter that was typed ahead is Ctrl-J
		m.choosing = len(m.hits) > 0 || m.outdated()
	case key == "backspace":
		_, last := utf8.DecodeLastRuneInString(m.query)
		m.query = m.query[:len(m.query)-last]
	case key == "ctrl+u":
		m.query = ""
	case key == "ctrl+w":
		m.query = strings.TrimRight(m.query, " ")
		m.query = m.query[:strings.LastIndexByte(m.query, ' ')+1]
	default:
		m.typed(k.Text)
	}
}

// outdated reports whether the hits are those of another query.
func (m *model) outdated() bool { return !m.found.done || m.found.query != m.query }

// typed adds a text to the query.
func (m *model) typed(text string) {
	if m.choosing || m.explaining || text == "" {
		return
	}
	m.query += strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	m.notice = ""
}

// moved chooses another hit, and reports whether the key does so.
func (m *model) moved(key string) bool {
	step := 0
	switch rows := m.listRows(); key {
	case "up":
		step = -1
	case "down":
		step = 1
	case "pgup":
		step = -rows
	case "pgdown":
		step = rows
	case "home":
		step = -maxHits
	case "end":
		step = maxHits
	default:
		return false
	}
	m.at = max(0, min(m.at+step, len(m.hits)-1))
	return true
}

// keys are the keys for a hit, as the screen shows them.
func (m *model) keys() string {
	switch {
	case m.explaining:
		return "[up] [down] [q]back"
	case !m.choosing:
		return "type to search  [enter]choose a hit  [esc]quit"
	case m.chosen().Pinned:
		return "[o]pen [w]hy un[p]in [f]orget [u]ndo [/]search [q]uit"
	}
	return "[o]pen [w]hy [p]in [f]orget [u]ndo [/]search [q]uit"
}

func (m *model) pressedOnHit(key string) {
	chosen := m.chosen()
	switch key {
	case "q":
		m.quitting = true
		return
	case "/", "tab", "esc":
		m.choosing = false
		return
	case "u":
		m.undo()
		return
	}
	if m.outdated() { // the person has not seen the hits of this query
		m.notice = "searching: press the key again when the hits are there"
		return
	}
	switch key {
	case "o", "enter":
		m.open(chosen)
	case "p":
		action := memory.ActionPin
		if chosen.Pinned {
			action = memory.ActionUnpin
		}
		m.decide(action, chosen)
	case "f":
		m.decide(memory.ActionForget, chosen)
	case "w":
		m.explaining, m.pageTop = true, 0
	default:
		m.notice = "press one of the keys in brackets"
	}
}

func (m *model) pressedOnPage(key string) {
	switch key {
	case "q", "esc", "w":
		m.explaining = false
	case "down", "j":
		m.pageTop++
	case "up", "k":
		m.pageTop--
	case "pgdown", "space":
		m.pageTop += m.height - 1
	case "pgup":
		m.pageTop -= m.height - 1
	}
}
