# Everything happens in .venv. `make play` is all that a teacher needs.

PYTHON ?= python3
PORT ?= 8866
BIN := .venv/bin

.PHONY: help play lan test check lint bench load clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)

play: .venv/class ## play the games in a browser: prints a link (PORT=8866)
	@$(BIN)/cmgames serve --port $(PORT)

lan: .venv/class ## the same for everybody on this network, with a page for the teacher
	@$(BIN)/cmgames serve --lan --port $(PORT)

test: .venv/test .venv/browsers ## run the tests
	$(BIN)/pytest

check: lint test ## what has to pass before a change goes in

lint: .venv/test ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/test .venv/bench .venv/browsers ## measure the engine, the page, the solver and the adapters
	@for what in engine page odds frameworks; do echo "== $$what"; $(BIN)/python -m benchmarks.$$what || exit 1; done

load: .venv/test .venv/browsers ## measure a class: two hundred open the page, a hundred tables play, servers are killed
	@for what in opening rooms faults; do echo "== $$what"; $(BIN)/python -m benchmarks.$$what || exit 1; done

clean: ## remove what was installed
	rm -rf .venv

# Runs a command as the person who may install Debian packages, or says which packages are missing. $(1): a missing thing,
# $(2): its packages.
define install
	@if [ "$$(id -u)" = 0 ]; then root=; elif sudo -n true 2>/dev/null; then root=sudo; else \
	  echo "$(1) is missing. Please have it installed once: sudo apt-get install $(2)" >&2; exit 2; fi; \
	echo "Installing $(1)..."; \
	{ $$root apt-get -qq update && DEBIAN_FRONTEND=noninteractive $$root apt-get -qq install -y --no-install-recommends $(2) >/dev/null; } || \
	  { echo "$(1) could not be installed. Please try it yourself: sudo apt-get install $(2)" >&2; exit 2; }
endef

# Debian's Python makes no environment with pip in it until its package python3-venv is there.
.venv/bin/python:
	@command -v $(PYTHON) >/dev/null && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cmgames needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(MAKE) --no-print-directory .venv-package
	@$(PYTHON) -m venv .venv

.PHONY: .venv-package
.venv-package:
	$(call install,Python's venv,python3-venv)

.venv/class .venv/test .venv/bench: .venv/%: .venv/bin/python pyproject.toml
	@echo "Installing cmgames[$*] into .venv; the first time this takes a minute or two..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$*]"
	@touch $@

.venv/browsers: .venv/bin/python
	@if command -v chromium && command -v firefox-esr && command -v WebKitWebDriver && command -v Xvfb && \
	  ls /usr/sbin/nginx /usr/lib/postgresql/*/bin/initdb; then true; else $(MAKE) --no-print-directory .browsers; fi >/dev/null
	@touch $@

.PHONY: .browsers
.browsers:
	$(call install,What the tests need,chromium firefox-esr webkit2gtk-driver xvfb fonts-dejavu-core postgresql nginx-light)
