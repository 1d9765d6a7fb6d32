//go:build nohugot || !(amd64 || arm64)

package minilm

// A build without the library has no use for the model, and is smaller without it.
var packedModel, tokenizerFile, configFile []byte
