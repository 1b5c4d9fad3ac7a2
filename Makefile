# Every target sets up what it needs; only Python >= 3.11, pip and make are assumed.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
MINUTES ?=
JOBS   ?= $(shell $(PYTHON) -c "import os; print(min(8, os.cpu_count() or 1))" 2>/dev/null || echo 1)

.PHONY: setup agent test test-all lint format docs bench playthroughs pictures table mutants test-browser constraints clean

setup: $(VENV)/.runtime

$(BIN)/python:
	$(PYTHON) -c "import sys; sys.exit(0 if sys.version_info >= (3, 11) else 'doyle needs Python 3.11 or newer; set PYTHON=...')"
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	@touch $@

$(VENV)/.develop: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e ".[test,peers,dev]"
	@touch $@ $(VENV)/.runtime

$(VENV)/.web: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e ".[web]"
	@touch $@ $(VENV)/.runtime

agent: setup  ## build the default agent, measure it, write its report card: under 10 minutes on 2 cores
	-$(BIN)/doyle doctor --warm
	$(BIN)/doyle build default $(if $(MINUTES),--minutes $(MINUTES)) $(AGENT_OPTIONS)

test-browser: $(VENV)/.develop  ## the pages in a real Chromium
	@$(BIN)/python -c "from tests.browser.conftest import chromium; raise SystemExit(0 if chromium() else 'make: no Chromium; on Debian and Ubuntu: apt-get install chromium; elsewhere install Chrome or Chromium, or set DOYLE_CHROMIUM to its path')"
	$(BIN)/python -m pytest -n 0 -m browser tests/browser tests/apps/web

test: $(VENV)/.develop  ## all checks that fit in ten minutes on two cores
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow and not browser"

test-all: test  ## everything, the exhaustive enumerations included
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "slow and not browser"

lint: $(VENV)/.develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.develop
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.docs: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e ".[docs]"
	@touch $@ $(VENV)/.runtime

docs: $(VENV)/.docs  ## the documentation site, in build/docs
	$(BIN)/python -m sphinx -q -W --keep-going -n -b html docs build/docs

bench: $(VENV)/.develop  ## speed as ratios, ours against peers and limits, in one run
	$(BIN)/python -m benchmarks $(BENCH)

mutants: $(VENV)/.develop  ## small faults put into the code, and whether the tests notice; resumes
	$(BIN)/python tools/mutants.py $(MUTANTS)

playthroughs: setup  ## write the playthroughs of the bundled games again, after a change of the rules
	$(BIN)/python -c "from pathlib import Path; from doyle.testing.playthroughs import write_all; write_all(Path('tests/playthroughs'))"

pictures: setup  ## draw the first picture of README again, after a change of the agent in it
	$(BIN)/python tools/make_pictures.py

table: $(VENV)/.web  ## the table in the browser
	$(BIN)/doyle serve $(SERVE)

constraints:  ## resolve the newest versions that go together and pin them
	rm -rf .venv-constraints && $(PYTHON) -m venv .venv-constraints
	.venv-constraints/bin/python -m pip install --quiet --disable-pip-version-check -U pip
	.venv-constraints/bin/python -m pip install --quiet --disable-pip-version-check ".[test,peers,dev,docs]"
	.venv-constraints/bin/python -m pip freeze --exclude doyle --exclude pip --exclude setuptools > constraints.txt.new
	mv constraints.txt.new constraints.txt && rm -rf .venv-constraints

clean:
	rm -rf $(VENV) .venv-constraints build src/*.egg-info .pytest_cache .mypy_cache .ruff_cache
