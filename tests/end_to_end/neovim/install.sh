#!/bin/sh
# install.sh FOLDER [SUITE]: unpacks the Neovim of a Debian suite below FOLDER; FOLDER/nvim starts it. The host's packages
# are not changed. If FOLDER/nvim exists, nothing is done. Suite forky has 0.12, the first version with inline
# completions; trixie has 0.10, an older version to test the other way.
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
mv "$folder/start" "$folder/nvim"    # last, so that only a complete installation is found again
