// Command release makes the parts of a release that goreleaser does not make.
//
//	go -C tools run ./release bundle -binary FILE -platform linux_amd64 -version V -out DIR
//	        packs a binary as a bundle for clients of the Model Context Protocol (.mcpb)
//	go -C tools run ./release registry -bundles DIR -version V
//	        prints the entry of the MCP registry: the bundles with their checksums, and the image
//
// The same input makes the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, args []string) error {
	if len(args) == 0 {
		return errors.New("usage: release bundle|registry …")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	binary := flags.String("binary", "", "the program")
	platform := flags.String("platform", "", "its system and processor, as linux_amd64")
	version := flags.String("version", "", "the version of the release")
	dir := flags.String("out", "", "the folder of the bundle")
	bundles := flags.String("bundles", "", "the folder of all bundles")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "bundle":
		return writeBundle(*dir, *binary, *platform, *version)
	case "registry":
		return printEntry(out, *bundles, *version)
	}
	return fmt.Errorf("unknown command %q", args[0])
}
