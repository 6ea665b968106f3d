# Python 3.11 or newer and git are all that is needed: everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin
PARALLEL := --numprocesses auto --dist worksteal

.PHONY: setup run test slow faults goldens versions lint bench pictures gpu estimate clean

setup: .venv/ready                 ## a virtual environment with gpusolve and what its tests need

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[cluster,testing]' --group dev
	touch $@

run: setup                         ## the main job: Wordle's partition table
	$(BIN)/gpusolve wordle partition-table

test: setup                        ## all tests but the slow ones
	$(BIN)/python -m pytest $(PARALLEL) -m "not slow"

slow: setup                        ## the slow tests
	$(BIN)/python -m pytest $(PARALLEL) -m slow

faults: setup                      ## bad input and kills at random moments, by the thousand: takes half an hour
	$(BIN)/python tests/faults/tries.py
	$(BIN)/python tests/faults/kills.py

goldens: setup                     ## records the results under tests/golden/ again; git shows what differs
	GPUSOLVE_RECORD=1 $(BIN)/python -m pytest -m "not slow" --quiet
	git diff --stat tests/golden

versions:                          ## the tests with the oldest libraries allowed, and with the newest Python there is
	.ci/versions

lint: setup                        ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: setup                       ## the benchmarks on the CPU
	$(BIN)/python benchmarks --device cpu

pictures: setup                    ## the README's pictures, from real output
	$(BIN)/python docs/pictures.py

gpu:                               ## all figures of a GPU in benchmarks/results/gpu.md, with what PYTHON has; installs nothing
	PYTHONPATH=src $(PYTHON) benchmarks/gpu.py

estimate: setup                    ## what a GPU should make of every kernel, from its compiled code: benchmarks/results/kernels.md
	PYTHONPATH=src $(BIN)/python benchmarks/estimate.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
