PYTHON ?= python3
GAME ?= aa1942
PYTEST_ARGS ?= -n auto --dist loadfile

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help install test play bench lint format clean
.DELETE_ON_ERROR:

help:
	@echo "make install   create $(VENV) and install Sandtable with everything it needs"
	@echo "make play      play $(GAME) against the bots"
	@echo "make test      style, types and all tests"
	@echo "make bench     the benchmarks"
	@echo "make lint      style and types only"
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

test: lint
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict src

format: install
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

play: install
	@$(BIN)/sandtable play $(GAME)

bench: install
	$(BIN)/python -m bench

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
