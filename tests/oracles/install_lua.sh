#!/bin/sh
# install_lua.sh FOLDER: some 2,100 files of Lua, 24 MB, from Debian's packages (Neovim's runtime, the libraries called
# lua-*, and programs that are written in Lua), below FOLDER/files. A second run finds them there.
set -eu
folder=$(realpath -m "${1:?usage: install_lua.sh FOLDER}")
test -d "$folder/files" && exit 0

mkdir -p "$folder/packages" "$folder/unpacked"
programs='neovim-runtime|awesome|hedgewars-data|lmod|luakit|luarocks|minetest-data|nmap-common|prosody|prosody-modules|vis'
packages=$(apt-cache search --names-only "^(lua-.*|$programs)\$" | cut -d' ' -f1 | grep -v -e '-dev$' -e '-doc$' | sort -u)
test -n "$packages" || { echo "Debian's packages are not known here; run apt-get update." >&2; exit 1; }
# One word for each package.
# shellcheck disable=SC2086
(cd "$folder/packages" && apt-get -qq -o APT::Sandbox::User=root download $packages)
for archive in "$folder"/packages/*.deb; do
  dpkg-deb -x "$archive" "$folder/unpacked"
done
mkdir "$folder/files.new"
(cd "$folder/unpacked" && find . -type f \( -name '*.lua' -o -name '*.rockspec' \) -print0 | xargs -0 cp --parents -t "$folder/files.new")
rm -r "$folder/packages" "$folder/unpacked"
mv "$folder/files.new" "$folder/files"    # last, so that only what is whole is found again
