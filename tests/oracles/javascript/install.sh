#!/bin/sh
# install.sh FOLDER: in FOLDER/node_modules the parsers that package.json pins (acorn, oxc, Babel, TypeScript 4.9 to 6.0,
# VS Code's parser of JSON with comments) and test262-parser-tests; below FOLDER/files the sources of the packages in
# packages.txt, a folder for each kind of file. Node 20 or later with npm is needed; 200 MB of downloads, 300 MB in the end.
# A second run finds what is there; another list of versions fetches anew.
set -eu
folder=$(realpath -m "${1:?usage: install.sh FOLDER}")
here=$(realpath "$(dirname "$0")")
versions=$(cat "$here/package.json" "$here/packages.txt" "$here/collect.mjs" | cksum)
test "$(cat "$folder/ready" 2>/dev/null || true)" = "$versions" && exit 0

rm -rf "$folder/ready" "$folder/node_modules" "$folder/files" "$folder/archives" "$folder/unpacked"
mkdir -p "$folder/archives" "$folder/unpacked"
cp "$here/package.json" "$folder/package.json"
(cd "$folder" && npm install --silent --no-package-lock --no-audit --no-fund --ignore-scripts)
# Of TypeScript only the compiler stays, and the declarations of the newest, which are part of the corpus.
for lib in "$folder"/node_modules/typescript-*/lib; do
  find "$lib" -mindepth 1 ! -name typescript.js ! -path "$folder/node_modules/typescript-6.0/lib/lib.*.d.ts" -delete
done

# One word for each package.
# shellcheck disable=SC2046
(cd "$folder/archives" && npm pack --silent --ignore-scripts $(cat "$here/packages.txt") >/dev/null)
for archive in "$folder"/archives/*.tgz; do
  package=$folder/unpacked/$(basename "$archive" .tgz)
  mkdir "$package"
  tar -xzf "$archive" -C "$package" --strip-components 1
done
mkdir "$folder/unpacked/typescript-6.0"
cp "$folder"/node_modules/typescript-6.0/lib/lib.*.d.ts "$folder/unpacked/typescript-6.0"
DOVETAIL_JAVASCRIPT=$folder node "$here/collect.mjs" "$folder/unpacked" "$folder/files"
rm -r "$folder/archives" "$folder/unpacked"
echo "$versions" > "$folder/ready"    # last, so that only what is whole is found again
