// Package packaging writes the files that a package holds beside the program: manual pages,
// completions and a systemd user unit. It also writes the pages of the commands and of the
// clients for the site. Only a program with the tag packaging can, because the libraries for it
// cost each start of the program half a millisecond.
package packaging
