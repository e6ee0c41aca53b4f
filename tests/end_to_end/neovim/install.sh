#!/bin/sh
# install.sh FOLDER [SUITE]: a Neovim of a Debian suite, with the C library that it was built for, unpacked below FOLDER
# and started by FOLDER/nvim. Nothing of the host changes; a second run finds it there. From forky comes 0.12, the
# first with inline completions; from trixie 0.10, for what older ones are offered.
set -eu
folder=$(realpath -m "${1:?usage: install.sh FOLDER [SUITE]}")
suite=${2:-forky}
test -x "$folder/nvim" && exit 0

mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources | grep -v security | head -1)
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/packages" "$folder/root"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$folder/sources.list"

# Runs an apt program on lists of its own, beside those of the host.
apt() {
  program=$1
  shift
  "$program" -qq -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o Debug::NoLocking=1 \
    -o APT::Sandbox::User=root "$@"
}

apt apt-get update
packages=$(apt apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
  --no-enhances neovim | grep '^[a-z]' | sort -u | sed "s#\$#/$suite#")
# One word for each package.
# shellcheck disable=SC2086
(cd "$folder/packages" && apt apt-get download $packages)
for package in "$folder"/packages/*.deb; do
  dpkg-deb -x "$package" "$folder/root"
done

libraries=$folder/root/usr/lib/$(uname -m)-linux-gnu
loader=$(ls "$libraries"/ld-linux-*.so.* | head -1)
cat >"$folder/start" <<END
#!/bin/sh
export VIMRUNTIME=$folder/root/usr/share/nvim/runtime
export LUA_CPATH="$libraries/lua/5.1/?.so;;"
exec $loader --library-path $libraries $folder/root/usr/bin/nvim --cmd "set runtimepath^=$folder/root/usr/lib/nvim" "\$@"
END
chmod +x "$folder/start"
"$folder/start" --version | head -1
rm -r "$folder/packages" "$folder/cache" "$folder/lists"
mv "$folder/start" "$folder/nvim"    # last, so that only what is whole is found again
