# `make` alone prints the words. Everything lives in $(VENV); nothing here needs root.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PORT ?= 8000
# Many tests wait for programs that they have started: one worker more than processors.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
TESTS ?=
PICO := firmware_bridge/firmware/circuitpython

.PHONY: help demo test lint types bench firmware format clean

help:  ## print these words
	@sed -n 's/^\([a-z]*\):.*## /make \1|/p' $(MAKEFILE_LIST) | column -t -s '|'

demo: $(VENV)/run.stamp  ## the table on mock pins, the board alive in the browser
	$(BIN)/cribwars run --simulate --port $(PORT)

test: $(VENV)/dev.stamp  ## every test, in random order
	$(BIN)/pytest --numprocesses=$(WORKERS) --dist=loadfile $(TESTS)

lint: $(VENV)/dev.stamp  ## ruff with all rules, the arrows between the packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/dev.stamp  ## mypy, strict
	$(BIN)/mypy
	MYPYPATH=$(PICO)/lib $(BIN)/mypy -m $(subst /,.,$(PICO)).boot -m $(subst /,.,$(PICO)).code

bench: $(VENV)/dev.stamp  ## the numbers we stand by, measured here, as a table
	$(BIN)/python -m tests.bench

firmware:  ## the images for Arduinos, with avr-gcc
	$(MAKE) -C firmware_bridge/firmware/avr

format: $(VENV)/dev.stamp  ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## forget the environment and all caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: $(PYTHON) is older than Python 3.11; name another: make PYTHON=python3.13"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: pyproject.toml | $(VENV)/bin/python
	$(PIP) --editable .
	@touch $@

# What is source only, or of use to some: where it does not install, its tests skip and say so.
EXTRAS := \
  'rpi-ws281x>=5.0' \
  'adafruit-circuitpython-neopixel>=6.3 gpiod>=2.2.2,<3' \
  'adafruit-blinka-raspberry-pi5-neopixel>=1.0.0rc2' \
  'adafruit-circuitpython-led-animation>=2.12' \
  'pi5neo>=1.1'

$(VENV)/dev.stamp: pyproject.toml | $(VENV)/bin/python
	$(PIP) --editable '.[dev]'
	@for extra in $(EXTRAS); do $(PIP) $$extra || \
	  echo "make: $$extra does not install here (gcc, g++, python3-dev?): its tests will skip"; done
	@touch $@
