"""A push service of a browser's maker (RFC 8030, RFC 8291, RFC 8292)."""
import os
import re

from py_vapid import Vapid02
from cryptography.hazmat.primitives.asymmetric import ec

from provider import Answer, Provider, decoded, encoded, read_token, write_key

HEADERS = {"authorization", "content-type", "content-length", "content-encoding", "accept", "ttl", "urgency", "topic"}


class Browsers(Provider):
    def __init__(self, folder):
        super().__init__(folder)
        write_key(folder, "vapid.pem", ec.generate_private_key(ec.SECP256R1()))  # For whoever sends.
        self.subscriptions = {}  # path: the sender's public key as the page gave it, or None once it has ended
        self.audiences = []

    def do_subscribe(self, sender, service_port):
        """What `PushManager.subscribe` returns for the sender's public key."""
        path = "/push/" + encoded(os.urandom(24))
        keys = self.do_device_key(path)
        self.subscriptions[path] = sender
        return {"endpoint": f"https://localhost:{service_port}{path}", "path": path, **keys}

    def do_unsubscribe(self, path):
        self.subscriptions[path] = None

    def do_tokens(self):
        audiences, self.audiences = self.audiences, []
        return {"tokens": audiences}

    def answer(self, request, faults, service):
        headers = request.headers
        if request.method != "POST" or request.repeated or not set(headers) <= HEADERS:
            faults.append(f"{request.method} {request.repeated} {headers}")
        if request.path not in self.subscriptions:
            return Answer(404)
        sender = self.subscriptions[request.path]
        if sender is None:
            return Answer(410)
        problem = self.problem_of(headers.get("authorization", ""), sender, service)
        if problem:
            return Answer(403, {"content-type": "text/plain"}, problem.encode())
        if headers["content-encoding"] != "aes128gcm" or not re.fullmatch(r"\d+", headers["ttl"]):
            faults.append(f"headers {headers}")
        if headers["urgency"] not in ("very-low", "low", "normal", "high"):
            faults.append(f"urgency {headers['urgency']}")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", headers.get("topic", "x")):
            faults.append(f"topic {headers['topic']}")
        if len(request.body) > 4096:
            return Answer(413)
        opened = request.found["opened"] = self.opened(request.path, request.body, faults)
        self.check(opened, faults)
        return Answer(201, {"location": f"https://localhost:{service.port}/message/{encoded(os.urandom(9))}"})

    def problem_of(self, authorization, sender, service):
        try:
            scheme, fields = authorization.split(" ", 1)
            fields = dict(field.strip().split("=", 1) for field in fields.split(","))
            if scheme != "vapid" or set(fields) != {"t", "k"} or fields["k"] != sender:
                return "VapidPkHashMismatch"
            # Once by a library of senders and receivers, and once by hand for the times and the audience.
            if not Vapid02.verify(authorization):
                return "BadSignature"
            key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(sender))
            _, claims = read_token(fields["t"], "ES256", key)
        except Exception as error:
            return f"BadJwtToken {type(error).__name__} {error}"
        if claims["aud"] != f"https://localhost:{service.port}" or set(claims) != {"aud", "exp", "sub"}:
            return f"BadAudience {claims}"
        if not self.now() < claims["exp"] <= self.now() + 86_400:
            return "ExpiredJwt"
        if not re.match(r"mailto:.+@.+|https://.+", claims["sub"]):
            return "BadSubject"
        if fields["t"] not in self.audiences:
            self.audiences.append(fields["t"])
        return None

    def check(self, opened, faults):
        if "web_push" not in opened:
            return self.members(opened, {"data", "app_badge"}, {"data"}, "a silent notice", faults)
        if opened["web_push"] != 8030 or opened.get("mutable") is not True:
            faults.append("not declarative")
        shown = opened["notification"]
        if not shown.get("title") or not shown.get("navigate"):
            faults.append(f"a notification that Safari refuses: {shown}")
