#!/usr/bin/env python3
"""Asks the engine itself whether the lines that `ullage fit` prints hold.

For each case (a model's header, GPUs, flags that stay fixed) the line is loaded by llama.cpp 0.7.0 on
simulated GPUs of exactly that size, a process context charged, and a whole micro-batch decoded, so
that the runtime pool grows too. It must load. One step more (256 tokens a sequence, or one layer more
on a GPU where the context is fixed or at the training context) must run out of memory. Cases where
nothing more can be asked for (training context, every layer on a GPU) are counted apart. Beside it:
what llama.cpp's own --fit makes of the same case.

    conformance_fit.py BUILD [--cases N] [--record FILE]   needs ULLAGE_LAB: the lab's folder
    conformance_fit.py BUILD --check                       the recorded cases, without a lab:
                                                           the lines that the engine confirmed
"""
import argparse, collections, concurrent.futures, json, lzma, os, random, re, subprocess, sys, tarfile, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "..", "tests", "corpus")
RECORD = os.path.join(CORPUS, "fit.jsonl.xz")
CONTEXT = 480  # MiB that a process's context takes on each GPU
STEP = 256
HOST = 6144  # MiB of caches and compute buffers in the host's memory, which are real in the lab
# name, MiB that the runtime reports, compute capability, multiprocessors
CARDS = {"6": ("RTX 2060", 5918, 7.5, 30), "8": ("RTX 3070", 7951, 8.6, 46), "12": ("RTX 3060", 11909, 8.6, 28),
         "16": ("RTX 4080", 15944, 8.9, 76), "24": ("RTX 4090", 24082, 8.9, 128), "48": ("L40S", 45596, 8.9, 142),
         "80": ("H100", 81079, 9.0, 132)}
SETS = [("6",), ("8",), ("12",), ("16",), ("24",), ("48",), ("80",), ("8", "6"), ("12", "8"), ("24", "12"),
        ("12", "24"), ("24", "24"), ("24", "16", "8"), ("24",) * 4, ("48", "24", "24"), ("80",) * 4, ("80",) * 8]
FIXED = [[], [], ["-np", "1"], ["-np", "1"], ["-np", "4"], ["-c", "8192"], ["-c", "32768", "-np", "1"],
         ["-ctk", "q8_0", "-ctv", "q8_0"], ["-ub", "1024"], ["-ub", "256", "-np", "1"], ["-fa", "off"],
         ["-fa", "on", "-np", "2"], ["--swa-full", "-np", "1"], ["-nkvo"], ["-ngl", "10"], ["-ngl", "99"],
         ["-ncmoe", "8"], ["-np", "8", "-kvu"]]

# The user's own cut, unlike the cards: experts leave device by device.
UNEVEN = [("Qwen3-30B-A3B--Q4_K_M", ("12", "8"), ["-ts", "1,1"]), ("Qwen3-30B-A3B--Q4_K_M", ("8", "12"), ["-ts", "3,1"]),
          ("gpt-oss-20b--Q4_K_M", ("12", "6"), ["-ts", "1,2"]), ("GLM-4.5-Air--Q4_K_M", ("24", "12"), ["-ts", "1,1", "-np", "1"]),
          ("Mixtral-8x22B-v0.1--Q4_K_M", ("24", "16", "8"), ["-ts", "1,1,1"]), ("Qwen3-235B-A22B--Q4_K_M", ("48", "24", "24"), ["-ts", "2,1,2"]),
          ("LFM2-24B-A2B--Q4_K_M", ("8", "6"), ["-ts", "2,3", "-c", "32768"]), ("Hunyuan-A13B-Instruct--Q4_K_M", ("24", "24"), ["-ts", "3,1"])]


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **more)


def ours(build, folder, case):
    args = [os.path.join(build, "ullage"), "fit", os.path.join(folder, case["model"] + ".gguf"), *case["fixed"]]
    for name, mib, cc, sm in case["gpus"]:
        args += ["--gpu", "name=%s,total=%dMiB,cc=%s,sm=%d" % (name, mib, cc, sm)]
    out = run(args + ["--cpu", "zen4", "--runtime", "%dMiB" % CONTEXT, "--json"])
    try:
        return out.returncode, json.loads(out.stdout)
    except ValueError:
        return out.returncode, None


# ------------------------------------------------------------------ the engine


def gpu_args(case):
    out = []
    for name, mib, cc, sm in case["gpus"]:
        out += ["--gpu", "name=%s,mib=%d,cc=%s,sm=%d,base=%d" % (name, mib, cc, sm, CONTEXT)]
    return out


def without_fit(flags):
    return [f for i, f in enumerate(flags) if f != "-fit" and (i == 0 or flags[i - 1] != "-fit")]


def loads(lab, folder, case, flags, tokens):
    """Whether the engine loads it and decodes `tokens` tokens: True, False (out of memory), or a text;
    and the engine's own row."""
    out = run([os.path.join(lab, "load"), os.path.join(folder, case["model"] + ".gguf"), *gpu_args(case), "--",
               *without_fit(flags), *(["--decode", str(tokens)] if tokens else [])])
    try:
        row = json.loads(out.stdout)
    except ValueError:
        return "no row: " + out.stderr[-200:], None
    if row["rc"] == 0 and row.get("decode_rc", 0) == 0:
        return True, row
    said = row.get("stderr", "") + " ".join(row.get("log", [])[-6:])
    if "out of memory" in said or "failed to allocate" in said or row["rc"] in (4, 5, 134, -6):
        return False, row
    return "rc %s: %s" % (row["rc"], said[-200:]), row


def over_in_sum(build, folder, case, flags, row):
    """The engine loaded it, but it would not hold a prompt that fills the context: its own bytes, as the
    driver charges them, the process's context, and what the kernels of such a prompt take from the pool."""
    args = [os.path.join(build, "ullage"), "plan", os.path.join(folder, case["model"] + ".gguf"), *flags]
    for name, mib, cc, sm in case["gpus"]:
        args += ["--gpu", "name=%s,total=%dMiB,cc=%s,sm=%d" % (name, mib, cc, sm)]
    plan = json.loads(run(args + ["--cpu", "zen4", "--runtime", "%dMiB" % CONTEXT, "--json"]).stdout)
    for i, (name, mib, cc, sm) in enumerate(case["gpus"]):
        held = [b["bytes"] for b in row["buffers"] if b["buft"] == "CUDA%d" % i]
        small = sum(-(-b // 512) * 512 for b in held if b <= 1 << 20)
        held = sum(-(-b // (2 << 20)) * (2 << 20) for b in held if b > 1 << 20) + -(-small // (2 << 20)) * (2 << 20)
        peak = plan["devices"][i]["prompt_peak_bytes"] + plan["devices"][i]["workspace_bytes"]
        if held + (CONTEXT << 20) + peak > mib << 20:
            return True
    return False


def lab_fit(lab, folder, case, margin):
    """llama-fit-params on the same case: (context, layers, the printed words), or None when it fails."""
    stub = os.path.join(folder, "stub-" + case["model"] + ".gguf")
    if not os.path.exists(stub):
        run([os.path.join(lab, "stub"), os.path.join(folder, case["model"] + ".gguf"), stub + ".new"])
        os.replace(stub + ".new", stub)
    flags = [f for f in case["fixed"] if f != "-kvu"]  # it knows no unified cache: one slot stands for that
    if "-np" not in flags or "-kvu" in case["fixed"]:
        flags = replaced(flags, "-np", "1")
    out = run([os.path.join(lab, "run"), *gpu_args(case), "--", "llama-fit-params", "-m", stub, *flags,
               "-fitt", str(margin)], env=dict(os.environ, ULLAGE_LAB_QUIET="1"))
    m = re.search(r"^-c (\d+) -ngl (-?\d+).*$", out.stdout, re.M)
    return (int(m[1]), int(m[2]), m[0]) if out.returncode == 0 and m else None


# ------------------------------------------------------------------ one step more


def replaced(flags, name, value):
    out = list(flags)
    if name in out:
        out[out.index(name) + 1] = value
    else:
        out += [name, value]
    return out


def value_of(flags, name, default):
    return flags[flags.index(name) + 1] if name in flags else default


def settings(fit):
    return {s["name"]: s for s in fit["settings"]}


def streams(fit):
    return fit["plan"]["context"]["n_ctx"] // fit["plan"]["context"]["n_ctx_seq"]


def experts_back(flags, pattern):
    """-ot names layers device by device, each device's in a row: one layer fewer on each in turn."""
    away = [int(x) for x in re.search(r"\(([\d|]+)\)", pattern)[1].split("|")]
    ends = [il for il in away if il + 1 not in away]
    return [replaced(flags, "-ot", pattern.replace("|".join(map(str, away)), "|".join(str(x) for x in away if x != il) or "none", 1))
            for il in ends]


def more_layers(case, fit, flags):
    """Every way to put one layer more (or one layer's experts) on a GPU; empty: there is none."""
    s = settings(fit)
    if s["c"]["by"] != "user":
        flags = replaced(flags, "-c", str(min(4096, fit["plan"]["context"]["n_ctx_seq"]) * streams(fit)))
    if s["ngl"]["by"] == "fit" and int(s["ngl"]["value"]) <= fit["plan"]["model"]["n_layer"]:
        ngl = int(s["ngl"]["value"]) + 1
        flags = replaced(flags, "-ngl", str(ngl))
        if "-ts" not in flags or s["ts"]["by"] != "fit":
            return [flags]
        parts = [int(x) for x in s["ts"]["value"].split(",")]
        return [replaced(flags, "-ts", ",".join(str(x + (i == j)) for i, x in enumerate(parts)))
                for j in range(len(parts))]
    if s["ncmoe"]["by"] == "fit" and s["ncmoe"]["flag"] == "-ot":
        return experts_back(flags, s["ncmoe"]["value"])
    if s["ncmoe"]["by"] == "fit":
        return [replaced(flags, "-ncmoe", str(int(s["ncmoe"]["value"]) - 1))]
    return []


def steps(case, fit, flags):
    """The lines that ask for one step more: (what, lines)."""
    s = settings(fit)
    if s["c"]["by"] == "fit" and not any(r["code"] == "bound_training" for r in fit["reasons"]):
        more = int(s["c"]["value"]) + STEP * streams(fit)
        return "context", [replaced(flags, "-c", str(more))]
    return "layer", more_layers(case, fit, flags)


def judge(build, lab, folder, case):
    code, fit = ours(build, folder, case)
    if not fit or not fit["found"] or fit["plan"]["verdict"]["partial"]:
        return dict(case, outcome="skipped" if fit else "refused")
    flags = case["fixed"] + fit["flags"]
    c, host = fit["plan"]["context"], fit["plan"]["devices"][-1]
    if host["kv_bytes"] + host["state_bytes"] + host["compute_bytes"] > HOST << 20:
        return dict(case, outcome="needs more host memory than the lab may take")
    caches = fit["plan"]["kv"] or any(b["kind"] == "rs" for b in fit["plan"]["buffers"])
    tokens = min(c["n_ubatch"], c["n_ctx_seq"]) if caches else 0  # an encoder's batches are another matter
    what, lines = steps(case, fit, flags)
    result = dict(case, outcome="judged", flags=fit["flags"], n_ctx=c["n_ctx"], at_cap=not lines, step=what)
    result["loads"] = loads(lab, folder, case, flags, tokens)[0]
    result["more"] = []
    for line in lines:
        more, row = loads(lab, folder, case, line, tokens)
        if more is True and over_in_sum(build, folder, case, line, row):
            more = "over"
        result["more"].append(more)
    result["theirs"] = {m: lab_fit(lab, folder, case, m) for m in (1024, 0)}
    result["ngl"] = int(settings(fit)["ngl"]["value"])
    result["full"] = result["ngl"] > fit["plan"]["model"]["n_layer"] and settings(fit)["ncmoe"]["value"] == "0"
    return result


# ------------------------------------------------------------------ cases


def models():
    with tarfile.open(os.path.join(CORPUS, "headers.tar.xz")) as tar:
        return sorted(m.name.split("/")[-1][:-5] for m in tar if m.isfile() and m.name.startswith("models/"))


def sized(build, folder, model):
    out = run([os.path.join(build, "ullage"), "show", os.path.join(folder, model + ".gguf"), "--json"])
    return max(1, json.loads(out.stdout)["model"]["size_bytes"] >> 20)


def cases(build, folder, n):
    """Models against GPU sets from a third of their size to four times it, in a fixed random order."""
    rng, out, all_models = random.Random(11), [], models()
    sizes = {m: sized(build, folder, m) for m in all_models}
    while len(out) < n:
        for model in all_models:
            near = [s for s in SETS if 0.3 < sum(CARDS[c][1] for c in s) / sizes[model] < 4] or [("6",)]
            case = dict(model=model, gpus=[CARDS[c] for c in rng.choice(near)], fixed=rng.choice(FIXED))
            if case not in out:
                out.append(case)
    return rng.sample(out, n) + [dict(model=m, gpus=[CARDS[c] for c in g], fixed=f) for m, g, f in UNEVEN]


def unpack(folder):
    with tarfile.open(os.path.join(CORPUS, "headers.tar.xz")) as tar:
        for member in tar:
            if member.isfile():
                with open(os.path.join(folder, os.path.basename(member.name)), "wb") as f:
                    f.write(tar.extractfile(member).read())


# ------------------------------------------------------------------ the report


def label(r):
    return "%s on %s, %s -> %s" % (r["model"], "+".join(str(g[1]) for g in r["gpus"]), " ".join(r["fixed"]) or "nothing fixed",
                                   " ".join(r.get("flags", [])))


def rate(n, of):
    return "%d of %d (%.1f %%)" % (n, of, 100.0 * n / of if of else 0)


def beside(judged, margin):
    fails = [r for r in judged if not r["theirs"][margin]]
    both = [r for r in judged if r["theirs"][margin]]
    open_c = [r for r in both if "-c" not in r["fixed"] and r["full"]]
    less = sorted(1 - r["theirs"][margin][0] / r["n_ctx"] for r in open_c if r["theirs"][margin][0] < r["n_ctx"])
    more = [r for r in open_c if r["theirs"][margin][0] > r["n_ctx"]]
    layers = [r for r in both if 0 <= r["theirs"][margin][1] < r["ngl"]]
    print("llama-fit-params -fitt %d: fails on %s; where every layer fits and the context is open, gives less of it on %s"
          % (margin, rate(len(fails), len(judged)), rate(len(less), len(open_c))))
    if less:
        print("    less by %.0f %% in the middle, %.0f %% at most; more on %d; fewer layers on GPUs on %d"
              % (100 * less[len(less) // 2], 100 * less[-1], len(more), len(layers)))


def report(results):
    judged = [r for r in results if r["outcome"] == "judged"]
    others = collections.Counter(r["outcome"] for r in results if r["outcome"] != "judged")
    cap = [r for r in judged if r["at_cap"]]
    steps = [r for r in judged if not r["at_cap"]]
    good = [r for r in judged if r["loads"] is True]
    tight = [r for r in steps if not any(m is True for m in r["more"])]
    print("%d cases judged; %s" % (len(judged), ", ".join("%d %s" % (n, k) for k, n in others.items()) or "none left out"))
    print("the line loads:              %s" % rate(len(good), len(judged)))
    print("one step more does not:      %s; %d apart: at the training context with every layer on a GPU, or all fixed"
          % (rate(len(tight), len(steps)), len(cap)))
    for r in judged:
        if r["loads"] is not True:
            print("does not load: %s\n    %s" % (label(r), r["loads"]))
    for r in steps:
        if r not in tight:
            print("one %s more fits: %s" % (r["step"], label(r)))
    print("    of these %d ran out of memory at once, %d only in the sum with a prompt that fills the context"
          % (sum("over" not in r["more"] for r in tight), sum("over" in r["more"] for r in tight)))
    odd = [m for r in steps for m in r["more"] if isinstance(m, str) and m != "over"]
    if odd:
        print("%d steps ended otherwise: %s" % (len(odd), odd[0]))
    for margin in (1024, 0):
        beside(judged, margin)
    return len(good) == len(judged) and len(tight) == len(steps)


def like_llama(build, folder, case):
    """What `ullage fit --like-llama` says llama-fit-params (-fitt 1024) would print; None: it gives up."""
    args = [os.path.join(build, "ullage"), "fit", os.path.join(folder, case["model"] + ".gguf"), "--like-llama",
            "--outputs", "batch", "--cpu", "zen4", "--runtime", "%dMiB" % CONTEXT, *case["fixed"], "-fitt", "1024"]
    for name, mib, cc, sm in case["gpus"]:
        args += ["--gpu", "name=%s,total=%dMiB,cc=%s,sm=%d" % (name, mib, cc, sm)]
    out = run(args)
    return None if out.returncode else out.stdout.strip().replace("'", "").split(" -fitt 1024 ")[1]


def check(build):
    """Every line that the engine confirmed must still be the line."""
    bad = same = own = 0
    with tempfile.TemporaryDirectory() as folder, lzma.open(RECORD, "rt") as f:
        unpack(folder)
        for n, line in enumerate(f, 1):
            case = json.loads(line)
            code, fit = ours(build, folder, case)
            if not fit or fit["flags"] != case["flags"]:
                bad += 1
                print("the engine confirmed: %s\n    now: %s" % (label(case), " ".join(fit["flags"]) if fit else code))
            if "like" in case:
                same, own = same + (like_llama(build, folder, case) == case["like"]), own + 1
    print("%d of %d choices of llama-fit-params reproduced" % (same, own))
    bad += own - same
    print("%d recorded cases, %d differ" % (n, bad))
    return bad == 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--check", action="store_true")
    p.add_argument("--cases", type=int, default=260)
    p.add_argument("--record")
    p.add_argument("--raw")
    a = p.parse_args()
    if a.check:
        sys.exit(not check(a.build))
    lab = os.environ.get("ULLAGE_LAB")
    if not lab:
        sys.exit("ULLAGE_LAB must name the lab's folder")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        unpack(folder)
        results, raw = [], open(a.raw, "w") if a.raw else None
        for r in pool.map(lambda c: judge(a.build, lab, folder, c), cases(a.build, folder, a.cases)):
            results.append(r)
            if raw:
                print(json.dumps(r), file=raw, flush=True)
    fine = report(results)
    if a.record:
        with lzma.open(a.record, "wt") as f:
            for r in results:
                if r["outcome"] == "judged" and r["loads"] is True and not any(m is True for m in r["more"]):
                    f.write(json.dumps({k: r[k] for k in ("model", "gpus", "fixed", "flags")}) + "\n")
    sys.exit(not fine)


if __name__ == "__main__":
    main()
