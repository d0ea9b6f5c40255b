# Every target sets itself up: it builds .venv on first use, and again when pyproject.toml changes.

PYTHON ?= python3
# The number of parallel test processes.
JOBS ?= 2

BIN := .venv/bin
READY := .venv/ready
PYTEST := $(BIN)/python -m pytest -n $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help demo test test-all check bench format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(READY) ## show what whit does
	@$(BIN)/python demo/demo.py

test: $(READY) ## run the tests, without the slow ones
	$(PYTEST) -m "not slow"

test-all: $(READY) ## run every test
	$(PYTEST)

check: $(READY) ## lint, format, types, layers, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy --strict
	$(BIN)/lint-imports --no-cache
	$(PYTEST) -m "not slow"

bench: $(READY) ## measure what importing whit costs
	$(BIN)/python benchmarks/import_time.py

format: $(READY) ## put the sources into house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove everything that make has made
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests demo benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# Some systems ship python3 without ensurepip: there the environment is made empty and filled by the pip outside.
$(READY): pyproject.toml
	@echo "Setting up .venv ..."
	@$(PYTHON) -m venv --clear .venv >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip .venv
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; \
	then $(BIN)/python -m pip --disable-pip-version-check install --quiet -e '.[dev]'; \
	else $(PYTHON) -m pip --python .venv --disable-pip-version-check install --quiet -e '.[dev]'; fi
	@touch $@
