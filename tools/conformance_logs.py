#!/usr/bin/env python3
"""How many figures of transcribed logs agree with what `ullage check` computes, by build.

    ULLAGE_LOGS=logs.jsonl tools/conformance_logs.py BUILD_DIR [--brief]

A record (one JSON object a line: build, hparams, buffers, kv_lines, breakdown) is written out as the
log lines that it was transcribed from, and checked. Where the catalogue has the model in the record's
quantisation (MODELS), it is checked against a plan; else by the shape that the record states: caches,
states and logits against the shape, sums against parts. Records of flag variants hold several logs
at once and are left out. Without ULLAGE_LOGS the small set of tests/logs.jsonl is taken: figures of
such logs, and what is to be found (`expect`); with it, every disagreement is listed with its cause."""
import collections
import json
import os
import re
import subprocess
import sys

SHAPE = ("arch", "n_ctx_train", "n_embd", "n_layer", "n_head", "n_head_kv", "n_swa", "n_embd_head_k",
         "n_embd_head_v", "n_embd_k_gqa", "n_embd_v_gqa", "ssm_d_conv", "ssm_d_inner", "ssm_d_state",
         "ssm_n_group", "n_vocab")
# Records of models that the catalogue can make in the same quantisation: the name, the quantisation,
# and the flags and devices of the command as the record has it (what no log line shows).
CUDA = "--gpu name=GPU,total=%dMiB,cc=%s --cpu haswell"
MODELS = [
    (r"gpt-oss-20b-mxfp4-ncmoe20-np8-ub256-c(\d+)", "gpt-oss-20b", "MXFP4_MOE",
     r"-c \1 -np 8 -no-kvu -b 256 -ub 256 --n-cpu-moe 20 -ngl 99 " + CUDA % (12288, "8.6")),
    (r"qwen34b-q4km-cuda", "qwen3-4b", "Q4_K_M", "-c 8192 -np 4 -kvu -ngl 99 " + CUDA % (24576, "8.9")),
    (r"qwen3-coder-30b-q8-cuda-c65536-np4", "qwen3-30b-a3b", "Q8_0",
     "-c 65536 -np 4 -kvu -ngl 99 " + CUDA % (81920, "8.9")),
    (r"llama31-hermes3-8b-q4_0-ollama-fit", "llama-3.1-8b", "Q4_0",
     "-c 32768 -np 1 -b 512 -ub 512 -ngl 15 " + CUDA % (5738, "7.5")),
    (r"gemma2-2b-q4km-cpu-np4", "gemma-2-2b", "Q4_K_M", "-c 8192 -np 4 -kvu --gpu none --cpu haswell"),
    (r"gemma3-1b-q4km-jetson-nano-fa-off", "gemma-3-1b", "Q4_K_M",
     "-c 4096 -np 1 -ngl 99 -fa off --gpu name=Nano,total=4096MiB,cc=5.3"),
]


def own_lines(record):
    """Lines of caches: joined ones apart; the harvester's sentences on other runs are none."""
    for line in record["kv_lines"] or []:
        if not line.startswith("at "):
            yield from line.split("; ")


def context(buffers, caches):
    yield "llama_context: constructing llama_context"
    seqs = [re.search(r"(\d+)(?:/\d+)? +seqs", c) for c in caches]
    if any(seqs):
        yield f"llama_context: n_seq_max = {next(s.group(1) for s in seqs if s)}"
    yield from caches
    for b in buffers:
        if b["kind"] in ("KV", "RS", "output", "compute") and "failed" not in b.get("note", ""):
            yield f"x: {b['device']:>10} {b['kind']} buffer size = {b['mib']:8.2f} MiB"


def lines(record):
    shape = record["hparams"] or {}
    for key in SHAPE:
        if shape.get(key) is not None:
            yield f"print_info: {key:<21} = {shape[key]}"
    for key, name in (("full_attention_interval", "x.full_attention_interval"),
                      ("shortconv_l_cache", "x.shortconv.l_cache")):
        if shape.get(key):
            yield f"llama_model_loader: - kv  1: {name} u32 = {shape[key]}"
    if record["build"]:
        yield f"build: {record['build']}"
    buffers = record["buffers"] or []
    for b in buffers:
        if b["kind"] == "model":
            yield f"x: {b['device']:>10} model buffer size = {b['mib']:8.2f} MiB"
    caches = [k for k in own_lines(record) if "buffer size" not in k]
    drafts = [k[4:].strip() for k in caches if k.startswith("mtp:")]
    yield from context([b for b in buffers if b.get("note") != "mtp_ctx"],
                       [k for k in caches if not k.startswith("mtp:")])
    if drafts or any(b.get("note") == "mtp_ctx" for b in buffers):
        yield "x: creating MTP draft context against the target model"
        yield from context([b for b in buffers if b.get("note") == "mtp_ctx"], drafts)


def model_of(record):
    for pattern, name, quant, flags in MODELS:
        found = re.fullmatch(pattern, record["id"])
        if found:
            return [name, "--quant", quant] + found.expand(flags).split()
    return []


def check(build, record):
    log = "\n".join(lines(record)) + "\n"
    run = subprocess.run([os.path.join(build, "ullage"), "check", "--json", "-"] + model_of(record),
                         input=log.encode(), capture_output=True)
    if run.returncode == 4 and not run.stdout:
        return []
    if run.returncode not in (0, 1, 4):
        sys.exit(f"{record['id']}: {run.stderr.decode()}")
    return json.loads(run.stdout)["rows"]


def score(counts):
    return f"{counts['agrees']:4} of {counts['agrees'] + counts['differs']:4} agree, {counts['unchecked']} not checked"


def main():
    words = [w for w in sys.argv[1:] if w != "--brief"]
    if len(words) != 1:
        print(__doc__)
        return 2
    given = os.environ.get("ULLAGE_LOGS")
    path = given or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "logs.jsonl")
    by_build, differing, wrong = collections.defaultdict(collections.Counter), [], []
    for text in open(path):
        record = json.loads(text)
        if record.get("variants") or not (record["buffers"] or record["kv_lines"]):
            continue
        build = (record["build"] or "not said") + (" (fork)" if record.get("fork") else "")
        rows = check(words[0], record)
        found = collections.Counter(r["verdict"] for r in rows)
        by_build[build].update(found)
        expected = record.get("expect")
        if expected and [found["agrees"], found["differs"], found["unchecked"]] != expected:
            wrong.append(f"{record['id']}: {dict(found)}, not {expected}")
        differing += [f"{record['id']}: {r['buffer']} {r['kind']} {r['logged_mib']} logged, "
                      f"{r['computed_mib']} computed: {r['why']}" for r in rows
                      if r["verdict"] == "differs"]
    if "--brief" not in sys.argv:
        for build in sorted(by_build):
            print(f"{build[:60]:60} {score(by_build[build])}")
    print(f"{'all':60} {score(sum(by_build.values(), collections.Counter()))}")
    print("\n".join(differing + wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
