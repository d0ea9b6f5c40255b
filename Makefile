# Every target sets itself up: it builds .venv on first use, and again when pyproject.toml or constraints.txt changes.

PYTHON ?= python3
# The number of parallel test processes.
JOBS ?= 2

BIN := .venv/bin
READY := .venv/ready
# The exact versions of everything that is installed.
CONSTRAINTS := constraints.txt
# The demo takes .venv if that is ready, else a small environment of its own.
DEMO := $(shell test $(READY) -nt pyproject.toml && test $(READY) -nt $(CONSTRAINTS) && echo .venv || echo .venv-demo)
# Other accountants live in an environment of their own.
BENCH := .venv-bench
# So do those whose live objects are read; some clash with the others, and are apart from them too. A 3 at the end of a name
# is an earlier version, with the same tests.
PEERS := .venv-peers
APART := jax pipelines spark spark3 tensorflow tumult
# Inputs at random, some of them led by coverage, which needs an environment of its own.
FUZZ := .venv-fuzz
FUZZ_TOOLS := 'atheris>=2.3,<4'
# How many inputs each kind gets, and the most seconds for it; another seed draws other inputs.
FUZZ_OPTIONS ?= --number 2000 --seconds 20 --seed 1
GUIDED ?= release_toml plan_toml table_csv table_jj import_json registry_yaml finding_json ledger_lines
GUIDED_SECONDS ?= 10
# The packages whose sources are changed, and the seconds for each; a run goes on where the last one ended.
MUTATED ?= numerics curves policy ledger
MUTANTS_SECONDS ?= 600
# The tool that asks for known vulnerabilities.
AUDIT := .venv-audit
AUDIT_TOOLS := 'pip-audit>=2.7,<3'
PEER_TOOLS := 'pytest>=8.3,<10' 'hypothesis>=6.100,<6.126' 'mpmath>=1.3,<2' 'python-flint>=0.7,<1'
# Spark and Tumult run on Java 17; a system without it has another one by default.
JAVA := openjdk-17-jre-headless
# Which benchmarks, for example import_time; all if none is named.
BENCH_NAMES ?=
PYTEST := $(BIN)/python -m pytest -n $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help demo docs test test-all test-all-5 coverage mutants times test-web browser proxy test-peers java check instructions bench format fuzz hooks interface constraints dist materials vulnerabilities clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(DEMO)/ready ## show what whit does
	@$(DEMO)/bin/python demo/demo.py

docs: $(READY) ## build the documentation and check its links
	@$(BIN)/python docs/build.py build/docs

test: $(READY) ## run the quick tests: what must hold on a change
	$(PYTEST) -m "not slow and not dear and not web"

# All tests in parts, each of which ends within an hour on two quiet cores; the last has everything that is in no other.
PART-1 := tests/audit tests/annotate tests/exchange tests/plans
PART-2 := tests/laws tests/semantics tests/worlds tests/persuasion
PART-3 := tests/curves tests/guarantees tests/mechanisms tests/numerics
PART-4 := tests/telling tests/apps tests/web tests/docs
PARTS := test-all-1 test-all-2 test-all-3 test-all-4
.PHONY: $(PARTS)

test-all-4: browser proxy

$(PARTS): test-all-%: $(READY)
	$(PYTEST) $(PART-$*)

test-all-5: $(READY)
	$(PYTEST) $(foreach folder,$(PART-1) $(PART-2) $(PART-3) $(PART-4),--ignore=$(folder))

test-all: $(PARTS) test-all-5 ## run every test, in the parts test-all-1 to test-all-5

coverage: $(READY) ## measure lines and branches, and compare them with the floors
	$(PYTEST) -m "not slow and not web" --cov --cov-branch --cov-report=term-missing:skip-covered
	@$(BIN)/python release/floors.py

mutants: $(READY) ## change the sources at random places; see which changes no test finds; MUTANTS_SECONDS for each of two rounds
	@OMP_NUM_THREADS=1 $(BIN)/python -m mutants.run $(MUTATED) --seconds $(MUTANTS_SECONDS)
	@OMP_NUM_THREADS=1 $(BIN)/python -m mutants.run $(MUTATED) --seconds $(MUTANTS_SECONDS) --again
	@$(BIN)/python -m mutants.page

times: $(READY) ## list the tests that take long anew, by a run of all but the slow ones
	@mkdir -p build; rm -f build/times.txt
	WHIT_TEST_TIMES=build/times.txt $(PYTEST) -m "not slow and not web"
	@$(BIN)/python tests/support/dear_tests.py build/times.txt

test-web: $(READY) browser ## run the tests that need a browser; as root it installs one where there is none
	$(PYTEST) -m "web and not slow"

browser:
	@command -v chromium >/dev/null || test "$$(id -u)" != 0 || { apt-get update -qq && apt-get install -qq -y chromium; }

# Slow tests of the pages stand behind a real proxy.
proxy:
	@command -v nginx >/dev/null || test "$$(id -u)" != 0 || { apt-get update -qq && apt-get install -qq -y nginx-light; }

# Where CI is set, a test that cannot run fails: a library that could not be installed is not passed over.
test-peers: java $(PEERS)/ready $(APART:%=$(PEERS)-%/ready) ## read live objects of other libraries; as root it installs Java
	@failed=; \
	for group in main $(APART); do \
		case $$group in \
			main) python=$(PEERS)/bin/python; tests="$$(ls tests/peers/test_*.py)";; \
			*) python=$(PEERS)-$$group/bin/python; tests=tests/peers/$${group%3};; \
		esac; \
		echo "== $$group"; \
		CI=1 WHIT_PEERS=1 $$python -m pytest -p no:cacheprovider $$tests || failed="$$failed $$group"; \
	done; \
	test -z "$$failed" || { echo "Failed or not run:$$failed"; exit 1; }

java:
	@command -v java >/dev/null || test "$$(id -u)" != 0 \
		|| { apt-get update -qq && { apt-get install -qq -y $(JAVA) || apt-get install -qq -y default-jre-headless; }; }

check: $(READY) ## lint, format, types, layers, tests, coverage
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports --no-cache
	$(PYTEST) -m "not slow and not web" --cov --cov-report=term-missing:skip-covered

fuzz: $(READY) $(FUZZ)/ready ## inputs at random by a grammar, in process and as processes, then led by coverage
	@mkdir -p build; status=0; \
	OMP_NUM_THREADS=1 $(BIN)/python -m fuzz.run $(FUZZ_OPTIONS) || status=1; \
	for target in $(GUIDED); do \
		echo "led by coverage: $$target"; \
		OMP_NUM_THREADS=1 $(FUZZ)/bin/python -m fuzz.guided $$target --seconds $(GUIDED_SECONDS) >build/fuzz.log 2>&1 \
			|| { status=1; tail -n 40 build/fuzz.log; }; \
		grep 'stat::number_of_executed_units' build/fuzz.log; \
	done; \
	exit $$status

instructions: $(READY) ## count instructions beside what is kept; as root it installs valgrind where there is none
	@command -v valgrind >/dev/null || test "$$(id -u)" != 0 || { apt-get update -qq && apt-get install -qq -y valgrind; }
	@$(BIN)/python benchmarks/instructions.py

bench: $(READY) $(BENCH)/ready ## measure whit beside other accountants, and what importing, asking and large data cost
	@$(BIN)/python benchmarks/kept.py $(BENCH_NAMES)
	@$(BIN)/python benchmarks/results_page.py

format: $(READY) ## put the sources into house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

hooks: $(READY) ## check lint and format at every commit, types at every push
	$(BIN)/pre-commit install --hook-type pre-commit --hook-type pre-push

interface: $(READY) ## write the public interface to its file, after a change that is meant
	@PYTHONPATH=src:tests/support $(BIN)/python tests/support/public_interface.py

constraints: ## renew constraints.txt: the newest versions that pyproject.toml allows
	@$(call environment,build/newest)
	@$(call install,build/newest,'.[dev]')
	@{ echo "# Made by make constraints: the versions with which everything is installed and checked."; \
	$(call pip,build/newest) freeze --exclude whit; } >build/newest/versions && mv build/newest/versions $(CONSTRAINTS)
	@rm -rf build/newest

dist: $(READY) ## build the wheel and the source archive of the last commit in dist, twice, and compare them
	@$(BIN)/python release/archives.py dist

materials: $(READY) ## write build/materials.json: each library, its version, its licence, who needs it
	@$(BIN)/python release/materials.py build/materials.json

vulnerabilities: $(AUDIT)/ready ## ask whether a version has a known vulnerability; says so where the database is out of reach
	@$(AUDIT)/bin/python release/vulnerabilities.py

clean: ## remove everything that make has made
	rm -rf .venv .venv-demo $(AUDIT) $(BENCH) $(FUZZ) $(PEERS) $(PEERS)-* build dist .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests docs demo benchmarks fuzz -name __pycache__ -type d -prune -exec rm -rf {} +

# Some systems ship python3 without ensurepip: there the environment is made empty and filled by the pip outside.
environment = $(PYTHON) -m venv --clear $(1) >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip $(1)
pip = $$($(1)/bin/python -m pip --version >/dev/null 2>&1 && echo $(1)/bin/python -m pip \
	|| echo $(PYTHON) -m pip --python $(1)) --disable-pip-version-check
install = $(call pip,$(1)) install --quiet $(2)

$(READY): pyproject.toml $(CONSTRAINTS)
	@echo "Setting up .venv ..."
	@$(call environment,.venv)
	@$(call install,.venv,-c $(CONSTRAINTS) -e '.[dev]')
	@touch $@

.venv-demo/ready: pyproject.toml $(CONSTRAINTS)
	@echo "Setting up .venv-demo ..."
	@$(call environment,.venv-demo)
	@$(call install,.venv-demo,-c $(CONSTRAINTS) -e '.[reports]')
	@touch $@

# Installs what a file lists, one by one: what cannot be installed is named, with the error, and left out.
one_by_one = while read -r peer; do \
		case "$$peer" in "\#"*|"") continue;; esac; \
		{ $(call install,$(1),"$$peer"); } </dev/null || echo "Could not install $$peer; going on without it."; \
	done <$(2)

$(FUZZ)/ready: pyproject.toml $(CONSTRAINTS)
	@echo "Setting up $(FUZZ) ..."
	@$(call environment,$(FUZZ))
	@$(call install,$(FUZZ),-c $(CONSTRAINTS) -e '.[exchange]' $(FUZZ_TOOLS))
	@touch $@

$(AUDIT)/ready: Makefile
	@echo "Setting up $(AUDIT) ..."
	@$(call environment,$(AUDIT))
	@$(call install,$(AUDIT),$(AUDIT_TOOLS))
	@touch $@

$(BENCH)/ready: pyproject.toml benchmarks/requirements.txt
	@echo "Setting up $(BENCH) ..."
	@$(call environment,$(BENCH))
	@$(call install,$(BENCH),-e .)
	@$(call one_by_one,$(BENCH),benchmarks/requirements.txt)
	@touch $@

$(PEERS)/ready: pyproject.toml tests/peers/requirements.txt
	@echo "Setting up $(PEERS) ..."
	@$(call environment,$(PEERS))
	@$(call install,$(PEERS),-e '.[exchange]' $(PEER_TOOLS))
	@$(call one_by_one,$(PEERS),tests/peers/requirements.txt)
	@touch $@

$(PEERS)-%/ready: pyproject.toml tests/peers/%/requirements.txt
	@echo "Setting up $(@D) ..."
	@$(call environment,$(@D))
	@$(call install,$(@D),-e '.[exchange]' $(PEER_TOOLS))
	@$(call one_by_one,$(@D),tests/peers/$*/requirements.txt)
	@touch $@
