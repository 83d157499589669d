#!/usr/bin/env python3
"""Plans with files beside the model against what the engine allocated, to the byte.

tests/corpus/companions.jsonl.xz has runs of llama-server 0.7.0 with draft models, draft heads,
projectors, LoRA adapters and control vectors; companions-headers.tar.xz the headers of those files.
A row's buffers are [of, kind, buffer, bytes]; `unlogged` are those that were allocated without a
line of the log that says what for: each must be one that the plan has more than the log.

    conformance_companions.py BUILD_FOLDER [--first N]     also part of conformance.py
"""
import argparse, concurrent.futures, json, lzma, os, subprocess, sys, tarfile, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "..", "tests", "corpus")


def rows():
    with lzma.open(os.path.join(CORPUS, "companions.jsonl.xz"), "rt") as f:
        return [json.loads(line) for line in f]


def unpack(folder, archive="companions-headers.tar.xz"):
    with tarfile.open(os.path.join(CORPUS, archive)) as tar:
        for member in tar:
            if member.isfile():
                with open(os.path.join(folder, os.path.basename(member.name)), "wb") as f:
                    f.write(tar.extractfile(member).read())


def name_of(row):
    gpus = "+".join(g.split(",")[0][5:] for g in row["gpus"]) or "none"
    return "|".join((row["model"], gpus, " ".join(row["flags"])))


def plan(build, folder, row):
    """The plan's buffers, each kind of each part summed; or the message of a refusal."""
    command = [os.path.join(os.path.abspath(build), "ullage"), "plan", row["model"] + ".gguf", "--json",
               "--cpu", "zen4", "--ram", "256GiB"]
    for gpu in row["gpus"] or ["none"]:
        command += ["--gpu", gpu.replace("mib=", "total=").replace(",cc", "MiB,cc")]
    # The recorder has no CPU back-end with weights of its own to warm up without a GPU.
    command += row["flags"] + ([] if row["gpus"] else ["--no-warmup"])
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if not run.stdout:
        return run.stderr.strip()
    buffers = {}
    for b in json.loads(run.stdout)["buffers"]:
        key = (b["of"], b["kind"], b["buffer"])
        buffers[key] = None if b["bytes"] is None else buffers.get(key, 0) + b["bytes"]
    return buffers


def explain(row, got, want):
    """Takes what the plan has and the log lacks out of `unlogged`; what is left over."""
    rest = [tuple(u) for u in row["unlogged"]]
    for key, size in got.items():
        same = [u for u in rest if u[0] == key[2]]
        grown = key[:2] == ("draft", "output") # logged, and made anew in the first place it is used
        if (key not in want or grown) and (key[2], size) in rest:
            rest.remove((key[2], size))
            want[key] = size
        elif key not in want and key[:2] == ("projector", "model") and sum(u[1] for u in same) == size:
            rest = [u for u in rest if u[0] != key[2]]
            want[key] = size
    return rest


def compare(row, got):
    """What differs: key -> (engine, plan)."""
    if "refused" in row:
        return {} if isinstance(got, str) else {"refused": (row["refused"], "planned")}
    if isinstance(got, str):
        return {"refused": (None, got)}
    want = {tuple(b[:3]): b[3] for b in row["buffers"]}
    rest = explain(row, got, want)
    diff = {k: (want.get(k, 0), got.get(k, 0)) for k in set(want) | set(got) if want.get(k, 0) != got.get(k, 0)}
    return dict(diff, unexplained=(rest, None)) if rest else diff


def kind_of(row):
    named = [("draft head", "draft-mtp"), ("draft model", "-md"), ("projector", "--mmproj"),
             ("adapter", "--lora"), ("adapter", "--lora-scaled"), ("control vector", "--control-vector")]
    return next((kind for kind, flag in named if flag in row["flags"]), "no file")


def score(build, folder, first):
    """How many rows differ; the headers of the models are in the folder already."""
    todo = rows()
    unpack(folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        got = list(pool.map(lambda row: plan(build, folder, row), todo))
    diffs = [compare(row, g) for row, g in zip(todo, got)]
    kinds = {}
    for row, diff in zip(todo, diffs):
        exact, n = kinds.get(kind_of(row), (0, 0))
        kinds[kind_of(row)] = exact + (not diff), n + 1
    print("%-16s %5d of %5d (%s)" % ("companions", diffs.count({}), len(todo),
          ", ".join("%s %d of %d" % (k, e, n) for k, (e, n) in sorted(kinds.items()))))
    for row, diff in [(r, d) for r, d in zip(todo, diffs) if d][:first]:
        print("companions %s\n    %s" % (name_of(row), diff))
    return len(todo) - diffs.count({})


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--first", type=int, default=10)
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        unpack(folder, "headers.tar.xz")
        return 1 if score(a.build, folder, a.first) else 0


if __name__ == "__main__":
    sys.exit(main())
