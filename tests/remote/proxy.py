#!/usr/bin/env python3
"""A proxy on loopback for fetch.bats: proxy.py PORTFILE LOG. Requests for http:// addresses are handed
on, each over a connection of its own; CONNECT is refused with 403. Every request line goes to LOG."""
import os, socket, sys, threading
from urllib.parse import urlsplit


def handle(client):
    head = b""
    while b"\r\n\r\n" not in head:
        more = client.recv(4096)
        if not more:
            return
        head += more
    line, _, rest = head.partition(b"\r\n")
    with open(sys.argv[2], "a") as log:
        log.write(line.decode() + "\n")
    method, address, _ = line.decode().split()
    if method == "CONNECT":
        client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        return
    url = urlsplit(address)
    server = socket.create_connection((url.hostname, url.port or 80))
    path = url.path + ("?" + url.query if url.query else "")
    kept = [l for l in rest.split(b"\r\n") if l and not l.lower().startswith((b"proxy-", b"connection:"))]
    server.sendall(b"\r\n".join([b"GET %s HTTP/1.1" % path.encode(), *kept, b"Connection: close", b"", b""]))
    while True:
        piece = server.recv(16384)
        if not piece:
            return
        client.sendall(piece)


def serve(client):
    with client:
        try:
            handle(client)
        except OSError:
            pass


listener = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(listener.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
