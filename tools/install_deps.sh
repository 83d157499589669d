#!/bin/sh
# Installs what building and testing need, on Debian and Ubuntu, and does nothing when all is there.
set -eu
need=""
have() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
for p in gcc cmake make libcmocka-dev libsqlite3-dev libcurl4-openssl-dev bats python3 valgrind xz-utils pkg-config python3-yaml nginx-light; do
    have "$p" || need="$need $p"
done
[ -z "$need" ] && exit 0
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
echo "installing:$need" >&2
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $need
