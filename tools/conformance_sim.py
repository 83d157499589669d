#!/usr/bin/env python3
"""Runs the engine itself on our simulated GPUs and compares with what was recorded of it.

tests/corpus has the buffers that llama.cpp 0.7.0 made for headers of models under many flags, recorded
on another simulation of CUDA. Here a choice of those rows is run again by `ullage simulate`: the same
engine's llama-server on our own simgpu/, the model a stub of the header, every buffer to the byte.

    ULLAGE_LAB=FOLDER conformance_sim.py BUILD_FOLDER [--rows N] [--all]

ULLAGE_LAB names the folder of a lab that has the engine. Without it nothing is compared, and that is
said.
"""
import argparse, collections, json, os, random, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import conformance as c

# What a choice shall have of each: at least so many rows, when there are so many.
WANT = [("two GPUs", 14, lambda r: len(r["gpus"]) > 1), ("-ts", 6, lambda r: "-ts" in r["flags"]),
        ("-sm tensor", 4, lambda r: "tensor" in r["flags"]), ("-sm none", 2, lambda r: "none" in r["flags"]),
        ("-nkvo", 4, lambda r: "-nkvo" in r["flags"]), ("-ot", 3, lambda r: "-ot" in r["flags"]),
        ("-ncmoe", 3, lambda r: "-ncmoe" in r["flags"]), ("quantised cache", 5, lambda r: "-ctk" in r["flags"]),
        ("recurrent", 8, lambda r: any(b[0] == "rs" for b in r["buffers"])),
        ("partly on the CPU", 6, lambda r: "-ngl" in r["flags"] and r["flags"][r["flags"].index("-ngl") + 1] not in ("99", "999")),
        ("no mapping", 3, lambda r: "--no-mmap" in r["flags"]), ("slots", 6, lambda r: "-np" not in r["flags"])]


def usable(row):
    """llama-server takes it as it was recorded: 0.7.0 spells --no-mmap otherwise, embeddings and whole
    batches of logits are other programs', and models without a cache or with a broken key abort it."""
    flags = row["flags"]
    return (row["program"] == "server" and row["gpus"] and "--decode" not in flags
            and not {"--embedding", "--pooling", "-mtp", "--no-host"} & set(flags))


def chosen(todo, n):
    """Rows of as many architectures as there are, with each kind that WANT names."""
    order = random.Random(11)
    order.shuffle(todo)
    picked, archs = [], collections.Counter()
    for _, least, is_it in WANT:
        for row in todo:
            if sum(is_it(r) for r in picked) >= least:
                break
            if is_it(row) and row not in picked and archs[row["arch"]] < 3:
                picked.append(row)
                archs[row["arch"]] += 1
    for row in todo:
        if len(picked) >= n:
            break
        if not archs[row["arch"]]:
            picked.append(row)
            archs[row["arch"]] += 1
    return picked


def words(row):
    """The recorder's flags as llama-server 0.7.0 spells them; its own -fit would change them."""
    out = []
    for flag in row["flags"]:
        out += ["-lm", "none"] if flag == "--no-mmap" else [flag]
    return out + ["-fit", "off"]


def simulate(build, engine, folder, row):
    args = [os.path.join(build, "ullage"), "simulate", "--json", "--fill", "0", "--timeout", "60", "--runtime", c.runtime_of(row)]
    for gpu in c.gpus_of(row):
        args += ["--gpu", gpu]
    args += ["--", "llama-server", "-m", os.path.join(folder, row["model"] + ".gguf"), *words(row), "--no-warmup"]
    env = dict(os.environ, PATH=os.path.join(engine, "bin") + ":" + os.environ["PATH"],
               GGML_BACKEND_PATH=os.path.join(engine, "backends", "libggml-cuda.so"))
    out = subprocess.run(args, capture_output=True, text=True, env=env, timeout=300)
    try:
        plan = json.loads(out.stdout)
        return {(b["kind"], b["buffer"]): b["bytes"] for b in plan["buffers"] if b["bytes"]}, plan
    except (ValueError, KeyError):
        return out.stderr.strip().split("\n")[-1][:200] or "status %d" % out.returncode, None


def show(row, want, got):
    print(c.name_of(row))
    if isinstance(got, str):
        print("    " + got)
        return
    for key in sorted(set(want) | set(got)):
        if want.get(key) != got.get(key):
            print("    %-18s recorded %s, simulated %s" % (" ".join(key), want.get(key), got.get(key)))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--rows", type=int, default=60)
    p.add_argument("--all", action="store_true")
    a = p.parse_args()
    lab = os.environ.get("ULLAGE_LAB", "")
    if not os.path.exists(os.path.join(lab, "run")):
        print("SKIPPED: ULLAGE_LAB names no lab with an engine: nothing was compared")
        return 0
    engine = subprocess.run([os.path.join(lab, "run"), "--", "printenv", "ULLAGE_LAB_ENGINE"],
                            capture_output=True, text=True, check=True).stdout.strip()
    todo = [r for r in c.rows("rows.jsonl.xz") if usable(r)]
    if not a.all:
        todo = chosen(todo, a.rows)
    exact = ours = bad = 0
    with tempfile.TemporaryDirectory() as folder:
        c.unpack(folder)
        for row in todo:
            got, plan = simulate(a.build, engine, folder, row)
            want = {k: v for k, v in c.wanted(row).items() if v}
            if got == want:
                exact += 1
                differ = [x for x in plan["compared"] if x["bytes"] != x["computed_bytes"] and x["kind"] != "prompt"]
                ours += not differ
                if differ:
                    print("  computed otherwise: %s\n    %s" % (c.name_of(row), differ))
            else:
                bad += 1
                show(row, want, got)
            print("%d of %d rows exact so far" % (exact, exact + bad), end="\r", flush=True)
    for name, _, is_it in WANT:
        print("%-18s %3d rows" % (name, sum(is_it(r) for r in todo)))
    print("%d architectures, %d rows: %d as recorded in every buffer; computed plans equal in %d of these"
          % (len({r["arch"] for r in todo}), len(todo), exact, ours))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
