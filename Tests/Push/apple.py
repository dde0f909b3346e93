"""Apple's push service, as its documentation describes it."""
import re

from cryptography.hazmat.primitives.asymmetric import ec

from provider import Answer, Provider, decoded, read_token, strict, write_key

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
HEADERS = {"authorization", "content-type", "content-length", "accept", "apns-id", "apns-topic", "apns-push-type",
           "apns-priority", "apns-expiration", "apns-collapse-id"}


class Apple(Provider):
    key_id, team = "ABC123DEFG", "TEAM456789"

    def __init__(self, folder):
        super().__init__(folder)
        self.key = ec.generate_private_key(ec.SECP256R1())
        write_key(folder, "apple.p8", self.key)
        write_key(folder, "another.p8", ec.generate_private_key(ec.SECP256R1()))
        self.devices = {}  # (service, token): topic, or None if the app was deleted
        self.tokens = []

    def do_device(self, service, token, topic=None):
        self.devices[service, token] = topic

    def do_tokens(self):
        """The tokens of ours that came, each once."""
        tokens, self.tokens = self.tokens, []
        return {"tokens": tokens}

    def answer(self, request, faults, service):
        headers = request.headers

        def refuse(status, reason, **more):
            return Answer.json(status, {"reason": reason, **more}, **{"apns-id": headers.get("apns-id", "")})

        reason = self.reason_against(headers.get("authorization", ""))
        if reason:
            return refuse(403, reason)
        if request.method != "POST" or request.scheme != "https" or request.repeated:
            faults.append(f"{request.method} {request.scheme} {request.repeated}")
        if not set(headers) <= HEADERS or headers.get("content-type") != "application/json":
            faults.append(f"headers {headers}")
        if not UUID.fullmatch(headers["apns-id"]):
            faults.append("apns-id")
        if len(headers.get("apns-collapse-id", "").encode()) > 64:
            return refuse(400, "BadCollapseId")
        token = re.fullmatch(r"/3/device/([0-9a-fA-F]+)", request.path).group(1)
        if len(request.body) > 4096:
            return refuse(413, "PayloadTooLarge")
        request.found["payload"] = payload = strict(request.body)
        self.check(headers, payload, token, request, faults)
        if (service.name, token) not in self.devices:
            return refuse(400, "BadDeviceToken")
        topic = self.devices[service.name, token]
        if topic is None:
            return refuse(410, "Unregistered", timestamp=int(self.now() * 1000))
        if topic != headers["apns-topic"]:
            return refuse(400, "DeviceTokenNotForTopic")
        return Answer(200, {"apns-id": headers["apns-id"]})

    def reason_against(self, authorization):
        try:
            scheme, token = authorization.split(" ")
            head, claims = read_token(token, "ES256", self.key.public_key())
            if scheme != "bearer" or head["kid"] != self.key_id or claims["iss"] != self.team:
                return "InvalidProviderToken"
            if set(head) != {"alg", "typ", "kid"} or set(claims) != {"iss", "iat"}:
                return "InvalidProviderToken"
        except Exception:
            return "InvalidProviderToken"
        if not self.now() - 3600 <= claims["iat"] <= self.now() + 5:
            return "ExpiredProviderToken"
        if token not in self.tokens:
            self.tokens.append(token)
        return None

    def check(self, headers, payload, token, request, faults):
        self.members(payload, {"aps", "parley"}, {"aps", "parley"}, "the payload", faults)
        aps, data = payload["aps"], payload["parley"]
        kind, priority = headers["apns-push-type"], headers["apns-priority"]
        is_shown = "alert" in aps
        if kind == "background":
            self.members(aps, {"content-available"}, {"content-available"}, "a background's aps", faults)
        elif kind != "alert":
            faults.append(f"push type {kind}")
        if priority not in ("10", "5") or not is_shown and priority != "5":
            faults.append(f"priority {priority}")
        if is_shown and aps.get("mutable-content") != 1:
            faults.append("an alert that no extension can change")
        if not re.fullmatch(r"0|[1-9]\d{9}", headers["apns-expiration"]):
            faults.append(f"expiration {headers['apns-expiration']}")
        if data["id"] != headers["apns-id"]:
            faults.append("the app learns another id")
        if "sealed" in data:
            self.members(data, {"id", "sealed"}, {"id", "sealed"}, "encrypted data", faults)
            request.found["opened"] = self.opened(token, decoded(data["sealed"]), faults)
