#!/usr/bin/env python3
"""A web server that misbehaves on request, on loopback, for remote.bats.

server.py FOLDER PORTFILE   serves FOLDER/NAME under /MODE/NAME; the mode is how. /__stats tells the
requests since the last /__reset and how many bytes of bodies went out; the send buffer is small, so
that what went out is what was taken."""
import hashlib, json, os, re, socket, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

FOLDER, PORTFILE = sys.argv[1:3]
LOCK, STATS, SEEN = threading.Lock(), [], {}
COMMIT = "a" * 40


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def say(self, status, headers=(), body=b""):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def count(self, **what):
        with LOCK:
            STATS.append(dict(path=self.path, sent=0, port=self.client_address[1], **what))
            return STATS[-1]

    def body(self, path, start, n, entry, most=None, pause=0, chunked=False, stall=False):
        with open(path, "rb") as f:
            f.seek(start)
            while n > 0 and (most is None or entry["sent"] < most):
                piece = f.read(min(n, 16384))
                if chunked:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                else:
                    self.wfile.write(piece)
                entry["sent"] += len(piece)
                n -= len(piece)
                if pause:
                    time.sleep(pause)
            if stall and n > 0:
                time.sleep(20)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")
        elif n > 0:
            self.close_connection = True

    def do_GET(self):
        try:
            self.answer()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def answer(self):
        if self.path == "/__stats":
            with LOCK:
                return self.say(200, body=json.dumps(STATS).encode())
        if self.path == "/__reset":
            with LOCK:
                STATS.clear()
                SEEN.clear()
            return self.say(200)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        asked = self.headers.get("Range")
        entry = self.count(range=asked, auth=self.headers.get("Authorization"),
                           key=self.headers.get("X-Key"))
        entry["status"] = 0
        mode, _, name = self.path.lstrip("/").split("?")[0].partition("/")
        path = os.path.join(FOLDER, name)
        SEEN[self.path] = turn = SEEN.get(self.path, 0) + 1
        hub = self.hub(self.path)
        if isinstance(hub, bytes):
            return self.say(200, body=hub)
        if hub:
            return self.send_file("ranges", hub, asked, entry, turn)
        if mode == "http10":
            self.protocol_version = "HTTP/1.0"
        if mode == "redirect":
            return self.say(302, [("Location", "/ranges/" + name)])
        if mode == "away":  # the same server by another name, so another host
            return self.say(302, [("Location", "http://localhost:%d/ranges/%s" % (PORT, name))])
        if mode == "loop":
            return self.say(302, [("Location", self.path)])
        if mode == "tofile":
            return self.say(302, [("Location", "file:///etc/passwd")])
        if mode.isdigit():
            return self.say(int(mode), [("Retry-After", "3600")] if name == "long" else [])
        if mode == "auth" and self.headers.get("Authorization") != "Bearer secret":
            return self.say(401)
        if mode == "busy" and turn == 1:
            return self.say(429, [("Retry-After", "1")])
        if mode == "down" and turn <= 2:
            return self.say(503)
        if not os.path.isfile(path):
            return self.say(404, body=b"<html>no such file</html>")
        self.send_file(mode, path, asked, entry, turn)

    def hub(self, path):
        """What Hugging Face, ModelScope or Ollama's registry would answer for the folders under hub/:
        bytes, the path of a file, or None."""
        m = re.fullmatch(r"/(?:(?:api/|api/v1/)?models/|v2/)?([\w.-]+)/([\w.-]+)/(.*)", unquote(path))
        root = os.path.join(FOLDER, "hub", m[1], m[2]) if m else None
        if not m or not os.path.isdir(root):
            return None
        what = m[3]
        names = sorted(os.path.relpath(os.path.join(d, f), root) for d, _, fs in os.walk(root) for f in fs)
        if what == "refs":
            return json.dumps(dict(branches=[dict(name="other", targetCommit="b" * 40),
                                             dict(name="main", targetCommit=COMMIT)])).encode()
        if what == "tree/%s?recursive=true" % COMMIT:
            return json.dumps([dict(type="directory", path="folder")] + [dict(type="file", path=n, size=os.path.getsize(
                os.path.join(root, n))) for n in names]).encode()
        if what == "repo/files?Revision=master&Recursive=true":
            files = [dict(Path=n, Type="blob", Size=os.path.getsize(os.path.join(root, n)), Revision=c * 40,
                          CommittedDate=d) for n, c, d in zip(names, "dcd" * 9, (1, 7, 3) * 9)]
            return json.dumps(dict(Code=200, Data=dict(Files=files))).encode()
        m = re.fullmatch(r"resolve/(?:%s|%s)/(.*)" % (COMMIT, "c" * 40), what)
        if m and os.path.isfile(os.path.join(root, m[1])):
            return os.path.join(root, m[1])
        digests = {"sha256:" + hashlib.sha256(n.encode()).hexdigest(): n for n in names}
        if what == "manifests/latest" or what == "manifests/Q8_0":
            return json.dumps(dict(schemaVersion=2, layers=[
                dict(digest=d, size=os.path.getsize(os.path.join(root, n)), mediaType="application/vnd.ollama.image."
                     + ("projector" if "mmproj" in n else "model" if n.endswith(".gguf") else "license"))
                for d, n in digests.items()])).encode()
        if what.startswith("blobs/") and what[6:] in digests:
            return os.path.join(root, digests[what[6:]])
        return None

    def send_file(self, mode, path, asked, entry, turn):
        size = os.path.getsize(path)
        etag = '"%d-%d"' % (size, os.stat(path).st_mtime_ns)
        if mode == "changing":
            etag = '"%d"' % turn
        m = re.fullmatch(r"bytes=(\d+)-(\d*)", asked or "")
        ranges = m and mode not in ("noranges", "nolength", "http10")
        if self.headers.get("If-None-Match") == etag:
            entry["status"] = 304
            self.send_response(304)
            self.send_header("ETag", etag)
            return self.end_headers()
        start = int(m[1]) if ranges else 0
        if ranges and start >= size:
            return self.say(416, [("Content-Range", "bytes */%d" % size)])
        end = min(int(m[2]) if ranges and m[2] else size - 1, size - 1)
        entry["status"] = 206 if ranges else 200
        self.send_response(entry["status"])
        if mode != "notag":
            self.send_header("ETag", etag)
        stated = size + turn if mode == "wrongtotal" else size
        if ranges:
            first = start + 1 if mode == "wrongstart" else start
            self.send_header("Content-Range", "bytes %d-%d/%d" % (first, end, stated))
        n = end - start + 1
        if mode == "gzip":
            self.send_header("Content-Encoding", "gzip")
        if mode == "nolength":
            self.send_header("Transfer-Encoding", "chunked")
        elif mode == "http10":
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(n + 100 if mode == "wronglength" else n))
        self.end_headers()
        most = {"cut": 3000000, "nothing": 1}.get(mode)
        stall = mode == "stall" and turn == 2
        if stall:
            most = 3000000
        if mode == "nothing" and start > 0:
            most = 0
        self.body(path, start, n, entry, most, pause=0.5 if mode == "slow" else 0,
                  chunked=mode == "nolength", stall=stall)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
PORT = server.server_address[1]
with open(PORTFILE + ".new", "w") as f:
    f.write(str(PORT))
os.rename(PORTFILE + ".new", PORTFILE)
server.serve_forever()
