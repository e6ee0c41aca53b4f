#!/bin/sh
# install.sh FOLDER: fetches clients of other programs below FOLDER, at the revisions that were tried. None of them is part
# of Dovetail. A folder that exists is kept: where GitHub cannot be reached, put checkouts there under the same names.
set -eu
folder=$(realpath -m "${1:?usage: install.sh FOLDER}")

get() {  # get OWNER/NAME REVISION
  name=${1#*/}
  test -d "$folder/$name" && return 0
  mkdir -p "$folder"
  rm -rf "$folder/$name.part"
  git init -q "$folder/$name.part"
  git -C "$folder/$name.part" fetch -q --depth 1 "https://github.com/$1" "$2"
  git -C "$folder/$name.part" checkout -q FETCH_HEAD
  mv "$folder/$name.part" "$folder/$name"    # last, so that only a complete checkout is found again
}

get ggml-org/llama.vim a1c8e6e40cb45df59b78add5b65d575386832465
get milanglacier/minuet-ai.nvim 479487c34041f53aad3184597428e42d9f3333b5
