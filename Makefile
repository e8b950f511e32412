# Two commands on a fresh machine: `make play` and `make test`. Each sets up all it needs in .venv.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.DEFAULT_GOAL := help
.PHONY: help setup play test lint types unit bounds bench pictures golden clean

help: ## what there is to make
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

setup: $(READY) ## the virtual environment, with everything in it

$(READY): pyproject.toml examples/connect_four/pyproject.toml tools/setup
	@PYTHON="$(PYTHON)" tools/setup
	@touch $(READY)

play: setup ## a Choccer match in the terminal
	@$(BIN)/parlour play choccer

test: lint types unit bounds ## everything that must hold

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

unit: setup
	$(BIN)/pytest -n auto --dist loadgroup

# Compiled code checks no bounds; here it does. No Python-side test is repeated: only what runs compiled.
bounds: setup
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n auto --dist loadgroup tests/every_game/test_conformance.py tests/engine/test_compiled.py

bench: setup ## speed and memory, as ratios
	$(BIN)/parlour bench

pictures: setup ## the boards in docs/images
	$(BIN)/python tools/pictures.py

golden: setup ## write the golden playthroughs anew, after a change of rules that is meant
	$(BIN)/python tests/golden.py

clean: ## remove what setup made
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
