# `make verify` and `make test` need Python 3.11 or newer and make; they set up the rest in .venv.
# Another Python: PYTHON=python3.12 make test

PYTHON ?= python3
export PYTHON
BIN := .venv/bin
READY := .venv/ready

# The stamp holds the checkout and the Python that .venv was made for. In another place (a copied or moved
# checkout) or for another Python, it does not count.
MADE_FOR := $(CURDIR) $(shell $(PYTHON) -c 'import sys; print(sys.version.split()[0])' 2>/dev/null)
ifneq ($(MADE_FOR),$(shell cat $(READY) 2>/dev/null))
$(shell rm -f $(READY))
endif

.PHONY: help verify test docs lint format lock setup clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' Makefile

verify: $(READY) ## re-establish the verdict of every claim, and end in a table
	@$(BIN)/swag verify

test: $(READY) ## lint, types, import order, doctests, tests, quick verification, the site, Spark: all that CI runs
	@exec ci/all

docs: $(READY) ## build the site into build/site, and check its links
	@exec ci/site

lint: $(READY) ## formatting, linting, types, and the import order of the rooms
	@exec ci/lint

format: $(READY) ## format the code, and mend what the linter can mend
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

setup: $(READY) ## make .venv from requirements.lock; the other targets do it when needed

$(READY): requirements.lock pyproject.toml
	@exec ci/setup "$(MADE_FOR)"

lock: ## remake requirements.lock from pyproject.toml, with the newest releases
	@exec ci/lock

clean: ## remove .venv, builds and caches
	rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
