#!/usr/bin/env python3
"""Repeats a published experiment end to end and writes docs/article.md: two short runs, one line, the
longest context for the budgets of 8, 12, 16 and 24 GB cards, and check runs with a prompt, for three
models; and the same with an 8-bit cache, which the experiment left open.

    ULLAGE_LAB=FOLDER article.py BUILD_FOLDER [OUT.md]

The server is the real llama.cpp, the GPU a simulated A100: FOLDER/run starts a command with both
(run --gpu SPEC -- COMMAND). The models are headers from tests/corpus, made into files without
weights, with a made-up vocabulary so that the server takes a prompt."""
import json, os, shutil, subprocess, sys, tarfile, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MIB = 1 << 20
CONTEXT = 480 * MIB
GPU = "name=NVIDIA A100 80GB PCIe,mib=81151,cc=8.0,sm=108,base=%d" % (CONTEXT // MIB)
MODELS = [("Qwen3-8B Q4_K_M", "Qwen3-8B--Q4_K_M"), ("Qwen3.5-9B Q4_K_M", "Qwen3.5-9B--Q4_K_M"),
          ("Gemma 3 4B it Q8_0", "gemma-3-4b-it--Q8_0")]
BUDGETS = ["8GB", "12GB", "16GB", "24GB"]
FLAGS = ["-ngl", "99", "-fa", "on", "-np", "1"]
EIGHT_BIT = ["-ctk", "q8_0", "-ctv", "q8_0"]


class Lab:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.run_program = os.path.join(os.environ["ULLAGE_LAB"], "run")
        self.engine = self.driver = ""

    def stub(self, name, vocabulary=True):
        """A file without weights. One without a vocabulary loads faster, and takes no prompt."""
        out = os.path.join(self.folder, name + ("" if vocabulary else "-plain") + ".gguf")
        with tarfile.open(os.path.join(HERE, "..", "tests", "corpus", "headers.tar.xz")) as tar:
            member = tar.extractfile("models/%s.gguf" % name)
            with open(out + ".header", "wb") as f:
                shutil.copyfileobj(member, f)
        subprocess.run([os.path.join(self.build, "tools", "stub"), out + ".header", out]
                       + ([] if vocabulary else ["--keep-vocabulary"]), check=True,
                       stdout=subprocess.DEVNULL)
        return out

    def measure(self, model, options, flags):
        """One `ullage measure`, as JSON."""
        env = dict(os.environ, XDG_DATA_HOME=self.folder, ULLAGE_LAB_QUIET="1")
        command = [self.run_program, "--gpu", GPU, "--", os.path.join(self.build, "ullage"), "measure",
                   "--json", "--fresh", "--settle", "0.2", *options, "--", "llama-server", "-m", model,
                   *FLAGS, *flags]
        print(" ".join(command[6:]), file=sys.stderr)
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            sys.exit("article: measure ended with %d" % done.returncode)
        m = json.loads(done.stdout)
        self.engine, self.driver = m["engine"], m["driver"]
        return m


def readings(m, purpose, n_ctx=None):
    """The GPU's readings of all runs of a purpose, and of a length."""
    out = []
    for run in m["runs"]:
        if run["purpose"] == purpose and n_ctx in (None, run["n_ctx"]):
            out.append(dict(run["readings"][0], n_ctx=run["n_ctx"], tokens=run["prompt_tokens"],
                            differs=run["buffers_differing"]))
    return out


def one(values):
    """Repeated readings, which must agree."""
    assert len(set(values)) == 1, values
    return values[0]


def load_at(m, n_ctx):
    return one([r["load_bytes"] for r in readings(m, "load", n_ctx)])


def loads(lab, model, flags):
    """Loads at 4, 8, 32 and 128 thousand, without a prompt."""
    out = {}
    for pair in ((4096, 8192), (32768, 131072)):
        m = lab.measure(model, ["--points", "%d,%d" % pair, "--fill", "0", "--cap", "131072",
                                "--gpu-budget", "80GB"], flags)
        for n in pair:
            out[n] = load_at(m, n)
            assert all(r["differs"] == 0 for r in readings(m, "load", n)), "the log is not as computed"
    return out


def line_of(found):
    slope = (found[8192] - found[4096]) / 4096
    return lambda n: found[4096] + slope * (n - 4096), slope


def mib(x, signed=False):
    return ("%+.2f" if signed else "%.2f") % (x / MIB)


def loads_table(lab, models, flags):
    rows = ["| model | MiB a 1,024 tokens | 4,096 | 8,192 | 32,768 | off the line | 131,072 | off the line |",
            "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for title, model in models:
        found = loads(lab, model, flags)
        line, slope = line_of(found)
        rows.append("| %s | %s | %s | %s | %s | %s | %s | %s |" % (
            title, mib(slope * 1024), mib(found[4096]), mib(found[8192]), mib(found[32768]),
            mib(found[32768] - line(32768), True), mib(found[131072]),
            mib(found[131072] - line(131072), True)))
    return rows


def checks_table(lab, models, options, flags, budgets):
    rows = ["| model | budget | limit | points | longest -c | run | load by the line | load | error | prompt |"
            " peak | added | left |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    worst = 0
    for title, model in models:
        m = None
        for budget in budgets:
            if m and m["n_ctx"] == m["n_ctx_train"]:
                rows.append("| %s | %s | | | %d | | | | | | | | |" % (title, budget, m["n_ctx"]))
                continue # each length is run once: more memory than this does not change it
            m = lab.measure(model, ["--gpu-budget", budget, *options], flags)
            place = m["places"][0]
            assert all(r["differs"] == 0 for r in readings(m, "load") + readings(m, "check")), m["notes"]
            assert place["runtime_bytes"] + (place["pool_bytes"] or 0) == CONTEXT + 2 * MIB, place
            points = m["points"]
            for i, r in enumerate(readings(m, "check", m["n_ctx"])):
                error = r["load_bytes"] - r["line_bytes"]
                worst = max(worst, abs(error))
                rows.append("| %s | %s | %s | %d, %d | %d | %d | %s | %s | %s | %d | %s | %s | %s |" % (
                    title, budget, mib(place["limit_bytes"]), *points, m["n_ctx"], i + 1,
                    mib(r["line_bytes"]), mib(r["load_bytes"]), mib(error, True), r["tokens"],
                    mib(r["peak_bytes"]), mib(r["peak_bytes"] - r["load_bytes"]),
                    mib(place["limit_bytes"] - r["peak_bytes"])))
    return rows, worst


def write(lab, path, parts):
    plain, eight, checks, worst, checks8, worst8 = parts
    text = """# Two runs, one line, one check, repeated on a simulated A100

Written by `make article`: llama.cpp %s on a simulated A100 (81,151 MiB, a context of 480 MiB), models
without weights made from published headers, `%s`. Every figure is the
process's memory as NVML reports it, in MiB; every run was made twice, and repeated readings are the same
to the byte. In every run, checks included, every buffer in the server's log is as `ullage plan` computes
it; what the process holds beside is the context's 480 MiB, to the byte, and after the warm-up 2 MiB of the
runtime's pool.

## f16 cache: is it a line?

"Off the line" is the reading less the line through 4,096 and 8,192.

%s

## The longest context for each budget, and the check there

The budget is a card's size in decimal GB; 512 MiB are reserved and 16 MiB kept for the prompt; the line
goes through 4,096 and 8,192; lengths are multiples of 1,024 and at most what the model was trained for,
and a length that more memory does not change is not run again.
The prompt fills 90 %% of the context, one token is generated, and memory is read every 0.2 s. The worst
error of a load against the line is %s MiB.

%s

## 8-bit cache: two points are not enough

The same loads with `%s`. The scratch that flash attention needs for a quantised cache
grows with the context and at some length overtakes the other tensors of the compute buffer: there the line
bends, and two short runs predict too little.

%s

`ullage measure` knows from the computed curve where that is, and measures past it. The worst error of its
loads is %s MiB.

%s
""" % (lab.engine, " ".join(FLAGS), "\n".join(plain), mib(worst), "\n".join(checks),
       " ".join(EIGHT_BIT), "\n".join(eight), mib(worst8), "\n".join(checks8))
    with open(path, "w") as f:
        f.write(text)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if not os.path.exists(os.path.join(os.environ.get("ULLAGE_LAB", ""), "run")):
        sys.exit("article: set ULLAGE_LAB to the folder whose 'run' starts llama.cpp on simulated GPUs")
    out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "..", "docs", "article.md")
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(os.path.abspath(sys.argv[1]), folder)
        models = [(title, lab.stub(name)) for title, name in MODELS]
        bare = [(title, lab.stub(name, False)) for title, name in MODELS]
        plain = loads_table(lab, bare, [])
        eight = loads_table(lab, bare, EIGHT_BIT)
        checks, worst = checks_table(lab, models, ["--points", "4096,8192"], [], BUDGETS)
        checks8, worst8 = checks_table(lab, models, [], EIGHT_BIT, BUDGETS[:2])
        write(lab, out, (plain, eight, checks, worst, checks8, worst8))


if __name__ == "__main__":
    main()
