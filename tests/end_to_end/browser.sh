#!/usr/bin/env bash
# Installs a browser, and the library with which tests act in it, outside the repository. What is already installed is kept.
set -euo pipefail
tools=${DOVETAIL_E2E_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/dovetail-e2e}

"$(dirname "$0")/debian.sh" chromium fonts-dejavu-core
if [[ ! -d $tools/browser/node_modules/playwright-core ]]; then
  npm install --fetch-retries 1 --fetch-timeout 60000 --no-audit --no-fund --loglevel error --prefix "$tools/browser" playwright-core
fi
