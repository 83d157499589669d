#!/usr/bin/env python3
"""What one cold command costs on a header with a 150,000-token vocabulary.

Instructions are counted by valgrind (callgrind) and set against a byte-by-byte sum over the same
header, counted in the same run; the heap's peak (DHAT) against twice the header plus 256 KiB. With
ULLAGE_LAB set to the lab's folder, llama-fit-params runs beside it on the same model, and both are
timed.

    bench/cold.py BUILD [--check]      --check: exit 1 when a limit is passed, 77 without valgrind
"""
import json, os, re, shutil, subprocess, sys, tempfile

KIB = 1024
RUNS = 7  # of which the median counts, for times
FLAGS = ["-c", "8192", "-ngl", "99", "-np", "1", "-fa", "on"]


def valgrind(tool, command, folder):
    out = os.path.join(folder, "out")
    p = subprocess.run(["valgrind", f"--tool={tool}", f"--{tool}-out-file={out}", *command],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return p.stderr


def instructions(command, folder):
    text = valgrind("callgrind", command, folder)
    m = re.search(r"Collected : (\d+)", text)
    if not m:
        sys.exit(f"callgrind said nothing of {command[0]}:\n{text}")
    return int(m[1])


def heap_peak(command, folder):
    text = valgrind("dhat", command, folder)
    m = re.search(r"At t-gmax:\s+([\d,]+) bytes", text)
    if not m:
        sys.exit(f"dhat said nothing of {command[0]}:\n{text}")
    return int(m[1].replace(",", ""))


def timed(build, command):
    """Median wall time in milliseconds and the largest resident set in KiB."""
    p = subprocess.run([f"{build}/bench/bench_time", str(RUNS), *command], check=True,
                       stdout=subprocess.PIPE, text=True)
    ns, rss = p.stdout.split()
    return int(ns) / 1e6, int(rss) / KIB


def plans(command):
    """Whether the command makes a plan, and not an error."""
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if p.returncode not in (0, 1, 4):
        return False
    try:
        return "schema_version" in json.loads(p.stdout)
    except ValueError:
        return False


def count(build, header, folder):
    """Rows of (what, instructions, heap); the sum is first."""
    plan = [f"{build}/ullage", "plan", header, *FLAGS, "--gpu", "24GiB", "--cpu", "x64", "--json"]
    commands = [("byte-by-byte sum", [f"{build}/bench/bench_bytesum", header]),
                ("the reader alone", [f"{build}/bench/bench_read_header", header])]
    planned = plans(plan)
    if planned:
        commands.append(("ullage plan", plan))
    rows = [(what, instructions(c, folder), heap_peak(c, folder)) for what, c in commands]
    return rows, planned, plan


def beside_the_engine(lab, build, header, plan, folder):
    model = os.path.join(folder, "model.gguf")
    subprocess.run([f"{lab}/stub", header, model], check=True, stdout=subprocess.DEVNULL)
    run = [f"{lab}/run", "--gpu", "name=RTX 4090,mib=24564,cc=8.9,sm=128", "--"]
    engine, engine_rss = timed(build, [*run, "llama-fit-params", "-m", model, *FLAGS])
    start, _ = timed(build, [*run, "true"])
    ours, our_rss = timed(build, plan)
    engine -= start
    print(f"{'llama-fit-params':20} {engine:10.2f} ms {engine_rss:10.0f} KiB resident "
          f"(the lab's own start, {start:.0f} ms, taken off)")
    print(f"{'ullage plan':20} {ours:10.2f} ms {our_rss:10.0f} KiB resident: "
          f"{engine / ours:.0f} times as fast")


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    check = "--check" in sys.argv
    if len(arguments) != 1:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        sys.exit(77)
    build = os.path.abspath(arguments[0])
    with tempfile.TemporaryDirectory() as folder:
        header = os.path.join(folder, "vocab.gguf")
        subprocess.run([f"{build}/bench/bench_mkvocab", header], check=True)
        size = os.path.getsize(header)
        limit = 2 * size + 256 * KIB
        rows, planned, plan = count(build, header, folder)
        base = rows[0][1]
        print(f"header {size} bytes, heap limit {limit}")
        bad = False
        for what, n, heap in rows:
            print(f"{what:20} {n:12} instructions {n / size:6.2f} a byte {n / base:6.3f} of the sum "
                  f"{heap:10} bytes of heap")
            bad |= n > base or heap > limit
        if not planned:
            sys.exit("ullage plan makes no plan of this header")
        if os.environ.get("ULLAGE_LAB"):
            beside_the_engine(os.environ["ULLAGE_LAB"], build, header, plan, folder)
    sys.exit(1 if check and bad else 0)


main()
