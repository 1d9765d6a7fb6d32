package machine

import "fmt"

// FileID identifies the file that a path leads to; the zero value is unknown.
type FileID struct{ device, inode uint64 }

func (i FileID) String() string { return fmt.Sprintf("%x:%x", i.device, i.inode) }
