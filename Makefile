# Targets: run, check, test, test-cluster, test-deep, test-sabotage, bench, bench-compare, bench-sdk, bench-web,
# examples, build-examples, web-sdk, screenshots, build, lab, lint, format, fuzz, torture, soak, check-deploy, clean.
# `make run`, `make test` and most others first install missing Debian or Ubuntu packages (deploy/install-packages);
# SKIP_INSTALL=1 skips that.

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
SHELL := /bin/sh

SWIFT ?= $(or $(shell command -v swift 2>/dev/null),swift)
# Static and stripped: each service is one file of 24 MB (the gateway 28) that runs without an installed Swift. Without
# exported symbols each file is 3 MB smaller, and each process takes nearly 1 MB less memory (`parley-lab bench
# connections`).
# Debugging information, which stripping removes, is not made, and a module's code is generated on two threads.
RELEASE := -c release --static-swift-stdlib -debug-info-format none -Xswiftc -num-threads -Xswiftc 2 -Xlinker -s -Xlinker --no-export-dynamic
PROGRAMS := .build/release/.programs-built
LAB := .build/release/.lab-built
# Folders are among the prerequisites so that a removed file counts as a change.
SOURCES := Package.swift $(shell find Sources -path Sources/Lab -prune -o \( -type d -o -type f ! -name '*.md' ! -name '.*' \) -print)
LAB_SOURCES := $(shell find Sources/Lab proto/vectors -type d -o -type f ! -name '*.md' ! -name '.*')
ARGS ?=
# Warnings are errors in our own code. A build without this, by hand, compiles that code anew.
export PARLEY_WARNINGS ?= errors

# Swift and git need a writable home folder. If there is none, use one in the build folder.
ifneq ($(shell test -n "$$HOME" && test -d "$$HOME" && test -w "$$HOME" && echo usable),usable)
export HOME := $(CURDIR)/.build-tools/home
$(shell mkdir -p "$(CURDIR)/.build-tools/home" 2>/dev/null)
endif

.PHONY: run check test test-cluster test-deep test-sabotage fuzz torture soak bench bench-compare bench-sdk bench-web \
    examples build-examples web-sdk screenshots build lab lint format check-deploy clean packages swift

## Builds, starts the whole cluster with sample people, and shows how to join. Ctrl-C stops it. A debug build is
## quicker to make, and `make test` continues from it; for speed, `make build` and .build/release/parley up.
run: .build/debug/.programs-built
	@exec .build/debug/parley up --demo $(ARGS)

## Runs the checks to use while working: format, house tests, tests that start none of our processes. Takes under a
## minute once built.
check: packages swift lint
	@$(SWIFT) build --build-tests --quiet
	@$(SWIFT) test --skip-build --parallel --filter \
	    '^(House|Schema|Language|Services|ParleyClient|ParleyKit|Torture|Reactor)Tests\.'

## Runs the tests that every change must pass: one debug build, deploy/, all tests with the inputs that fuzzing once
## found, two known seeds of torture, the second implementation. Takes 35 to 45 minutes on two cores from a clean
## clone, a quarter of it to compile, and is ended after 60. ARGS choose tests (`--filter MessagingTests`, `--skip`).
test: packages swift
	@SWIFT="$(SWIFT)" ARGS="$(ARGS)" Tests/tier test

## Runs the containers of deploy/, made from the programs of `make build`, also while they are killed, cut off and
## replaced. It is ended after 45 minutes. Needs root, for its own network. ARGS go to Tests/Cluster/run (`plain`,
## `tests`, `faults`, `whole`).
test-cluster: packages swift
	@$(SWIFT) build --build-tests --quiet
	@SWIFT="$(SWIFT)" timeout -k 60 $$(($${SECONDS_LEFT:-2790} - 90)) Tests/Cluster/run $(ARGS)

## Searches for new failures within SECONDS_LEFT (default 45 minutes), and reports the parts left out for lack of time:
## torture and races with new seeds, fuzzing, attacks, both sanitizers, sabotage and missing registrations that must be
## noticed, images by all of deploy/Dockerfile.
test-deep: packages swift
	@SWIFT="$(SWIFT)" Tests/tier deep

## Builds Parley with one promise broken, then with another, and checks that the torture notices. Part of test-deep.
test-sabotage: packages swift
	@SWIFT="$(SWIFT)" Tests/tier sabotage

## Searches for input that breaks a decoder. ARGS go to Tests/Fuzz/run (`--seconds 60 socket`).
fuzz: packages swift
	@SWIFT="$(SWIFT)" Tests/Fuzz/run $(ARGS)

## Stresses a cluster while breaking it; ARGS go to `parley-lab torture` (`--seed 7 --seconds 600`).
torture: build lab
	.build/release/parley-lab torture $(ARGS)

## Uses ParleyKit on many devices while breaking them and a cluster; ARGS go to `parley-lab soak`
## (`--seed 7 --seconds 1800`). A debug build.
soak: .build/debug/.programs-built
	@$(SWIFT) build --quiet --product parley-lab
	@$(SWIFT) build --quiet --product kit-client
	.build/debug/parley-lab soak $(ARGS) -- .build/debug/kit-client device

## Measures sends and connections. ARGS go to `parley-lab bench send`.
bench: build lab
	.build/release/parley-lab bench send $(ARGS)
	.build/release/parley-lab bench connections

## Measures the SDK for apps, without a server. What its operations may do at most, `make test` counts.
bench-sdk: lab
	.build/release/parley-lab bench sdk $(ARGS)

## Compares the speed of this tree with that of COMMIT, which it builds in .build-compare/. Takes about 20 minutes after
## the builds, and fails if a figure is worse. ARGS go to Tests/Compare/run (`--only send,storm --rounds 7`; `--help`).
bench-compare: packages swift
	@SWIFT="$(SWIFT)" Tests/Compare/run "$(COMMIT)" $(ARGS)

## Builds Examples/ as an app's author would, with Parley by a URL, which compiles SwiftNIO and the SDK anew in
## .build-examples/ by both of SwiftPM's build systems, tests the view models, and lets the bot answer what a chat sends
## to a cluster. Takes about 5 minutes on two quick cores.
examples: packages swift
	@$(SWIFT) build --quiet
	@SWIFT="$(SWIFT)" Examples/run

build-examples: packages swift
	@SWIFT="$(SWIFT)" Examples/run --build

## Builds the SDK for browsers as one ES module with types: .build-web/parley-web.tgz. Needs esbuild and typescript.
web-sdk: packages
	@Sources/Clients/Web/build

## Writes pictures of the chat for browsers into .build-web/screenshots: its states at three widths, by day and by night.
screenshots: .build/debug/.programs-built
	@Tests/WebChat/run .build/debug --screenshots .build-web/screenshots

## Measures the SDK for browsers, in node and in Chromium, and then the chat in Chromium, and prints JSON of each. Takes
## about 12 minutes.
bench-web: build
	@Tests/Web/bench $(ARGS)
	@Tests/WebChat/run .build/release --figures

## Builds the five services and `parley` in .build/release, as they are deployed.
build: $(PROGRAMS)

## Builds `parley-lab`, which measures and attacks Parley.
lab: $(LAB)

$(PROGRAMS): $(SOURCES) | packages swift
	@SWIFT="$(SWIFT)" deploy/build programs $(RELEASE)

.build/debug/.programs-built: $(SOURCES) | packages swift
	@SWIFT="$(SWIFT)" deploy/build programs

$(LAB): $(SOURCES) $(LAB_SOURCES) | packages swift
	@SWIFT="$(SWIFT)" deploy/build lab $(RELEASE)

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Examples

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Examples

check-deploy:
	@deploy/check

clean:
	@for tree in .build-compare/*/ .build-upgrade/*/; do git worktree remove --force "$$tree" 2>/dev/null || true; done
	rm -rf .build .build-tools .build-tiers .build-cluster .build-address .build-thread .build-fuzzer .build-sabotage \
	    .build-compare .build-upgrade .build-examples .build-web

packages:
ifndef SKIP_INSTALL
	@deploy/install-packages
endif

swift:
	@command -v $(SWIFT) >/dev/null 2>&1 || { \
	    echo "Swift is missing (6.2 or later is needed), or not on PATH$${SUDO_USER:+, which sudo resets: try sudo env PATH=\$$PATH make}."; \
	    echo "https://www.swift.org/install"; exit 1; }
