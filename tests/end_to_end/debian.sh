#!/usr/bin/env bash
# Installs Debian packages that are not installed yet: debian.sh PACKAGE...
set -euo pipefail
needed=()
for package in "$@"; do
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
