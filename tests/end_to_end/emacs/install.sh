#!/bin/sh
# install.sh FOLDER: an Emacs with eglot from Debian's trixie, unpacked below FOLDER and started by FOLDER/emacs. Nothing of
# the host changes; a second run finds it there.
set -eu
folder=$(realpath -m "${1:?usage: install.sh FOLDER}")
test -x "$folder/emacs" && exit 0

start=$(sh "$(dirname "$0")/../unpack.sh" "$folder" trixie emacs-nox)
lisp=$(ls -d "$folder"/root/usr/share/emacs/[0-9]*/lisp)
data=$(dirname "$lisp")/etc
programs=$(ls -d "$folder"/root/usr/libexec/emacs/[0-9]*/*-linux-gnu)
# Emacs looks for all of this below the folder that it was installed to.
cat >"$folder/start" <<END
#!/bin/sh
export EMACSLOADPATH="$lisp:$(find "$lisp" -mindepth 1 -maxdepth 1 -type d | sort | tr '\n' ':')"
export EMACSDATA="$data" EMACSDOC="$data" EMACSPATH="$programs"
exec $start "$folder/root/usr/bin/emacs-nox" --dump-file="$(ls "$programs"/*.pdmp)" "\$@"
END
chmod +x "$folder/start"
"$folder/start" --batch --quick --eval '(message "Emacs %s" emacs-version)'
mv "$folder/start" "$folder/emacs"    # last, so that only what is whole is found again
