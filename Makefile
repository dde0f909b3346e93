# What there is to do: run, test, bench, build, lint, format, check-deploy, clean. `make run` and `make test` install the
# Debian or Ubuntu packages that are missing first (deploy/install-packages); SKIP_INSTALL=1 leaves that out.

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
SHELL := /bin/sh

SWIFT ?= $(or $(shell command -v swift 2>/dev/null),swift)
# Static and stripped: a service is one file of about 22 MB that needs no Swift where it runs.
RELEASE := -c release --static-swift-stdlib -Xlinker -s
RELEASE_BUILD := .build/.release-built
# Folders are among the prerequisites so that a removed file counts as a change.
SOURCES := Package.swift $(shell find Sources -type d -o -type f ! -name '*.md' ! -name '.*')
ARGS ?=

# Swift and git want a home that can be written to; where there is none, one is lent.
ifneq ($(shell test -n "$$HOME" && test -d "$$HOME" && test -w "$$HOME" && echo usable),usable)
export HOME := $(CURDIR)/.build-tools/home
$(shell mkdir -p "$(CURDIR)/.build-tools/home")
endif

.PHONY: run test bench build lint format check-deploy clean packages swift

## Builds, starts the whole cluster with sample people, and shows how to join. Ctrl-C stops it.
run: build
	@exec .build/release/parley up --demo $(ARGS)

## Builds once, checks deploy/, and runs every test.
test: packages swift check-deploy
	$(SWIFT) test --parallel $(ARGS)

## Measures sends and connections; ARGS go to `parley bench send`.
bench: build
	.build/release/parley bench send $(ARGS)
	.build/release/parley bench connections

build: $(RELEASE_BUILD)

$(RELEASE_BUILD): $(SOURCES) | packages swift
	$(SWIFT) build $(RELEASE)
	@touch $@

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

check-deploy:
	@deploy/check

clean:
	rm -rf .build .build-tools

packages:
ifndef SKIP_INSTALL
	@deploy/install-packages
endif

swift:
	@command -v $(SWIFT) >/dev/null 2>&1 || { \
	    echo "Swift is missing (6.2 or later is needed), or not on PATH$${SUDO_USER:+, which sudo resets: try sudo env PATH=\$$PATH make}."; \
	    echo "https://www.swift.org/install"; exit 1; }
