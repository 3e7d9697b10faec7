PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

.PHONY: help install serve test check generate bench clean

help:  ## Show this list (the default)
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

install: $(VENV)/.installed  ## Make .venv with the command stele

serve: install  ## Start the service on http://127.0.0.1:8000 (ARGS="--port 9000")
	@$(BIN)/stele serve $(ARGS)

test: $(VENV)/.installed-dev  ## Run every check and test that needs no root and no browser
	@scripts/test $(ARGS)

check: $(VENV)/.installed-dev  ## Run format, lint, types, import contracts, generated files, secrets
	@scripts/check

generate: $(VENV)/.installed-dev  ## Write the generated files again (SDL, OpenAPI, pages of /docs)
	@$(BIN)/python -m scripts.generate $(ARGS)

bench: install  ## Measure what the service promises, write docs/performance.md
	@$(BIN)/stele bench --out docs/performance.md $(ARGS)

clean:  ## Remove .venv and everything built or cached; matches in .data stay
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* coverage.json .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Stele needs Python 3.11 or newer: make PYTHON=/path/to/python $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Making $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing stele into $(VENV)"
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what checks and tests need"
	@$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $@
