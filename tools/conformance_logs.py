#!/usr/bin/env python3
"""How many figures of transcribed logs agree with what `ullage check` computes, by build.

    ULLAGE_LOGS=logs.jsonl tools/conformance_logs.py BUILD_DIR

A record (one JSON object a line: build, hparams, buffers, kv_lines) is written out as the log lines
that it was transcribed from, and checked without the model's file: caches, states and logits
against the shape that the record states, sums against parts. Records of flag variants hold several
logs at once and are left out. Without ULLAGE_LOGS it says so and does nothing."""
import collections
import json
import os
import re
import subprocess
import sys

SHAPE = ("arch", "n_ctx_train", "n_embd", "n_layer", "n_head", "n_head_kv", "n_swa", "n_embd_head_k",
         "n_embd_head_v", "n_embd_k_gqa", "n_embd_v_gqa", "ssm_d_conv", "ssm_d_inner", "ssm_d_state",
         "ssm_n_group", "n_vocab")


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
    own = [b for b in record["buffers"] or [] if b.get("note") != "mtp_ctx"]
    mtp = [b for b in record["buffers"] or [] if b.get("note") == "mtp_ctx"]
    kv_own = [k for k in record["kv_lines"] or [] if not k.startswith("mtp:")
              and "buffer size" not in k]
    kv_mtp = [k[4:].strip() for k in record["kv_lines"] or [] if k.startswith("mtp:")]
    for buffers, caches in ((own, kv_own), (mtp, kv_mtp)):
        if not buffers and not caches:
            continue
        yield "llama_context: constructing llama_context"
        seqs = [re.search(r"(\d+)(?:/\d+)? +seqs", c) for c in caches]
        if any(seqs):
            yield f"llama_context: n_seq_max = {next(s.group(1) for s in seqs if s)}"
        yield from caches
        for b in buffers:
            if b["kind"] in ("model", "KV", "RS", "output", "compute"):
                yield f"x: {b['device']:>10} {b['kind']} buffer size = {b['mib']:8.2f} MiB"


def main():
    path = os.environ.get("ULLAGE_LOGS")
    if not path or len(sys.argv) != 2:
        print("conformance_logs: skipped: ULLAGE_LOGS names no file of records" if not path else __doc__)
        return 0 if not path else 2
    score, differing = collections.defaultdict(collections.Counter), []
    for text in open(path):
        record = json.loads(text)
        if record["variants"] or not (record["buffers"] or record["kv_lines"]):
            continue
        log = "\n".join(lines(record)) + "\n"
        run = subprocess.run([os.path.join(sys.argv[1], "ullage"), "check", "--json", "-"],
                             input=log.encode(), capture_output=True)
        if run.returncode == 4 and not run.stdout:
            continue
        if run.returncode not in (0, 1, 4):
            sys.exit(f"{record['id']}: {run.stderr.decode()}")
        build = (record["build"] or "not said") + (" (fork)" if record["fork"] else "")
        for row in json.loads(run.stdout)["rows"]:
            score[build][row["verdict"]] += 1
            if row["verdict"] == "differs":
                differing.append(f"{record['id']}: {row['buffer']} {row['kind']} {row['logged_mib']} "
                                 f"logged, {row['computed_mib']} computed: {row['why']}")
    total = sum(score.values(), collections.Counter())
    for build in sorted(score):
        s = score[build]
        print(f"{build[:60]:60} {s['agrees']:4} of {s['agrees'] + s['differs']:4} agree, "
              f"{s['unchecked']} not checked")
    print(f"{'all':60} {total['agrees']:4} of {total['agrees'] + total['differs']:4} agree, "
          f"{total['unchecked']} not checked")
    print("\n".join(differing))
    return 0


if __name__ == "__main__":
    sys.exit(main())
