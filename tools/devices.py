#!/usr/bin/env python3
"""Makes src/engine/devices_table.c from a table of devices.

    tools/devices.py devices.tsv > src/engine/devices_table.c

The table is tab-separated with one header line; the columns used are named below. A figure that the
table leaves empty is left out here, and so is unknown."""
import csv
import re
import sys

HEAD = """/* The catalogue's rows, made by tools/devices.py: numbers and names, and where each was seen. What is
 * not written is not known. Bandwidths are data sheets' peaks; total_mib is what `reported_by`
 * printed, and reported_also has what other drivers did. "file id N" names a stored public file. */
#include "engine/devices.h"

/* Most figures come from one database. */
#define COPY "reox007/RightNow-GPU-Database:data/all-gpus.json@77fae385 (TechPowerUp copy) "
#define TPU COPY "https://www.techpowerup.com/gpu-specs/"

const ullage_known_device ul_known_devices[] = {
"""
TAIL = """};

const size_t ul_n_known_devices = sizeof ul_known_devices / sizeof ul_known_devices[0];
"""
BACKEND = {"NVIDIA": "cuda", "AMD": "rocm", "Apple": "metal", "Intel": "sycl", "any": "cpu"}


COPY = "reox007/RightNow-GPU-Database:data/all-gpus.json@77fae385 (TechPowerUp copy) "
TPU = COPY + "https://www.techpowerup.com/gpu-specs/"


def text(s):
    for macro, start in (("TPU", TPU), ("COPY", COPY)):
        if s.startswith(start):
            return macro + " " + text(s[len(start):])
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'


def lowest(seen):
    """The least number of "24121..24159 (new drivers),24268 (older)": a range begins with it."""
    return min(float(n) for n in re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)", re.sub(r"\(.*?\)", "", seen)))


def totals(r):
    """What CUDA reports on Linux and on Windows, where a log shows it: the least of each."""
    linux, windows = [], []
    pairs = [(r["reported_by"], r["reported_total_mib"])]
    pairs += [p.split("=", 1) for p in r["reported_also"].split(";") if "=" in p]
    for key, value in pairs:
        tegra = r["vendor"] == "NVIDIA" and r["kind"] == "soc" and key in ("llama.cpp", "cuda")
        if ("cuda-linux" in key or tegra) and value:
            linux.append(lowest(value))
        elif re.match(r"cuda-(windows|wsl)", key) and value:
            windows.append(lowest(value))
    return min(linux, default=None), min(windows, default=None)


def fields(r):
    linux, windows = totals(r)
    pcie = re.fullmatch(r"(\d+)x(\d+)", r["pcie"])
    yield "name", text(r["name"])
    yield "vendor", text(r["vendor"])
    yield "family", text(r["family"])
    if r["cc_or_gfx"]:
        yield "chip", text(r["cc_or_gfx"])
    yield "kind", text(r["kind"])
    yield "backend", text("cpu" if r["kind"] == "cpu-platform" else BACKEND[r["vendor"]])
    for key, column in (("memory_gib", "memory_gib"), ("total_mib", "reported_total_mib"),
                        ("bandwidth_gbs", "bandwidth_gbs"),
                        ("fp16_tflops", "fp16_tensor_tflops_dense"), ("fp32_tflops", "fp32_tflops"),
                        ("l2_mib", "l2_mib"), ("share", "default_gpu_share_of_unified"),
                        ("units", "sm_or_cu"), ("tdp_w", "tdp_w")):
        if r[column]:
            yield key, r[column]
    if linux:
        yield "total_linux_mib", "%g" % linux
    if windows:
        yield "total_windows_mib", "%g" % windows
    if pcie:
        yield "pcie_gen", pcie[1]
        yield "pcie_lanes", pcie[2]
    if r["unified_memory"] == "1":
        yield "unified", "1"
    for key in ("released", "confidence", "reported_by", "reported_also", "reported_source", "notes",
                "source"):
        if r[key]:
            yield key, text(r[key])


def wrap(row):
    """One row as lines of at most 100 columns, where its texts allow it."""
    lines, line = [], "    {"
    for i, (key, value) in enumerate(row):
        item = ".%s = %s" % (key, value)
        if i and len(line) + len(item) + 2 > 100:
            lines.append(line)
            line = "     " + item + ","
        else:
            line += (" " if i else "") + item + ","
    return lines + [line[:-1] + "},"]


# Narrower chips of the same name, told by the memory that only they are sold with: after which row, what differs.
MORE = {"Apple M3 Max 40-core": [{
    "name": "Apple M3 Max %dGB" % gib, "memory_gib": str(gib), "bandwidth_gbs": "300", "fp32_tflops": "10.65",
    "sm_or_cu": "30", "notes": "30 cores; fp32 is that of 40 by their number",
    "source": "https://github.com/ggml-org/llama.cpp/discussions/4167 (bandwidth and cores)"} for gib in (36, 96)]}


def main():
    with open(sys.argv[1], newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    sys.stdout.write(HEAD)
    for r in rows:
        for row in [r] + [dict(r, **more) for more in MORE.get(r["name"], [])]:
            print("\n".join(wrap(list(fields(row)))))
    sys.stdout.write(TAIL)


main()
