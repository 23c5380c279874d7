# One command each. `make demo` and `make test` need nothing but Python >= 3.10 and a C compiler: they install the rest.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CORPORA ?= $(DURAMEN_CORPORA)

.PHONY: demo test lint types unit browser gate fuzz format clean help

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | sort

$(VENV)/.installed: pyproject.toml setup.py
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "duramen needs Python 3.10 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

demo: $(VENV)/.installed  ## install, extract the bundled page, and explain the result
	@mkdir -p demo-output
	@echo "── duramen extract examples/news.html"
	@$(BIN)/duramen extract examples/news.html
	@$(BIN)/duramen explain examples/news.html --output demo-output/explanation.html
	@echo
	@echo "── why each part was kept or dropped: open demo-output/explanation.html in a browser"

browser:  # what pip cannot bring: Debian's Chromium, where this user may install it
	@command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || [ -n "$$DURAMEN_CHROMIUM" ] || \
	  if command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ]; then \
	    echo "installing Debian's chromium for the browser tests"; \
	    (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk) >/dev/null 2>&1 \
	      || echo "chromium could not be installed: the browser tests are skipped"; \
	  else echo "no chromium, and no right to install it: the browser tests are skipped (apt-get install chromium)"; fi

lint: $(VENV)/.installed  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed  ## strict types
	$(BIN)/mypy

unit: $(VENV)/.installed browser
	DURAMEN_CORPORA="$(CORPORA)" $(BIN)/pytest -n 2 --cov --cov-report=term --cov-fail-under=90

test: lint types unit  ## install everything, then lint, types, layer check and the whole suite with coverage

gate: $(VENV)/.installed  ## has any algorithm fallen below its floor on the labelled pages (DURAMEN_CORPORA)?
	$(BIN)/duramen bench gate --data "$(CORPORA)"

fuzz: $(VENV)/.installed  ## the scanner against the reference parser on random pages, MINUTES long (5)
	$(BIN)/python -m benchmarks.fuzz --minutes $(or $(MINUTES),5)

format: $(VENV)/.installed  ## rewrite the sources in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove what the commands above made
	rm -rf $(VENV) demo-output build dist .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info
