//go:build !nohugot && (amd64 || arm64)

package minilm

import _ "embed" // the model's files

//go:embed all-minilm-l6-v2-e4l6.mlmq
var packedModel []byte

//go:embed tokenizer.json
var tokenizerFile []byte

//go:embed config.json
var configFile []byte
