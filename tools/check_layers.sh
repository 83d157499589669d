#!/bin/sh
# Data flows one way: a file may include its own folder and the folders before it in this list.
# measure/ stands beside the chain (base and source only, and simgpu's ledger). Only source/, measure/ and cli/ may
# include operating-system headers; the rest is portable C11.
set -eu
cd "$(dirname "$0")/.."
order="base source model graph arch engine fit report"
bad=0
rank() { i=0; for d in $order; do i=$((i + 1)); [ "$d" = "$1" ] && { echo $i; return; }; done; echo 0; }
for f in src/*/*.[ch]; do
    [ -e "$f" ] || continue
    own=$(basename "$(dirname "$f")")
    for inc in $(sed -n 's/^#include "\([a-z_0-9]*\)\/.*/\1/p' "$f"); do
        if [ "$own" = measure ]; then
            case $inc in base|source|measure|simgpu) ;; *) echo "$f: measure may not include $inc/"; bad=1 ;; esac
        elif [ "$(rank "$inc")" -eq 0 ] || [ "$(rank "$inc")" -gt "$(rank "$own")" ]; then
            echo "$f: $own may not include $inc/"; bad=1
        fi
    done
    case $own in source|measure) continue ;; esac
    if grep -nE '^#include <(unistd|fcntl|sys/|dlfcn|pthread|windows)' "$f"; then
        echo "$f: operating-system header outside source/, measure/ and cli/"; bad=1
    fi
done
for f in cli/*.[ch]; do
    [ -e "$f" ] || continue
    if grep -nE '^#include "(base|source|model|graph|arch|engine|fit|report)/' "$f"; then
        echo "$f: cli goes through include/ullage.h only"; bad=1
    fi
done
# No file outside src/arch/ compares an architecture's name.
if grep -nE 'strcmp\(.*arch|ul_str_is\([^,]*arch' src/*/*.c | grep -v '^src/arch/'; then
    echo "architecture names are compared in src/arch/ only"; bad=1
fi
exit $bad
