#!/usr/bin/env python3
"""Joins published speed measurements with what each run had to read.

    tools/speed_pairs.py BENCHES.jsonl HEADERS ULLAGE | xz -9e > tests/speed/pairs.tsv.xz

BENCHES has one llama-bench line an object. HEADERS is a folder of model headers (NAME--QUANT.gguf): where one is of
the measured model, `ullage speed` counts the bytes of a token; the file's own size, as llama-bench printed it, scales
them. Models without a header are counted from their published shape. A row of the result is the median of equal runs
(where a source tells its drivers, of those with the newest): device (as `ullage devices` names it), back-end, hold-out
or not, model, weight type, layers that attend or keep a state, that keep a state, that have experts, GiB read of
weights, GiB read of caches at the run's mean depth (half its length past the depth it starts at), attention's
operations in 1e9, billions of weights that take part, number of devices, test, a prompt's length and batch, depth,
whether it ran flash attention (0: not, or not said when that was the default; 1 also where so little is cached that it
makes no difference), the chip's GB/s, TFLOPS at 32 bits, whether it has matrix units, and the rate at which it unpacks
weights (the rules of src/fit/law.c, which bench/speed.c compares), the file's GiB, 1 for runs of 2023 and 2024, the
chip's family and vendor, tokens a second, runs.

Left out: tiers other than A and B, suspect rows and those of the same settings that nobody marked, runs split
between GPU and CPU or over unlike devices, quantised caches, models whose shape is not published here, and models
under 0.5 billion parameters, which are bound by overhead alone."""
import collections
import json
import os
import re
import statistics
import subprocess
import sys

GIB = 1 << 30

# Device strings of the measurements -> the catalogue's names (ullage devices), and for chips sold in
# several widths the bandwidth in GB/s and TFLOPS of the one measured.
DEVICES = {
    "AMD Radeon AI PRO R9700": "Radeon AI PRO R9700",
    "AMD Ryzen AI Max+ 395 (Radeon 8060S)": "Ryzen AI Max+ 395 / Radeon 8060S 128GB (Strix Halo)",
    "AMD Ryzen AI Max+ 395 (CPU)": "Ryzen AI Max+ 395 / Radeon 8060S 128GB (Strix Halo)",
    "NVIDIA GeForce RTX 3080": "GeForce RTX 3080 10GB",
    "NVIDIA A100-SXM4-80GB": "A100 SXM4 80GB", "NVIDIA A100 80GB PCIe": "A100 PCIe 80GB",
    "NVIDIA A800": None,
    "NVIDIA H100 PCIe": "H100 PCIe 80GB", "NVIDIA Tesla V100-PCIE-16GB": "Tesla V100 PCIe 16GB",
    "NVIDIA Tesla V100-SXM2-32GB": "Tesla V100 SXM2 32GB", "NVIDIA Tesla P40": "Tesla P40 24GB",
    "NVIDIA RTX PRO 6000 Blackwell": "RTX PRO 6000 Blackwell Workstation Edition",
    "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition": "RTX PRO 6000 Blackwell Max-Q",
    "AMD Instinct MI50 (gfx906)": "Instinct MI50 32GB", "AMD Instinct MI50 32GB": "Instinct MI50 32GB",
    "AMD Radeon PRO W7900 48GB": "Radeon PRO W7900", "Intel Arc Pro B70 32GB": "Arc Pro B70",
    "Intel Arc A770": "Arc A770 16GB", "T4": "Tesla T4", "AMD Radeon Pro VII 16GB": "Radeon Pro VII",
    "AMD Radeon RX 580": "Radeon RX 580 8GB", "Intel Data Center GPU Max (PVC)": "Data Center GPU Max 1550",
    "AMD EPYC 9655 (96 cores, 12x DDR5, 2 NUMA nodes)": None,
    "NVIDIA GB10 (DGX Spark)": "GB10 (DGX Spark)",
    "NVIDIA A100": None, "NVIDIA A100 80GB": None, "NVIDIA H100 80GB": None,
}
# bandwidth, TFLOPS at 32 bits: narrower chips (cores of those in full, as their data sheets scale)
NARROW = {
    ("Apple M3 Max", 30): (300, 14.2 * 30 / 40), ("Apple M1 Max", 24): (400, 10.62 * 24 / 32),
    ("Apple M2 Max", 30): (400, 13.6 * 30 / 38), ("Apple M1 Pro", 14): (200, 5.31 * 14 / 16),
    ("Apple M2 Pro", 16): (200, 6.8 * 16 / 19), ("Apple M1 Ultra", 48): (800, 21.23 * 48 / 64),
    ("Apple M2 Ultra", 60): (800, 27.2 * 60 / 76), ("Apple M3 Ultra", 60): (800, 28.4 * 60 / 80),
    ("Apple M4 Pro", 16): (273, 9.2 * 16 / 20), ("Apple M3 Pro", 14): (150, 7.4 * 14 / 18),
    ("Apple M1", 7): (68.25, 2.62 * 7 / 8), ("Apple M2", 8): (100, 3.58 * 8 / 10),
    ("Apple M4 Max", 32): (410, 13.74),
}
# Kept aside for the test: never seen by tools/fit_speed.py.
HOLD = re.compile(r"GB10|R9700|B70|Apple M[45]|PRO 6000")

# layers, embedding, heads, KV heads, head, feed-forward, vocabulary, tied[, experts, used, ff shared]
SHAPES = {
    "llama8": (32, 4096, 32, 8, 128, 14336, 128256, 0), "mistral7": (32, 4096, 32, 8, 128, 14336, 32000, 0),
    "llama70": (80, 8192, 64, 8, 128, 28672, 128256, 0), "miqu70": (80, 8192, 64, 8, 128, 28672, 32000, 0),
    "ministral8": (34, 4096, 32, 8, 128, 14336, 131072, 0),
    "devstral123": (88, 12288, 96, 8, 128, 28672, 131072, 0),
    "qwen3-32": (64, 5120, 64, 8, 128, 25600, 151936, 0), "qwen3-1.7": (28, 2048, 16, 8, 128, 6144, 151936, 1),
    "qwen2.5-1.5": (28, 1536, 12, 2, 128, 8960, 151936, 1),
    "qwen2.5-14": (48, 5120, 40, 8, 128, 13824, 152064, 0),
    "qwen2.5-32": (64, 5120, 40, 8, 128, 27648, 152064, 0), "llama1": (16, 2048, 32, 8, 64, 8192, 128256, 1),
    "tinyllama": (22, 2048, 32, 4, 64, 5632, 32000, 0), "llama2-13": (40, 5120, 40, 40, 128, 13824, 32000, 0),
    "minimax-m2": (62, 3072, 48, 8, 128, 1536, 200064, 0, 256, 8, 0),
}
# read share of the file, layers, KV bytes a token (f16), bytes in windows, window, state bytes,
# parameters, layers that mix, keep a state, have experts, query heads a KV head: counted from the published configuration where attention is not uniform.
COUNTED = {
    "gemma4-26": (3.81 / 25.23, 30, 20480, 204800, 1024, 0, 25.23e9, 30, 0, 30, 8),
    "qwen35-122": (9.3 / 122.11, 48, 24576, 0, 0, 150e6, 122.11e9, 48, 36, 48, 16),
    "nemotron-120": (12.0 / 120.67, 88, 8192, 0, 0, 180e6, 120.67e9, 48, 40, 40, 16),
}
MODELS = [  # a pattern of the measurement's model -> a header, a shape or a count
    (r"llama 8B|Llama-3.1-8B|Meta-Llama-3-8B|R1-Distill-Llama-8B", "llama8"), (r"llama 7B \(Mistral\)|Mistral-7B", "mistral7"),
    (r"llama 7B|Llama-2-7b-hf", "Llama-2-7b-hf"), (r"Dusk-Miqu", "miqu70"),
    (r"llama 70B|Llama.3.[13].70B", "llama70"), (r"qwen3moe 30B|Qwen3.30B-A3B|Qwen3-Coder 30B", "Qwen3-30B-A3B"),
    (r"nemotron_h_moe 31B|Nemotron-Cascade-2-30B", "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"),
    (r"nemotron_h_moe 120B", "nemotron-120"), (r"gpt-oss.20", "gpt-oss-20b"), (r"gpt-oss.120", "gpt-oss-120b"),
    (r"gemma3 4B", "gemma-3-4b-it"), (r"gemma3 12B", "gemma-3-12b-it"), (r"gemma3 27B", "gemma-3-27b-it"),
    (r"gemma3 1B|gemma-3-1b", "gemma-3-1b-it"), (r"qwen35moe 35B|Qwen3\.[56].35B-A3B(?!.*REAP)", "Qwen3.5-35B-A3B"),
    (r"qwen35moe 122B", "qwen35-122"), (r"qwen3next 80B|Qwen3-Next|Qwen3-Coder-Next", "Qwen3-Next-80B-A3B-Instruct"),
    (r"mistral3 8B", "ministral8"), (r"mistral3 14B", "Ministral-3-14B-Instruct-2512-BF16"),
    (r"mistral3 24B", "Devstral-Small-2-24B-Instruct"), (r"llama \?B", "devstral123"),
    (r"gemma4 26B|gemma-4-26B", "gemma4-26"), (r"gemma4 31B", "gemma-4-31B-it"), (r"gemma4 E4B", "gemma-4-E4B-it"),
    (r"hunyuan-moe", "Hunyuan-A13B-Instruct"), (r"glm4moe 355B", "GLM-4.6"), (r"glm4moe 106B", "GLM-4.5-Air"),
    (r"deepseek2 30B", "GLM-4.7-Flash"), (r"deepseek2 16B", "DeepSeek-V2-Lite-oldmla"), (r"deepseek2 671B", "DeepSeek-R1"),
    (r"dots1", "dots.llm1.inst"), (r"qwen3 32B", "qwen3-32"), (r"qwen35 27B|Qwen3.6-27B", "Qwen3.5-27B"),
    (r"qwen35 9B|Qwen3.5-9B", "Qwen3.5-9B"), (r"LFM2(\.5)?-8B", "LFM2-8B-A1B"), (r"[Ll]lama.3\.2.3B|llama 3B", "Llama-3.2-3B"),
    (r"llama 1B \(Tiny", "tinyllama"), (r"llama 1B|Llama-3.2-1B", "llama1"), (r"qwen2 7B|Qwen2.5-Coder 7B", "Qwen2.5-7B-Instruct"),
    (r"qwen2 1.5B", "qwen2.5-1.5"), (r"qwen2 14B", "qwen2.5-14"), (r"qwen2 32B|Qwen2.5 32B", "qwen2.5-32"),
    (r"[Pp]hi-4-mini", "Phi-4-mini-instruct"), (r"Qwen3-8B", "Qwen3-8B"), (r"[Qq]wen3.4B", "Qwen3-4B"),
    (r"[Qq]wen3 1.7B|Qwen3-1.7B", "qwen3-1.7"), (r"[Qq]wen3.0.6B", "Qwen3-0.6B"), (r"llama4 Scout|Llama 4 Scout", "Llama-4-Scout-17B-16E-Instruct"),
    (r"Mistral Nemo", "Mistral-Nemo-Instruct-2407"), (r"minimax-m2 230B|MiniMax M2.5", "minimax-m2"), (r"llama 13B", "llama2-13"),
]
# Bits a weight of whole files, where a row has no size.
BPW = {"Q2_K": 3.0, "Q2_K_S": 2.75, "Q3_K_S": 3.5, "Q3_K_M": 3.95, "Q4_0": 4.55, "Q4_1": 5.05, "Q4_K_S": 4.6, "Q4_K_M": 4.87,
       "Q5_0": 5.55, "Q5_1": 6.05, "Q5_K_S": 5.55, "Q5_K_M": 5.7, "Q6_K": 6.57, "Q8_0": 8.5, "F16": 16, "BF16": 16,
       "IQ4_XS": 4.35, "IQ3_XXS": 3.2, "IQ2_XXS": 2.3}


def weight_class(quant):
    """The family of kernels that read most of the file."""
    q = quant.upper()
    if "MXFP4" in q:
        return "mxfp4"
    if "F16" in q:
        return "bf16" if "BF16" in q else "f16"
    if "Q8_0" in q:
        return "q8_0"
    if re.search(r"IQ|Q[23]_K", q):
        return "low"
    if re.search(r"Q[456]_K", q):
        return "k"
    return "legacy" if re.search(r"Q[45]_[01]", q) else None


class Terms:
    """What a token of a model reads, as a share of its file, and its caches by depth."""

    def __init__(self, share, layers, full, windowed, window, state, params, mixers, recurrent, moe, gqa):
        self.share, self.layers, self.params = share, layers, params
        self.full, self.windowed, self.window, self.state = full, windowed, window, state
        self.mixers, self.recurrent, self.moe = mixers, recurrent, moe  # layers that attend or keep a state;
        self.gqa = gqa  # that keep a state; that have experts; query heads a head of the cache

    def attention(self, depth):
        """Floating-point operations of attention for a token: two a query head and cached value."""
        return 2 * self.gqa * (self.cache(depth) - self.state) / 2

    def cache(self, depth):
        return self.full * depth + self.windowed * min(depth, self.window) + self.state


def of_shape(n_layer, n_embd, n_head, n_kv, head, n_ff, vocab, tied, experts=0, used=0, _shared=0):
    attention = 2 * n_embd * head * (n_head + n_kv)
    one = 3 * n_embd * n_ff
    total = n_layer * (attention + one * (experts or 1)) + vocab * n_embd * (1 if tied else 2)
    active = n_layer * (attention + one * (used or 1)) + vocab * n_embd
    return Terms(active / total, n_layer, 4 * n_layer * n_kv * head, 0, 0, 0, total, n_layer, 0,
                 n_layer if experts else 0, n_head / n_kv)


class Headers:
    def __init__(self, folder, ullage):
        self.folder, self.ullage, self.known = folder, ullage, {}
        self.files = sorted(os.listdir(folder))

    def ask(self, path, depth):
        out = subprocess.run([self.ullage, "speed", path, "-c", "32768", "-np", "1", "-fa", "on", "--depth", str(depth),
                              "--json", "--gpu", "total=8000GiB,bandwidth=1GB/s"], capture_output=True, text=True)
        return json.loads(out.stdout)["speed"]["devices"][0]

    def terms(self, name, quant):
        files = [f for f in self.files if f.startswith(name + "--")]
        best = [f for f in files if f == "%s--%s.gguf" % (name, quant)] or files
        if not best:
            return None
        if best[0] not in self.known:
            path = os.path.join(self.folder, best[0])
            info = json.loads(subprocess.run([self.ullage, "show", path, "--json"], capture_output=True, text=True).stdout)
            at = {d: self.ask(path, d)["cache_bytes"] for d in (0, 16384, 32768)}
            full = (at[32768] - at[16384]) / 16384
            windows = [x["window"] for x in info["layers"] if x["window"]]
            window = windows[0] if windows else 0
            windowed = (at[32768] - at[0] - full * 32768) / window if window else 0
            layers = info["layers"]
            none = sum(x["kind"] == "none" for x in layers)
            state = sum(x["kind"] in ("recurrent", "hybrid") for x in layers)
            moe = (none if none > 8 else len(layers)) if info["n_expert"] else 0
            gqa = max([x["n_head"] / max(1, x["n_head_kv"]) for x in layers if x["kind"] not in ("none", "recurrent")] or [0])
            gqa = max(x["n_head"] for x in layers) if layers[0]["kind"] == "latent" else gqa
            self.known[best[0]] = Terms(self.ask(path, 0)["weight_bytes"] / info["weight_bytes"], info["model"]["n_layer"], full,
                                        windowed, window, at[0], info["model"]["n_params"], len(layers) - none, state, moe, gqa)
        return self.known[best[0]]


def terms_of(row, headers):
    for pattern, name in MODELS:
        if re.search(pattern, row["model"]):
            if name in SHAPES:
                return of_shape(*SHAPES[name])
            if name in COUNTED:
                return Terms(*COUNTED[name])
            return headers.terms(name, row["quant"])
    return None


def device_of(row, known):
    """The catalogue's name, and the bandwidth and TFLOPS of a narrower chip."""
    d = row["device"]
    cores = re.match(r"(Apple M\d(?: \w+)?) \((\d+) GPU cores\)", d)
    if cores and (cores[1], int(cores[2])) in NARROW:
        narrow = NARROW[cores[1], int(cores[2])]
        return cores[1] if cores[1] in known else cores[1] + " 40-core", narrow
    if d in DEVICES:
        return DEVICES[d], None
    plain = re.sub(r" \(.*\)$", "", d)
    plain = re.sub(r"^(NVIDIA|AMD|Intel) ", "", plain)
    for name in (plain, plain + " 40-core"):
        if name in known:
            return name, None
    return None, None


def flash(r):
    """Off was llama-bench's default until the autumn of 2025."""
    if r["fa"] is not None:
        return int(r["fa"])
    return int(bool(re.match(r"2025-1[12]|2026|<=2026", r["date"] or "")))


def driver(r):
    """Mesa's version; a driver that is not told comes last of all."""
    return tuple(map(int, r["extra"].get("mesa", "0").split(".")))


def unpacking(d, flops):
    """As ul_unpacking of src/fit/law.c; bench/speed.c compares the two."""
    if d["vendor"] == "NVIDIA":
        return flops * (1.36 if d["family"] in ("Volta", "Turing", "Blackwell") or d["chip"] == "8.0" else 1)
    return flops / (2 if d["family"].startswith(("RDNA3", "RDNA4")) else 1)


def matrix_units(d):
    """As ul_has_matrix_units of src/fit/law.c."""
    return not (re.match(r"Pascal|GCN|RDNA2?$|M[1-4]$", d["family"]) or d["name"].startswith("GeForce GTX"))


def usable(r):
    x = r["extra"]
    if "1337hero" in r["source"] and x.get("n_batch") != "512":
        return False  # coopmat off and a second card in a slow slot, marked so in most of its rows
    if x.get("tier") not in ("A", "B") or x.get("suspect") or not r["device"] or not r["quant"] or " + " in r["device"]:
        return False
    if "reorder optimisation OFF" in (x.get("note") or ""):
        return False  # an option that is on unless somebody turns it off
    if r["backend"] not in ("CUDA", "ROCm", "Vulkan", "Metal", "SYCL", "CPU"):
        return False
    if r["kv_type"] not in (None, "f16/f16", "fp16/fp16") or r["ncmoe"] or x.get("split_mode") not in (None, "layer", "none"):
        return False
    return not (r["ngl"] is not None and r["ngl"] < 20 and r["backend"] != "CPU")


def main():
    benches, folder, ullage = sys.argv[1:4]
    catalogue = json.loads(subprocess.run([ullage, "devices", "--json"], capture_output=True, text=True).stdout)
    known = {d["name"]: d for d in catalogue["devices"]}
    headers, groups, dropped = Headers(folder, ullage), collections.defaultdict(list), collections.Counter()
    for line in open(benches):
        r = json.loads(line)
        test = re.fullmatch(r"(tg|pp)(\d+)?(?:@d(\d+))?", r["test"])
        if not usable(r) or not test:
            continue
        name, narrow = device_of(r, known)
        terms, cls = terms_of(r, headers), weight_class(r["quant"])
        size = r["size_gib"] or (terms and BPW.get(r["quant"], 0) * terms.params / 8 / GIB)
        if "gpt-oss" in r["model"] and not r["size_gib"]:
            size = None  # the label says nothing of experts that stay as published
        if not name or not terms or not cls or not size or terms.params < 5e8:
            dropped[r["device"] if not name else r["model"] if not terms else "size"] += 1
            continue
        if r["ngl"] is not None and r["backend"] != "CPU" and r["ngl"] < terms.layers:
            continue
        d = known[name]
        bandwidth = narrow[0] if narrow else d["bandwidth_gbs"]
        flops = narrow[1] if narrow else d["fp32_tflops"] or (d["fp16_tflops"] or 0) / 2
        length = int(test[2] or 32)
        depth = (r["depth"] or 0) + length // 2
        read = size * terms.share
        ubatch = min(length, int(r["n_ubatch"] or 512)) if test[1] == "pp" else 0
        key = (name, r["backend"], int(bool(HOLD.search(name))), r["model"].replace("\t", " "), cls, terms.mixers,
               terms.recurrent, terms.moe, round(read, 4), round(terms.cache(depth) / GIB, 5),
               round(terms.attention(depth) / 1e9, 4), round(terms.params * terms.share / 1e9, 4), r["n_devices"] or 1,
               test[1], length if test[1] == "pp" else 0, ubatch, depth, flash(r) if depth > 512 else 1, bandwidth or 0,
               round(flops, 2), int(matrix_units(d)), round(unpacking(d, flops), 3), round(size, 3),
               int(bool(re.match("202[34]", r["date"] or ""))), d["family"], d["vendor"])
        groups[key].append((driver(r), r["tok_s"]))
    print("device\tbackend\thold\tmodel\tclass\tmixers\tstates\tmoe\tread_gib\tcache_gib\tattention_gflop\tgparams\tn"
          "\ttest\tlength\tubatch\tdepth\tflash\tgbs\ttflops\tmatrix\tunpacking\tsize_gib\told\tfamily\tvendor"
          "\ttok_s\truns")
    for key, runs in sorted(groups.items(), key=str):
        values = [v for version, v in runs if version == max(runs)[0]]
        print("\t".join(map(str, key)) + "\t%.4g\t%d" % (statistics.median(values), len(values)))
    for what, n in dropped.most_common(40):
        print("left out: %4d of %s" % (n, what), file=sys.stderr)


main()
