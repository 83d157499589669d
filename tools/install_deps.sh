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
# The tests start an nginx of their own: the package's service shall not run, now or after a restart.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
    $sudo chmod +x "$policy"
    trap '$sudo rm -f "$policy"' EXIT
fi
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need
case $need in *nginx*)
    if command -v systemctl >/dev/null; then $sudo systemctl disable nginx >/dev/null 2>&1 || true; fi ;;
esac
