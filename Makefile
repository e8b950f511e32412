# Three commands on a fresh machine: `make play`, `make serve` and `make test`. Each sets up all it needs in .venv.

PYTHON ?= python3
BIN := .venv/bin
NEEDS := pyproject.toml tools/setup

# Whoever sets it wants no such files beside their sources. Here hundreds of processes would compile the same sources.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup play serve test quick hooks lint types unit schema bounds web wheel bench load protocol pictures screenshots observations contents docs golden clean

help: ## what there is to make
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

# tools/setup builds the pages, too; the second line is for sources that have changed since.
setup: .venv/ready-test ## the virtual environment, with everything in it, and the browser's pages
	@tools/web || true

.venv/ready-test: $(NEEDS) tools/services examples/connect_four/pyproject.toml
.venv/ready-serve .venv/ready-play: $(NEEDS)
.venv/ready-%:
	@PYTHON="$(PYTHON)" tools/setup $*

play: .venv/ready-play ## a Choccer match in the terminal
	@$(BIN)/parlour play choccer

serve: .venv/ready-serve ## the table in the browser
	@tools/web --tidy
	@$(BIN)/parlour serve

# What one core is enough for runs two at a time; the rest takes all cores by itself.
test: setup ## everything that must hold
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target lint types schema web docs wheel
	@$(MAKE) --no-print-directory unit bounds

quick: setup ## lint, types, and the tests nearest to what has changed: less than two minutes
	@$(BIN)/python tools/quick.py

hooks: ## have git ask for lint before each commit
	@git config core.hooksPath tools/hooks

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

# Browsers, servers and bots run beside each other here: what fails is tried once more, with the machine for itself.
# A test that needs this is a defect, so it stays in sight: both runs print it.
ALONE = { echo "Once more, alone, what failed:"; $(BIN)/pytest --last-failed --last-failed-no-failures none; }

unit: setup
	$(BIN)/pytest -n auto --dist loadgroup --durations 20 --ignore tests/server/test_schema.py || $(ALONE)

# Under xdist, most cases that schemathesis makes of the OpenAPI document would silently not run.
schema: setup
	$(BIN)/pytest tests/server/test_schema.py

# Compiled code checks no bounds; here it does. No Python-side test is repeated: only what runs compiled.
bounds: setup
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n auto --dist loadgroup tests/every_game/test_conformance.py tests/engine/test_compiled.py

web: setup
	@tools/web
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web run --silent test

wheel: setup ## build the wheel, install it where nothing else is, and use it
	@mkdir -p build && tools/try_wheel >build/wheel.log 2>&1 && tail -n 1 build/wheel.log || { cat build/wheel.log; exit 1; }

bench: setup ## speed and memory, as ratios
	$(BIN)/parlour bench

load: setup ## the server under load for a moment, and how fast tables come back; docs/load.md has the long forms
	$(BIN)/python -m benchmarks.server.load --seconds 15
	$(BIN)/python -m benchmarks.server.recovery

protocol: setup ## the page's types of what goes over the wire, after a change of the protocol
	$(BIN)/python tools/protocol_types.py

pictures: setup ## the boards in docs/images
	$(BIN)/python tools/pictures.py

screenshots: setup ## the pages in docs/images
	PYTHONPATH=tests $(BIN)/python tools/screenshots.py

observations: setup ## docs/observations.md, after a change of what learners see
	$(BIN)/python tools/observations.py

# A warning is an error: a link that leads nowhere, a name without its page, text that cannot be read.
docs: setup ## the documentation as a site, which the server has at /docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --doctree-dir build/docs docs src/parlour/server/docs

contents: setup ## src/parlour/README.md, after a file has come or gone
	$(BIN)/python tools/contents.py

golden: setup ## write the golden playthroughs anew, after a change of rules that is meant
	$(BIN)/python tests/golden.py

clean: ## remove what setup made
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis web/node_modules src/parlour/server/web src/parlour/server/docs
