package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory/embed"
)

// cache is an embedder that keeps each vector in a file: the SHA-256 of the text, then
// the numbers as little-endian floats of 32 bits.
type cache struct {
	embed.Embedder
	file    *os.File
	vectors map[[sha256.Size]byte][]float32
}

// openCache reads the file of a cache, or begins one. A record that is cut short is
// dropped.
func openCache(e embed.Embedder, path string) (*cache, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	c := &cache{e, file, map[[sha256.Size]byte][]float32{}}
	in, size := bufio.NewReader(file), sha256.Size+4*e.Dim()
	record := make([]byte, size)
	for {
		_, err := io.ReadFull(in, record)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		} else if err != nil {
			return nil, err
		}
		v := make([]float32, e.Dim())
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(record[sha256.Size+4*i:]))
		}
		c.vectors[[sha256.Size]byte(record)] = v
	}
	_, err = file.Seek(int64(len(c.vectors)*size), io.SeekStart)
	return c, err
}

// Embed returns the vectors of the file, and adds those that it lacks.
func (c *cache) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	var missing []string
	for _, text := range texts {
		if c.vectors[sha256.Sum256([]byte(text))] == nil && !slices.Contains(missing, text) {
			missing = append(missing, text)
		}
	}
	const atOnce = 16 // long texts in larger batches may take longer than the model's process is allowed to
	for batch := range slices.Chunk(missing, atOnce) {
		vectors, err := c.Embedder.Embed(ctx, kind, batch)
		if err != nil {
			return nil, err
		}
		for i, text := range batch {
			if err := c.add(sha256.Sum256([]byte(text)), vectors[i]); err != nil {
				return nil, err
			}
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = c.vectors[sha256.Sum256([]byte(text))]
	}
	return out, nil
}

func (c *cache) add(key [sha256.Size]byte, v []float32) error {
	record := key[:]
	for _, x := range v {
		record = binary.LittleEndian.AppendUint32(record, math.Float32bits(x))
	}
	c.vectors[key] = v
	_, err := c.file.Write(record)
	return err
}

func (c *cache) Close() error { return c.file.Close() }
