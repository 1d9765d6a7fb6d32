package vectors

import (
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"math"
)

// bytesPerNumber is the size of a number in a stored vector.
const bytesPerNumber = 2

// largest is the largest absolute value of a stored number. Its upper byte is 127.
const largest = math.MaxInt8 << 8

// Encode returns a vector as it is stored: its numbers as integers, the largest of which is
// 127 * 256. The upper bytes of all come first. Cosines are off by some millionths.
func Encode(v []float32) []byte {
	var most float32
	for _, x := range v {
		most = max(most, x, -x)
	}
	b := make([]byte, bytesPerNumber*len(v))
	if most == 0 {
		return b
	}
	for i, x := range v {
		n := int(math.Round(float64(x / most * largest)))
		upper := (n + 1<<7) >> 8 // rounded, so that the lower byte has a sign
		b[i], b[len(v)+i] = byte(upper), byte(n-upper<<8)
	}
	return b
}

// Upper returns the upper bytes of a vector as it is stored: a vector of 8 bits a number.
func Upper(v []float32) []byte { return Encode(v)[:len(v)] }

// Decode returns a stored vector with unit length, or with zeros only.
func Decode(b []byte) []float32 {
	return Append(make([]float32, 0, len(b)/bytesPerNumber), b)
}

// Append appends the numbers of a stored vector to v.
func Append(v []float32, b []byte) []float32 {
	dim, start, square := len(b)/bytesPerNumber, len(v), 0
	for i := range dim {
		n := int(int8(b[i]))<<8 + int(int8(b[dim+i]))
		v, square = append(v, float32(n)), square+n*n
	}
	scale := float32(1 / math.Sqrt(float64(max(1, square))))
	for i := range v[start:] {
		v[start+i] *= scale
	}
	return v
}

// Sum returns the checksum of a stored vector.
func Sum(b []byte) int64 { return int64(crc32.ChecksumIEEE(b)) }

// Key returns what vectors are stored by, instead of the name of their model.
func Key(model string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(model)) // never fails
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}
