"""Google's push service (FCM, HTTP v1) and the server that gives its tokens."""
import json
import os
import re
import urllib.parse

from cryptography.hazmat.primitives.asymmetric import rsa

from provider import Answer, Provider, decoded, read_token, strict, write_key

SCOPE = "https://www.googleapis.com/auth/firebase.messaging"
BAD_TIME = ("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
            "Check your iat and exp values in the JWT claim.")


class Google(Provider):
    project, email, key_id = "parley-test", "sender@parley-test.example", "0123456789abcdef"

    def __init__(self, folder):
        super().__init__(folder)
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.pem = write_key(folder, "google.pem", self.key)
        self.devices, self.given, self.valid, self.lives, self.forbids = {}, 0, set(), 3599, False

    def made(self, port):
        self.token_url = f"https://localhost:{port}/token"
        account = {"type": "service_account", "project_id": self.project, "private_key_id": self.key_id,
                   "private_key": self.pem, "client_email": self.email, "token_uri": self.token_url,
                   "universe_domain": "googleapis.com"}
        with open(os.path.join(self.folder, "account.json"), "w") as file:
            json.dump(account, file)

    def do_device(self, token, state="ok"):
        self.devices[token] = state

    def do_revoke(self):
        self.valid = set()

    def do_forbid(self, yes):
        self.forbids = yes

    def answer(self, request, faults, service):
        if request.method != "POST" or request.repeated:
            faults.append(f"{request.method} {request.repeated}")
        if request.path == "/token":
            return self.give(request, faults)
        return self.take(request, faults)

    def give(self, request, faults):
        if request.headers["content-type"] != "application/x-www-form-urlencoded":
            faults.append("content type")
        form = urllib.parse.parse_qs(request.body.decode(), strict_parsing=True)
        if form["grant_type"] != ["urn:ietf:params:oauth:grant-type:jwt-bearer"]:
            faults.append(f"grant {form}")
        head, claims = read_token(form["assertion"][0], "RS256", self.key.public_key())
        if head["kid"] != self.key_id or claims["iss"] != self.email or claims["aud"] != self.token_url:
            faults.append(f"{head} {claims}")
        names = {"iss", "scope", "aud", "iat", "exp"}
        self.members(claims, names, names, "JWT", faults)
        if claims["scope"] != SCOPE:
            faults.append(f"scope {claims['scope']}")
        if abs(claims["iat"] - self.now()) > 300 or claims["exp"] - claims["iat"] > 3600:
            return Answer.json(400, {"error": "invalid_grant", "error_description": BAD_TIME})
        self.given += 1
        token = f"ya29.token-{self.given}"
        self.valid.add(token)
        return Answer.json(200, {"access_token": token, "expires_in": self.lives, "token_type": "Bearer"})

    def take(self, request, faults):
        def refuse(code, status, message, error_code=None):
            details = [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": error_code}]
            return Answer.json(code, {"error": {"code": code, "message": message, "status": status,
                                                "details": details if error_code else []}})

        scheme, token = request.headers["authorization"].split(" ")
        if scheme != "Bearer" or token not in self.valid:
            return refuse(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
        if request.path != f"/v1/projects/{self.project}/messages:send":
            return refuse(404, "NOT_FOUND", "Requested entity was not found.")
        if self.forbids:
            return refuse(403, "PERMISSION_DENIED", "Permission 'cloudmessaging.messages.create' denied.")
        body = strict(request.body)
        self.members(body, {"message"}, {"message"}, "the body", faults)
        message = body["message"]
        request.found["payload"] = message
        token = self.check(message, request, faults)
        if len(request.body) - len(token) > 4096:
            return refuse(400, "INVALID_ARGUMENT", "Android message is too big", "INVALID_ARGUMENT")
        state = self.devices.get(token)
        if state is None:
            return refuse(400, "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token",
                          "INVALID_ARGUMENT")
        if state == "gone":
            return refuse(404, "NOT_FOUND", "Requested entity was not found.", "UNREGISTERED")
        if state == "other":
            return refuse(403, "PERMISSION_DENIED", "SenderId mismatch", "SENDER_ID_MISMATCH")
        return Answer.json(200, {"name": f"projects/{self.project}/messages/0:{len(self.devices)}"})

    def check(self, message, request, faults):
        blocks = {"android", "apns", "webpush", "data"}
        self.members(message, blocks | {"token", "fid", "notification"}, blocks, "the message", faults)
        if ("token" in message) == ("fid" in message):
            faults.append("not one target")
        token = message.get("token") or message["fid"]
        data, android, apns, web = (message[name] for name in ["data", "android", "apns", "webpush"])
        if not all(isinstance(value, str) for value in data.values()):
            faults.append(f"data {data}")
        self.members(
            android, {"priority", "ttl", "collapse_key", "notification"}, {"priority", "ttl"}, "android", faults)
        if android["priority"] not in ("HIGH", "NORMAL") or not re.fullmatch(r"\d+s", android["ttl"]):
            faults.append(f"android {android}")
        self.members(apns, {"headers", "payload"}, {"headers", "payload"}, "apns", faults)
        headers = apns["headers"]
        if not all(isinstance(value, str) for value in [*headers.values(), *web["headers"].values()]):
            faults.append(f"headers {headers} {web}")
        if headers["apns-priority"] not in ("5", "10") or "TTL" not in web["headers"]:
            faults.append(f"{headers} {web}")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", web["headers"].get("Topic", "x")):
            faults.append(f"topic {web}")
        if "sealed" in data:
            self.members(data, {"id", "sealed"}, {"id", "sealed"}, "encrypted data", faults)
            if "notification" in message or "notification" in android:
                faults.append("encrypted content that Android shows by itself")
            request.found["opened"] = self.opened(token, decoded(data["sealed"]), faults)
        return token
