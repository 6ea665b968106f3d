# Only Python 3.11 or newer and git are needed: everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
PARALLEL := --numprocesses auto --dist worksteal

.PHONY: setup run wheel release docs test thorough slow faults mutate goldens versions lint bench pictures gpu estimate clean

setup: .venv/ready                 ## create a virtual environment with gpusolve and what its tests need, and compile the kernels
	$(BIN)/python -m gpusolve.backend.building src/gpusolve/machine_code "$(LEVELS)"

# Processor levels to compile for: native is this machine's, and none if it is empty. A library that is up to date stays.
LEVELS = $(if $(filter undefined,$(origin GPUSOLVE_LEVELS)),native,$(GPUSOLVE_LEVELS))

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[cluster,gymnasium,serve,testing,wordfreq]' --group dev
	touch $@

run: setup                         ## print Wordle's partition table, as an example of a result
	$(BIN)/gpusolve wordle partition-table

test: setup                        ## run the tests, in a few minutes
	$(BIN)/python -m pytest $(PARALLEL) --timeout 300 -m "not slow and not thorough"

thorough: setup                    ## run the tests that take longer: kills, sanitizers, clusters
	$(BIN)/python -m pytest $(PARALLEL) -m "thorough and not slow"

slow: setup                        ## run all tests that `make test` leaves out
	$(BIN)/python -m pytest $(PARALLEL) -m "slow or thorough"

faults: setup                      ## try bad inputs, kills at random moments, damaged files, and small cases by brute force, in half an hour
	$(BIN)/python tests/faults/tries.py
	$(BIN)/python tests/faults/kills.py --moments 5
	PYTHONPATH=tests $(BIN)/python -m faults.fuzz --minutes 0.05
	PYTHONPATH=tests $(BIN)/python -m small --minutes 4

# FAULTS are options, such as FAULTS="--seed 2 --only 'src/gpusolve/output/*'"; `--help` lists them.
FAULTS ?=

mutate: setup                      ## plant a hundred faults in a copy, and list those that the nearest tests do not notice
	PYTHONPATH=tests $(BIN)/python -m mutate $(FAULTS)

goldens: setup                     ## record the results under tests/golden/ again; git shows the differences
	GPUSOLVE_RECORD=1 $(BIN)/python -m pytest -m "not slow" --quiet
	git diff --stat tests/golden

versions:                          ## run the tests with the oldest supported libraries, and with each Python from 3.12 on
	.ci/versions

lint: setup                        ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: setup                       ## run the benchmarks on the CPU
	$(BIN)/python benchmarks --device cpu

wheel: .venv/ready                 ## build a wheel in dist/ with compiled kernels for all processors of this architecture, in minutes
	GPUSOLVE_LEVELS=$(or $(GPUSOLVE_LEVELS),all) $(BIN)/python -m build --wheel

release: setup                     ## build and check the wheel and the source distribution in dist/
	.ci/wheel dist

# LESSONS=off leaves out the output of the lessons, which the tests execute; continuous integration builds the site so.
LESSONS ?= cache

docs: .venv/docs                   ## build the site in build/site; warnings and broken links are errors
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -c docs -D nb_execution_mode=$(LESSONS) . build/site
	$(BIN)/python docs/building/links.py build/site

.venv/docs: .venv/ready
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

pictures: setup                    ## draw the README's pictures from real output
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/board_pictures.py

gpu:                               ## verify and measure a GPU in ten minutes; uses PYTHON as it is, installs nothing
	PYTHONPATH=src $(PYTHON) benchmarks/gpu.py

estimate: setup                    ## estimate each kernel's speed on a GPU and write benchmarks/results/kernels.md
	PYTHONPATH=src $(BIN)/python benchmarks/estimate.py

clean:                             ## remove the virtual environment and the caches of the tools
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
