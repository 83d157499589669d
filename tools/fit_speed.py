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
four: too few processors with a known memory were measured. A device that was measured gets two scales besides, of its
layers' time and of the rest, drawn to 1; a family of devices gets one, for those of it that were not. Rows that pairs.tsv holds out are
never used, but for the scale of their own device, which the test leaves unused."""
import collections
import csv
import lzma
import math
import sys

# What processors were seen to reach of their memory's bandwidth: Xeon 6980P (12 channels), Ryzen AI Max+ 395,
# Threadripper PRO 7965WX (shares of the theoretical rate as their testers print them), and a desktop with two
# channels of DDR5-4800: 23.1 MB of experts a layer in 0.357 ms (Qwen3-30B-A3B Q4_K_M, -ncmoe 16 against 40).
PULL = 0.05  # what a factor of e costs, in relative error a row
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
            if k not in ("device", "backend", "model", "class", "test", "family"):
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


def parts(law, r):
    """What the law says of a run: its layers' time, and the rest."""
    fixed = sum(law.get(k, 0) * v for k, v in terms(r).items() if k in ("mixer", "state", "expert", "further"))
    return fixed, predict(law, r) - fixed


def fit_scale(law, rows):
    """Multiples of the two parts that leave the least relative error, each drawn to 1 (both together
    when fewer than three models were run, which cannot tell them apart)."""
    split = [(1000 / r["tok_s"],) + parts(law, r) for r in rows]
    apart = len({r["model"] for r in rows}) >= 3
    n = len(rows)

    def loss(a, b):
        return (sum(abs((a * f + b * g) / ms - 1) for ms, f, g in split) / n ** 0.5
                + PULL * (abs(math.log(a)) + abs(math.log(b))))

    best = (1.0, 1.0)
    for step in (0.2, 0.1, 0.05, 0.02, 0.01, 0.005):
        moved = True
        while moved:
            moved = False
            for da, db in ((1, 1), (-1, -1)) + (((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)) if apart else ()):
                new = (best[0] * math.exp(da * step), best[1] * math.exp(db * step))
                if 0.2 < new[0] < 5 and 0.2 < new[1] < 5 and loss(*new) < loss(*best) - 1e-12:
                    best, moved = new, True
    return best


def scales(rows, laws):
    """device, back-end -> multiples of the law's two parts; and of families, for devices without."""
    by = collections.defaultdict(list)
    for r in rows:
        if r["backend"] in laws and r["backend"] != "CPU":
            by[r["device"], r["backend"]].append(r)
    out = {key: fit_scale(laws[key[1]], v) for key, v in by.items()}
    family = collections.defaultdict(list)
    for key, v in by.items():
        family[v[0]["family"], key[1]].append(quantile([(1000 / r["tok_s"] / predict(laws[key[1]], r), 1) for r in v], 0.5))
    for key, v in family.items():
        middle = sorted(math.log(x) for x in v)
        middle = (middle[len(v) // 2] + middle[(len(v) - 1) // 2]) / 2
        s = math.exp(middle * len(v) / (len(v) + 1))
        out["family " + key[0], key[1]] = (s, s)
    return out


def scaled(laws, scale, r):
    law = laws[r["backend"]]
    a, b = scale.get((r["device"], r["backend"])) or scale.get(("family " + r["family"], r["backend"])) or (1, 1)
    fixed, rest = parts(law, r)
    return a * fixed + b * rest


def spread(rows, laws, scale):
    """Between which multiples of the prediction eight of ten runs are, by back-end."""
    left = collections.defaultdict(list)
    count = collections.Counter((r["device"], r["backend"]) for r in rows)
    for r in rows:
        if r["backend"] in laws:
            p = scaled(laws, scale, r)
            left[r["backend"]].append((1000 / r["tok_s"] / p, 1 / count[r["device"], r["backend"]]))
    return {b: (quantile(v, 0.1), quantile(v, 0.9)) for b, v in left.items()}


# ---------------------------------------------------------------- errors

def report(title, rows, laws, scale):
    count = collections.Counter((r["device"], r["backend"]) for r in rows)
    for b in BACKENDS:
        errors = []
        for r in rows:
            if r["backend"] == b and b in laws:
                ms = scaled(laws, scale, r)
                errors.append((abs(1000 / ms / r["tok_s"] - 1), 1 / count[r["device"], b]))
        if errors:
            print("%-28s %-7s %4d runs  %3d devices  median %5.1f %%  90th %6.1f %%"
                  % (title, b, len(errors), len({r["device"] for r in rows if r["backend"] == b}),
                     100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9)), file=sys.stderr)


def left_out(rows, n=5):
    """back-end -> (row, measured over predicted time): every (device, model) pair is predicted by laws
    and scales that have not seen it."""
    seen = [r for r in rows if not r["hold"]]
    fold = lambda r: sum(map(ord, r["device"] + r["model"])) % n
    out = collections.defaultdict(list)
    for i in range(n):
        part = [r for r in seen if fold(r) != i]
        laws = generation_laws(part)
        scale = scales(part, laws)
        for r in seen:
            if fold(r) == i and r["backend"] in laws:
                own = (r["device"], r["backend"]) in scale
                out[r["backend"]].append((r, 1000 / r["tok_s"] / scaled(laws, scale, r), own))
    return out


def folds(rows):
    count = collections.Counter((r["device"], r["backend"]) for r in rows)
    for b, v in left_out(rows).items():
        errors = [(abs(x - 1), 1 / count[r["device"], b]) for r, x, _ in v]
        print("pairs left out  %-7s %4d runs  median %5.1f %%  90th %6.1f %%"
              % (b, len(errors), 100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9)))


def near_spread(rows):
    """Between which multiples of the prediction eight of ten runs are, of models that a device of known
    scale had not run before."""
    count, out = collections.Counter((r["device"], r["backend"]) for r in rows), {}
    for b, v in left_out(rows).items():
        v = [(x, 1 / count[r["device"], b]) for r, x, own in v if own]
        if v:
            out[b] = (quantile(v, 0.1), quantile(v, 0.9))
    return out


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
    held = {k: v for k, v in held.items() if not k[0].startswith("family ")}
    for (device, b), v in sorted(list(scale.items()) + list(held.items())):
        what = '.family = "%s"' % device[7:] if device.startswith("family ") else '.device = "%s"' % device
        print('    {%s,\n     .backend = UL_%s, .fixed = %.3f, .rest = %.3f%s},'
              % (what, b.upper(), v[0], v[1], ", .held = true" if (device, b) in held else ""))
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
    report("held out, law alone", held, laws, {})
    report("held out, as unknown", held, laws, {k: v for k, v in scale.items() if k[0].startswith("family ")})
    report("held out, own scale", held, laws, held_scale)
    prompts = prompt_laws([r for r in rows if r["test"] == "pp" and not r["hold"]])
    counts = {b: (sum(r["backend"] == b for r in seen), len({r["device"] for r in seen if r["backend"] == b})) for b in BACKENDS}
    families = {k: v for k, v in scale.items() if k[0].startswith("family ")}
    wide, near = spread(seen, laws, families), near_spread(tokens)
    near = {b: near.get(b, wide[b]) for b in wide}
    wide = {b: (min(wide[b][0], near[b][0]), max(wide[b][1], near[b][1])) for b in wide}
    wide["CPU"] = near["CPU"] = (CPU_SHARE / CPU_SHARES[-1], CPU_SHARE / CPU_SHARES[0])
    counts["CPU"] = (len(CPU_SHARES), len(CPU_SHARES))
    write(laws, prompts, wide, near, scale, held_scale, counts)


main()
