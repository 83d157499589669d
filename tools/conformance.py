#!/usr/bin/env python3
"""Compares plans with what the engine itself allocated, buffer by buffer, to the byte.

tests/corpus holds headers of models (headers.tar.xz) and, for each under many flags, the buffers
that llama.cpp 0.7.0 made (rows.jsonl.xz), and runs that the engine refused (refused.jsonl.xz).
generated-headers.tar.xz and generated-rows.jsonl.xz are the same for architectures that no public
small model covers: tiny models with every tensor that the engine asks for, and what it allocated.
vulkan-rows.jsonl.xz are rows of the Vulkan back-end, on Mesa's software device.
known.tsv there lists the rows that are not exact yet: with --check a row that is not in it and
differs is a failure, and so is a row in it that has become exact, so that the list only shrinks.

    conformance.py BUILD_FOLDER [--check] [--write-known] [--write-status] [--first N] [--arch NAME] [--kind KIND]
"""
import argparse, collections, io, json, lzma, os, random, re, subprocess, sys, tarfile, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "..", "tests", "corpus")
STATUS = os.path.join(HERE, "..", "src", "arch", "status.def")
STATE_KINDS = ("dsv4_csa_state", "dsv4_hca_state", "dsv4_lid_state")
# Kinds of buffer; and what is not a buffer: the resolved context, the caches' cells, and with
# -sm tensor what each GPU holds (the engine names one buffer for all).
KINDS = ("model", "kv", "rs", "output") + STATE_KINDS + ("moe_cache", "context", "caches", "devices")
SAMPLE = 40  # rows that go through the command's --json too


def rows(name):
    with lzma.open(os.path.join(CORPUS, name), "rt") as f:
        return [json.loads(line) for line in f]


def unpack(folder):
    """The headers as files; those of architectures and of models in one folder."""
    for name in ("headers.tar.xz", "generated-headers.tar.xz"):
        with tarfile.open(os.path.join(CORPUS, name)) as tar:
            for member in tar:
                if member.isfile():
                    with open(os.path.join(folder, os.path.basename(member.name)), "wb") as f:
                        f.write(tar.extractfile(member).read())


def flags_of(row):
    """The row's flags without --decode N, which is the recorder's own."""
    out, skip = [], False
    for flag in row["flags"]:
        if skip:
            skip = False
        elif flag == "--decode":
            skip = True
        else:
            out.append(flag)
    return out


def gpus_of(row):
    if "backend" in row:
        return ["backend=%s,name=%s,total=%dMiB" % (row["backend"], n, mib) for n, mib, _, _, _ in row["gpus"]]
    return ["name=%s,total=%dMiB,cc=%s,sm=%d" % (n, mib, cc, sm) for n, mib, cc, sm, _ in row["gpus"]]


def runtime_of(row):
    return "%dMiB" % (row["gpus"][0][4] if row["gpus"] else 480)


def name_of(row):
    gpus = "+".join("%s/%d" % (g[0], g[1]) for g in row["gpus"]) or "none"
    return "|".join((row["model"], row["program"], gpus, " ".join(row["flags"])))


def batch(build, folder, todo):
    """Plans of all rows by the batch program: (buffers, cells) or an error text."""
    lines = []
    for r in todo:
        path = os.path.join(folder, r["model"] + ".gguf")
        gpus = gpus_of(r)
        lines.append("\t".join([path, r["program"], runtime_of(r), str(len(gpus))] + gpus + flags_of(r)))
    out = subprocess.run([os.path.join(build, "tests", "plan_batch")], input="\n".join(lines) + "\n",
                         capture_output=True, text=True)
    got = out.stdout.split("\n")
    if out.returncode or len(got) < len(todo):
        at = min(len(got) - 1, len(todo) - 1)
        sys.exit("the batch program stopped (%d) at %s\n%s" % (out.returncode, name_of(todo[at]), out.stderr))
    return [parse(line) for line in got[:len(todo)]]


def parse(line):
    field = line.split("\t")
    if field[0] != "ok":
        return line[3:]
    buffers, cells, devices, context, peak, graph = {}, [], [], [], [], []
    for f in field[1:]:
        part = f.split(":")
        if part[0] == "cells":
            cells.append([int(x) for x in part[1:]])
        elif part[0] == "devices":
            devices = [int(x) for x in part[1:]]
        elif part[0] == "peak":
            peak = [None if x == "unknown" else int(x) for x in part[1:]]
        elif part[0] == "graph":
            graph = [int(x) for x in part[1:]]
        elif part[0] == "context":
            context = [int(x) for x in part[1:]]
        else:
            buffers[part[0], part[1]] = None if part[2] == "unknown" else int(part[2])
    return buffers, cells, devices, context, peak, graph


def wanted(row):
    sums = collections.Counter()
    for kind, buft, size, _ in row["buffers"]:
        sums[kind, buft] += size
    return dict(sums)


def settled(row, kinds):
    """The kinds that a row says something about."""
    extra = {"context", "caches"} | ({"devices"} if "devices" in row else set())
    return ({k for k, _ in wanted(row)} | extra) & set(kinds)


def compare(row, got, kinds):
    """The kinds that differ, with (buffer, engine's, ours) of each; None: none is known."""
    want, diff = wanted(row), {}
    if isinstance(got, str):
        return {k: [("refused", None, got)] for k in settled(row, kinds)}
    have, cells, devices, context = got[:4]
    caches = [k[:3] for k in row.get("kv", [])]
    if "caches" in kinds and caches != cells:
        diff["caches"] = [("cells, layers, streams", caches, cells)]
    if "devices" in kinds and row.get("devices", devices) != devices:
        diff["devices"] = [("each GPU", row["devices"], devices)]
    fa = row.get("fa", context[6])
    if "context" in kinds and row["context"] + [fa] != context:
        diff["context"] = [("n_ctx ...", row["context"] + [fa], context)]
    for kind, buft in set(want) | set(have):
        if kind in kinds and want.get((kind, buft), 0) != (have.get((kind, buft), 0)):
            diff.setdefault(kind, []).append((buft, want.get((kind, buft), 0), have.get((kind, buft), 0)))
    return diff


def through_command(build, folder, todo, got):
    """A sample of rows by the command's own --json must say the same as the batch program."""
    bad = 0
    for row, g in random.Random(7).sample(list(zip(todo, got)), min(SAMPLE, len(todo))):
        if isinstance(g, str):
            continue
        args = [os.path.join(build, "ullage"), "plan", os.path.join(folder, row["model"] + ".gguf")]
        args += flags_of(row) + ["--cpu", "zen4", "--runtime", runtime_of(row), "--json"]
        for gpu in gpus_of(row) or ["none"]:
            args += ["--gpu", gpu]
        if row["program"] == "completion":
            args += ["--outputs", "batch"]
        out = subprocess.run(args, capture_output=True, text=True)
        try:
            plan = json.loads(out.stdout)
            said = {(b["kind"], b["buffer"]): b["bytes"] for b in plan["buffers"]}
        except (ValueError, KeyError) as e:
            said = "%s: %s" % (e, out.stderr.strip())
        if said != g[0]:
            bad += 1
            print("the command says otherwise: %s\n  %s\n  %s" % (name_of(row), said, g[0]))
    return bad


def report(todo, diffs, kinds, first):
    per_kind, per_arch, shown = {}, {}, collections.Counter()
    for row, diff in zip(todo, diffs):
        arch = per_arch.setdefault(row["arch"], [0, 0])
        arch[1] += 1
        arch[0] += not diff
        for kind in settled(row, kinds) | set(diff):
            score = per_kind.setdefault(kind, [0, 0])
            score[1] += 1
            score[0] += kind not in diff
    cells = ["%-17s%4d/%-4d" % (arch, *per_arch[arch]) for arch in sorted(per_arch)]
    for i in range(0, len(cells), 4):
        print("  ".join(cells[i:i + 4]))
    exact = sum(a[0] == a[1] for a in per_arch.values())
    print("%d of %d architectures exact on every row" % (exact, len(per_arch)))
    for kind in kinds:
        if kind in per_kind:
            print("%-16s %5d of %5d" % (kind, *per_kind[kind]))
    for row, diff in zip(todo, diffs):
        for kind in sorted(diff):
            if diff[kind][0][0] != "refused" and shown[kind] < first:
                shown[kind] += 1
                print("%s %s" % (kind, name_of(row)))
                for buft, want, have in diff[kind]:
                    print("    %-12s engine %s, plan %s" % (buft, want, have))


def unplanned(todo, got, first):
    """Rows without a plan, by the reason."""
    why = collections.Counter(g for g in got if isinstance(g, str))
    for text, n in why.most_common(first):
        row = next(r for r, g in zip(todo, got) if g == text)
        print("not planned: %d rows: %s\n    %s" % (n, text, name_of(row)))
    if len(why) > first:
        print("not planned: %d more reasons" % (len(why) - first))


def compute_score(todo, got, first):
    """Compute buffers apart: exact, not known, or (a fault) known and different."""
    verdict = [compute_differs(row, g) for row, g in zip(todo, got)]
    print("%-16s %5d of %5d, %d unknown, %d differ"
          % ("compute", verdict.count(False), len(todo), verdict.count(None), verdict.count(True)))
    for row, g in [(r, g) for r, g, v in zip(todo, got, verdict) if v][:first]:
        want, have = ({k: v for k, v in x.items() if k[0] == "compute"} for x in (wanted(row), g[0]))
        print("compute %s" % name_of(row))
        for key in sorted(set(want) | set(have)):
            print("    %-12s engine %s, plan %s" % (key[1], want.get(key, 0), have.get(key, 0)))


def decoded(row):
    """The row as a plan for just the batch that was decoded: N tokens in an empty cache."""
    flags = list(row["flags"])
    n = flags[flags.index("--decode") + 1]
    flags[flags.index("-c") + 1] = str(max(256, int(n)))
    return dict(row, flags=flags + ["-ub", n, "-b", n])


def pool_score(build, folder, todo):
    """What the runtime pool grew by when a batch was decoded, within one step of 2 MiB."""
    todo = [r for r in todo if "vmm" in r]
    if not todo:
        return 0
    exact = within = unknown = 0
    for row, g in zip(todo, batch(build, folder, [decoded(r) for r in todo])):
        want, have = sum(row["vmm"].values()), [None] if isinstance(g, str) else g[4]
        if None in have:
            unknown += 1
            continue
        exact += sum(have) == want
        within += abs(sum(have) - want) <= 2 << 20
        if abs(sum(have) - want) > 2 << 20:
            print("prompt_peak %s\n    engine %d, plan %d" % (name_of(row), want, sum(have)))
    print("%-16s %5d of %5d, %d within 2 MiB, %d unknown" % ("prompt_peak", exact, len(todo), within, unknown))
    return len(todo) - within - unknown


def vulkan_score(build, folder, first):
    """Every buffer of the rows of another back-end: the rows, and what differs in each."""
    todo = rows("vulkan-rows.jsonl.xz")
    kinds = [k for k in KINDS if k not in ("context", "caches", "devices")] + ["compute"]
    diffs = [compare(r, g, kinds) for r, g in zip(todo, batch(build, folder, todo))]
    print("%-16s %5d of %5d" % ("vulkan", diffs.count({}), len(todo)))
    for row, diff in [(r, d) for r, d in zip(todo, diffs) if d][:first]:
        print("vulkan %s\n    %s" % (name_of(row), diff))
    return todo, diffs


def refusals(build, folder):
    """Runs that the engine refused must be refused here too."""
    todo = rows("refused.jsonl.xz")
    got = batch(build, folder, todo)
    bad = [(r, g) for r, g in zip(todo, got) if not isinstance(g, str)]
    print("%-16s %5d of %5d" % ("refused", len(todo) - len(bad), len(todo)))
    for r, _ in bad[:10]:
        print("  planned, but the engine refuses: %s\n    %s" % (name_of(r), r["says"]))
    return len(bad)


def known_rows():
    path = os.path.join(CORPUS, "known.tsv")
    if not os.path.exists(path):
        return set()
    with open(path) as f:
        return {line.rstrip("\n").split("\t")[0] for line in f if line.strip() and line[0] != "#"}


def write_known(todo, diffs):
    with open(os.path.join(CORPUS, "known.tsv"), "w") as f:
        f.write("# Rows that are not exact yet: the row, and the kinds that differ.\n")
        for row, diff in zip(todo, diffs):
            bad = sorted(diff)
            if bad:
                f.write("%s\t%s\n" % (name_of(row), ",".join(bad)))


def compute_differs(row, g):
    """True, False, or None where the compute buffers are not known."""
    have = None if isinstance(g, str) else {k: v for k, v in g[0].items() if k[0] == "compute"}
    if have is None or any(v is None for v in have.values()):
        return None
    want = {k: v for k, v in wanted(row).items() if k[0] == "compute" and v}
    return {k: v for k, v in have.items() if v} != want


def graph_score(todo, got, first):
    """Nodes and splits of both graphs, where the compute buffers are known: finds wrong graphs that
    happen to fit."""
    exact, wrong, unknown = 0, [], 0
    for row, g in zip(todo, got):
        e = row["graph"]
        want = [e.get(k) for k in ("nodes", "nodes_tg", "splits", "splits_tg", "sched_copies")]
        if isinstance(g, str) or not any(g[5]) or None in want:
            unknown += 1
        elif g[5] == want:
            exact += 1
        else:
            wrong.append((row, want, g[5]))
    print("%-16s %5d of %5d, %d unknown, %d differ" % ("graph", exact, len(todo), unknown, len(wrong)))
    for row, want, have in wrong[:first]:
        print("graph %s\n    nodes, splits, copies: engine %s, plan %s" % (name_of(row), want, have))


def statuses(todo, diffs, got):
    """Per architecture: how many runs are recorded, and how many are exact in every kind."""
    score = {}
    for row, diff, g in zip(todo, diffs, got):
        s = score.setdefault(row["arch"], [0, 0])
        s[0] += 1
        s[1] += not diff and compute_differs(row, g) is False
    return score


def write_status(score):
    with open(STATUS, "w") as f:
        f.write("/* What plans of each architecture were compared with: recorded runs of llama.cpp 0.7.0, and how\n"
                " * many are exact in every buffer. Written by tools/conformance.py --write-status, and checked by\n"
                " * its --check; an architecture that is not here has no recorded run. */\n")
        for arch in sorted(score):
            f.write('STATUS("%s", %d, %d)\n' % (arch, *score[arch]))


def overstated(score):
    """Architectures for which status.def claims more than is true today."""
    with open(STATUS) as f:
        said = {m[0]: (int(m[1]), int(m[2])) for m in re.findall(r'^STATUS\("([^"]+)", (\d+), (\d+)\)', f.read(), re.M)}
    for arch, (rows_said, exact) in sorted(said.items()):
        if arch in score and (rows_said > score[arch][0] or exact > score[arch][1]):
            print("status.def says %d of %d rows of %s are exact; now %d of %d" % (exact, rows_said, arch, score[arch][1], score[arch][0]))
            yield arch


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--check", action="store_true")
    p.add_argument("--write-known", action="store_true")
    p.add_argument("--write-status", action="store_true")
    p.add_argument("--first", type=int, default=5)
    p.add_argument("--arch")
    p.add_argument("--kind")
    a = p.parse_args()
    todo = rows("rows.jsonl.xz") + rows("generated-rows.jsonl.xz")
    todo = [r for r in todo if not a.arch or r["arch"] == a.arch]
    todo.sort(key=lambda r: r["model"])
    with tempfile.TemporaryDirectory() as folder:
        unpack(folder)
        got = batch(a.build, folder, todo)
        kinds = (a.kind,) if a.kind else KINDS
        diffs = [compare(r, g, kinds) for r, g in zip(todo, got)]
        report(todo, diffs, kinds, a.first)
        unplanned(todo, got, a.first)
        compute_score(todo, got, a.first)
        graph_score(todo, got, a.first)
        others, other_diffs = vulkan_score(a.build, folder, a.first)
        bad = pool_score(a.build, folder, todo) + refusals(a.build, folder)
        if a.check:
            bad += through_command(a.build, folder, todo, got) + len(list(overstated(statuses(todo, diffs, got))))
    if a.write_status:
        write_status(statuses(todo, diffs, got))
    if a.write_known:
        write_known(todo + others, diffs + other_diffs)
    if not a.check:
        return 0
    known = known_rows()
    differs = {name_of(r) for r, d in zip(todo + others, diffs + other_diffs) if d}
    for name in sorted(differs - known)[:10]:
        print("not exact any more: " + name)
    for name in sorted(known - differs)[:10]:
        print("exact now, take it out of known.tsv: " + name)
    return 1 if bad or differs != known else 0


if __name__ == "__main__":
    sys.exit(main())
