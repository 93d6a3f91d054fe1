# Each target's line ends with the text that `make help` prints for it.
.DEFAULT_GOAL := help
SHELL := /bin/bash

SWIFT ?= swift
DEMO_ARGS ?=
BENCH_ARGS ?=
BUILD_COST_ARGS ?=
PERF_ARGS ?=
MACRO_ARGS ?=
CRASHES ?= 500
REPLACE ?=
PICTURES ?= Documentation/Pictures
SOAK_CHAIN ?= 10000000
SOAK_GRAPHS ?= 1000000
SOAK_PROCESSES ?= 200
SOAK_NUMBERS ?= 4000000
SOAK_STEPS ?= 10000
SOAK_DAMAGES ?= 1000
SOAK_LOSSES ?= 10000
SOAK_PROTECTED ?= 1024
SOAK_SIZE ?= 10
SOAK_OBJECTS ?= 100
SOAK_FILTER ?=
SOAK_PYTHON ?=
FILTER ?=
TARGET ?= all
SECONDS ?= 60
TEST_ARGS ?=
# Tests throw many errors, also at the end of deep calls, and Swift Testing walks the stack for each, which took up to a sixth of their
# time. 1 shows with a failure where its error came from.
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED ?= 0
TOOL_ARGS ?=
NIGHTLY_ARGS ?=
PAGE_TESTS ?=
VERSION ?=
PREFIX ?= /usr/local
DESTDIR ?=
C_COMPILER ?=
NESTED = SWIFT="$(SWIFT)" scripts/nested.sh

.PHONY: help setup demo gallery test signing-test macro-test python python-test wheel-check page-test corpus crash soak bench perf-check build-cost macro-cost client-check setup-mpi demo-mpi mpi-test lint format sanitize sanitize-swift arm64-test fuzz docs data tool install manual release nightly clean

help: ## list the targets
	@echo "GraphCodable: make TARGET"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the system packages that are missing (demo, test and bench do it by themselves)
	@scripts/setup.sh

# The demonstration is built twice: its first results, which are no times, come from a debug build, which takes less than half as long.
# For the times both cores compile all modules at once, where a release build waits for each module as a whole: see
# Documentation/Decisions/0070. So the objects are others than those of other builds, and have a folder of their own.
DEMO = --package-path Examples/ParticleSimulation --scratch-path .build/demo -Xswiftc -gnone
BATCHES = -Xswiftc -no-whole-module-optimization -Xswiftc -enable-batch-mode

demo: setup ## kill a simulation while it saves, go on, compare, and see where to look next (arguments: DEMO_ARGS="...")
	$(SWIFT) run --disable-index-store $(DEMO) particle-demo $(DEMO_ARGS)
	$(if $(filter -h --help,$(DEMO_ARGS)),,$(SWIFT) run -c release $(BATCHES) $(DEMO) particle-demo figures $(DEMO_ARGS))

gallery: tool ## make the pictures of the documents anew, from 4,000 particles and a molecule, in Chromium (PICTURES)
	$(NESTED) Examples run -c release particle-simulation \
	  --particles 4000 --steps 400 --snapshot-every 10 --keep 0 --output .build/particles
	rm -f .build/molecule.gcodable
	if Examples/Molecule/fetch-data.sh .build/molecule; then $(NESTED) Examples run -c release molecule \
	  --data "$(CURDIR)/.build/molecule" --output "$(CURDIR)/.build/molecule.gcodable"; fi
	scripts/gallery.sh "$$($(BUILD_TOOL) --show-bin-path)/graphcodable" .build/particles .build/molecule.gcodable $(PICTURES)

test: setup ## run the tests of the library, the examples and the tool (arguments for all: TEST_ARGS="...")
	$(SWIFT) test $(TEST_ARGS)
	$(NESTED) Examples test $(TEST_ARGS)
	$(NESTED) Tools test $(TEST_ARGS)

signing-test: setup ## run the tests of the example that signs archives, with swift-crypto (TEST_ARGS)
	$(NESTED) Examples/Signing test $(TEST_ARGS)

macro-test: setup ## build the macros, which takes minutes the first time, and run their tests (TEST_ARGS)
	$(SWIFT) test --package-path Macros $(TEST_ARGS)

python: ## build the wheel of the Python package, in a virtual environment in .build/python
	@scripts/python.sh wheel

wheel-check: ## read the corpus with the wheel on a bare Debian, without compilers and without LZ4 and xxHash
	@scripts/python.sh wheel-check

python-test: ## check the types of the Python package and run its tests
	@scripts/python.sh test

page-test: tool ## test the pages of `graphcodable view` and `serve` in a headless Chromium, and their reader with Node (PAGE_TESTS=large)
	@scripts/page.sh "$$($(BUILD_TOOL) --show-bin-path)/graphcodable" $(PAGE_TESTS)

corpus: setup ## make Tests/Corpus anew; bytes change with a new version of the format alone, or by REPLACE=1
	GRAPHCODABLE_CORPUS=$(if $(REPLACE),replace,write) $(SWIFT) test --filter CorpusWritingTests

crash: setup ## kill processes that save and append, at random and at each call (CRASHES=500)
	GRAPHCODABLE_CRASHES=$(CRASHES) $(SWIFT) test --filter CrashTests

soak: setup ## test all variants, depth, random graphs, determinism, precision and memory for hours (SOAK_CHAIN, SOAK_GRAPHS, …)
	GRAPHCODABLE_THOROUGH=1 $(SWIFT) test $(if $(SOAK_FILTER),--filter $(SOAK_FILTER)) $(TEST_ARGS)
	GRAPHCODABLE_GRAPHS=$(SOAK_GRAPHS) GRAPHCODABLE_PROCESSES=$(SOAK_PROCESSES) \
	  $(SWIFT) test --filter 'RandomGraphTests|ProcessTests' $(TEST_ARGS)
	GRAPHCODABLE_STEPS=$(SOAK_STEPS) GRAPHCODABLE_DAMAGES=$(SOAK_DAMAGES) \
	  $(SWIFT) test --filter 'SeriesModelTests|RandomDamageTests|RandomSeriesDamageTests|RealignmentTests' $(TEST_ARGS)
	GRAPHCODABLE_NUMBERS=$(SOAK_NUMBERS) $(SWIFT) test --filter PrecisionTests $(TEST_ARGS)  # Of each precision and type.
	GRAPHCODABLE_CHAIN=$(SOAK_CHAIN) $(SWIFT) test --no-parallel --filter 'DepthTests' $(TEST_ARGS)
	$(SWIFT) run -c release benchmarks measure --sizes $(SOAK_SIZE) --iterations 1 --warmup-iterations 0 \
	  --filter '^W([1-35-79]|10)(x|/)?[0-9]*\.decode\.GraphCodable'  # With default limits; W4 takes more memory than some have.
	$(SWIFT) run -c release benchmarks parity --losses $(SOAK_LOSSES) --size $(SOAK_PROTECTED) --cost-size 0  # MiB.
	$(SWIFT) run -c release benchmarks memory W2 save --size $(SOAK_OBJECTS) --at-most 130  # The graph stream among it.
	$(SWIFT) run -c release benchmarks memory W2 load --size $(SOAK_OBJECTS) --at-most 80
	GRAPHCODABLE_THOROUGH=1 scripts/python.sh test $(SOAK_PYTHON)  # 1 GB over S3, and thousands of arrays through both languages.

bench: setup ## run the benchmark suite with all peers (arguments: BENCH_ARGS="--quick")
	plugin=$$(SWIFT="$(SWIFT)" scripts/macro-plugin.sh) && GRAPHCODABLE_MACRO_PLUGIN=$$plugin \
	  $(SWIFT) run -c release --traits Peers $(if $(strip $(BENCH_ARGS)),benchmarks $(BENCH_ARGS))

perf-check: setup ## count instructions and allocations, and compare with the budget (PERF_ARGS=--update)
	@scripts/setup.sh valgrind
	@SWIFT="$(SWIFT)" scripts/perf-check.sh $(PERF_ARGS)

build-cost: setup ## build the library alone from clean, and print processor time and bytes of object code
	@SWIFT="$(SWIFT)" scripts/build-cost.sh $(BUILD_COST_ARGS)

macro-cost: setup ## compare what compiling the macros' code costs with Codable (arguments: MACRO_ARGS=--fresh)
	@SWIFT="$(SWIFT)" scripts/macro-cost.sh $(MACRO_ARGS)

client-check: setup ## use the library as other packages and editors do; fail where more than the library is fetched
	@SWIFT="$(SWIFT)" scripts/client-check.sh

setup-mpi: ## install the system packages that MPI/ takes: OpenMPI and its headers (demo-mpi and mpi-test do it)
	@scripts/setup.sh mpirun

demo-mpi: setup-mpi ## simulate on 4 processes, kill one that saves, go on with 3, compare with one process
	@SWIFT="$(SWIFT)" scripts/mpi-demo.sh

mpi-test: setup-mpi ## run the tests of many processes with one snapshot (arguments: TEST_ARGS)
	$(NESTED) MPI test $(TEST_ARGS)

lint: setup ## check formatting, C warnings and C symbol names
	@scripts/lint.sh

format: setup ## rewrite all Swift sources in the house format
	@scripts/swift-sources.sh | xargs -0 $(SWIFT) format --in-place --parallel

sanitize: setup ## run the C tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@CC="$(C_COMPILER)" scripts/sanitize.sh

sanitize-swift: setup ## run the Swift tests under AddressSanitizer and ThreadSanitizer, which is for the night
	@for sanitizer in address thread; do \
	  SWIFT="$(SWIFT)" scripts/sanitize-swift.sh $$sanitizer "$(FILTER)" || exit 1; \
	done

arm64-test: setup ## run the C tests for arm64 in an emulator, which apt-get fetches; skipped where it cannot
	@scripts/test-arm64.sh

fuzz: setup ## look for inputs that the library does not survive (TARGET=graph SECONDS=60, for each; all targets without TARGET)
	@CC="$(C_COMPILER)" SWIFT="$(SWIFT)" scripts/fuzz.sh "$(TARGET)" "$(SECONDS)"

docs: setup ## write the libraries' documentation into .build/docs
	@SWIFT="$(SWIFT)" scripts/docs.sh .build/docs

data: ## fetch the molecule that Examples/Molecule reads
	@Examples/Molecule/fetch-data.sh

BUILD_TOOL = $(NESTED) Tools build -c release $(TOOL_ARGS)

tool: setup ## build the command-line tool, and say where it is (TOOL_ARGS=--static-swift-stdlib: with Swift in it)
	@$(if $(findstring static,$(TOOL_ARGS)),scripts/setup.sh curl-config)
	$(BUILD_TOOL) --product graphcodable
	@echo "$$($(BUILD_TOOL) --show-bin-path)/graphcodable"

INSTALLED = $(DESTDIR)$(PREFIX)
SHARE = $(INSTALLED)/share

install: tool ## install the command-line tool, its manual page and its completions (PREFIX=/usr/local)
	install -d "$(INSTALLED)/bin" "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" \
	  "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d"
	install -m 755 "$$($(BUILD_TOOL) --show-bin-path)/graphcodable" "$(INSTALLED)/bin/"
	install -m 644 Tools/graphcodable.1 "$(SHARE)/man/man1/"
	"$(INSTALLED)/bin/graphcodable" --generate-completion-script bash >"$(SHARE)/bash-completion/completions/graphcodable"
	"$(INSTALLED)/bin/graphcodable" --generate-completion-script zsh >"$(SHARE)/zsh/site-functions/_graphcodable"
	"$(INSTALLED)/bin/graphcodable" --generate-completion-script fish >"$(SHARE)/fish/vendor_completions.d/graphcodable.fish"

manual: tool ## write the manual page of the tool, Tools/graphcodable.1, anew
	"$$($(BUILD_TOOL) --show-bin-path)/graphcodable" --experimental-dump-help | scripts/manual.py >Tools/graphcodable.1

release: setup ## check, cut the changelog, tag, and build wheel, documentation and notes: VERSION=1.0.0-rc.1, in a clean clone
	@SWIFT="$(SWIFT)" scripts/release.sh "$(VERSION)"

nightly: setup ## run what CI has no time for, which takes hours (NIGHTLY_ARGS=--short: each step on little; or names of steps)
	@scripts/nightly.sh $(NIGHTLY_ARGS)

clean: ## remove everything that was built
	rm -f Tools/Python/graphcodable/_native*.so
	rm -rf .build .build-asan .build-tsan .build-cost
	rm -rf Examples/.build Examples/Signing/.build Fuzz/.build Macros/.build MPI/.build Tools/.build
