#!/usr/bin/env python3
"""How long a whole plan takes inside one process: over all published models of tests/corpus.

    bench/plans.py BUILD

For each model the median of 31 plans (compute buffers and all) is taken; printed are the median over
the dense models, and the slowest of all. With ULLAGE_LAB set to a lab with the engine,
llama-fit-params runs on a few of them in the same run and the ratio is printed: it loads a model
without its weights to learn the same figures, in a process of its own."""
import os, statistics, subprocess, sys, tarfile, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
BESIDE = ("Qwen3-8B--Q4_K_M", "Meta-Llama-3.1-70B--Q4_K_M", "DeepSeek-R1--Q4_K_M", "GLM-5--Q4_K_M")


def engine_ms(lab, header, folder):
    """llama-fit-params on a weightless stub of the model, less what the lab needs to start a program."""
    stub = os.path.join(folder, "stub.gguf")
    subprocess.run([os.path.join(lab, "stub"), header, stub], check=True, capture_output=True)
    run = [os.path.join(lab, "run"), "--gpu", "name=big,mib=8192000,cc=8.9,sm=128", "--"]

    def once(words):
        start = time.monotonic()
        subprocess.run(run + words, capture_output=True)
        return (time.monotonic() - start) * 1000

    def timed(words):
        return min(once(words) for _ in range(3))
    ms = timed(["llama-fit-params", "-m", stub, "-c", "8192"]) - timed(["true"])
    os.unlink(stub)
    return ms


def unpack(folder):
    with tarfile.open(os.path.join(HERE, "..", "tests", "corpus", "headers.tar.xz")) as tar:
        for m in tar:
            if m.isfile() and m.name.startswith("models/"):
                with open(os.path.join(folder, os.path.basename(m.name)), "wb") as f:
                    f.write(tar.extractfile(m).read())


def times(build, folder):
    """Milliseconds by model, dense ones and those with experts."""
    paths = sorted(os.path.join(folder, f) for f in os.listdir(folder))
    out = subprocess.run([os.path.join(build, "bench", "bench_plans"), "31"] + paths,
                         capture_output=True, text=True).stdout
    dense, experts = {}, {}
    for line in out.splitlines():
        ns, _, n_expert, path = line.split(None, 3)
        (experts if int(n_expert) else dense)[os.path.basename(path)[:-5]] = int(ns) / 1e6
    return dense, experts


def main():
    build, lab = sys.argv[1], os.environ.get("ULLAGE_LAB")
    with tempfile.TemporaryDirectory() as folder:
        unpack(folder)
        dense, experts = times(build, folder)
        print("%d dense models: median %.2f ms, slowest %.2f ms (%s)" % (
            len(dense), statistics.median(dense.values()), max(dense.values()), max(dense, key=dense.get)))
        print("%d models of experts: median %.2f ms, slowest %.2f ms (%s)" % (
            len(experts), statistics.median(experts.values()), max(experts.values()), max(experts, key=experts.get)))
        for name in BESIDE if lab else ():
            mine, ms = {**dense, **experts}[name], engine_ms(lab, os.path.join(folder, name + ".gguf"), folder)
            print("%-28s %6.2f ms, llama-fit-params %5.0f ms: %.0f times" % (name, mine, ms, ms / mine))


if __name__ == "__main__":
    main()
