# `make` lists the commands. Everything runs in .venv; nothing outside the folder is touched.

SHELL := /bin/sh
, := ,
files = $(subst $() ,$(,),$(1:%=src/seamline/%))
.DEFAULT_GOAL := help

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install -qq -c constraints.txt
PYTEST := $(BIN)/python -m pytest -q -n auto --dist loadgroup

# What hatch_build.py compiles, and what that depends on.
ENGINE := $(shell find src/seamline -name '*.pxd' -o -name '*.h') \
	$(patsubst %.pxd,%.py,$(shell find src/seamline -name '*.pxd'))

# Held to 100 % branch coverage by `make test-all`.
COVERED := types.py spans.py split/** measure/** compare/**

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: .venv/.engine ## make .venv with what developing and testing need
	@echo "ready: .venv/bin/seamline --help"

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "seamline needs Python 3.11 or newer, and none was found: \
	install one, or say where it is: make setup PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "seamline needs \
	Python 3.11 or newer, got PYTHON=$(PYTHON)"; exit 1; }
	@echo "making .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

.venv/.base: pyproject.toml constraints.txt | .venv/bin/python
	@echo "installing seamline"
	@$(PIP) -e .
	@touch $@

.venv/.dev: pyproject.toml constraints.txt | .venv/bin/python
	@echo "installing seamline and its development tools"
	@$(PIP) -e ".[dev]"
	@touch .venv/.base .venv/.engine $@

.venv/.engine: hatch_build.py $(ENGINE) | .venv/.dev
	@$(BIN)/python hatch_build.py > .venv/engine.txt 2>&1 || { cat .venv/engine.txt; exit 1; }
	@touch $@

.PHONY: engine
engine: .venv/.engine ## compile the cutting engine anew after a change, where a compiler is at hand

.venv/.bench: .venv/.dev
	@echo "installing the peers that are measured beside seamline"
	@$(PIP) -e ".[dev,bench]"
	@touch $@

.PHONY: fix
fix: .venv/.dev ## format, mend what can be mended, bring generated docs up to date
	$(BIN)/ruff check --fix-only -q
	$(BIN)/ruff format -q
	$(BIN)/python scripts/docs.py --write

.PHONY: check
check: .venv/.engine ## format, lint, types, layers, generated docs
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/docs.py --check

.PHONY: test
test: .venv/.engine ## the fast tests and the examples in docstrings
	$(PYTEST) --doctest-modules src tests --ignore tests/e2e

.PHONY: test-all
test-all: .venv/.engine ## every test, end to end too, with branch coverage
	SEAMLINE_PURE=1 $(PYTEST) --doctest-modules src tests --hypothesis-profile ci --cov --cov-report=term
	@$(BIN)/coverage report --show-missing --fail-under=100 \
		--include='$(call files,$(COVERED))' > .venv/gate.txt 2>&1 || { cat .venv/gate.txt; exit 1; }

.PHONY: bench
bench: .venv/.bench .venv/.engine ## speed and memory beside the peers
	$(BIN)/python benchmarks/speed.py

.PHONY: docs
docs: .venv/.engine ## bring the generated parts of the docs up to date
	$(BIN)/python scripts/docs.py --write

.PHONY: wheel
wheel: .venv/.dev ## build dist/*.whl and dist/*.tar.gz
	$(BIN)/python -m build --outdir dist .

.PHONY: demo
demo: .venv/.base ## compare strategies on the examples, offline
	@$(BIN)/seamline demo

.PHONY: lock
lock: ## resolve constraints.txt anew, one version for all Pythons
	@test -x .venv-lock/bin/uv || { $(PYTHON) -m venv .venv-lock && \
		.venv-lock/bin/python -m pip install -qq uv; }
	.venv-lock/bin/uv pip compile -q --upgrade --universal --fork-strategy fewest \
		--python-version 3.11 --extra dev --extra bench --no-annotate \
		--custom-compile-command "make lock" -o constraints.txt pyproject.toml

.PHONY: clean
clean: ## remove .venv and everything built or cached
	find src -name "*.so" -delete
	rm -rf .venv .venv-lock build dist report htmlcov .coverage* .mypy_cache .ruff_cache \
		.pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
