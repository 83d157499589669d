#!/usr/bin/env python3
"""Asks llama-server itself what it does with settings that leave -c or -ngl open: its own --fit.

For each case (a model's header, GPUs, flags) llama.cpp 0.7.0's llama-server is started on simulated
GPUs, with --fit as it is by default, and its buffers are compared with those of `ullage plan` for the
same words: the context's length and the bytes of every buffer. Where no server can be started for
want of memory in the host, llama-fit-params says what --fit chooses, and that is compared.

    conformance_server.py BUILD [--cases N] [--record FILE]   needs ULLAGE_LAB: the lab's folder
    conformance_server.py BUILD --check                       the recorded runs, without a lab
"""
import argparse, json, lzma, os, random, re, sys, tempfile

from conformance_fit import CARDS, CONTEXT, CORPUS, gpu_args, models, run, sized, unpack

RECORD = os.path.join(CORPUS, "server.jsonl.xz")
HOST = 3072  # MiB of caches and compute buffers in the host's memory, which are real in the lab
SETS = [("6",), ("8",), ("12",), ("24",), ("80",), ("8", "6"), ("12", "8"), ("8", "24"), ("24", "12"), ("24", "24"),
        ("24", "16", "8"), ("24",) * 4, ("80",) * 4]
FLAGS = [[], [], [], ["-np", "1"], ["-np", "3"], ["-c", "8192"], ["-c", "0", "-np", "1"], ["-c", "32768", "-np", "1"],
         ["-ctk", "q8_0", "-ctv", "q8_0"], ["-fa", "off", "-np", "1"], ["-ub", "1024"], ["-nkvo", "-np", "1"],
         ["-fitt", "300"], ["-fitt", "3000"], ["-fitc", "16384"], ["-ngl", "12"], ["-ngl", "99"], ["-ngl", "all", "-c", "4096"],
         ["-ncmoe", "8"], ["-ot", "blk.[0-3].ffn.*=CPU"], ["-sm", "none"], ["-dev", "none", "--no-repack"], ["-np", "8", "-kvu"],
         ["--embedding"], ["--swa-full"], ["-fit", "off", "-ngl", "20", "-c", "4096"]]
TWO = [["-ts", "3,1"], ["-fitt", "2000,500"], ["-ts", "1,1", "-c", "8192"], ["-mg", "1", "-sm", "none"]]
# Chosen ones. Most: the target cannot be kept and --fit may not move anything: it gives up, and the server loads all
# the same. And servers without any GPU.
CHOSEN = [("Qwen3-8B--Q4_K_M", ("8",), ["-ngl", "99", "-c", "14336", "-np", "1"]),
            ("Qwen3-8B--Q4_K_M", ("8",), ["-ngl", "37", "-c", "16384", "-np", "1"]),
            ("Qwen3-30B-A3B--Q4_K_M", ("12",), ["-ncmoe", "24", "-c", "24576", "-np", "1"]),
            ("Qwen3-30B-A3B--Q4_K_M", ("12",), ["-ncmoe", "30"]),
            ("Qwen3-30B-A3B--Q4_K_M", ("12",), ["-ot", "blk.([0-9]|1[0-9]|2[0-4]).ffn_.*_exps=CPU"]),
            ("Qwen3-14B--Q4_K_M", ("8", "6"), ["-ts", "5,4"]),
            ("Qwen3-14B--Q4_K_M", ("8", "6"), ["-ngl", "99"]),
            ("Qwen3-14B--Q4_K_M", ("8", "6"), ["-ngl", "99", "-c", "10240", "-np", "1"]),
            ("gemma-3-12b-it--Q4_K_M", ("8",), ["-ngl", "40", "-c", "8192"]),
            ("Qwen3-8B--Q4_K_M", ("6",), ["-sm", "none", "-c", "2048", "-np", "1", "-ngl", "99"]),
            ("Qwen3-8B--Q4_K_M", ("24",), ["--kv-unified-per-slot", "4096"]),
            ("Qwen3-8B--Q4_K_M", ("8",), ["--kv-unified-per-slot", "16384", "-np", "3"]),
            ("Qwen2.5-0.5B--Q8_0", (), []), ("Qwen2.5-0.5B--Q4_K_M", (), ["-np", "3"]), ("gemma-3-1b-it--Q4_K_M", (), ["-np", "1"]),
            ("Qwen3-8B--Q4_K_M", ("80",), ["-np", "6"]), ("Qwen3.5-9B--Q4_K_M", ("80",), ["-np", "2"])]
# Without any GPU: what --fit chooses against the host's memory.
HOSTED = [("Meta-Llama-3.1-70B--Q4_K_M", []), ("Meta-Llama-3.1-70B--Q4_K_M", ["-c", "65536"]),
          ("Qwen3-30B-A3B--Q8_0", ["-np", "4"]), ("Qwen3-8B--BF16", ["-np", "8", "-fitt", "4096"]),
          ("Qwen2.5-72B--Q4_K_M", ["-fitc", "8192"]), ("Qwen3-235B-A22B--Q4_K_M", []), ("gemma-3-27b-it--Q4_K_M", ["-np", "2"]),
          ("Falcon-H1-7B-Instruct--Q4_K_M", ["-np", "3"]), ("Qwen3-0.6B--Q8_0", []), ("Qwen3-14B--Q4_K_M", ["-fa", "off"])]


def host_bytes():
    with open("/proc/meminfo") as f:
        return 1024 * int(re.search(r"MemTotal:\s+(\d+)", f.read())[1])


def machine(case):
    args = ["--cpu", "zen4", "--runtime", "%dMiB" % CONTEXT, "--ram", str(case["host"])]
    for name, mib, cc, sm in case["gpus"]:
        args += ["--gpu", "name=%s,total=%dMiB,cc=%s,sm=%d" % (name, mib, cc, sm)]
    return args if case["gpus"] else args + ["--gpu", "none"]


def header(folder, case):
    return os.path.join(folder, case["model"] + ".gguf")


def planned(build, folder, case):
    """The plan of these words as the server would run them: the context and the bytes of each buffer."""
    out = run([os.path.join(build, "ullage"), "plan", header(folder, case), *case["flags"], *machine(case), "--json"])
    try:
        plan = json.loads(out.stdout)
    except ValueError:
        return None
    held = {}
    for b in plan["buffers"]:
        key = "%s %s" % (b["buffer"], b["kind"])
        held[key] = held.get(key, 0) + (b["bytes"] or 0)
    host = plan["devices"][-1]
    return dict(n_ctx=plan["context"]["n_ctx"], n_ctx_seq=plan["context"]["n_ctx_seq"], buffers=nonzero(held),
                partial=plan["verdict"]["partial"], fit=plan["engine_fit"],
                host=(host["kv_bytes"] + host["state_bytes"] + host["compute_bytes"]) >> 20)


def nonzero(held):
    return {k: v for k, v in sorted(held.items()) if v}


def chosen(build, folder, case):
    """What --like-llama says that llama-fit-params would print; None: it gives up."""
    flags = case["flags"] if "-np" in case["flags"] else [*case["flags"], "-np", "1"]
    out = run([os.path.join(build, "ullage"), "fit", header(folder, case), "--like-llama", "--outputs", "batch", *flags, *machine(case)])
    return None if out.returncode else re.search(r"-c \d+ -ngl .*", out.stdout)[0].strip().replace("'", "")


# ------------------------------------------------------------------ the engine


def stub(lab, folder, case):
    path = os.path.join(folder, "stub.gguf")
    run([os.path.join(lab, "stub"), header(folder, case), path])
    return path


def served(lab, folder, case):
    """The server's own buffers, or None when it does not come up."""
    out = run([os.path.join(lab, "probe"), stub(lab, folder, case), *gpu_args(case), "--", *case["flags"]], timeout=300)
    try:
        row = json.loads(out.stdout)
    except ValueError:
        return None
    if not row["ok"] or not row["contexts"]:
        return None
    held = {}
    for b in row["buffers"]:
        key = "%s %s" % (b["buft"], b["kind"].lower())
        held[key] = held.get(key, 0) + b["bytes"]
    c = row["contexts"][0]
    return dict(n_ctx=c["n_ctx"], n_ctx_seq=c["n_ctx_seq"], buffers=nonzero(held))


def fit_params(lab, folder, case):
    """llama-fit-params' own line; None: it gives up."""
    flags = case["flags"] if "-np" in case["flags"] else [*case["flags"], "-np", "1"]
    out = run([os.path.join(lab, "run"), *gpu_args(case), "--", "llama-fit-params", "-m", stub(lab, folder, case), *flags],
              env=dict(os.environ, ULLAGE_LAB_QUIET="1"))
    m = re.search(r"^-c \d+ -ngl .*$", out.stdout, re.M)
    return m[0].replace('"', "") if out.returncode == 0 and m else None


# ------------------------------------------------------------------ cases


def cases(build, folder, n):
    rng, out, host = random.Random(23), [], host_bytes()
    all_models = models()
    sizes = {m: sized(build, folder, m) for m in all_models}
    out += [dict(model=m, gpus=[CARDS[c] for c in g], flags=f, host=host) for m, g, f in CHOSEN]
    while len(out) < n:
        gpus = rng.choice(SETS)
        total = sum(CARDS[c][1] for c in gpus)
        near = [m for m in all_models if 0.25 < sizes[m] / total < 1.8]
        if near:
            flags = rng.choice(FLAGS + (TWO * 3 if len(gpus) == 2 else []))
            if "none" in flags and "-dev" in flags: # the CPU repacks nothing then, and reads no weights
                near = [m for m in all_models if sizes[m] < 1500]
            case = dict(model=rng.choice(near), gpus=[CARDS[c] for c in gpus], flags=flags, host=host)
            if case not in out:
                out.append(case)
    return out, [dict(model=m, gpus=[], flags=f, host=host) for m, f in HOSTED]


def differs(mine, theirs):
    if not mine:
        return "no plan"
    for key in ("n_ctx", "n_ctx_seq"):
        if mine[key] != theirs[key]:
            return "%s %d, the engine's %d" % (key, mine[key], theirs[key])
    for key in sorted(set(mine["buffers"]) | set(theirs["buffers"])):
        if mine["buffers"].get(key) != theirs["buffers"].get(key):
            return "%s %s, the engine's %s" % (key, mine["buffers"].get(key), theirs["buffers"].get(key))
    return None


def label(case):
    return "%s on %s, %s" % (case["model"], "+".join(str(g[1]) for g in case["gpus"]) or "no GPU", " ".join(case["flags"]) or "no flags")


class Score:
    def __init__(self):
        self.judged = self.bad = self.changed = self.gave_up = 0

    def add(self, build, folder, case, mine=None):
        self.judged += 1
        if "choice" in case:
            mine = chosen(build, folder, case)
            bad = None if mine == case["choice"] else "chooses %s, the engine %s" % (mine, case["choice"])
        else:
            mine = mine or planned(build, folder, case)
            bad = differs(mine, case)
            self.changed += bool(mine and mine["fit"]["changed"])
            self.gave_up += bool(mine and mine["fit"]["why_not"])
        if bad:
            self.bad += 1
            print("%s: %s" % (label(case), bad), flush=True)

    def report(self):
        print("%d runs of the engine, %d as planned; --fit changed something in %d and gave up in %d"
              % (self.judged, self.judged - self.bad, self.changed, self.gave_up))
        return self.bad == 0


def check(build):
    score = Score()
    with tempfile.TemporaryDirectory() as folder, lzma.open(RECORD, "rt") as f:
        unpack(folder)
        for line in f:
            score.add(build, folder, json.loads(line))
    return score.report()


def ask(build, lab, n, record):
    score, kept, out = Score(), [], 0
    with tempfile.TemporaryDirectory() as folder:
        unpack(folder)
        served_cases, hosted = cases(build, folder, n)
        for case in served_cases:
            mine = planned(build, folder, case)
            if not mine or mine["partial"] or mine["host"] > HOST:
                out += 1
                continue
            theirs = served(lab, folder, case)
            if not theirs: # out of memory as planned, or not: conformance_fit.py's matter
                out += 1
                continue
            kept.append({**case, **theirs})
            score.add(build, folder, kept[-1], mine)
        for case in hosted:
            kept.append({**case, "choice": fit_params(lab, folder, case)})
            score.add(build, folder, kept[-1])
    print("%d left out: the server ends, or needs more of this host's memory than the lab may take" % out)
    if record:
        with lzma.open(record, "wt") as f:
            f.writelines(json.dumps(k, separators=(",", ":")) + "\n" for k in kept)
    return score.report()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--check", action="store_true")
    p.add_argument("--cases", type=int, default=150)
    p.add_argument("--record")
    a = p.parse_args()
    lab = os.environ.get("ULLAGE_LAB")
    if not a.check and not lab:
        sys.exit("ULLAGE_LAB must name the lab's folder")
    sys.exit(not (check(a.build) if a.check else ask(a.build, lab, a.cases, a.record)))


if __name__ == "__main__":
    main()
