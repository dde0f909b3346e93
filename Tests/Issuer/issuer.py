#!/usr/bin/env python3
"""Plays issuers of ID tokens for tests, each below a path of its own: it describes itself and its keys as OpenID providers
do, and makes the tokens that a test asks for, right and wrong ones.

  Tests/Issuer/issuer.py    serves on a free port of 127.0.0.1, which it prints, until its standard input ends

  GET  /NAME/.well-known/openid-configuration, /NAME/jwks    as an app or a server asks for them
  GET  /NAME/authorize?…&as=SUBJECT    the page: signs that person in at once and leads back, as a browser follows;
                                       without `as` it asks who it is
  POST /NAME/token    exchanges the code for a token, after checking PKCE, the client and its secret
  POST /NAME/test/token    {"claims", "alg", "kid", "header", "keys"}: answers with a token
  POST /NAME/test/rotate   {"keep"}: new keys; the old ones stay in the set if `keep` says so
  POST /NAME/test/behave   {"mode", "cache"}: how the set of keys is answered from now on
  GET  /NAME/test/asked    how often the set of keys was asked for
  GET  /NAME/test/tokens?first=N&count=N&alg=RS256    tokens of the people pN …, for `parley-lab bench signin`
  GET  /NAME/test/check    how many microseconds OpenSSL's libcrypto needs to check a signature of each kind
"""
import base64
import hashlib
import hmac
import html
import http.server
import json
import re
import sys
import threading
import time
import urllib.parse
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, size=None):
    return b64(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


class Keys:
    """A key of each kind, and names for them."""

    count = 0

    def __init__(self, name):
        Keys.count += 1
        self.name, self.prefix = name, f"{name}-{Keys.count}"
        self.rsa = rsa.generate_private_key(65537, 2048)
        self.ec = ec.generate_private_key(ec.SECP256R1())
        self.ed = ed25519.Ed25519PrivateKey.generate()

    def set(self):
        n, p = self.rsa.public_key().public_numbers(), self.ec.public_key().public_numbers()
        x = self.ed.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return [
            {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.prefix + "-RS256", "n": number(n.n), "e": number(n.e)},
            {"kty": "EC", "use": "sig", "crv": "P-256", "kid": self.prefix + "-ES256", "x": number(p.x, 32),
             "y": number(p.y, 32)},
            {"kty": "OKP", "use": "sig", "crv": "Ed25519", "kid": self.prefix + "-EdDSA", "x": b64(x)},
            # What issuers also have and nobody may check signatures with.
            {"kty": "RSA", "use": "enc", "alg": "RSA-OAEP", "kid": self.name + "-enc", "n": number(n.n), "e": number(n.e)},
            {"kty": "EC", "crv": "P-521", "kid": self.prefix + "-P-521", "x": "AA", "y": "AA"},
            {"kty": "oct", "kid": self.prefix + "-oct", "k": "c2VjcmV0"},
        ]

    def signature(self, alg, message):
        if alg == "RS256":
            return self.rsa.sign(message, padding.PKCS1v15(), hashes.SHA256())
        if alg == "ES256":
            r, s = utils.decode_dss_signature(self.ec.sign(message, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        if alg == "EdDSA":
            return self.ed.sign(message)
        if alg == "RS512":
            return self.rsa.sign(message, padding.PKCS1v15(), hashes.SHA512())
        if alg == "HS256":  # The public key, which everybody has, as the secret.
            public = self.rsa.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            return hmac.new(public, message, hashlib.sha256).digest()
        return b""  # "none"


    def check_times(self):
        """Microseconds of a check of each kind of signature, the least of five rounds."""
        message, hashed = b"m" * 600, ec.ECDSA(hashes.SHA256())
        checks = {
            "RS256": (self.rsa, lambda key, s: key.verify(s, message, padding.PKCS1v15(), hashes.SHA256()),
                      self.rsa.sign(message, padding.PKCS1v15(), hashes.SHA256())),
            "ES256": (self.ec, lambda key, s: key.verify(s, message, hashed), self.ec.sign(message, hashed)),
            "EdDSA": (self.ed, lambda key, s: key.verify(s, message), self.ed.sign(message)),
        }
        found = {}
        for name, (key, check, signature) in checks.items():
            public, rounds = key.public_key(), []
            for _ in range(5):
                began = time.perf_counter()
                for _ in range(1000):
                    check(public, signature)
                rounds.append((time.perf_counter() - began) * 1000)
            found[name] = min(rounds)
        return found


class Issuer:
    def __init__(self, name):
        self.name = name
        self.keys = Keys(name)
        self.others = Keys(name)  # Of somebody else.
        self.old = []
        self.mode, self.cache = "right", None
        self.asked = 0
        self.codes = {}  # What each code is for: the request for the page.
        self.exchanged = 0


issuers = {}
lock = threading.Lock()
making = threading.Lock()  # Making keys takes long: requests to other issuers do not wait for it.


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def issuer(self):
        name = self.path.split("/")[1]
        if name not in issuers:
            with making:
                if name not in issuers:
                    issuers[name] = Issuer(name)
        return issuers[name]

    def answer(self, body, status=200, kind="application/json", **headers):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def base(self, issuer):
        return f"http://127.0.0.1:{self.server.server_port}/{issuer.name}"

    def do_GET(self):
        issuer = self.issuer()
        if self.path.endswith("/.well-known/openid-configuration"):
            base = self.base(issuer)
            said = base + "-else" if issuer.mode == "another" else base
            keys = "ftp://127.0.0.1/jwks" if issuer.mode == "ftp" else base + "/jwks"
            ways = "client_secret_post" if issuer.name == "form" else "client_secret_basic"
            page = "javascript://127.0.0.1/%0aalert(1)" if issuer.mode == "script" else base + "/authorize"
            return self.answer({
                "issuer": said, "jwks_uri": keys, "id_token_signing_alg_values_supported": ["RS256"],
                "authorization_endpoint": page, "token_endpoint": base + "/token",
                "token_endpoint_auth_methods_supported": [ways]})
        if self.path.endswith("/test/asked"):
            return self.answer({"asked": issuer.asked, "exchanged": issuer.exchanged})
        if "/authorize?" in self.path:
            return self.page(issuer)
        if "/test/tokens?" in self.path:
            return self.answer(self.tokens(issuer))
        if self.path.endswith("/test/check"):
            return self.answer(issuer.keys.check_times())
        if self.path == "/favicon.ico":  # Browsers ask for it.
            return self.answer(b"", 204)
        if not self.path.endswith("/jwks"):
            return self.answer({"error": "not here"}, 404)
        with lock:
            issuer.asked += 1
        keys = issuer.keys.set() + [key for old in issuer.old for key in old.set()]
        headers = {"cache_control": issuer.cache} if issuer.cache else {}
        if issuer.mode == "html":
            return self.answer(b"<!doctype html><title>Sorry</title>", kind="text/html")
        if issuer.mode == "large":
            return self.answer({"keys": keys, "more": "x" * 10_000_000})
        if issuer.mode == "redirect":
            return self.answer(b"", 302, location=self.base(issuer) + "/else/jwks")
        if issuer.mode == "failing":
            return self.answer({"error": "sorry"}, 500)
        if issuer.mode == "empty":
            return self.answer({"keys": []})
        if issuer.mode == "late":
            time.sleep(30)
        return self.answer({"keys": keys}, **headers)

    def tokens(self, issuer):
        asked = dict(urllib.parse.parse_qsl(self.path.partition("?")[2]))
        now, first = int(time.time()), int(asked["first"])
        return [self.token(issuer, {"alg": asked["alg"], "claims": {
            "iss": self.base(issuer), "sub": f"p{number}", "aud": "parley", "iat": now, "exp": now + 3600,
            "jti": uuid.uuid4().hex, "name": f"Person {number}", "email": f"p{number}@example.org"}})
            for number in range(first, first + int(asked["count"]))]

    def page(self, issuer):
        """Signs the person in who is named in `as`, and leads back."""
        asked = dict(urllib.parse.parse_qsl(self.path.partition("?")[2], strict_parsing=True))
        right = {"response_type": "code", "client_id": "parley-web", "code_challenge_method": "S256"}
        wrong = [name for name, value in right.items() if asked.get(name) != value]
        redirect = rf"http://127\.0\.0\.1(:\d+)?/v1/identity/{issuer.name}/callback"
        if not re.fullmatch(redirect, asked.get("redirect_uri", "")):
            wrong.append("redirect_uri")
        if wrong or len(asked.get("code_challenge", "")) != 43 or "openid" not in asked.get("scope", "").split():
            return self.answer({"error": "invalid_request", "wrong": wrong}, 400)
        if "as" not in asked:
            return self.ask_who(asked)
        back = {"state": asked["state"]}
        if issuer.mode == "denied":
            back |= {"error": "access_denied", "error_description": "<script>alert(1)</script>\r\nX-Evil: 1"}
        elif issuer.mode == "busy":
            back |= {"error": "temporarily_unavailable"}
        else:
            back["code"] = uuid.uuid4().hex * (40 if issuer.mode == "long" else 1)
            back["iss"] = "https://somebody.example" if issuer.mode == "mixed" else self.base(issuer)
            issuer.codes[back["code"]] = asked
        self.answer(b"", 302, location=asked["redirect_uri"] + "?" + urllib.parse.urlencode(back))

    def ask_who(self, asked):
        """Asks who it is, as an issuer's page does."""
        hidden = "".join(f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
                         for name, value in asked.items())
        self.answer(f'<!doctype html><title>Sign in</title><form>{hidden}<label>Who are you? <input name="as"></label>'
                    "<button>Go on</button></form>".encode(), kind="text/html")

    def exchange(self, issuer):
        """Gives a token for a code, once, to whoever asked for the page."""
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["content-length"])).decode()))
        issuer.exchanged += 1
        if issuer.mode == "token-html":
            return self.answer(b"<!doctype html><title>Sorry</title>", kind="text/html")
        if issuer.mode == "token-large":
            return self.answer({"id_token": "x" * 10_000_000})
        if issuer.mode == "token-redirect":
            return self.answer(b"", 302, location=self.base(issuer) + "/else")
        if issuer.mode == "token-failing":
            return self.answer({"error": "invalid_client"}, 401)
        if issuer.mode == "token-late":
            time.sleep(30)
        secret = "s3cret & +/=%"
        if issuer.name == "form":
            knows = form.get("client_secret") == secret
        elif issuer.name == "open":
            knows = "authorization" not in self.headers
        else:
            both = ":".join(urllib.parse.quote(part, safe="") for part in ("parley-web", secret))
            knows = self.headers.get("authorization") == "Basic " + base64.b64encode(both.encode()).decode()
        with lock:
            asked = issuer.codes.pop(form.get("code"), None)
        challenge = b64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (not knows or asked is None or asked["code_challenge"] != challenge
                or any(form.get(name) != asked[name] for name in ("client_id", "redirect_uri"))):
            return self.answer({"error": "invalid_grant" if knows else "invalid_client"}, 400)
        now = int(time.time())
        claims = {"iss": self.base(issuer), "sub": asked["as"], "aud": "parley-web", "iat": now, "exp": now + 600,
                  "jti": uuid.uuid4().hex, "preferred_username": asked["as"], "nonce": asked.get("nonce")}
        if issuer.mode == "token-other":  # The token of another sign-in.
            claims["nonce"] = "other"
        if issuer.mode == "token-foreign":  # The right token of another issuer.
            claims["iss"] = claims["iss"].replace(issuer.name, "open")
            return self.answer({"id_token": self.token(issuers["open"], {"claims": claims}), "token_type": "Bearer"})
        self.answer({"id_token": self.token(issuer, {"claims": claims}), "token_type": "Bearer", "access_token": "x"})

    def do_POST(self):
        issuer = self.issuer()
        if self.path == f"/{issuer.name}/token":
            return self.exchange(issuer)
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if self.path.endswith("/test/token"):
            return self.answer({"token": self.token(issuer, asked)})
        keys = Keys(issuer.name) if self.path.endswith("/test/rotate") else None
        with lock:
            if keys:
                issuer.old = issuer.old + [issuer.keys] if asked.get("keep") else []
                issuer.keys = keys
            if self.path.endswith("/test/behave"):
                issuer.mode, issuer.cache = asked.get("mode", "right"), asked.get("cache")
        self.answer({})

    def token(self, issuer, asked):
        alg = asked.get("alg", "RS256")
        keys = issuer.others if asked.get("keys") == "others" else issuer.keys
        named = alg if alg in ("RS256", "ES256", "EdDSA") else "RS256"
        header = {"alg": alg, "typ": "JWT", "kid": asked.get("kid") or f"{issuer.keys.prefix}-{named}"}
        header.update(asked.get("header", {}))
        header = {name: value for name, value in header.items() if value is not None}
        message = b64(json.dumps(header).encode()) + "." + b64(json.dumps(asked["claims"]).encode())
        return message + "." + b64(keys.signature(alg, message.encode()))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # The default of 5 makes clients wait for a second SYN.

    def handle_error(self, request, client_address):
        # A browser that has gone to another page takes no answer.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
