#!/usr/bin/env python3
"""How long `ullage fit` takes, cold: one process a run, from exec to the printed line.

    bench/fit.py BUILD [--check]      --check: exit 1 when a limit is passed

The limits: 50 ms for a dense model on one GPU, 300 ms for the largest model of experts on four. They
are held against processor time, which other work on the machine disturbs least; the wall clock's
median is printed beside it. With ULLAGE_LAB set to a lab with the engine, llama-fit-params runs on
the same models and devices in the same run and the ratio is printed. It answers a smaller question:
it knows no host budget, no cuts between devices but its own, and prints no plan.
"""
import os, resource, statistics, subprocess, sys, tarfile, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = 9
CARD = {8: ("RTX 3070", 7951, "8.6", 46), 12: ("RTX 3060", 11909, "8.6", 28), 24: ("RTX 4090", 24082, "8.9", 128),
        80: ("H100", 81079, "9.0", 132)}
ONE, FOUR = 50, 300  # ms
# model, GPUs, flags, limit
CASES = [("Qwen3-8B--Q4_K_M", (24,), [], ONE), ("Qwen3-8B--Q4_K_M", (8,), [], ONE), ("Qwen3-14B--Q4_K_M", (8,), [], ONE),
         ("Meta-Llama-3.1-70B--Q4_K_M", (24,), [], ONE), ("Qwen3.5-27B--Q4_K_M", (24,), [], ONE),
         ("Qwen3-30B-A3B--Q4_K_M", (12,), [], FOUR), ("GLM-5--Q4_K_M", (24,), [], FOUR),
         ("Qwen3-14B--Q4_K_M", (12, 8), [], FOUR), ("GLM-5--Q4_K_M", (24,) * 4, [], FOUR),
         ("GLM-5--Q4_K_M", (80,) * 4, [], FOUR), ("GLM-5--Q4_K_M", (80, 24, 24, 12), [], FOUR),
         ("DeepSeek-R1--Q4_K_M", (80,) * 4, [], FOUR), ("DeepSeek-R1--Q4_K_M", (24,) * 4, ["-c", "32768"], FOUR)]


def once(command, env=None):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), 1000 * wall


def timed(command, runs, env=None):
    """Medians of the processor's and the wall clock's milliseconds."""
    all_runs = [once(command, env) for _ in range(runs)]
    return [statistics.median(r[i] for r in all_runs) for i in (0, 1)]


def ours(build, header, gpus, flags):
    command = [os.path.join(build, "ullage"), "fit", header, *flags, "--ram", "256GiB", "--cpu", "zen4"]
    for g in gpus:
        command += ["--gpu", "name=%s,total=%dMiB,cc=%s,sm=%d" % CARD[g]]
    return command


def engine(lab, stub, gpus, flags):
    command = [os.path.join(lab, "run")]
    for g in gpus:
        command += ["--gpu", "name=%s,mib=%d,cc=%s,sm=%d,base=480" % CARD[g]]
    return command + ["--"], ["llama-fit-params", "-m", stub, *flags]


def beside(lab, header, folder, gpus, flags):
    """llama-fit-params' milliseconds, less what the lab needs to start a program."""
    stub = os.path.join(folder, "stub.gguf")
    subprocess.run([os.path.join(lab, "stub"), header, stub], check=True, capture_output=True)
    start, words = engine(lab, stub, gpus, flags)
    cpu, wall = [a - b for a, b in zip(timed(start + words, 3), timed(start + ["true"], 3))]
    os.unlink(stub)
    return cpu, wall


def unpack(folder):
    with tarfile.open(os.path.join(HERE, "..", "tests", "corpus", "headers.tar.xz")) as tar:
        for m in tar:
            if m.isfile() and os.path.basename(m.name)[:-5] in {c[0] for c in CASES}:
                with open(os.path.join(folder, os.path.basename(m.name)), "wb") as f:
                    f.write(tar.extractfile(m).read())


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) != 1:
        sys.exit(__doc__)
    lab, over = os.environ.get("ULLAGE_LAB"), 0
    with tempfile.TemporaryDirectory() as folder:
        unpack(folder)
        print("%-46s %8s %8s %8s" % ("", "cpu ms", "wall ms", "limit"))
        for model, gpus, flags, limit in CASES:
            header = os.path.join(folder, model + ".gguf")
            cpu, wall = timed(ours(words[0], header, gpus, flags), RUNS)
            over += cpu > limit
            line = "%-46s %8.1f %8.1f %8d" % ("%s on %s %s" % (model.split("--")[0], "+".join(map(str, gpus)), " ".join(flags)),
                                              cpu, wall, limit)
            if lab:
                theirs = beside(lab, header, folder, gpus, flags)
                line += "   llama-fit-params %6.0f ms of processor, %.0f times; %6.0f ms, %.0f times" % (
                    theirs[0], theirs[0] / max(cpu, 0.1), theirs[1], theirs[1] / max(wall, 0.1))
            print(line, flush=True)
    print("%d of %d over their limit" % (over, len(CASES)))
    sys.exit("--check" in sys.argv and over > 0)


if __name__ == "__main__":
    main()
