# `make` alone prints the words. Everything lives in $(VENV); nothing here needs root.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL_PYTHON := install Python 3.11 or later with its venv package, or name one: make PYTHON=python3.13
PORT ?= 8000
# Many tests wait for programs that they have started: one worker more than processors.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# Else each worker's numpy takes all the processors, and most of their time goes into waiting.
export OPENBLAS_NUM_THREADS := 1
# Without compiled files each worker, and each program that a test starts, compiles all modules.
unexport PYTHONDONTWRITEBYTECODE
TESTS ?=
# The seed of the order, and of the searches of test-all, where it is printed.
SEED := $(or $(SEED),$(shell od -An -N4 -tu4 /dev/urandom | tr -d ' '))
PYTEST = $(BIN)/pytest --numprocesses=$(WORKERS) --dist=worksteal $(TESTS)
APART := browser or deep or emulator or program or tool
STORIES := stories troubles emulated
PI_STORIES := updates troubles raspi3b plug virt  # the longest first
PAGE := companion/page
SCRIPTS = $(shell find $(PAGE) -name '*.js' -not -path '*/vendor/*')
TSC := node_modules/.bin/tsc
STRICT := --noEmit --allowJs --checkJs --strict --noUnusedLocals --noUnusedParameters --target es2022 --module es2022 \
  --moduleResolution bundler --lib es2022,dom,dom.iterable
PICO := firmware_bridge/firmware/circuitpython

.PHONY: help demo test test-all test-apart test-appliance test-pi test-card campaign lint types api bench catalogues docs \
  pictures firmware deb card release release-key locks format clean

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2} /^##$$/ {print ""}' $(MAKEFILE_LIST)

demo: $(VENV)/run.stamp  ## play now: the board alive in the browser; PORT=8001 for another port
	@$(BIN)/cribwars run --simulate --port $(PORT) || { status=$$?; \
	  [ $$status -ne 2 ] || echo "make: for another port: make demo PORT=8001" >&2; exit $$status; }

test: $(VENV)/dev.stamp  ## the tests that need nothing but Python: minutes, always the same
	PYTHONHASHSEED=0 $(PYTEST) -m "not ($(APART))" --randomly-seed=$(SEED)

card: | $(VENV)/bin/python  ## the folder for a new card of a Raspberry Pi; with IMAGE=... the manifest for its Imager
	@$(BIN)/python deploy/card/build.py $(if $(IMAGE),--image "$(IMAGE)")

deb: | $(VENV)/bin/python  ## the Debian package of this machine's release, or RELEASE=... ARCH=...
	@$(BIN)/python deploy/deb/build.py $(if $(RELEASE),--release $(RELEASE)) $(if $(ARCH),--arch $(ARCH))

##

test-all: test test-apart  ## all of them: those of make test and of make test-apart

test-apart: $(VENV)/all.stamp  ## those that need more: browser, emulators, the started program, fresh seeds
	$(PYTEST) -m "$(APART) or hypothesis" --hypothesis-profile=deep \
	  --hypothesis-seed=$(SEED) --randomly-seed=$(SEED)

campaign: $(VENV)/dev.stamp  ## attacks on what is promised, minutes each: CAMPAIGN="kills damage" for some
	$(BIN)/python -m tests.campaign $(CAMPAIGN) $(if $(SHARE),--share $(SHARE)) --seed $(SEED)

# The option: a story may take longer than any other test.
test-pi: $(VENV)/dev.stamp  ## evenings of a whole Pi in an emulator: PI_STORIES="virt" for some
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder -p no:randomly -o faulthandler_timeout=2700 \
	  $(PI_STORIES:%=tests/pi/%.py) $(TESTS)

test-card:  ## the first evening in that emulator: a fresh card, and no network
	@$(MAKE) --no-print-directory test-pi PI_STORIES="network first_start"

test-appliance: $(VENV)/dev.stamp  ## evenings on real systemd, as root: RELEASES="trixie" for one release
	$(BIN)/pytest $(STORIES:%=tests/appliance/%.py) $(TESTS)

lint: $(VENV)/dev.stamp  ## ruff with all rules, the arrows between the packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/dev.stamp  ## mypy, strict; TypeScript over the pages' scripts, where it is installed
	$(BIN)/mypy
	MYPYPATH=deploy/deb $(BIN)/mypy deploy/deb/*.py deploy/release/*.py
	$(BIN)/mypy deploy/card/build.py
	MYPYPATH=$(PICO)/lib $(BIN)/mypy -m $(subst /,.,$(PICO)).boot -m $(subst /,.,$(PICO)).code
	@$(MAKE) --no-print-directory api  # after mypy: it runs the program, which a forgotten row ends
	@if [ -x $(TSC) ]; then $(TSC) $(STRICT) $(PAGE)/api.d.ts $(SCRIPTS); else \
	  echo "make: the scripts were not checked: npm install --no-save typescript@5"; fi

api: $(VENV)/dev.stamp  ## the types for the pages' scripts, from the API's description
	$(BIN)/python -m tests.api_types

bench: $(VENV)/dev.stamp  ## the numbers we stand by, measured here, as a table
	$(BIN)/python -m tests.bench

BABEL := $(BIN)/python -m babel.messages.frontend --quiet
TEXTS := $(VENV)/texts.pot
CATALOGUES = --domain=cribwars --input-file=$(TEXTS) --output-dir=companion/locale --no-wrap

catalogues: $(VENV)/dev.stamp  ## the texts of the sources into each catalogue; NEW=de begins one
	@$(BABEL) extract --mapping-file=pyproject.toml --no-location --no-wrap --output=$(TEXTS) .
	@$(if $(NEW),$(BABEL) init $(CATALOGUES) --locale=$(NEW))
	@$(BABEL) update $(CATALOGUES) --ignore-obsolete --no-fuzzy-matching --ignore-pot-creation-date

docs: $(VENV)/dev.stamp  ## the pages made from the program: structure, settings, commands, proofs of rules
	$(BIN)/python docs/structure.py
	$(BIN)/python docs/reference.py
	$(BIN)/python -m tests.test_structure

pictures: $(VENV)/dev.stamp  ## the pictures of the docs, taken of what they show
	$(BIN)/python -m tests.pictures

firmware:  ## the images for Arduinos, with avr-gcc
	$(MAKE) -C firmware_bridge/firmware/avr

release: | $(VENV)/bin/python  ## all files of a release, proved: CRIBWARS_RELEASE_KEY=... and for Imager IMAGE=... URL=...
	@PYTHONPATH=deploy/deb $(BIN)/python deploy/release/release.py \
	  $(if $(IMAGE),--image "$(IMAGE)") $(if $(URL),--url "$(URL)")

release-key:  ## a key of your own to sign packages with: KEY=private.pem, a new file outside the tree
	@test -n "$(KEY)" && ! test -e "$(KEY)" || { echo "make: name a new file: make release-key KEY=..."; exit 1; }
	@(umask 077; openssl genpkey -algorithm ed25519 -out "$(KEY)")
	@openssl pkey -in "$(KEY)" -pubout -out deploy/update/release-key.pem

locks: $(VENV)/dev.stamp  ## newer versions for the package, each with its hashes
	$(BIN)/python deploy/deb/lock.py

format: $(VENV)/dev.stamp  ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## forget the environment and all caches
	rm -rf $(VENV) dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# What keeps a fresh machine from installing is one sentence, with the remedy.
.DELETE_ON_ERROR:  # an environment without pip has no python, and is made again

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "make: there is no $(PYTHON) here: $(INSTALL_PYTHON)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: $$(command -v $(PYTHON)) is $$($(PYTHON) -V), too old: $(INSTALL_PYTHON)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "make: $$(command -v $(PYTHON)) has no venv package: on Debian, sudo apt install python3-venv" >&2; exit 1; }
	@rm -rf $(VENV)/lib/python3*/site-packages/pip*  # a part of it, if the last time failed
	@$(PYTHON) -m venv $(VENV) || { echo "make: name a folder that you may write and that has room:" \
	  "make VENV=/somewhere/else" >&2; exit 1; }

define INSTALL
@echo "make: installing into $(VENV), once"
@said=$$($(PIP) --editable $(1) 2>&1) || { case "$$said" in \
  *"No space left"*) echo "make: the disk is full: make room for another 300 MB" ;; \
  *gcc*|*ompiler*) echo "make: a package must be compiled for this machine:" \
    "install gcc, g++ and Python's headers (on Debian: python3-dev)" ;; \
  *onnect*) echo "make: the Python packages cannot be fetched: check the network (and the date)" ;; \
  *) echo "$$said"; echo "make: pip failed: mend what it says, then again (make clean begins anew)" ;; \
esac >&2; exit 1; }
@touch $@
endef

$(VENV)/run.stamp: pyproject.toml | $(VENV)/bin/python
	$(call INSTALL,.)

# What is source only, or of use to some: where it does not install, its tests skip and say so.
EXTRAS := \
  'rpi-ws281x>=5.0' \
  'adafruit-circuitpython-neopixel>=6.3 gpiod>=2.2.2,<3' \
  'adafruit-blinka-raspberry-pi5-neopixel>=1.0.0rc2' \
  'pi5neo>=1.1'

$(VENV)/dev.stamp: pyproject.toml | $(VENV)/bin/python
	$(call INSTALL,'.[dev]')

$(VENV)/all.stamp: $(VENV)/dev.stamp
	@for extra in $(EXTRAS); do $(PIP) $$extra || \
	  echo "make: $$extra does not install here (gcc, g++, python3-dev?): its tests will skip"; done
	@touch $@
