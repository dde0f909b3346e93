#!/usr/bin/env python3
"""Takes what is meant for Google's push service, quickly, and says what came: for the torture and `parley-lab bench push`.
It checks nothing (`server.py` does), and needs only Python's own library and the command openssl.

  Tests/Push/sink.py FOLDER    serves on a free port of 127.0.0.1 until its standard input ends

It writes ca.pem and account.json, with which a cluster sends to it, into FOLDER, prints the port, and then a line for each
push: the time in microseconds since 1970, the device's token, and the push's id, kind, conversation and seq; "-" for none.
"""
import asyncio
import json
import os
import signal
import ssl
import subprocess
import sys
import time

CONFIGURATION = """
[req]
distinguished_name = none
prompt = no
[none]
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[ca]
default_ca = here
[here]
database = index
serial = serial
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
x509_extensions = server
unique_subject = no
[any]
commonName = supplied
[server]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost,IP:127.0.0.1
"""
DAY = 86_400


def make_certificates(folder):
    """Valid since yesterday, since the torture moves clocks."""
    def openssl(*arguments):
        done = subprocess.run(["openssl", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode:
            sys.exit(f"openssl {arguments[0]}: {done.stderr.decode()}")

    for name, text in [("ca.conf", CONFIGURATION), ("index", ""), ("serial", "1000\n")]:
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-config", "ca.conf"]
    first, last = (time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * DAY)) for days in (-1, 30))
    openssl("req", "-new", *key, "-subj", "/CN=sink authority", "-keyout", "ca.key", "-out", "ca.csr")
    openssl("ca", "-selfsign", "-batch", "-notext", "-config", "ca.conf", "-extensions", "root", "-in", "ca.csr",
            "-keyfile", "ca.key", "-out", "ca.pem", "-startdate", first, "-enddate", last)
    openssl("req", "-new", *key, "-subj", "/CN=localhost", "-keyout", "sink.key", "-out", "sink.csr")
    openssl("ca", "-batch", "-notext", "-config", "ca.conf", "-in", "sink.csr", "-out", "sink.pem",
            "-startdate", first, "-enddate", last)
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "account.key")


def write_account(folder, port):
    with open(f"{folder}/account.key", encoding="utf-8") as file:
        key = file.read()
    account = {"type": "service_account", "project_id": "sink", "private_key_id": "1", "private_key": key,
               "client_email": "sink@localhost", "token_uri": f"https://localhost:{port}/token"}
    with open(f"{folder}/account.json", "w", encoding="utf-8") as file:
        json.dump(account, file)


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


# The kinds and flags of frames (RFC 9113, section 6).
DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE = 0, 1, 3, 4, 6, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
WINDOW = 1 << 20
# MAX_CONCURRENT_STREAMS, and a window of the connection that holds up nobody.
GREETING = (frame(SETTINGS, 0, 0, b"\x00\x03" + (1000).to_bytes(4, "big"))
            + frame(WINDOW_UPDATE, 0, 0, (64 * WINDOW).to_bytes(4, "big")))
STATUS_200 = b"\x88"
TOKEN = json.dumps({"access_token": "sink", "expires_in": 3600}).encode()
ACCEPTED = json.dumps({"name": "projects/sink/messages/1"}).encode()


class Connection(asyncio.Protocol):
    """A connection of HTTP/2. The bodies say all that matters, so no header is read."""

    def connection_made(self, transport):
        self.transport, self.buffer, self.bodies, self.taken, self.is_greeted = transport, b"", {}, 0, False

    def data_received(self, data):
        self.buffer += data
        out, lines = [], []
        if not self.is_greeted:
            if len(self.buffer) < len(PREFACE):
                return
            if not self.buffer.startswith(PREFACE):
                self.transport.abort()
                return
            self.buffer, self.is_greeted = self.buffer[len(PREFACE):], True
            out.append(GREETING)
        place, buffer = 0, self.buffer
        while len(buffer) - place >= 9:
            end = place + 9 + int.from_bytes(buffer[place:place + 3], "big")
            if len(buffer) < end:
                break
            stream = int.from_bytes(buffer[place + 5:place + 9], "big") & 0x7fff_ffff
            self.take(buffer[place + 3], buffer[place + 4], stream, buffer[place + 9:end], out, lines)
            place = end
        self.buffer = buffer[place:]
        if self.taken >= WINDOW:
            out.append(frame(WINDOW_UPDATE, 0, 0, self.taken.to_bytes(4, "big")))
            self.taken = 0
        # What is answered was written down before.
        if lines:
            sys.stdout.write("".join(lines))
            sys.stdout.flush()
        if out:
            self.transport.write(b"".join(out))

    def take(self, kind, flags, stream, payload, out, lines):
        if kind == HEADERS:
            self.bodies[stream] = b""
        elif kind == DATA:
            self.taken += len(payload)
            if stream in self.bodies:
                self.bodies[stream] += payload
        elif kind == RST_STREAM:
            self.bodies.pop(stream, None)
        elif kind in (SETTINGS, PING) and not flags & ACK:
            out.append(frame(kind, ACK, 0, payload if kind == PING else b""))
        if kind in (HEADERS, DATA) and flags & END_STREAM and stream in self.bodies:
            body = self.bodies.pop(stream)
            answer = TOKEN if body.startswith(b"grant_type") else self.push(body, lines)
            out.append(frame(HEADERS, END_HEADERS, stream, STATUS_200) + frame(DATA, END_STREAM, stream, answer))

    def push(self, body, lines):
        message = json.loads(body)["message"]
        data = message["data"]
        found = [message["token"], *(data.get(name) or "-" for name in ("id", "kind", "conversation", "seq"))]
        lines.append(f"{time.time_ns() // 1000} {' '.join(found)}\n")
        return ACCEPTED


async def main():
    folder = sys.argv[1]
    make_certificates(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/sink.pem", f"{folder}/sink.key")
    context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    write_account(folder, port)
    print(port, flush=True)
    ended = loop.create_future()
    loop.add_reader(sys.stdin, lambda: os.read(0, 4096) or ended.done() or ended.set_result(None))
    await ended


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    # Who started it gets Ctrl-C too, and ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(main())
