#!/bin/sh
# unpack.sh FOLDER SUITE PACKAGE: unpacks a package of a Debian suite and its dependencies, with the C library that it was
# built for, below FOLDER/root. The host's packages are not changed. Prints the beginning of a command line that runs
# programs from there with those libraries.
set -eu
folder=$(realpath -m "${1:?usage: unpack.sh FOLDER SUITE PACKAGE}")
suite=$2
package=$3

mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources | grep -v security | head -1)
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/packages" "$folder/root"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$folder/sources.list"

# Runs an apt program with its own package lists, separate from the host's.
apt() {
  program=$1
  shift
  "$program" -qq -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o Debug::NoLocking=1 \
    -o APT::Sandbox::User=root "$@"
}

# Without these options it would succeed without a network, with old lists or none.
apt apt-get update -o APT::Update::Error-Mode=any -o Acquire::Retries=1 >&2
packages=$(apt apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
  --no-enhances "$package" | grep '^[a-z]' | sort -u | sed "s#\$#/$suite#")
test -n "$packages" || { echo "Debian's $suite has no package $package here." >&2; exit 1; }
# One word for each package.
# shellcheck disable=SC2086
(cd "$folder/packages" && apt apt-get download $packages >&2)
for archive in "$folder"/packages/*.deb; do
  dpkg-deb -x "$archive" "$folder/root"
done
rm -r "$folder/packages" "$folder/cache" "$folder/lists"

libraries=$folder/root/usr/lib/$(uname -m)-linux-gnu
echo "$(ls "$libraries"/ld-linux-*.so.* | head -1) --library-path $libraries"
