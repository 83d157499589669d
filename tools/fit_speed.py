#!/usr/bin/env python3
"""Fits the factors of src/fit/factors.c to measured speeds, and says how well they do.

    tools/fit_speed.py tests/speed/pairs.tsv.xz > src/fit/factors.c     (pairs: tools/speed_pairs.py)
    tools/fit_speed.py tests/speed/pairs.tsv.xz --cross                 errors on devices, and on pairs, left out

A token's milliseconds are a sum of terms, each a quantity of the model and the device times a factor (see
src/fit/factors.h): what layers take whatever they read; reading weights and unpacking them, which go on at the same
time and add up as the sides of a right angle do; and attention. There is one law a back-end, and with Vulkan one a
vendor, since the driver makes the difference.

Each factor is drawn to what is expected of it before any run is seen (PRIOR, or the law named in PARENT, where few
runs are), as strongly as its spread says, so that few runs cannot take it far. The loss is the absolute error of the
time's logarithm, so that wrong rows do not pull; each device weighs as the square root of its rows. CUDA runs of 2023
and 2024 have factors of their own besides, since the kernels were others; such runs of other back-ends are left out.

A family of devices then has two multiples, of its layers' time and of the rest, drawn to 1, and a measured device two
of its own, drawn to its family's. Ranges are of runs left out: of devices that neither law nor multiples have seen,
and of models that a known device had not run; where few devices are, of those of its kin too (KIN). Rows that
pairs.tsv holds out are never used, but for the multiples of their own device, which the test leaves unused. The CPU's law is a share of the bandwidth alone."""
import collections
import csv
import lzma
import math
import sys
import zlib

CLASSES = ["f16", "bf16", "q8_0", "legacy", "k", "low", "mxfp4"]
# Factors before any run is seen: the middle and the spread, a factor of e being 1.
TOKEN_PRIOR = {
    "bandwidth": (1.08, 0.05), "mixer": (0.05, 0.7), "state": (0.05, 0.7), "expert": (0.05, 0.7), "further": (0.3, 0.5),
    "cache": (1.2, 0.3), "flash": (4, 0.3), "plain": (8, 1), "bf16 experts": (2.7, 0.5),
    "old mixer": (0.03, 0.7), "old type": (1, 0.3), "old low": (4, 0.7)}
TOKEN_PRIOR.update({"type " + c: (8, 0.6) for c in CLASSES})
PROMPT_PRIOR = {"bandwidth": (1.5, 0.5), "attention": (1, 1), "mixer": (0.3, 1), "expert": (1, 1)}
PROMPT_PRIOR.update({"wide " + c: (0.6, 0.7) for c in CLASSES})
PROMPT_PRIOR.update({"plain " + c: (1, 0.7) for c in CLASSES})
LEAST = {"bandwidth": 1.0, "cache": 1.0}  # memory is never faster than its bandwidth
# Laws in the order in which they are fitted, and those that others are drawn to.
LAWS = ["CUDA", "ROCm", "Metal", "Vulkan AMD", "Vulkan NVIDIA", "SYCL", "Vulkan Intel"]
PARENT = {"Vulkan NVIDIA": ("CUDA", 0.12), "SYCL": ("Vulkan AMD", 0.4), "Vulkan Intel": ("SYCL", 0.3)}
NOISE = 0.08               # of a run's logarithm: what one run counts against a prior
NEAREST = 0.04             # errors below count as squares
FAMILY = DEVICE = (0.25, 0.08)  # spread of the two multiples
OLD_WEIGHT = 0.3           # of runs of 2023 and 2024, for a device's own multiples
PROMPT_SPREAD = (0.4, 0.4)
GROUPS = 8
# What processors were seen to reach of their memory's bandwidth: Xeon 6980P (12 channels), Ryzen AI Max+ 395,
# Threadripper PRO 7965WX (shares of the theoretical rate as their testers print them), and a desktop with two
# channels of DDR5-4800: 23.1 MB of experts a layer in 0.357 ms (Qwen3-30B-A3B Q4_K_M, -ncmoe 16 against 40).
CPU_SHARES = [0.41, 0.43, 0.71, 0.84]
CPU_SHARE = (CPU_SHARES[1] + CPU_SHARES[2]) / 2
GIB_GB = 1.073741824
TEXT = ("device", "backend", "model", "class", "test", "family", "vendor")


# ---------------------------------------------------------------- rows and their terms

def load(path):
    rows = []
    for r in csv.DictReader(lzma.open(path, "rt") if path.endswith(".xz") else open(path), delimiter="\t"):
        for k in r:
            r[k] = r[k] if k in TEXT else float(r[k])
        if r["gbs"] <= 0 or r["tflops"] <= 0 or r["backend"] == "CPU":
            continue
        r["ms"] = 1000 / r["tok_s"]
        r["law"] = r["backend"] + (" " + r["vendor"] if r["backend"] == "Vulkan" else "")
        r["old"] = r["old"] and r["backend"] != "Metal"  # its kernels changed less
        r["cuda_old"] = r["old"] and r["backend"] == "CUDA"
        r["terms"] = token_terms(r) if r["test"] == "tg" else prompt_terms(r)
        rows.append(r)
    return rows


def token_terms(r):
    """Lists of (the factors' names, quantity): of layers, of reading, of unpacking, of attention. The factors of
    old builds come last and are marked by a leading word."""
    fixed = [(("mixer",), r["mixers"]), (("state",), r["states"]), (("expert",), r["moe"]), (("further",), r["n"] - 1)]
    unpack = ["type " + r["class"]]
    if r["law"] == "Vulkan AMD" and r["class"] == "bf16" and r["moe"]:
        unpack.append("bf16 experts")
    if r["cuda_old"]:
        fixed.append((("old mixer",), r["mixers"]))
        unpack += ["old type"] + (["old low"] if r["class"] == "low" else [])
    return ([t for t in fixed if t[1]], [(("bandwidth",), r["read_gib"] * GIB_GB * 1e3 / r["gbs"])],
            [(tuple(unpack), 2 * r["gparams"] / r["unpacking"])],
            [(("cache",), r["cache_gib"] * GIB_GB * 1e3 / r["gbs"]),
             (("flash" if r["flash"] else "plain",), r["attention_gflop"] / r["unpacking"])])


def prompt_terms(r):
    """Of a prompt's token: a batch reads every weight once. Of several devices each works on a batch as soon as it has
    passed one on (src/fit/law.c: ul_pipelined), with the engine's usual -b of 2048."""
    batches = max(1, min(r["length"], 2048) / r["ubatch"])
    overlap = (1 + (batches - 1) / r["n"]) / batches
    wide = r["matrix"] > 0
    sums = [((("wide " if wide else "plain ") + r["class"],), 2 * r["gparams"] / r["unpacking"]),
            (("attention",), r["attention_gflop"] / r["unpacking"]),
            (("mixer",), r["mixers"] / r["ubatch"]), (("expert",), r["moe"] / r["ubatch"]),
            (("bandwidth",), r["size_gib"] * GIB_GB * 1e3 / r["gbs"] / r["ubatch"])]
    return [], [], [], [(names, amount * overlap) for names, amount in sums if amount]


def total(terms, x, old):
    """The sum of some terms and each one's share by factor. Without `old`, as today's builds would be."""
    sum_, parts = 0.0, []
    for names, amount in terms:
        if not old:
            if names[0].startswith("old"):
                continue
            names = [n for n in names if not n.startswith("old")]
        value = amount * math.exp(sum(x[n] for n in names))
        sum_ += value
        parts.append((names, value))
    return sum_, parts


def halves(r, x, old=False):
    """Milliseconds of layers, and of the rest; with what each factor adds to them per e-fold."""
    fixed, grow_fixed = total(r["terms"][0], x, old)
    read, _ = total(r["terms"][1], x, old)
    unpack, grow_unpack = total(r["terms"][2], x, old)
    cache, grow_rest = total(r["terms"][3], x, old)
    weights = math.hypot(read, unpack)
    if weights:
        grow_rest = (grow_rest + [(("bandwidth",), read * read / weights)]
                     + [(names, v * v / weights) for names, v in grow_unpack])
    return fixed, weights + cache, grow_fixed, grow_rest


def predict(r, x, multiples=(0.0, 0.0)):
    """As C does it: by today's builds, and never faster than the bandwidth."""
    fixed, rest, _, _ = halves(r, x)
    least = (r["read_gib"] + r["cache_gib"]) * GIB_GB * 1e3 / r["gbs"] if r["test"] == "tg" else 0
    return max(least, fixed * math.exp(multiples[0]) + rest * math.exp(multiples[1]))


# ---------------------------------------------------------------- fitting

def solve(a, b):
    """Gauss's elimination."""
    n = len(b)
    m = [row[:] + [v] for row, v in zip(a, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda k: abs(m[k][i]))
        m[i], m[p] = m[p], m[i]
        for k in range(i + 1, n):
            f = m[k][i] / m[i][i]
            if f:
                m[k] = [u - f * v for u, v in zip(m[k], m[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (m[i][n] - sum(m[i][j] * x[j] for j in range(i + 1, n))) / m[i][i]
    return x


def descend(start, prior, rows, residual, least=None):
    """Gauss and Newton's steps on the loss: residual(row, x) is the error and its slopes by name; prior: name ->
    middle and spread; rows: (row, weight)."""
    x, names = dict(start), sorted(prior)
    at = {n: i for i, n in enumerate(names)}
    for _ in range(60):
        a = [[0.0] * len(names) for _ in names]
        g = [0.0] * len(names)
        for r, weight in rows:
            error, slopes = residual(r, x)
            weight = weight / (NOISE * max(abs(error), NEAREST))
            for n, s in slopes.items():
                g[at[n]] += weight * s * error
                for k, t in slopes.items():
                    a[at[n]][at[k]] += weight * s * t
        for n, i in at.items():
            middle, spread = prior[n]
            a[i][i] += 1 / spread ** 2
            g[i] -= (x[n] - middle) / spread ** 2
        step = solve(a, g)
        before = dict(x)
        for n, i in at.items():
            x[n] += max(-0.5, min(0.5, step[i]))
            if least and n in least:
                x[n] = max(x[n], least[n])
        if max(abs(x[n] - before[n]) for n in names) < 1e-3:
            break
    return x


def slopes_of(r, x, old):
    fixed, rest, grow_fixed, grow_rest = halves(r, x, old)
    slopes = collections.defaultdict(float)
    for names, value in grow_fixed + grow_rest:
        for n in names:
            slopes[n] += value / (fixed + rest)
    return math.log(r["ms"] / (fixed + rest)), slopes


def weights(rows, power=-0.5):
    count = collections.Counter((r["device"], r["backend"]) for r in rows)
    return [(r, count[r["device"], r["backend"]] ** power) for r in rows]


def fit_law(rows, prior):
    used = {n for r in rows for part in r["terms"] for names, _ in part for n in names}
    start = {n: middle for n, (middle, _) in prior.items()}
    if not used:
        return start
    return descend(start, {n: prior[n] for n in used}, weights(rows),
                   lambda r, x: slopes_of(r, x, True), {n: math.log(v) for n, v in LEAST.items()})


def fit_multiples(rows, law, centre, spread):
    """Two logarithms, of the layers' time and of the rest. Old runs count as they are, but less."""
    def residual(r, m):
        fixed, rest = r["halves"][0] * math.exp(m[0]), r["halves"][1] * math.exp(m[1])
        return math.log(r["ms"] / (fixed + rest)), {0: fixed / (fixed + rest), 1: rest / (fixed + rest)}
    rows = [(r, w * (OLD_WEIGHT if r["old"] else 1)) for r, w in rows]
    for r, _ in rows:
        r["halves"] = halves(r, law)[:2]
    m = descend({0: centre[0], 1: centre[1]}, {i: (centre[i], spread[i]) for i in (0, 1)}, rows, residual)
    return m[0], m[1]


def fit_scales(rows, law, spreads):
    """(device or "family ...", back-end) -> multiples."""
    out = {}
    for family in sorted({(r["family"], r["backend"]) for r in rows}):
        mine = [r for r in rows if (r["family"], r["backend"]) == family]
        centre = fit_multiples([(r, w / 2) for r, w in weights(mine, -0.7)], law, (0.0, 0.0), spreads[0])
        out["family " + family[0], family[1]] = centre
        for device in sorted({r["device"] for r in mine}):
            own = [r for r in mine if r["device"] == device]
            out[device, family[1]] = fit_multiples(weights(own), law, centre, spreads[1])
    return out


MEMORY = {}


def fit(rows, prompts=False):
    """law's name -> factors' logarithms; multiples."""
    laws, scale = {}, {}
    base = {n: (math.log(v), s) for n, (v, s) in (PROMPT_PRIOR if prompts else TOKEN_PRIOR).items()}
    spreads = (PROMPT_SPREAD, PROMPT_SPREAD) if prompts else (FAMILY, DEVICE)
    for name in LAWS:
        mine = [r for r in rows if r["law"] == name and (not r["old"] or r["cuda_old"] and not prompts)]
        prior = base
        if name in PARENT:
            parent, most = PARENT[name]
            prior = {n: (laws[parent][n], min(s, most)) for n, (_, s) in base.items()}
        key = (name, tuple(map(id, mine)), tuple(sorted(prior.items())))
        if key not in MEMORY:
            law = fit_law(mine, prior)
            MEMORY[key] = law, fit_scales(mine, law, spreads)
        laws[name], own = MEMORY[key]
        scale.update(own)
    return laws, scale


def scaled(r, laws, scale):
    family = scale.get(("family " + r["family"], r["backend"]), (0.0, 0.0))
    return predict(r, laws[r["law"]], scale.get((r["device"], r["backend"]), family))


# ---------------------------------------------------------------- runs left out

def quantile(pairs, q):
    pairs = sorted(pairs)
    whole, run = sum(w for _, w in pairs), 0
    for v, w in pairs:
        run += w
        if run >= q * whole:
            return v
    return pairs[-1][0]


def left_out(rows, group, prompts=False):
    """(row, measured over predicted time, whether its device was known): each group by laws without it."""
    out, groups = [], collections.defaultdict(list)
    for r in rows:
        groups[group(r)].append(r)
    for _, mine in sorted(groups.items()):
        without = set(map(id, mine))
        laws, scale = fit([r for r in rows if id(r) not in without], prompts)
        out += [(r, r["ms"] / scaled(r, laws, scale), (r["device"], r["backend"]) in scale) for r in mine]
    return out


def devices_out(rows, prompts=False):
    return left_out(rows, lambda r: r["device"], prompts)


def pairs_out(rows, prompts=False):
    return left_out(rows, lambda r: zlib.crc32((r["device"] + "|" + r["model"]).encode()) % GROUPS, prompts)


def present(rows):
    """Without the runs of 2023 and 2024."""
    return [t for t in rows if not t[0]["old"]]


def print_errors(title, results, of=lambda r: r["backend"]):
    for b in sorted({of(r) for r, _, _ in results}):
        mine = [(r, v) for r, v, _ in results if of(r) == b]
        count = collections.Counter(r["device"] for r, _ in mine)
        errors = [(abs(v - 1), 1 / count[r["device"]]) for r, v in mine]
        print("%-32s %-14s %4d runs  %3d devices  median %5.1f %%  90th %6.1f %%"
              % (title, b, len(mine), len(count), 100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9)),
              file=sys.stderr)


def ends(results):
    """Eight of ten runs left out are between these multiples of the predicted time, a device weighing as one; with n
    devices to the n+1-th part of an end, since the next device is none of them, but for the last twentieth."""
    count = collections.Counter((r["device"], r["backend"]) for r, _, _ in results)
    pairs = [(v, 1 / count[r["device"], r["backend"]]) for r, v, _ in results]
    q = min(0.95, 0.9 * (len(count) + 1) / len(count))
    return quantile(pairs, 1 - q), quantile(pairs, q)


FEW = 10  # devices, below which a law has the range of its kin together
KIN = {"Vulkan AMD": "Vulkan ROCm", "Vulkan NVIDIA": "Vulkan ROCm", "SYCL": "SYCL Vulkan ROCm",
       "Vulkan Intel": "SYCL Vulkan ROCm"}


def ranges(unknown, known):
    """law -> fast and slow ends for unknown devices, and for known ones."""
    out = {}
    for name in LAWS:
        few = lambda results: len({r["device"] for r, _, _ in results}) < FEW
        kin = lambda results: [t for t in results if t[0]["backend"] in KIN.get(name, name).split()]
        own = [t for t in unknown if t[0]["law"] == name]
        wide = ends(kin(unknown) if few(own) else own)
        again = [t for t in known if t[2]]
        own = [t for t in again if t[0]["law"] == name]
        near = ends(kin(again) if few(own) else own)
        out[name] = wide + (max(near[0], wide[0]), min(near[1], wide[1]))
    return out


# ---------------------------------------------------------------- C

def array(values, indent):
    items = ["[UL_CLASS_%s] = %.3f" % (c.upper(), math.exp(values[c])) for c in CLASSES]
    return "{" + (",\n" + indent).join(", ".join(items[i:i + 2]) for i in (0, 2, 4, 6)) + "}"


def write_law(name, law, span, prompt, prompt_span, rows, prompt_rows):
    b, _, vendor = name.partition(" ")
    value = lambda n, x=law: math.exp(x[n])
    print("    {.backend = UL_%s,%s" % (b.upper(), ' .vendor = "%s",' % vendor if vendor else ""))
    print("     .runs = %d, .devices = %d," % (len(rows), len({r["device"] for r in rows})))
    print("     .bandwidth = %.3f, .cache = %.3f, .flash = %.3f, .plain = %.3f, .bf16_experts = %.3f,"
          % (value("bandwidth"), value("cache"), value("flash"), value("plain"),
             value("bf16 experts") if b == "Vulkan" and vendor == "AMD" else 1))
    print("     .mixer_ms = %.4f, .state_ms = %.4f, .expert_ms = %.4f, .further_ms = %.3f,"
          % tuple(value(n) for n in ("mixer", "state", "expert", "further")))
    print("     .type = " + array({c: law["type " + c] for c in CLASSES}, " " * 14) + ",")
    print("     .unknown = {%.3f, %.3f}, .known = {%.3f, %.3f}," % span)
    print("     .prompt = {.runs = %d," % len(prompt_rows))
    print("                .mixer_ms = %.4f, .expert_ms = %.4f, .bandwidth = %.3f, .attention = %.3f,"
          % tuple(value(n, prompt) for n in ("mixer", "expert", "bandwidth", "attention")))
    for kind in ("wide", "plain"):
        print("                .%s = %s," % (kind, array({c: prompt[kind + " " + c] for c in CLASSES}, " " * 25)))
    print("                .unknown = {%.3f, %.3f}, .known = {%.3f, %.3f}}}," % prompt_span)


def write(laws, spans, prompts, prompt_spans, rows, prompt_rows, scales):
    print("""/* Factors of speed, made by tools/fit_speed.py from tests/speed/pairs.tsv.xz: one law a back-end
 * (with Vulkan a vendor), and what families and single devices need besides. See fit/factors.h for
 * their meaning. */
#include "fit/factors.h"

const struct ul_speed_law ul_speed_laws[] = {""")
    of = lambda some, name: [r for r in some if r["law"] == name and not (r["old"] and r["backend"] != "CUDA")]
    for name in LAWS:
        write_law(name, laws[name], spans[name], prompts[name], prompt_spans[name], of(rows, name),
                  of(prompt_rows, name))
    print("    {.backend = UL_CPU, .runs = %d, .devices = %d, .bandwidth = %.3f, .cache = %.3f,"
          % (len(CPU_SHARES), len(CPU_SHARES), 1 / CPU_SHARE, 1 / CPU_SHARE))
    print("     .unknown = {%.3f, %.3f}, .known = {%.3f, %.3f}},"
          % ((CPU_SHARE / CPU_SHARES[-1], CPU_SHARE / CPU_SHARES[0]) * 2))
    print("};\n\nconst size_t ul_n_speed_laws = sizeof ul_speed_laws / sizeof ul_speed_laws[0];\n")
    print("const struct ul_speed_scale ul_speed_scales[] = {")
    keys = sorted({k for some in scales for k in some})
    token, prompt, held, held_prompt = scales
    for key in keys:
        known = key in token or key in prompt
        if not known and key[0].startswith("family "):
            continue
        a = (token if known else held).get(key)
        c = (prompt if known else held_prompt).get(key)
        name = '.family = "%s"' % key[0][7:] if key[0].startswith("family ") else '.device = "%s"' % key[0]
        family = (a or (0, 0)) + ((c or (0, 0))[1],)
        print("    {%s,\n     .backend = UL_%s, .fixed = %.3f, .rest = %.3f, .prompt = %.3f%s%s},"
              % ((name, key[1].upper()) + tuple(math.exp(v) for v in family)
                 + ("" if a else ", .prompts_only = true", "" if known else ", .held = true")))
    print("};\n\nconst size_t ul_n_speed_scales = sizeof ul_speed_scales / sizeof ul_speed_scales[0];")


def main():
    rows = load(sys.argv[1])
    kinds = {}
    for test in ("tg", "pp"):
        mine = [r for r in rows if r["test"] == test and (test == "tg" or r["ubatch"] >= 256)]
        kinds[test] = [r for r in mine if not r["hold"]], [r for r in mine if r["hold"]]
    if "--cross" in sys.argv:
        for test, title in (("tg", "generation"), ("pp", "prompts")):
            mine = kinds[test][0] + kinds[test][1]
            print_errors(title + ", devices left out", present(devices_out(mine, test == "pp")))
            print_errors(title + ", models left out", present(pairs_out(mine, test == "pp")))
        return
    spans, fitted = {}, {}
    for test, title in (("tg", "generation"), ("pp", "prompts")):
        seen, held = kinds[test]
        prompts = test == "pp"
        laws, scale = fitted[test] = fit(seen, prompts)
        unknown, known = present(devices_out(seen, prompts)), present(pairs_out(seen, prompts))
        print_errors(title + ", devices left out", unknown)
        print_errors(title + ", models left out", known)
        print_errors(title + ", held out", [(r, r["ms"] / scaled(r, laws, scale), False) for r in held])
        spans[test] = ranges(unknown, known)
    own = []
    for test in ("tg", "pp"):
        held = {}
        for name in LAWS:
            mine = [r for r in kinds[test][1] if r["law"] == name]
            laws, scale = fitted[test]
            for key in {(r["device"], r["backend"]) for r in mine}:
                some = [r for r in mine if (r["device"], r["backend"]) == key]
                centre = scale.get(("family " + some[0]["family"], key[1]), (0.0, 0.0))
                held[key] = fit_multiples(weights(some), laws[name], centre, PROMPT_SPREAD if test == "pp" else DEVICE)
        own.append(held)
    write(fitted["tg"][0], spans["tg"], fitted["pp"][0], spans["pp"], kinds["tg"][0], kinds["pp"][0],
          (fitted["tg"][1], fitted["pp"][1], own[0], own[1]))


main()
