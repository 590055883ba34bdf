# Every target installs what it needs into .venv; all it takes is make and Python 3.11 to 3.13.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= out
SOURCES := src tests benchmarks docs examples

.DEFAULT_GOAL := help
.PHONY: help install demo test test-thorough test-cluster lint types tests bench viewer look docs docs-verification release-check \
  format clean
.DELETE_ON_ERROR:
.NOTPARALLEL:  # two installations at once would break each other

help: ## say what the targets do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

install: $(VENV)/.installed-dev ## make .venv with the package and all tools

demo: $(VENV)/.installed-all ## a first run with its report and pictures, into out/
	$(BIN)/dalembert demo --out $(OUT)

test: lint types tests ## style, layers, types and the quick tests

lint: $(VENV)/.installed-dev ## style, format and the order of the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.installed-dev ## static types
	$(BIN)/basedpyright --pythonpath $(BIN)/python

tests: $(VENV)/.installed-dev ## the quick tests only; choose with ARGS="-k name"
	$(BIN)/python -m pytest $(ARGS)

test-thorough: $(VENV)/.installed-dev ## the tests that take long (tests/thorough.txt)
	$(BIN)/python -m pytest --tier=thorough $(ARGS)

test-cluster: $(VENV)/.installed-cluster ## ensembles on Dask, whose workers are killed
	$(BIN)/python -m pytest -n0 tests/test_cluster.py

bench: $(VENV)/.installed-bench ## measure speed against other codes
	$(BIN)/python benchmarks/run.py $(ARGS)

viewer: ## build the moving pictures' front end anew, from viewer/; needs node and npm
	cd viewer && npm install --no-package-lock --no-audit --no-fund --silent && npm run --silent build

docs: $(VENV)/.installed-docs ## the site, into out/docs: tutorials executed, warnings are errors, no network
	$(BIN)/sphinx-build -q -W --keep-going -j auto -d $(OUT)/docs-state docs $(OUT)/docs
	$(BIN)/python docs/checked.py $(OUT)/docs
	$(BIN)/python docs/figures.py
	$(BIN)/python docs/programs.py

look: $(VENV)/.installed-all ## measure the first picture of every system, into out/look; needs Chromium
	$(BIN)/python docs/look.py $(ARGS)

docs-verification: $(VENV)/.installed-dev ## measure every claim anew and write docs/verification.md
	$(BIN)/python docs/verification.py

release-check: $(VENV)/.installed-dev ## build wheel and sdist, and try them in environments that have nothing else
	$(BIN)/python docs/release.py --out $(OUT)/release

format: $(VENV)/.installed-dev ## put the code into the common format
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean: ## remove .venv, caches and outputs
	rm -rf $(VENV) $(OUT) build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find $(wildcard $(SOURCES)) -name __pycache__ -type d -prune -exec rm -rf {} +

# -- how things are installed ---------------------------------------------------------------
# One stamp for each set of extras, redone when what is asked for changes.

PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

$(VENV)/.created:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "error: '$(PYTHON)' was not found; name a Python 3.11 to 3.13: make PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "error: dalembert needs Python 3.11 to 3.13, but '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1);" \
	    "name another: make PYTHON=python3.12" >&2; exit 1; }
	@echo "making $(VENV) with $$("$(PYTHON)" --version)"
	@"$(PYTHON)" -m venv --clear $(VENV) || { \
	  echo "error: '$(PYTHON) -m venv' failed; some systems package it apart (python3-venv)" >&2; exit 1; }
	@$(PIP) install --upgrade pip
	@touch $@

# dev contains all; the benchmarks compare with what is in all.

define install
	@echo "installing dalembert[$(1)] into $(VENV): a minute or two the first time"
	@$(PIP) install -c constraints.txt -e '.[$(1)]'
endef

$(VENV)/.installed-all: pyproject.toml constraints.txt | $(VENV)/.created
	$(call install,all)
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(VENV)/.created
	$(call install,dev)
	@touch $@ $(VENV)/.installed-all

$(VENV)/.installed-bench: $(VENV)/.installed-all
	$(call install,bench)
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed-dev
	$(call install,docs)
	@touch $@

$(VENV)/.installed-cluster: $(VENV)/.installed-dev
	$(call install,cluster)
	@touch $@
