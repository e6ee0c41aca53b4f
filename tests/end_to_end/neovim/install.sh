#!/bin/sh
# install.sh FOLDER [SUITE]: a Neovim of a Debian suite, unpacked below FOLDER and started by FOLDER/nvim. Nothing of the
# host changes; a second run finds it there. From forky comes 0.12, the first with inline completions; from trixie 0.10,
# for what older ones are offered.
set -eu
folder=$(realpath -m "${1:?usage: install.sh FOLDER [SUITE]}")
suite=${2:-forky}
test -x "$folder/nvim" && exit 0

start=$(sh "$(dirname "$0")/../unpack.sh" "$folder" "$suite" neovim)
libraries=$folder/root/usr/lib/$(uname -m)-linux-gnu
cat >"$folder/start" <<END
#!/bin/sh
export VIMRUNTIME=$folder/root/usr/share/nvim/runtime
export LUA_CPATH="$libraries/lua/5.1/?.so;;"
exec $start $folder/root/usr/bin/nvim --cmd "set runtimepath^=$folder/root/usr/lib/nvim" "\$@"
END
chmod +x "$folder/start"
"$folder/start" --version >/dev/null
mv "$folder/start" "$folder/nvim"    # last, so that only what is whole is found again
