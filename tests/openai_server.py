#!/usr/bin/env python3
"""A stand-in for an OpenAI-compatible server that is not llama-server, for measure.bats: `serve MODEL
--max-model-len N --port P`. It holds memory in proportion to N, is ready after a moment, and takes
completions on /v1/completions; each prompt holds memory for a while. It ends by itself."""
import http.server
import json
import signal
import sys
import threading
import time

TOKEN, BASE, PROMPT = 2048, 24 << 20, 48 << 20


def option(name, default):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


class Handler(http.server.BaseHTTPRequestHandler):
    ready = False
    seen = []

    def reply(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.reply(200 if Handler.ready and self.path == "/health" else 503, {})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/completions" or not asked.get("prompt"):
            return self.reply(400, {"error": {"message": "no prompt"}})
        held = bytearray(b"\1") * PROMPT
        time.sleep(0.5)
        self.reply(200, {"choices": [{"text": " ok"}], "usage": {"prompt_tokens": len(held) and 1}})

    def log_message(self, *args):
        pass


def main():
    signal.alarm(60)
    length, port = int(option("--max-model-len", "4096")), int(option("--port", "8000"))
    held = bytearray(b"\1") * (BASE + length * TOKEN)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)

    def be_ready():
        time.sleep(0.3)
        Handler.ready = len(held) > 0
        print("INFO:     Application startup complete.", flush=True)
    threading.Thread(target=be_ready, daemon=True).start()
    server.serve_forever()


main()
