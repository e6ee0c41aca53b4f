#!/bin/sh
# install.sh FOLDER: CPython 3.14 with its standard library and tests, from Debian's forky, unpacked below FOLDER and
# started by FOLDER/python3.14. Nothing of the host changes; a second run finds it there.
set -eu
folder=$(realpath -m "${1:?usage: install.sh FOLDER}")
test -x "$folder/python3.14" && exit 0

start=$(sh "$(dirname "$0")/../end_to_end/unpack.sh" "$folder" forky libpython3.14-testsuite)
test -x "$folder/root/usr/bin/python3.14"
# Links into the documentation, which is not here.
find "$folder/root/usr/lib/python3.14" -xtype l -delete
cat >"$folder/start" <<END
#!/bin/sh
exec $start $folder/root/usr/bin/python3.14 "\$@"
END
chmod +x "$folder/start"
"$folder/start" --version
mv "$folder/start" "$folder/python3.14"    # last, so that only what is whole is found again
