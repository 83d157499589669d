#!/usr/bin/env python3
"""How long `ullage list` takes: 500 models with the corpus' headers, then 100 with a vocabulary of
150,000 tokens each (6 MiB of header). The files are as long as whole models, as holes, and their pages
are dropped from memory before the first run.

    bench/list.py BUILD
"""
import json, os, resource, subprocess, sys, tarfile, tempfile, time

build = sys.argv[1]
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ullage = os.path.abspath(f"{build}/ullage")


def size_of(path):
    out = subprocess.run([ullage, "show", path, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)["model"]["size_bytes"]


def fill(folder, headers, n):
    whole = {h: size_of(h) for h in headers}
    data = {h: open(h, "rb").read() for h in headers}
    for i in range(n):
        header = headers[i % len(headers)]
        path = f"{folder}/owner{i % 17}/{i}/{os.path.basename(header)}"
        os.makedirs(os.path.dirname(path))
        with open(path, "wb") as f:
            f.write(data[header])
            f.truncate(max(whole[header], f.tell()))


def forget(folder):
    for d, _, names in os.walk(folder):
        for name in names:
            fd = os.open(f"{d}/{name}", os.O_RDWR)
            os.fsync(fd)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)


def measure(what, folder):
    for state in "cold", "warm":
        if state == "cold":
            forget(folder)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        out = subprocess.run([ullage, "list", folder, "--gpu", "24GiB", "--ram", "64GiB", "--json"],
                             stdout=subprocess.PIPE, check=True)
        wall, after = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        n = len(json.loads(out.stdout)["models"])
        print(f"{what}, {state}: {n} models in {wall:.2f} s, {cpu:.2f} s of {os.cpu_count()} processors, "
              f"{1000 * cpu / n:.2f} ms each")


with tempfile.TemporaryDirectory() as folder:
    with tarfile.open(f"{root}/tests/corpus/headers.tar.xz") as tar:
        for m in tar:
            if m.name.startswith("models/") and m.isfile():
                with open(os.path.join(folder, os.path.basename(m.name)), "wb") as f:
                    f.write(tar.extractfile(m).read())
    headers = sorted(f"{folder}/{n}" for n in os.listdir(folder) if n.endswith(".gguf"))
    fill(f"{folder}/plain", headers, 500)
    subprocess.run([f"{build}/bench/bench_mkvocab", f"{folder}/vocab.gguf"], check=True,
                   stdout=subprocess.DEVNULL)
    fill(f"{folder}/large", [f"{folder}/vocab.gguf"], 100)
    measure("headers without vocabulary", f"{folder}/plain")
    measure("headers with one", f"{folder}/large")
