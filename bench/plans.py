#!/usr/bin/env python3
"""How long a whole plan takes inside one process, for dense models and for the largest.

    bench/plans.py BUILD

Prints the median of 101 plans (compute buffers and all) for each of a few models of tests/corpus.
With ULLAGE_LAB set to a lab with the engine, llama-fit-params runs on the same model in the same run
and the ratio is printed: it loads the model without its weights to learn the same figures, twice or
more for a fit, in a process of its own."""
import os, subprocess, sys, tarfile, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = {"dense": ["Llama-3.2-3B--Q4_K_M", "Qwen3-8B--Q4_K_M", "gemma-3-27b-it--Q4_K_M",
                    "Meta-Llama-3.1-70B--Q4_K_M", "Qwen2.5-72B--Q4_K_M"],
          "largest": ["Qwen3-235B-A22B--Q4_K_M", "Qwen3-Coder-480B-A35B-Instruct--Q4_K_M",
                      "DeepSeek-R1--Q4_K_M", "DeepSeek-V3.2--Q4_K_M", "GLM-5--Q4_K_M"]}
LIMIT_MS = {"dense": 1.0, "largest": 5.0}


def engine_ms(lab, header, folder):
    """llama-fit-params on a weightless stub of the model, less what the lab needs to start a program."""
    stub = os.path.join(folder, "stub.gguf")
    subprocess.run([os.path.join(lab, "stub"), header, stub], check=True, capture_output=True)
    run = [os.path.join(lab, "run"), "--gpu", "name=big,mib=8192000,cc=8.9,sm=128", "--"]

    def timed(words):
        start = time.monotonic()
        subprocess.run(run + words, capture_output=True)
        return (time.monotonic() - start) * 1000
    ms = timed(["llama-fit-params", "-m", stub, "-c", "8192"]) - timed(["true"])
    os.unlink(stub)
    return ms


def main():
    build, lab = sys.argv[1], os.environ.get("ULLAGE_LAB")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(os.path.join(HERE, "..", "tests", "corpus", "headers.tar.xz")) as tar:
            for m in tar:
                if os.path.basename(m.name)[:-5] in sum(MODELS.values(), []):
                    m.name = os.path.basename(m.name)
                    tar.extract(m, folder, filter="data") if hasattr(tarfile, "data_filter") else tar.extract(m, folder)
        for kind, names in MODELS.items():
            paths = [os.path.join(folder, n + ".gguf") for n in names]
            out = subprocess.run([os.path.join(build, "bench", "bench_plans"), "101"] + paths,
                                 check=True, capture_output=True, text=True).stdout
            for line, path in zip(out.splitlines(), paths):
                ns, layers, arch, _ = line.split(None, 3)
                text = "%-8s %-42s %3s layers %8.3f ms (aim %.0f)" % (
                    kind, os.path.basename(path)[:-5], layers, int(ns) / 1e6, LIMIT_MS[kind])
                if lab:
                    ms = engine_ms(lab, path, folder)
                    text += "  llama-fit-params %8.0f ms, %.0f times" % (ms, ms * 1e6 / int(ns))
                print(text, flush=True)


if __name__ == "__main__":
    main()
