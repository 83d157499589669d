#!/bin/sh
# A real llama.cpp for the tests of `ullage simulate`: the libraries of a CUDA 13 build, which an npm
# package carries. Kept in a cache outside the tree. Without npm or a registry the tests that need it
# say SKIPPED, and so does this.
#
#     fetch_engine.sh           fetches it when it is not there, for two minutes at most
#     fetch_engine.sh --say     says whether it is there
#     fetch_engine.sh --where   prints its folder; status 1 when it is not there
set -eu
package=@node-llama-cpp/linux-x64-cuda version=3.22.1 inside=package/bins/linux-x64-cuda
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/ullage/llama.cpp-cuda-$version
if [ "${1:-}" = --where ]; then
    [ -e "$cache/libggml-cuda.so" ] || exit 1
    echo "$cache"
    exit 0
fi
skipped() { echo "simulate: SKIPPED with a real llama.cpp: $*"; exit 0; }
[ "$(uname -sm)" = "Linux x86_64" ] || skipped "there is no such package for $(uname -sm)"
if [ ! -e "$cache/libggml-cuda.so" ]; then
    [ "${1:-}" != --say ] || skipped "its libraries could not be had"
    command -v npm > /dev/null || skipped "npm is not installed, by which its libraries could be had"
    mkdir -p "$(dirname "$cache")" || skipped "no cache folder can be made"
    work=$(mktemp -d "$(dirname "$cache")/fetch.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    (cd "$work" && timeout 120 npm pack --silent "$package@$version" > name 2> said) ||
        skipped "npm could not fetch $package ($(head -c 200 "$work/said" | tr '\n' ' '))"
    tar -C "$work" -xzf "$work/$(tail -1 "$work/name")" || skipped "the package could not be unpacked"
    rm -rf "$cache"
    mv "$work/$inside" "$cache"
fi
echo "simulate: tested with the llama.cpp libraries in $cache"
