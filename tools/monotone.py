#!/usr/bin/env python3
"""What each device holds never shrinks when the context grows, nor when a unified cache gets slots.

    tools/monotone.py BUILD [--all] [--write-known]

Plans every model of tests/corpus (without --all: every third) over grids of lengths and slots, with
flash attention on and off and two cache types, and compares neighbours. Where the engine itself
holds less for more, the pair is listed in tests/corpus/shrinks.tsv with the reason; a shrink that is
not listed fails, and so does a listed one that is gone. The reasons:

  packing  the allocator takes the best free block at each step; a larger graph may happen to leave
           smaller gaps (tiny models, and compute buffers that two kinds of layers share)
  sparse   MiniMax M3 attends to chosen blocks for one sequence only; several in one cache attend to
           all (src/models/minimax-m3.cpp), which needs no scores of blocks

One more is in the numbers of slots compared: the engine rounds a ubatch up to whole tokens a slot,
so three slots plan 513 tokens and hold more than four. It is asserted for one model."""
import argparse, collections, os, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import conformance

GPU = "name=RTX 4090,total=1048576MiB,cc=8.9,sm=128"
LENGTHS = [512, 1024, 1536, 2048, 3072, 4096, 8192, 16384, 32768, 65536, 131072]
SLOTS = [1, 2, 4, 8, 16]
SET_UPS = (["-fa", "on"], ["-fa", "off"], ["-fa", "on", "-ctk", "q8_0", "-ctv", "q8_0"],
           ["-fa", "on", "-ub", "2048", "-b", "2048"])

KNOWN = os.path.join(conformance.CORPUS, "shrinks.tsv")


def plans(models, folder):
    """(model, property, what varies, flags) of every plan, neighbours after one another."""
    for m in models:
        for s in SET_UPS:
            for c in LENGTHS:
                yield m, "context", (m, tuple(s)), c, ["-ngl", "99", "-np", "1", "-c", str(c)] + s
            for n in SLOTS:
                yield m, "slots", (m, tuple(s)), n, ["-ngl", "99", "-np", str(n), "-kvu", "-c", "16384"] + s


def sums(got):
    """Bytes by device; None where something is not known or the engine would refuse."""
    if isinstance(got, str) or any(v is None for v in got[0].values()):
        return None
    total = collections.Counter()
    for (_, buft), size in got[0].items():
        total["host" if buft.startswith(("CPU", "CUDA_Host")) else buft] += size
    return total


def reason(model):
    return "sparse" if model.lower().startswith("minimax-m3") else "packing"


def known(models):
    with open(KNOWN) as f:
        lines = [l.rstrip("\n").split("\t") for l in f if l[0] != "#"]
    return {tuple(l[:5]) for l in lines if l[1] in models}


def shrinks(todo, got):
    """(property, model, device, set-up, from > to) of neighbours of which the larger holds less."""
    before, compared, found = None, 0, []
    for (m, prop, key, at, flags), now in zip(todo, got):
        if before and before[0] == (prop, key) and before[2] and now:
            compared += 1
            for device in sorted(now):
                if now[device] < before[2][device]:
                    found.append((prop, m, device, " ".join(key[1]), "%d > %d" % (before[1], at)))
        before = ((prop, key), at, now)
    return found, compared


def odd_slots(build, folder):
    """Three slots round the batch up to 513 tokens: more than for four."""
    flags = ["-ngl", "99", "-kvu", "-c", "16384", "-fa", "on", "-np"]
    rows = [row("Qwen3-8B--Q4_K_M", flags + [n]) for n in ("3", "4")]
    three, four = (sums(g) for g in conformance.batch(build, folder, rows))
    return three["CUDA0"] > four["CUDA0"]


def row(model, flags):
    return {"model": model, "program": "server", "flags": flags,
            "gpus": [["RTX 4090", 1048576, "8.9", 128, 480]]}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--all", action="store_true")
    p.add_argument("--write-known", action="store_true")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        conformance.unpack(folder)
        models = sorted(f[:-5] for f in os.listdir(folder))[::1 if a.all else 3]
        todo = list(plans(models, folder))
        got = [sums(g) for g in conformance.batch(a.build, folder, [row(t[0], t[4]) for t in todo])]
        odd = odd_slots(a.build, folder)
    found, compared = shrinks(todo, got)
    if a.write_known:
        with open(KNOWN, "w") as f:
            f.write("# Neighbours of which the larger holds less, in the engine as here: property, model, device,\n"
                    "# flags besides -c and -np, from > to, reason (tools/monotone.py explains them).\n")
            f.writelines("\t".join(x + (reason(x[1]),)) + "\n" for x in found)
    listed = known(set(models))
    for x in sorted(set(found) - listed)[:20]:
        print("shrinks: %s" % "  ".join(x))
    for x in sorted(listed - set(found))[:20]:
        print("listed, but does not shrink any more: %s" % "  ".join(x))
    if not odd:
        print("three slots do not hold more than four any more")
    print("%d neighbours compared over %d models; %d known exceptions" % (compared, len(models), len(listed)))
    return 0 if set(found) == listed and odd and compared else 1


if __name__ == "__main__":
    sys.exit(main())
