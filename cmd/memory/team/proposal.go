package team

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/internal/secrets"
	"github.com/memory-tiered/memory/internal/wording"
)

// proposals is where the branches of proposals are.
const proposals = "memory/"

// Proposal is a change that the team has not accepted yet, on a branch of its own.
type Proposal struct {
	Branch string    `json:"branch,omitempty"`
	Path   string    `json:"path,omitempty"` // in the team's folder
	Author string    `json:"author,omitempty"`
	Title  string    `json:"title,omitempty"`
	At     time.Time `json:"at,omitzero"`

	Duplicate bool `json:"duplicate,omitempty"` // it was proposed before; without a branch, the team has the text
}

// String returns what became of the proposal, for people.
func (p Proposal) String() string {
	switch {
	case p.Branch == "":
		return "the team has this memory already: " + p.Path
	case p.Duplicate:
		return "already proposed: " + p.Branch + "  " + p.Path
	}
	return "proposed " + p.Branch + "  " + p.Path
}

// Folder is the folder of a team, in a clone.
type Folder struct {
	Dir string
	Env func(string) string // finds the person's settings of git
}

// Add proposes a text as a memory of a topic, which has one file.
func (f Folder) Add(ctx context.Context, topic, text string) (p Proposal, err error) {
	if kind, found := secrets.Find(text); found {
		return p, memory.Invalid("text", "the text looks like a secret (%s), and a team's memory is no place for one", kind)
	}
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' }
	if topic == "" || strings.ContainsFunc(topic, isOther) {
		return p, memory.Invalid("topic", "%q is no topic", topic).WithHint("use letters, digits and hyphens")
	}
	name, path := topic+".md", ""
	p, err = f.propose(ctx, name, "Remember: "+title(text), chunker.Clean(text), func(team git.Snapshot, file []byte) ([]byte, error) {
		if len(file) == 0 {
			file = []byte("# " + topic + "\n\n")
		} else if !bytes.HasSuffix(file, []byte("\n")) {
			file = append(file, '\n')
		}
		known := blocks(file)
		file = append(file, chunker.Bullet(text)...)
		all := blocks(file)
		if len(all) != len(known)+1 || all[len(known)].Text != chunker.Clean(text) {
			return nil, memory.Invalid("text", "the text cannot be one bullet of %s", name)
		}
		var err error
		if path, err = findCopy(ctx, team, all[len(known)]); path != "" {
			return nil, err
		}
		return file, err
	})
	if path != "" && err == nil {
		p = Proposal{Path: path, Duplicate: true}
	}
	return p, err
}

// findCopy returns the file in which a team has a copy of a text; empty if there is none. It is an
// error if the team has forgotten the text.
func findCopy(ctx context.Context, team git.Snapshot, text memory.Block) (path string, err error) {
	words := wording.Of(text.Text)
	eachErr := team.Each(ctx, ".md", func(name string, file []byte) {
		for _, b := range blocks(file) {
			if wording.Of(b.Text) != words || alignment.IsShort(b.Text) && !slices.Equal(b.Heading, text.Heading) {
				continue
			}
			path = name
			forgets := func(e memory.Entry) bool {
				return isForgotten(e.Declared) && e.Quote != "" && chunker.QuoteFits(e.Quote, b.Text)
			}
			if isForgotten(b.Annotations) || slices.ContainsFunc(frontmatter.Parse(file, time.UTC).Entries, forgets) {
				err = memory.Conflict("the team has forgotten this text, in %s", name).
					WithHint("remove the line about it from that file's front matter, and commit the file")
			}
		}
	})
	return path, cmp.Or(err, eachErr)
}

func isForgotten(d memory.Declared) bool { return d.Forgotten != nil && *d.Forgotten }

// Forget proposes that the team forgets one of its memories.
func (f Folder) Forget(ctx context.Context, m memory.Memory, now time.Time) (Proposal, error) {
	return f.propose(ctx, m.Path, "Forget "+m.ID.Short(), string(m.ID), func(_ git.Snapshot, file []byte) ([]byte, error) {
		if !slices.ContainsFunc(blocks(file), func(b memory.Block) bool { return b.Text == m.Text }) {
			return nil, memory.Conflict("the team's main branch does not have this memory").WithHint("git fetch it first")
		}
		change := frontmatter.Change{ID: m.ID, Quote: chunker.QuoteOf(m.Text)}
		for _, e := range frontmatter.Parse(file, now.Location()).Entries {
			if e.IDPrefix == m.ID.InFile() && isForgotten(e.Declared) {
				return nil, memory.Conflict("the team has forgotten this memory already")
			}
			if e.IDPrefix == m.ID.InFile() {
				change.Declared = e.Declared
			}
		}
		change.Declared.Forgotten, change.Declared.ForgottenAt = new(true), now
		return frontmatter.Set(file, now.Location(), []frontmatter.Change{change})
	})
}

// propose commits a change of a file on a branch of its own. What is proposed gives the branch its
// name, so that nobody proposes it twice. A change whose branch is part of the team's memory was taken
// back since. Its next branch has a number.
func (f Folder) propose(ctx context.Context, name, message, what string, change func(git.Snapshot, []byte) ([]byte, error)) (p Proposal, err error) {
	from, err := git.Latest(ctx, f.Dir)
	if err != nil {
		return p, memory.Conflict("the repository of %s has no commit", f.Dir).WithHint("commit the folder first")
	}
	file, err := from.Read(ctx, name)
	if err != nil {
		return p, err
	}
	if file, err = change(from, file); err != nil || file == nil {
		return p, err
	}
	by, err := git.Author(ctx, f.Dir, f.Env)
	if err != nil {
		return p, memory.Conflict("git does not know who you are").WithHint(`git config --global user.name "Your Name", and user.email`)
	}
	sum := sha256.Sum256([]byte(name + "\x00" + message + "\x00" + what))
	first := proposals + "proposal-" + hex.EncodeToString(sum[:6])
	p = Proposal{Branch: first, Path: name, Author: by.Name, Title: message}
	for n := 2; ; n++ {
		exists, isPart := from.Contains(ctx, p.Branch)
		if !exists {
			return p, from.Propose(ctx, p.Branch, by, name, file, message)
		}
		if !isPart {
			p.Duplicate = true
			return p, nil
		}
		p.Branch = fmt.Sprintf("%s-%d", first, n)
	}
}

func blocks(file []byte) []memory.Block {
	return chunker.Blocks(file, frontmatter.Parse(file, time.UTC).BodyStart)
}

// maxTitle is how long git shows the first line of a message in full.
const maxTitle = 60

// title returns the begin of a text on one line.
func title(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxTitle {
		return string(runes[:maxTitle]) + "…"
	}
	return string(runes)
}

// CheckShared returns an error for a personal memory that a team must not get.
func CheckShared(m memory.Memory) error {
	reason := ""
	switch {
	case m.Private:
		reason = "private"
	case m.Forgotten:
		reason = "forgotten"
	case m.Trust != memory.TrustTrusted:
		reason = "not trusted"
	case m.User != "" && m.User != memory.OwnerIdentity:
		reason = "of another user"
	case m.InDoubt != "":
		reason = "perhaps protected by " + m.InDoubt
	case m.Missing:
		reason = "in no file any more"
	default:
		return nil
	}
	return memory.Conflict("the memory is %s, and stays yours", reason)
}

// Status is what a clone knows of a team.
type Status struct {
	Name      string                `json:"name"`
	Path      string                `json:"path"`
	Driver    bool                  `json:"driver"`
	Proposals memory.List[Proposal] `json:"proposals"`
	Members   map[string]int        `json:"members"` // commits by author
}

// Status returns the open proposals and the authors of a team's folder.
func (f Folder) Status(ctx context.Context) (s Status, err error) {
	s = Status{Path: f.Dir, Driver: HasDriver(ctx, f.Dir)}
	open, err := git.Open(ctx, f.Dir, proposals)
	for _, b := range open {
		s.Proposals = append(s.Proposals, Proposal{Branch: b.Name, Author: b.Author, Title: b.Title, At: b.At})
	}
	members, membersErr := git.Authors(ctx, f.Dir)
	s.Members = members
	if err = errors.Join(err, membersErr); err != nil {
		err = fmt.Errorf("read the repository of %s: %w", f.Dir, err)
	}
	return s, err
}
