"""The page of these sources, or of changed ones, in front of a gateway that was built with another."""
import os
import re
import shutil
import socket
import subprocess
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# As Sources/Tools/EmbedFiles/ChatFiles.swift has them, and the gateway's own rules for what a page may load.
FLAGS = ["--bundle", "--minify", "--format=esm", "--target=es2020", "--charset=utf8", "--jsx=automatic",
         "--legal-comments=eof", "--log-level=warning", '--define:process.env.NODE_ENV="production"']
RULES = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
         "worker-src 'self'; manifest-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'")
TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "webmanifest": "application/manifest+json"}


def bundle(folder, changed=None):
    """
    Builds the page into a folder, and returns its files by their paths. `changed` has texts that take the place of
    files of Sources/Clients/WebChat, or are added to them.
    """
    clients = os.path.join(ROOT, "Sources", "Clients")
    if changed:
        clients = shutil.copytree(clients, os.path.join(folder, "sources"), ignore=lambda _, names: {"ParleyKit"})
    source = os.path.join(clients, "WebChat")
    for name, text in (changed or {}).items():
        with open(os.path.join(source, name), "w") as file:
            file.write(text)

    def build(entries, into, *more):
        target = os.path.join(folder, into)
        subprocess.run(["esbuild", *(os.path.join(source, each) for each in entries), *FLAGS, *more,
                        f"--outdir={target}"], env={**os.environ, "NODE_PATH": "/usr/share/nodejs"}, check=True)
        return {name: read(os.path.join(target, name)) for name in sorted(os.listdir(target))}

    built = build(["chat.tsx", "chat.css"], "app", "--splitting", "--entry-names=[name]-[hash]",
                  "--chunk-names=[name]-[hash]")
    files = {f"/app/{name}": data for name, data in built.items()}
    page = read(os.path.join(source, "index.html")).decode()
    for name in built:
        if name.startswith("chat-"):
            page = page.replace(f"/app/chat.{name.rsplit('.', 1)[1]}", f"/app/{name}")
    kept = ",".join(f'"{path}"' for path in [*files, "/", "/chat.webmanifest", "/icon.svg"])
    worker = build(["worker.ts"], "worker", f"--define:FILES=[{kept}]",
                   f'--define:VERSION="{abs(hash(kept))}"')["worker.js"]
    return {**files, "/": page.encode(), "/worker.js": worker,
            "/chat.webmanifest": read(os.path.join(source, "chat.webmanifest"))}


def first_visit(files):
    """What a browser loads without being asked: the page, and what its scripts name behind `from` or `import`."""
    wanted, loaded = re.findall(r'"(/app/[^"]+)"', files["/"].decode()), {"/": files["/"]}
    while wanted:
        path = wanted.pop()
        if path in loaded:
            continue
        loaded[path] = files[path]
        if path.endswith(".js"):
            wanted += [f"/app/{name}" for name in
                       re.findall(r'(?:from|import)"\./([^"]+)"', files[path].decode())]
    return loaded


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Front:
    """Answers with the files, and passes everything else on to the gateway."""

    def __init__(self, gateway, files):
        self.files, self.gateway = files, gateway.rsplit("/", 1)[-1]
        self.is_cut, self.passed = False, set()
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(client,), daemon=True).start()

    def answer(self, client):
        try:
            if self.is_cut:
                return client.close()
            head = b""
            while b"\r\n\r\n" not in head:
                more = client.recv(65536)
                if not more:
                    return client.close()
                head += more
            head, rest = head.split(b"\r\n\r\n", 1)
            path = head.split(b" ", 2)[1].decode().split("?")[0]
            if path in self.files:
                return self.give(client, path)
            self.pass_on(client, head, rest)
        except OSError:
            client.close()

    def give(self, client, path):
        body = self.files[path]
        kind = "text/html" if path == "/" else TYPES[path.rsplit(".", 1)[1]]
        head = [b"HTTP/1.1 200 OK", f"Content-Type: {kind}; charset=utf-8".encode(),
                f"Content-Length: {len(body)}".encode(), f"Content-Security-Policy: {RULES}".encode(),
                b"Cache-Control: no-cache", b"X-Content-Type-Options: nosniff", b"Referrer-Policy: no-referrer",
                b"Cross-Origin-Opener-Policy: same-origin", b"Cross-Origin-Resource-Policy: same-origin",
                b"Connection: close"]
        client.sendall(b"\r\n".join(head) + b"\r\n\r\n" + body)
        client.close()

    def pass_on(self, client, head, rest):
        """One request for each connection, unless it becomes a WebSocket: the next one may ask for a file."""
        if b"upgrade: websocket" not in head.lower():
            lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
            head = b"\r\n".join([*lines, b"Connection: close"])
        host, port = self.gateway.split(":")
        server = socket.create_connection((host, int(port)))
        server.sendall(head + b"\r\n\r\n" + rest)
        self.passed |= {client, server}
        threading.Thread(target=pipe, args=(client, server), daemon=True).start()
        pipe(server, client)
        self.passed -= {client, server}
        for each in (client, server):
            each.close()

    def cut(self, is_cut):
        """Nothing comes through any more, or all does again."""
        self.is_cut = is_cut
        for each in list(self.passed) if is_cut else []:
            end(each)

    def close(self):
        self.socket.close()


def pipe(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    for each in (source, target):
        end(each)


def end(each):
    try:
        each.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
