#!/usr/bin/env python3
"""Fits the factors of src/fit/factors.c to measured speeds, and says how well they do.

    tools/fit_speed.py tests/speed/pairs.tsv.xz > src/fit/factors.c      (made by tools/speed_pairs.py)
    tools/fit_speed.py tests/speed/pairs.tsv.xz --folds                    errors on (device, model) pairs left out

One law a back-end, linear in its factors, so that a token's milliseconds are a sum of terms that
can be told apart:
    bytes of weights / bandwidth x factor           + elements / arithmetic x factor of the weight type
    + layers that mix x ms + layers with a state x ms + layers with experts x ms
    + bytes of caches / bandwidth x factor          + attention's operations / arithmetic x factor
    + further devices x ms
No factor is negative, and memory is never faster than its bandwidth. The fit minimises the absolute
relative error (weights are refitted until it does), so that wrong rows do not pull; each device
weighs as the square root of its rows. CUDA runs of 2023 and 2024 have factors of their own, which
are not used later: the kernels were others. The CPU's law is a share of the bandwidth alone, the middle of
four: too few processors with a known memory were measured. A device that was measured gets a scale besides, the
median of what the law leaves, drawn to 1 when there are few rows. Rows that pairs.tsv holds out are
never used, but for the scale of their own device, which the test leaves unused."""
import collections
import csv
import lzma
import math
import sys

# What processors were seen to reach of their memory's bandwidth: Xeon 6980P (12 channels), Ryzen AI Max+ 395,
# Threadripper PRO 7965WX (shares of the theoretical rate as their testers print them), and a desktop with two
# channels of DDR5-4800: 23.1 MB of experts a layer in 0.357 ms (Qwen3-30B-A3B Q4_K_M, -ncmoe 16 against 40).
CPU_SHARES = [0.41, 0.43, 0.71, 0.84]
CPU_SHARE = (CPU_SHARES[1] + CPU_SHARES[2]) / 2

CLASSES = ["f16", "bf16", "q8_0", "legacy", "k", "low", "mxfp4"]
LIKE = {"bf16": ["f16", "q8_0"], "f16": ["bf16", "q8_0"], "q8_0": ["legacy", "k"], "legacy": ["k", "q8_0"],
        "k": ["legacy", "q8_0"], "low": ["k", "legacy"], "mxfp4": ["legacy", "k", "q8_0"]}
BACKENDS = ["CUDA", "ROCm", "Vulkan", "Metal", "SYCL", "CPU"]
GIB_GB = 1.073741824


def load(path):
    rows = []
    for r in csv.DictReader(lzma.open(path, "rt") if path.endswith(".xz") else open(path), delimiter="\t"):
        for k in r:
            if k not in ("device", "backend", "model", "class", "test"):
                r[k] = float(r[k])
        if r["gbs"] > 0 and r["tflops"] > 0:
            rows.append(r)
    return rows


def terms(r):
    """The terms of a generated token, in milliseconds before their factors."""
    f = {"bandwidth": r["read_gib"] * GIB_GB * 1e3 / r["gbs"], "type " + r["class"]: 2 * r["gparams"] / r["tflops"],
         "mixer": r["mixers"], "state": r["states"], "expert": r["moe"], "further": r["n"] - 1,
         "cache": r["cache_gib"] * GIB_GB * 1e3 / r["gbs"], "attention": r["attention_gflop"] / r["tflops"]}
    if r["old"] and r["backend"] == "CUDA":
        f["old type " + r["class"]] = f["type " + r["class"]]
        f["old mixer"] = r["mixers"]
    return {k: v for k, v in f.items() if v}


def prompt_terms(r):
    """Of a prompt's token: a batch of 512 reads every weight once."""
    wide = r["tflops16"] > 0
    work = 2 * r["gparams"] / (r["tflops16"] if wide else 4 * r["tflops"])
    f = {("wide " if wide else "plain ") + r["class"]: work, "mixer": r["mixers"] / 512, "expert": r["moe"] / 512,
         "bandwidth": r["size_gib"] * GIB_GB * 1e3 / r["gbs"] / 512,
         "attention": r["attention_gflop"] / r["tflops"]}
    return {k: v for k, v in f.items() if v}


def solve(rows, least, rounds=200):
    """Factors by coordinate descent on reweighted squares of the relative error."""
    x = {k: max(least.get(k, 0), 0.05) for r in rows for k in r["terms"]}
    where = collections.defaultdict(list)
    for i, r in enumerate(rows):
        for k, v in r["terms"].items():
            where[k].append((i, v))
    count = collections.Counter((r["device"], r["backend"]) for r in rows)
    predicted = [sum(x[k] * v for k, v in r["terms"].items()) for r in rows]
    for _ in range(rounds):
        weight = [1 / math.sqrt(count[r["device"], r["backend"]]) / r["ms"] ** 2 / max(abs(p / r["ms"] - 1), 0.03)
                  for r, p in zip(rows, predicted)]
        for k in sorted(x):
            up = sum(weight[i] * v * (rows[i]["ms"] - predicted[i] + x[k] * v) for i, v in where[k])
            down = sum(weight[i] * v * v for i, v in where[k])
            step = max(least.get(k, 0), up / down) - x[k]
            x[k] += step
            for i, v in where[k]:
                predicted[i] += step * v
    return x


def complete(x, prefix):
    """A factor for every weight type: of the most alike that was measured."""
    out = {}
    for c in CLASSES:
        for like in [c] + LIKE[c] + CLASSES:
            if prefix + like in x:
                out[c] = x[prefix + like]
                break
    return out


def predict(law, r):
    """A run by the law, as C does it: without the factors of old builds."""
    kinds = complete(law, "type ")
    f = terms(r)
    if r["backend"] == "CPU":
        return (f["bandwidth"] + f["cache"]) * law["bandwidth"]
    return sum(v * (kinds[k[5:]] if k.startswith("type ") else law.get(k, 0)) for k, v in f.items()
               if not k.startswith("old "))


def quantile(pairs, q):
    pairs = sorted(pairs)
    total, run = sum(w for _, w in pairs), 0
    for v, w in pairs:
        run += w
        if run >= q * total:
            return v
    return pairs[-1][0]


def generation_laws(rows):
    laws = {}
    for b in BACKENDS:
        mine = [r for r in rows if r["backend"] == b]
        newer = {"old type " + r["class"] for r in mine if not r["old"]} | {"old mixer"}
        for r in mine:
            r["ms"], r["terms"] = 1000 / r["tok_s"], terms(r)
            r["terms"] = {k: v for k, v in r["terms"].items() if not k.startswith("old") or k in newer}
        if mine:
            laws[b] = solve(mine, {"bandwidth": 1.0, "cache": 1.0})
    laws["CPU"] = {"bandwidth": 1 / CPU_SHARE, "cache": 1 / CPU_SHARE}
    return laws


def scales(rows, laws):
    """device, back-end -> what the law leaves: the median, drawn to 1 as if one more row said so."""
    left = collections.defaultdict(list)
    for r in rows:
        if r["backend"] in laws:
            left[r["device"], r["backend"]].append(1000 / r["tok_s"] / predict(laws[r["backend"]], r))
    out = {}
    for key, v in left.items():
        middle = math.log(quantile([(x, 1) for x in v], 0.5))
        out[key] = math.exp(middle * len(v) / (len(v) + 0.5))
    return out


def spread(rows, laws, scale):
    """Between which multiples of the prediction eight of ten runs are, by back-end."""
    left = collections.defaultdict(list)
    count = collections.Counter((r["device"], r["backend"]) for r in rows)
    for r in rows:
        if r["backend"] in laws:
            p = predict(laws[r["backend"]], r) * scale.get((r["device"], r["backend"]), 1)
            left[r["backend"]].append((1000 / r["tok_s"] / p, 1 / count[r["device"], r["backend"]]))
    return {b: (quantile(v, 0.1), quantile(v, 0.9)) for b, v in left.items()}


# ---------------------------------------------------------------- errors

def report(title, rows, laws, scale):
    count = collections.Counter((r["device"], r["backend"]) for r in rows)
    for b in BACKENDS:
        errors = []
        for r in rows:
            if r["backend"] == b and b in laws:
                ms = predict(laws[b], r) * scale.get((r["device"], b), 1)
                errors.append((abs(1000 / ms / r["tok_s"] - 1), 1 / count[r["device"], b]))
        if errors:
            print("%-28s %-7s %4d runs  %3d devices  median %5.1f %%  90th %6.1f %%"
                  % (title, b, len(errors), len({r["device"] for r in rows if r["backend"] == b}),
                     100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9)), file=sys.stderr)


def folds(rows, n=5):
    """Every (device, model) pair is predicted by laws and scales that have not seen it."""
    seen = [r for r in rows if not r["hold"]]
    fold = lambda r: sum(map(ord, r["device"] + r["model"])) % n
    laws, scale = [], []
    for i in range(n):
        part = [r for r in seen if fold(r) != i]
        laws.append(generation_laws(part))
        scale.append(scales(part, laws[-1]))
    count = collections.Counter((r["device"], r["backend"]) for r in seen)
    for b in BACKENDS:
        errors = []
        for r in seen:
            i = fold(r)
            if r["backend"] == b and b in laws[i]:
                ms = predict(laws[i][b], r) * scale[i].get((r["device"], b), 1)
                errors.append((abs(1000 / ms / r["tok_s"] - 1), 1 / count[r["device"], b]))
        if errors:
            print("pairs left out  %-7s %4d runs  median %5.1f %%  90th %6.1f %%"
                  % (b, len(errors), 100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9)))


# ---------------------------------------------------------------- C

def prompt_laws(rows):
    laws = {}
    for b in BACKENDS:
        mine = [r for r in rows if r["backend"] == b and not (r["old"] and b == "CUDA") and r["length"] >= 256]
        for r in mine:
            r["ms"], r["terms"] = 1000 / r["tok_s"], prompt_terms(r)
        if mine:
            least = {k: 0.25 for r in mine for k in r["terms"] if k.startswith(("wide", "plain"))}
            laws[b] = solve(mine, dict(least, bandwidth=1.0))
            left, count = [], collections.Counter(r["device"] for r in mine)
            for r in mine:
                p = sum(laws[b][k] * v for k, v in r["terms"].items())
                left.append((r["ms"] / p, 1 / count[r["device"]]))
            laws[b]["low"], laws[b]["high"] = quantile(left, 0.1), quantile(left, 0.9)
            print("prompts %-7s %4d runs  median %5.1f %%" % (b, len(mine), 100 * quantile(
                [(abs(1 / v - 1), w) for v, w in left], 0.5)), file=sys.stderr)
    return laws


def array(values, indent):
    items = ["[UL_CLASS_%s] = %.3f" % (c.upper(), values[c]) for c in CLASSES if c in values]
    return "{" + (",\n" + indent).join(", ".join(items[i:i + 2]) for i in (0, 2, 4, 6)) + "}"


def write(laws, prompts, wide, known, scale, held, counts):
    print("""/* Factors of speed, made by tools/fit_speed.py from tests/speed/pairs.tsv.xz: one law a back-end,
 * and what single devices need besides. See fit/factors.h for their meaning. */
#include "fit/factors.h"

const struct ul_speed_law ul_speed_laws[UL_BACKEND_COUNT] = {""")
    for b in BACKENDS:
        if b not in laws:
            continue
        x, p = laws[b], prompts.get(b)
        print("    [UL_%s] = {" % b.upper())
        print("        .runs = %d, .devices = %d," % counts[b])
        print("        .bandwidth = %.3f, .cache = %.3f, .attention = %.3f," % (x["bandwidth"], x.get("cache", 1),
                                                                                x.get("attention", 0)))
        print("        .mixer_ms = %.4f, .state_ms = %.4f, .expert_ms = %.4f, .further_ms = %.3f,"
              % tuple(x.get(k, 0) for k in ("mixer", "state", "expert", "further")))
        if b != "CPU":
            print("        .type = " + array(complete(x, "type "), " " * 17) + ",")
        print("        .fast = %.3f, .slow = %.3f, .known_fast = %.3f, .known_slow = %.3f," % (wide[b] + known[b]))
        if p and b != "CPU":
            print("        .prompt = {.fast = %.3f, .slow = %.3f, .mixer_ms = %.4f, .expert_ms = %.4f,"
                  % (p["low"], p["high"], p.get("mixer", 0) , p.get("expert", 0)))
            print("                   .bandwidth = %.3f, .attention = %.3f," % (p["bandwidth"], p.get("attention", 0)))
            for name in ("wide", "plain"):
                if any(k.startswith(name + " ") for k in p):
                    print("                   .%s = %s," % (name, array(complete(p, name + " "), " " * 28)))
            print("        },")
        print("    },")
    print("};\n\nconst struct ul_speed_scale ul_speed_scales[] = {")
    scale = {k: v for k, v in scale.items() if k[1] != "CPU"}
    for (device, b), v in sorted(list(scale.items()) + list(held.items())):
        print('    {.device = "%s",\n     .backend = UL_%s, .scale = %.3f%s},'
              % (device, b.upper(), v, ", .held = true" if (device, b) in held else ""))
    print("};\n\nconst size_t ul_n_speed_scales = sizeof ul_speed_scales / sizeof ul_speed_scales[0];")


def main():
    rows = load(sys.argv[1])
    tokens = [r for r in rows if r["test"] == "tg"]
    if "--folds" in sys.argv:
        folds(tokens)
        return
    seen, held = [r for r in tokens if not r["hold"]], [r for r in tokens if r["hold"]]
    laws = generation_laws(seen)
    scale, held_scale = scales(seen, laws), scales(held, laws)
    report("fitted", seen, laws, scale)
    report("held out, as unknown", held, laws, {})
    report("held out, own scale", held, laws, held_scale)
    prompts = prompt_laws([r for r in rows if r["test"] == "pp" and not r["hold"]])
    counts = {b: (sum(r["backend"] == b for r in seen), len({r["device"] for r in seen if r["backend"] == b})) for b in BACKENDS}
    wide, near = spread(seen, laws, {}), spread(seen, laws, scale)
    wide["CPU"] = near["CPU"] = (CPU_SHARE / CPU_SHARES[-1], CPU_SHARE / CPU_SHARES[0])
    counts["CPU"] = (len(CPU_SHARES), len(CPU_SHARES))
    write(laws, prompts, wide, near, scale, held_scale, counts)


main()
