#!/usr/bin/python3
"""Plays a mail server for tests, over aiosmtpd: it keeps the mails that it takes, or does what a test says instead.

  Tests/Mail/server.py    serves until its standard input ends. Prints one line of JSON: the ports of "plain" (no sign-in),
                          "starttls" (sign-in after STARTTLS as chat:secret), "smtps" (the same, encrypted from the start)
                          and "control", and "authorities", the file with its certificate

  GET  /mails      what it took: [{"from", "to", "text", "html", "headers": [[name, value], …]}]
  POST /behave     {"mode"}: "right", "busy" (451 to the mail), "refuse" (550 to the recipient), "stall" (no answer to the
                   mail), "drop" (the connection ends after the mail came)
"""
import asyncio
import datetime
import email
import email.policy
import http.server
import ipaddress
import json
import logging
import pathlib
import ssl
import sys
import tempfile
import threading
import warnings

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
state = {"mode": "right", "mails": []}
folder = tempfile.TemporaryDirectory()
certificate = pathlib.Path(folder.name) / "certificate.pem"


def make_certificate():
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail of tests")])
    now = datetime.datetime.utcnow()
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256()))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (certificate.parent / "key.pem").write_bytes(private)
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if state["mode"] == "refuse":
            return "550 there is nobody of this name"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mode = state["mode"]
        if mode == "busy":
            return "451 come back later"
        if mode == "stall":
            await asyncio.sleep(3600)
        if mode == "drop":
            server.transport.abort()
            return "250 OK"
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        texts = {"plain": "", "html": ""}
        for part in message.walk():
            if part.get_content_maintype() == "text":
                texts[part.get_content_subtype()] = part.get_content()
        state["mails"].append({
            "from": envelope.mail_from, "to": envelope.rcpt_tos[0], "text": texts["plain"], "html": texts["html"],
            "headers": [[name, str(value)] for name, value in message.items()]})
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (b"chat", b"secret")
    return AuthResult(success=right, handled=right or mechanism not in ("PLAIN", "LOGIN"))


class Control(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(state["mails"])

    def do_POST(self):
        state["mode"] = json.loads(self.rfile.read(int(self.headers["content-length"])))["mode"]
        self.answer({})


make_certificate()
secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
secure.load_cert_chain(certificate, certificate.parent / "key.pem")


async def port_of(tls=None, **options):
    def session():
        return SMTP(Handler(), hostname="127.0.0.1", enable_SMTPUTF8=True, loop=loop, **options)

    server = await loop.create_server(session, host="127.0.0.1", port=0, ssl=tls)
    return server.sockets[0].getsockname()[1]


loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()
signed_in = {"authenticator": authenticate, "auth_required": True}
plain, starttls, smtps = [
    asyncio.run_coroutine_threadsafe(served, loop).result(30)
    for served in (
        port_of(), port_of(tls_context=secure, require_starttls=True, **signed_in),
        port_of(tls=secure, auth_require_tls=False, **signed_in))]
control = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Control)
threading.Thread(target=control.serve_forever, daemon=True).start()
print(json.dumps({
    "plain": plain, "starttls": starttls, "smtps": smtps, "control": control.server_port,
    "authorities": str(certificate)}), flush=True)
sys.stdin.read()
folder.cleanup()
