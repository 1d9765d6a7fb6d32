package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of the name of a copied file, in bytes. Disks take names of 255 bytes, and
// systems take paths of 1,024 or more. The folder of the workspace and a number need room.
const (
	maxNamePart = 200
	maxPath     = 600
)

// maxNumber is the number of names that are tried for one file.
const maxNumber = 10_000

// documentPath returns where the copy of a file goes. A name that disks do not take is
// shortened, and gets a hash of the whole.
func documentPath(system, name string) string {
	parts := strings.Split(strings.Trim(path.Join("/", name), "/"), "/")
	for i, part := range parts {
		parts[i] = diskName(part)
	}
	whole := path.Join(parts...)
	if len(whole) > maxPath {
		whole = shortened(strings.Join(parts, "-"), ".md")
	}
	whole = path.Join(Folder, system, whole)
	if !strings.EqualFold(path.Ext(whole), ".md") {
		whole += ".md"
	}
	return whole
}

// diskName returns a part of a path as disks take it.
func diskName(part string) string {
	clean := strings.Map(func(c rune) rune {
		if c == utf8.RuneError || unicode.IsControl(c) {
			return '_'
		}
		return c
	}, part)
	if len(clean) <= maxNamePart {
		return clean
	}
	return shortened(clean, path.Ext(clean))
}

// shortened returns the beginning of a name with a hash of all of it. A long extension is
// no extension.
func shortened(name, ext string) string {
	if len(ext) > len(".markdown") {
		ext = ""
	}
	sum := sha256.Sum256([]byte(name))
	return strings.ToValidUTF8(name[:maxNamePart/2], "") + "-" + hex.EncodeToString(sum[:6]) + ext
}

// freeName returns a path like this one that no other file has. It reports false if there
// is none.
func (p *planner) freeName(name string) (free string, ok bool) {
	folder, ok := p.freeFolder(path.Dir(name))
	if !ok {
		return "", false
	}
	name = path.Join(folder, path.Base(name))
	stem, free := strings.TrimSuffix(name, path.Ext(name)), name
	for n := 2; p.taken(free); n++ {
		if n > maxNumber {
			return "", false
		}
		free = fmt.Sprintf("%s-%d%s", stem, n, path.Ext(name))
	}
	p.use(free)
	return free, true
}

// freeFolder returns a path like this one that can be a folder. A file of the plan or of
// the workspace may have the path.
func (p *planner) freeFolder(folder string) (free string, ok bool) {
	for part := range strings.SplitSeq(folder, "/") {
		name := path.Join(free, part)
		next := name
		for n := 2; p.used[strings.ToLower(next)] == aFile || !p.FolderFree(next); n++ {
			if n > maxNumber || !p.Exists(next) && p.used[strings.ToLower(next)] != aFile {
				return "", false // no other name would help
			}
			next = fmt.Sprintf("%s-%d", name, n)
		}
		free = next
	}
	return free, true
}

// use notes a file of the plan, and the folders above it. Some file systems ignore case.
func (p *planner) use(name string) {
	name = strings.ToLower(name)
	p.used[name] = aFile
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		p.used[folder] = aFolder
	}
}

// taken reports whether a path belongs to another file or folder.
func (p *planner) taken(name string) bool {
	return p.used[strings.ToLower(name)] != unused || p.Exists(name)
}

// pathUse tells what a plan has at a path.
type pathUse int

const (
	unused pathUse = iota
	aFile
	aFolder
)
