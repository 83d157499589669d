#!/usr/bin/env python3
"""Checks Kubernetes objects from standard input, offline.

Core objects (Service, and the pod templates inside the custom resource) are checked field by field
against the types in k8s/core-1.30.json, which were taken from the npm package kubernetes-types
1.30.0: no unknown field, none missing that is required, each value of its type. LeaderWorkerSet is
a custom resource, so its own fields are listed here, from leaderworkerset.x-k8s.io/v1. Prints the
first thing that is wrong and exits 1."""
import json
import os
import re
import sys

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = json.load(open(os.path.join(HERE, "k8s", "core-1.30.json")))
TYPES.update({
    "LeaderWorkerSet": {"apiVersion": '"leaderworkerset.x-k8s.io/v1"', "kind": '"LeaderWorkerSet"',
                        "metadata": "ObjectMeta", "spec": "LeaderWorkerSetSpec"},
    "LeaderWorkerSetSpec": {"replicas": "number?", "leaderWorkerTemplate": "LeaderWorkerTemplate",
                            "rolloutStrategy": "object?", "startupPolicy": "string?",
                            "networkConfig": "object?"},
    "LeaderWorkerTemplate": {"leaderTemplate": "PodTemplateSpec?",
                             "workerTemplate": "PodTemplateSpec", "size": "number?",
                             "restartPolicy": "string?", "subGroupPolicy": "object?"},
})
QUANTITY = re.compile(r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$")
NAME = re.compile(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")


class Wrong(Exception):
    pass


def union(kind, value, at):
    for part in kind.split("|"):
        try:
            return check(part.strip(), value, at)
        except Wrong as why:
            last = why
    raise last


def check(kind, value, at):
    kind = kind.rstrip("?").strip()
    if "|" in kind and not kind.startswith(("Array<", "{")):
        return union(kind, value, at)
    if kind.startswith("Array<"):
        if not isinstance(value, list):
            raise Wrong(f"{at}: not a list")
        for i, v in enumerate(value):
            check(kind[6:-1], v, f"{at}[{i}]")
    elif kind.startswith("{"):
        inner = re.match(r"\{\s*\[name: string\]: (.*?);?\s*\}", kind)
        if not isinstance(value, dict):
            raise Wrong(f"{at}: not a map")
        for k, v in value.items():
            check(inner.group(1), v, f"{at}.{k}")
    elif kind in ("string", "Time", "MicroTime"):
        if not isinstance(value, str):
            raise Wrong(f"{at}: {value!r} is no string")
    elif kind == "number":
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Wrong(f"{at}: {value!r} is no number")
    elif kind == "boolean":
        if not isinstance(value, bool):
            raise Wrong(f"{at}: {value!r} is no boolean")
    elif kind == "object":
        if not isinstance(value, dict):
            raise Wrong(f"{at}: not a map")
    elif kind == "Quantity":
        if not QUANTITY.match(str(value)):
            raise Wrong(f"{at}: {value!r} is no quantity")
    elif kind.startswith('"'):
        if value != kind.strip('"'):
            raise Wrong(f"{at}: {value!r} should be {kind}")
    elif isinstance(TYPES.get(kind), str):
        check(TYPES[kind], value, at)
    elif kind in TYPES:
        fields(kind, value, at)
    else:
        raise Wrong(f"{at}: no type '{kind}'")


def fields(kind, value, at):
    known = TYPES[kind]
    if not isinstance(value, dict):
        raise Wrong(f"{at}: not a map")
    for key, v in value.items():
        if key not in known:
            raise Wrong(f"{at}.{key}: no such field of {kind}")
        check(known[key], v, f"{at}.{key}")
    for key, kind_of in known.items():
        if not kind_of.endswith("?") and key not in value:
            raise Wrong(f"{at}.{key}: missing")


def pods(o):
    """What a type does not say: volumes that are mounted exist, GPUs are asked for as limited."""
    t = o["spec"]["leaderWorkerTemplate"]
    if t["size"] < 1:
        raise Wrong("size below 1")
    for key in ("leaderTemplate", "workerTemplate"):
        spec = t[key]["spec"]
        volumes = {v["name"] for v in spec.get("volumes", [])}
        for c in spec["containers"]:
            if not NAME.match(c["name"]):
                raise Wrong(f"{key}: bad container name {c['name']}")
            for m in c.get("volumeMounts", []):
                if m["name"] not in volumes:
                    raise Wrong(f"{key}: no volume {m['name']}")
            gpus = c["resources"]["limits"]["nvidia.com/gpu"]
            if c["resources"]["requests"]["nvidia.com/gpu"] != gpus or int(gpus) < 1:
                raise Wrong(f"{key}: GPUs asked for and limited differ")


def main():
    try:
        objects = list(yaml.safe_load_all(sys.stdin))
        if not objects:
            raise Wrong("no object")
        for o in objects:
            kind = o.get("kind")
            if kind not in ("Service", "LeaderWorkerSet"):
                raise Wrong(f"no check for a {kind}")
            fields(kind, o, kind)
            if kind == "LeaderWorkerSet":
                pods(o)
                for key in ("leaderTemplate", "workerTemplate"):
                    print(o["spec"]["leaderWorkerTemplate"][key]["spec"]["containers"][0]["command"][2])
    except (Wrong, yaml.YAMLError, KeyError) as why:
        print(f"wrong: {why}", file=sys.stderr)
        sys.exit(1)


main()
