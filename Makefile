# Everything that a person or CI does with this repository. CI runs `make check`.
export CGO_ENABLED = 0

# The binary, the tests and the linters share what is compiled, also with other checkouts.
export GOFLAGS += -trimpath
VERSION ?= $(shell git describe --tags --always --dirty --match "v*" 2>/dev/null | grep ^v || echo 0.1.0-dev)
LDFLAGS  = -s -w -X main.version=$(VERSION)

# The race detector needs a C compiler. It leaves out SQLite, which is C code translated
# to Go and has its own locks: with it, a search from the tables takes seven times as
# long. The code that calls SQLite, and the driver, are checked.
UNCHECKED = modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory
CC_FOUND := $(shell command -v gcc || command -v clang)
ifneq ($(CC_FOUND),)
RACE = -race $(foreach package,$(UNCHECKED),-gcflags=$(package)=-race=false)
RACE_ENV = CGO_ENABLED=1
endif

# Packages that start goroutines, or whose tests do: only there can the race detector find
# something. race_test.go checks both lists. Of the second one, whose packages start none
# themselves, only the files of tests with goroutines run.
CONCURRENT = api api/inspector api/mcp cmd/memory embed embed/hugot embed/provider embed/server internal/modelserver \
  embed/static embed/transformer service service/unit watcher
CONCURRENT_TESTS = api/caller chunker engine index/sqlite ingest workspace
CONCURRENT_FILES = $(shell grep -lE '[.]Go|go func' $(addsuffix /*_test.go,$(CONCURRENT_TESTS)))
CONCURRENT_NAMES = $(shell sed -n 's/^func \(Test[A-Za-z0-9]*\).*/^\1$$/p' $(CONCURRENT_FILES) | paste -sd '|' -)

# Go's vector instructions for amd64 are a compiler experiment. They compare vectors
# seven times faster.
ifeq ($(shell go env GOARCH),amd64)
SIMD = GOEXPERIMENT=simd
endif

# Tests write their databases to memory, where there is a disk in memory with room that can
# run programs. They still make every system call. TMPDIR=/tmp writes to the disk.
ifndef TMPDIR
ifneq ($(shell awk '$$2 == "/dev/shm" && $$4 !~ /noexec/' /proc/mounts 2>/dev/null),)
ifeq ($(shell test "$$(df -Pk /dev/shm | awk 'END {print $$4}')" -gt 4000000 && test -w /dev/shm && echo roomy),roomy)
test test-plain test-race check e2e: export TMPDIR = /dev/shm
endif
endif
endif

# No time limit: a slow machine needs more than go test's default of ten minutes
# for a package under the race detector. CI has its own limit for the whole run.
# lint contains go vet. Without debugging information, linking takes a third less time.
# A larger heap saves 5 to 10 % of the processor time of tests and linkers.
TEST = GOGC=400 go test -timeout=0 -shuffle=on -vet=off -ldflags=-w

# The platforms of a release, and the packages with code for single ones. Lint vets this platform.
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
VETTED = ./internal/machine ./service/unit

# The programs that make a release. Go checks what it downloads.
RELEASE_TOOLS = github.com/goreleaser/goreleaser/v2@v2.15.1 github.com/anchore/syft/cmd/syft@v1.57.1 \
  github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3

.PHONY: size build packaging run check test test-plain test-race plugin vulnerabilities lint fuzz bench bench-lanes bench-openclaw e2e e2e-openclaw e2e-agents e2e-ui e2e-migrate e2e-service soak eval curve model-test docs site reproducible platforms release-tools release-snapshot clean

build: ## the binary, in bin/
	$(SIMD) go build -ldflags '$(LDFLAGS)' -o bin/memory ./cmd/memory

packaging: ## manual pages, completions, the systemd unit and the pages of the commands, in build/packaging
	go build -tags packaging -ldflags '$(LDFLAGS)' -o bin/packaging ./cmd/memory
	bin/packaging packaging build/packaging

run: build ## the main use, end to end, on a temporary copy of examples-workspace
	./scripts/run.sh bin/memory

# Side by side, one part uses the processor while another one waits for the disk, for a
# clock, or for its last package.
check: lint build ## what CI runs
	@$(MAKE) --no-print-directory -j4 test-plain test-race plugin run vulnerabilities platforms

test: ## all tests
	@$(MAKE) --no-print-directory -j2 test-plain test-race

# All tests run with the compiler's settings of the binary, so that dependencies are
# compiled once for both.
test-plain:
	$(SIMD) index/indextest/postgres.sh env $(TEST) ./...
	@go -C tools test ./capture ./learn

# The short tests run again with the race detector, and without vector instructions.
# index/search has one goroutine, but vector instructions.
test-race:
ifdef RACE
	$(RACE_ENV) $(TEST) $(RACE) -short $(addprefix ./,$(CONCURRENT) index/search)
	@$(RACE_ENV) $(TEST) $(RACE) -short -run '$(CONCURRENT_NAMES)' $(addprefix ./,$(CONCURRENT_TESTS))
else
	@echo 'note: the tests with the race detector are skipped: there is no C compiler'
ifdef SIMD
	$(TEST) -run 'TestDotProduct|TestInMemoryIndexAndTablesAgree' ./index/search ./index/query
endif
endif

plugin: ## the OpenClaw plugin: its tests, and its types with tsc from npm; skipped with the reason where they cannot run
	./scripts/check-plugin.sh

# tools/lint contains go vet. It compiles four times as fast as golangci-lint. The tags
# add the benchmarks, and the command packaging.
lint: ## formatting, vet and linters
	@unformatted=$$(find . -name '*.go' -not -path '*/.*' -not -path '*/node_modules/*' -exec gofmt -l {} +); \
	  if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	@if go -C tools mod download; then \
	  go -C tools build -buildvcs=false -o ../bin/lint ./lint && $(SIMD) go vet -tags bench,packaging -vettool='$(CURDIR)/bin/lint' ./...; \
	else \
	  echo 'note: the linters are skipped, because their modules cannot be downloaded'; $(SIMD) go vet -tags bench,packaging ./...; \
	fi
	@go -C tools list -deps ./... > /dev/null # fails where a tool needs a module that tools/go.sum does not have
	@go -C tools run ./size -check > /dev/null

vulnerabilities: ## known ones of the packages in the program; skipped with the reason where their database cannot be reached
	@./scripts/vulnerabilities.sh

fuzz: ## every fuzz target for FUZZTIME (default 30s), and the long property tests
	./scripts/fuzz.sh

soak: build ## an hour of many clients, with a suspend, and what the service holds over time; MINUTES=5 for a short one
	./scripts/soak.sh bin/memory $${MINUTES:-60}

bench: build ## speed and memory compared with baselines, for docs/performance.md
	$(SIMD) ./scripts/bench.sh bin/memory

bench-lanes: build ## the in-memory search alone, up to a million memories
	$(SIMD) ./scripts/bench.sh bin/memory lanes

bench-openclaw: build ## this memory beside OpenClaw's own, in the real OpenClaw; skipped with the reason where it cannot be installed
	$(SIMD) ./scripts/bench-openclaw.sh bin/memory

e2e: ## the program as a user runs it: every script in cmd/memory/testdata/script
	go test -timeout=0 -count=1 ./cmd/memory -run TestScripts

e2e-ui: build ## the inspector in a real headless browser; skipped with the reason where none is installed
	./scripts/e2e-ui.sh bin/memory

e2e-openclaw: build ## the plugin in the real OpenClaw; skipped with the reason where it cannot be installed
	./scripts/e2e-openclaw.sh bin/memory

e2e-agents: build ## setup with six real clients, offline, against a scripted model; skipped with the reason where npm cannot install one
	./scripts/e2e-agents.sh bin/memory

e2e-migrate: build ## 10,000 rows of a real LanceDB database come over, are killed and taken back; skipped with the reason where npm cannot install it
	./scripts/e2e-migrate.sh bin/memory

e2e-service: build ## the installed service under a real systemd; skipped with the reason where none can start
	./scripts/e2e-service.sh bin/memory

eval: build ## retrieval quality on three small workspaces, kept in eval/*.json
	./scripts/eval.sh bin/memory

curve: build ## answers and silence for each floor, as docs/silence.svg; 15 minutes
	./scripts/curve.sh bin/memory

model-test: ## a real sentence transformer, compared with reference vectors; skipped with the reason where it cannot be fetched
	$(SIMD) ./scripts/model-test.sh

size: ## lines, packages, word lists and patterns in Go, words of docs; the limits only fall
	@go -C tools run ./size

docs: ## the generated pages
	go test -count=1 ./config -run ThePageListsEveryKey -update

site: ## the documentation as a site, in build/site; skipped with the reason where its generator cannot be installed
	./scripts/site.sh

reproducible: ## two builds of the last commit are the same; each compiles everything
	./scripts/reproducible.sh

platforms: ## the code and its tests, vetted for every platform of a release; the first time, it compiles the dependencies
	@for platform in $(filter-out $(shell go env GOOS)/$(shell go env GOARCH),$(PLATFORMS)); do \
	  echo "$$platform"; GOOS=$${platform%/*} GOARCH=$${platform#*/} go vet $(VETTED) || exit 1; \
	done

release-tools: ## what makes a release, in bin/
	@for tool in $(RELEASE_TOOLS); do GOBIN='$(CURDIR)/bin' go install "$$tool" || exit 1; done

release-snapshot: release-tools ## what a release has, in dist/ and build/, unsigned and not published
	PATH="$(CURDIR)/bin:$$PATH" TAP_TOKEN=none goreleaser release --snapshot --clean --skip=publish,sign,docker
	go -C tools run ./release registry -bundles ../build/mcpb -version "$$(ls build/mcpb | sed -n '1s/^memory_\([^_]*\)_.*/\1/p')" > build/server.json

clean:
	rm -rf bin build dist .cache
