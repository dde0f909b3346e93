"""What the three push services have in common."""
import base64
import json
import os
import time

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature


class Answer:
    """What a provider answers, as a person would write it down."""

    def __init__(self, status, headers=None, body=b""):
        self.status, self.headers, self.body = status, headers or {}, body

    @staticmethod
    def json(status, value, **headers):
        return Answer(status, {"content-type": "application/json", **headers}, json.dumps(value).encode())


def decoded(text):
    if "=" in text:
        raise ValueError("base64 with padding")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def read_token(token, algorithm, public_key):
    """A JWT's header and claims; raises an error unless its signature is right."""
    head, body, signature = token.split(".")
    signed, signature = f"{head}.{body}".encode(), decoded(signature)
    if algorithm == "ES256":
        if len(signature) != 64:
            raise ValueError(f"a signature of {len(signature)} bytes")
        number = int.from_bytes
        signature = encode_dss_signature(number(signature[:32], "big"), number(signature[32:], "big"))
        public_key.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
    else:
        public_key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
    head, body = json.loads(decoded(head)), json.loads(decoded(body))
    if head.get("alg") != algorithm or head.get("typ") != "JWT":
        raise ValueError(f"header {head}")
    return head, body


def write_key(folder, name, key):
    path = os.path.join(folder, name)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    with open(path, "wb") as file:
        file.write(pem)
    return pem.decode()


def strict(text):
    """JSON without a member twice."""

    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError(f"twice in {pairs}")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once)


class Provider:
    def __init__(self, folder):
        self.folder, self.offset, self.says_date = folder, 0, True
        self.keys = {}  # of devices, by their token

    def now(self):
        return time.time() + self.offset

    def do_device_key(self, token):
        """Makes what a device registers to read encrypted content."""
        key, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.keys[token] = (key, secret)
        return {"key": encoded(self.point(key)), "secret": encoded(secret)}

    @staticmethod
    def point(key):
        return key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    def opened(self, token, data, faults):
        """Decrypts with http-ece, which knows nothing of the sender."""
        key, secret = self.keys[token]
        if data[16:20] != b"\x00\x00\x10\x00" or data[20] != 65:
            faults.append("the head of the encrypted content")
        text = http_ece.decrypt(data, private_key=key, auth_secret=secret, version="aes128gcm")
        return strict(text)

    @staticmethod
    def members(value, allowed, required, what, faults):
        if not set(required) <= set(value) <= set(allowed):
            faults.append(f"{what} has {sorted(value)}")
