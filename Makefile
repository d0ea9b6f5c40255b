# Every target sets itself up: it builds .venv on first use, and again when pyproject.toml changes.

PYTHON ?= python3
# The number of parallel test processes.
JOBS ?= 2

BIN := .venv/bin
READY := .venv/ready
# Other accountants live in an environment of their own.
BENCH := .venv-bench
# For example --write, or --only Census.
BENCH_OPTIONS ?=
PYTEST := $(BIN)/python -m pytest -n $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help demo docs test test-all check bench format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(READY) ## show what whit does
	@$(BIN)/python demo/demo.py

docs: $(READY) ## build the documentation and check its links
	@$(BIN)/python docs/build.py build/docs

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

bench: $(READY) $(BENCH)/ready ## measure whit beside other accountants, and what importing, asking and large data cost
	@status=0; \
	$(BIN)/python benchmarks/import_time.py || status=1; \
	$(BIN)/python benchmarks/command_time.py || status=1; \
	$(BIN)/python benchmarks/posterior_memory.py || status=1; \
	$(BIN)/python benchmarks/linear_release.py || status=1; \
	OMP_NUM_THREADS=1 $(BENCH)/bin/python -m benchmarks.run $(BENCH_OPTIONS) || status=1; \
	exit $$status

format: $(READY) ## put the sources into house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove everything that make has made
	rm -rf .venv $(BENCH) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests docs demo benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# Some systems ship python3 without ensurepip: there the environment is made empty and filled by the pip outside.
environment = $(PYTHON) -m venv --clear $(1) >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip $(1)
PIP_OPTIONS := --disable-pip-version-check
install = if $(1)/bin/python -m pip --version >/dev/null 2>&1; \
	then $(1)/bin/python -m pip $(PIP_OPTIONS) install --quiet $(2); \
	else $(PYTHON) -m pip --python $(1) $(PIP_OPTIONS) install --quiet $(2); fi

$(READY): pyproject.toml
	@echo "Setting up .venv ..."
	@$(call environment,.venv)
	@$(call install,.venv,-e '.[dev]')
	@touch $@

# An accountant that cannot be installed is named and left out.
$(BENCH)/ready: pyproject.toml benchmarks/requirements.txt
	@echo "Setting up $(BENCH) ..."
	@$(call environment,$(BENCH))
	@$(call install,$(BENCH),-e .)
	@while read -r peer; do \
		{ $(call install,$(BENCH),"$$peer"); } </dev/null || echo "Could not install $$peer; going on without it."; \
	done <benchmarks/requirements.txt
	@touch $@
