# Everything that a person or CI does with this repository. `make check` is
# exactly what CI runs.
export CGO_ENABLED = 0
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  = -s -w -X main.version=$(VERSION)

# The race detector needs a C compiler; where there is none the tests run
# without it and say so.
CC_FOUND := $(shell command -v gcc || command -v clang)
ifneq ($(CC_FOUND),)
RACE = -race
RACE_ENV = CGO_ENABLED=1
endif

# On amd64 Go's vector instructions compare vectors seven times faster, and run a
# sentence transformer four to eight times; they are still an experiment of the
# compiler.
ifeq ($(shell go env GOARCH),amd64)
SIMD = GOEXPERIMENT=simd
endif

.PHONY: build run check test lint fuzz bench bench-lanes e2e e2e-openclaw eval model-test docs clean

build: ## the binary, in bin/
	$(SIMD) go build -trimpath -ldflags '$(LDFLAGS)' -o bin/memory ./cmd/memory

run: build ## the main job on a throw-away copy of examples-workspace
	./scripts/run.sh bin/memory

check: lint build test run ## what CI runs

test: ## all tests; what is built otherwise with vector instructions; the short ones again with the race detector where a C compiler is found
	go test -shuffle=on ./...
ifdef SIMD
	$(SIMD) go test -shuffle=on -run 'TestDotProduct|TestMemoryAndTablesAgree' ./index
endif
ifdef RACE
	$(RACE_ENV) go test $(RACE) -short -shuffle=on ./...
else
	@echo 'note: no C compiler found, so no tests run with the race detector'
endif

lint: ## formatting, vet, linters, and the parts of the repository that must agree
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	  if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	go vet ./...
	go tool -modfile=tools/go.mod golangci-lint run ./...

fuzz: ## every fuzz target for FUZZTIME (default 30s), and the long property tests
	./scripts/fuzz.sh

bench: build ## speed and memory beside their baselines, into docs/performance.md
	./scripts/bench.sh bin/memory

bench-lanes: build ## the in-memory lanes alone, up to a million memories
	$(SIMD) ./scripts/bench.sh bin/memory lanes

e2e: ## the program as a user has it: every script in cmd/memory/testdata/script
	go test -count=1 ./cmd/memory -run TestScripts

e2e-openclaw: build ## the plugin in the real OpenClaw; skipped with the reason where it cannot be installed
	./scripts/e2e-openclaw.sh bin/memory

eval: build ## retrieval quality on three small workspaces, kept in eval/*.json and docs/recall.svg
	./scripts/eval.sh bin/memory

model-test: ## a real sentence transformer, compared with reference vectors; skipped with the reason where it cannot be had
	$(SIMD) ./scripts/model-test.sh

docs: build ## the pages that are generated
	bin/memory config --docs > docs/configuration.md

clean:
	rm -rf bin dist .cache
