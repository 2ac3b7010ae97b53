# `make` alone lists what can be done. Each target first makes the virtual environment it needs.
#
#   make test PYTHON=python3.12               another Python (3.11 or newer) for a new .venv
#   make test PYTEST_ARGS="tests/test_core.py -k undo"
#   make lab LAB_ARGS="--no-browser --port=9000"

PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?=
LAB_ARGS ?=

BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Jupyter refuses to start for root, who is the usual user inside a container.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: help lab test test-lowest check bench book regen arena binder-check clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	  || sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1: \2/p' $(MAKEFILE_LIST)

lab: $(READY) ## open JupyterLab at the welcome notebook
	$(BIN)/jupyter lab $(AS_ROOT) --LabApp.default_url=/lab/tree/notebooks/00-welcome.ipynb $(LAB_ARGS)

test: $(READY) ## run every test: Python, notebooks, browser
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadfile $(PYTEST_ARGS)

test-lowest: $(READY) ## run the tests, without the browser's, on the oldest releases we promise
	$(BIN)/python -m scripts.lowest_check $(PYTEST_ARGS)

check: $(READY) ## lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY) ## print the speed table
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.perft_tictactoe

book: $(READY) ## work out the opening book of quantum tic-tac-toe again (minutes)
	$(BIN)/python -m scripts.tictactoe_book

regen: $(READY) ## write the golden files again
	$(BIN)/python -m tests.regen

arena: $(READY) ## let the computer players play each other and print the table
	$(BIN)/python -m qgames arena

binder-check: $(READY) ## build what Binder would build, without Docker, and run the notebooks in it
	$(BIN)/python -m scripts.binder_check

clean: ## remove everything that make made, .venv too
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# page_config.json switches off JupyterLab's question about its news, which would cover the panel.
# The stamp is younger than pyproject.toml only after a complete installation.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "qgames needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo 'not found'): install one and name it, as in 'make $(MAKECMDGOALS) PYTHON=python3.12'." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments: install its venv package (on Debian and Ubuntu: apt-get install python3-venv)." >&2; exit 1; }
	@echo "Setting up $(VENV), once; this takes a minute or two."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@mkdir -p $(VENV)/etc/jupyter/labconfig
	@cp binder/page_config.json $(VENV)/etc/jupyter/labconfig/
	@touch $@
