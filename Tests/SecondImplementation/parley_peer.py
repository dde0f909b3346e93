"""A peer of Parley's service link, written only from proto/LINKS.md, with pyzmq and google.protobuf.

Caller and Listener are a gateway's two links to a replica. Replica is a service. Keys are the CURVE keys of either.
"""
import asyncio
import base64
import ctypes
import json
import struct
import time

import zmq
import zmq.asyncio
import zmq.utils.monitor
from zmq.auth.asyncio import AsyncioAuthenticator

from parley_client import Refused, pb

GREETING = b"\xff\xff"


class Keys:
    """A process's key pair and its peers file: lines NAME ROLE PUBLICKEY, keys in Z85."""

    def __init__(self, secret, peers=()):
        self.secret = secret.encode() if isinstance(secret, str) else secret
        self.public = zmq.curve_public(self.secret)
        self.peers = list(peers)

    @classmethod
    def of_files(cls, secret_file, peers_file):
        with open(secret_file) as secret:
            return cls(secret.read().strip(), cls.read_peers(peers_file))

    @staticmethod
    def read_peers(path):
        with open(path) as lines:
            words = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        return [(name, role, key.encode()) for name, role, key in words]

    @classmethod
    def new(cls, peers=()):
        return cls(zmq.curve_keypair()[1], peers)

    def of_role(self, role):
        return [key for _, other, key in self.peers if other == role]

    def role_of(self, key):
        return next((role for _, role, other in self.peers if other == key), None)

    def calls(self, socket, server):
        socket.curve_publickey, socket.curve_secretkey, socket.curve_serverkey = self.public, self.secret, server

    def answers(self, socket):
        socket.curve_secretkey, socket.curve_publickey, socket.curve_server = self.secret, self.public, True


# ---- frames


def pack(records):
    """Returns one frame of records, each [length][header][length][body] with lengths of four bytes, big-endian."""
    return b"".join(struct.pack(">I", len(part)) + part for record in records for part in record)


def unpack(frame):
    parts, at = [], 0
    while at < len(frame):
        if at + 4 > len(frame):
            raise ValueError("a length is cut short")
        size, = struct.unpack_from(">I", frame, at)
        at += 4
        if at + size > len(frame):
            raise ValueError("a record is cut short")
        parts.append(frame[at:at + size])
        at += size
    if len(parts) % 2:
        raise ValueError("a header without a body")
    return list(zip(parts[::2], parts[1::2]))


# ---- the side of the gateway


class Caller:
    """Calls one replica over a DEALER."""

    def __init__(self, context, endpoint, keys=None, server=None):
        self.socket = context.socket(zmq.DEALER)
        self.socket.linger = 0
        if keys:
            keys.calls(self.socket, server)
        self.monitor = self.socket.get_monitor_socket()
        self.socket.connect(endpoint)
        self.waiting, self.next_id, self.unreadable = {}, 0, 0
        self.reader = asyncio.ensure_future(self.read())

    async def read(self):
        while True:
            for header, body in unpack(await self.socket.recv()):
                reply = pb.ReplyHeader.FromString(header)
                answer = self.waiting.pop(reply.id, None)
                if answer and not answer.done():
                    answer.set_result((reply, body))

    async def ask_bytes(self, requests, deadline=5.0):
        """Sends requests, (Envelope without id and deadline, body), in one frame. Returns the replies in that order."""
        records, answers = [], []
        for envelope, body in requests:
            self.next_id += 1
            envelope.id, envelope.deadline_ms = self.next_id, int(deadline * 1000)
            answers.append(asyncio.get_running_loop().create_future())
            self.waiting[self.next_id] = answers[-1]
            records.append((envelope.SerializeToString(), body))
        # A DEALER whose only link was refused has no peer to send to, and waits.
        await asyncio.wait_for(self.socket.send(pack(records)), deadline + 1)
        return await asyncio.wait_for(asyncio.gather(*answers), deadline + 1)

    async def ask(self, method, request=None, deadline=5.0, reply_type=None, **who):
        """Sends a request. `who` holds account, user, device, session and address."""
        request_type, answer_type = pb.methods.get(method, (None, reply_type))
        body = (request if request is not None else request_type()).SerializeToString()
        (header, answer), = await self.ask_bytes([(pb.Envelope(method=method, **who), body)], deadline)
        if header.HasField("error"):
            raise Refused(header.error)
        return (reply_type or answer_type).FromString(answer)

    async def handshake_failed(self, within=3):
        """Returns whether the other side rejected this key."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            if await self.monitor.poll(100):
                event = zmq.utils.monitor.parse_monitor_message(await self.monitor.recv_multipart())["event"]
                if event in (zmq.EVENT_HANDSHAKE_FAILED_AUTH, zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL, zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL):
                    return True
                if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                    return False
        return True

    def close(self):
        self.reader.cancel()
        self.socket.disable_monitor()
        self.socket.close(0)


class Listener:
    """Receives one replica's Updates over a SUB: in order in `heard`, heartbeats separately in `beats`."""

    def __init__(self, context, endpoint, keys=None, server=None):
        self.socket = context.socket(zmq.SUB)
        self.socket.linger = 0
        if keys:
            keys.calls(self.socket, server)
        self.greeted, self.heard, self.beats, self.news = asyncio.Event(), [], [], asyncio.Condition()
        self.socket.connect(endpoint)
        self.socket.subscribe(b"")
        self.socket.subscribe(GREETING)  # Last: the greeting confirms all earlier subscriptions.
        self.reader = asyncio.ensure_future(self.read())

    async def read(self):
        while True:
            frame = await self.socket.recv()
            if frame == GREETING:
                self.greeted.set()
                continue
            async with self.news:
                for data, body in unpack(frame):
                    header = pb.UpdateHeader.FromString(data)
                    if header.control.WhichOneof("control") == "heartbeat":
                        self.beats.append((time.monotonic(), header))
                    else:
                        self.heard.append((header, body))
                self.news.notify_all()

    async def until(self, holds, within=5):
        async def wait():
            async with self.news:
                await self.news.wait_for(holds)
        await asyncio.wait_for(wait(), within)

    def close(self):
        self.reader.cancel()
        self.socket.close(0)


# ---- the side of a service


class Replica:
    """A service. Answers requests over a ROUTER, publishes changes over an XPUB, and a heartbeat twice a second."""

    def __init__(self, context, name, requests, updates, keys=None, methods=None, epoch="python.1"):
        self.name, self.keys, self.epoch, self.lanes, self.asked = name, keys, epoch, {}, []
        self.up_since_us = time.time_ns() // 1000
        self.methods = {"health.Check": (pb.HealthRequest, self.health), "journal.Lanes": (pb.LanesRequest, self.lane_numbers),
                        "journal.Replay": (pb.ReplayRequest, self.replay), **(methods or {})}
        self.published = {}  # (lane, number): (header, body)
        self.authenticator = None
        if keys:
            self.authenticator = AsyncioAuthenticator(context)
            self.authenticator.start()
            self.authenticator.configure_curve_callback(domain="*", credentials_provider=self)
        self.router, self.publisher = context.socket(zmq.ROUTER), context.socket(zmq.XPUB)
        self.publisher.setsockopt(zmq.XPUB_WELCOME_MSG, GREETING)
        for socket, endpoint in ((self.router, requests), (self.publisher, updates)):
            socket.linger = 0
            if keys:
                keys.answers(socket)
            socket.bind(endpoint)
        self.tasks = [asyncio.ensure_future(work) for work in (self.serve(), self.beat())]

    def callback(self, domain, key):
        """Returns whether a key may connect at all."""
        return self.keys.role_of(key) is not None

    def may(self, frame, method):
        if not self.keys:
            return True
        role = self.keys.role_of(frame.get("User-Id").encode())  # the key in Z85, admitted by callback()
        return role == "gateway" or (role == "monitor" and method == "health.Check")

    async def serve(self):
        while True:
            sender, frame = await self.router.recv_multipart(copy=False)
            try:
                records = unpack(frame.bytes)
            except ValueError:
                continue
            replies = [await self.answer(header, body, frame) for header, body in records]
            await self.router.send_multipart([sender.bytes, pack(replies)])

    async def answer(self, header, body, frame):
        envelope = pb.Envelope.FromString(header)
        reply = pb.ReplyHeader(id=envelope.id)
        self.asked.append(envelope)
        request_type, handler = self.methods.get(envelope.method, (None, None))
        try:
            if not handler:
                raise Refused(pb.Problem(code="unknown_method", message="This service has no such method."))
            if not self.may(frame, envelope.method):
                raise Refused(pb.Problem(code="forbidden", message="This peer may not call this method."))
            answer = await handler(envelope, request_type.FromString(body) if request_type else body)
            return reply.SerializeToString(), answer if isinstance(answer, bytes) else answer.SerializeToString()
        except Refused as refused:
            reply.error.CopyFrom(refused.problem)
            return reply.SerializeToString(), b""

    async def health(self, envelope, request):
        return pb.HealthReply(service=self.name, instance=f"{self.name}-python", version="second", ready=True, up_since_us=self.up_since_us)

    def heartbeat(self):
        return pb.Heartbeat(epoch=self.epoch, lanes=[pb.LaneNumber(lane=lane, number=number) for lane, number in sorted(self.lanes.items())])

    async def lane_numbers(self, envelope, request):
        return pb.LanesReply(heartbeat=self.heartbeat())

    async def replay(self, envelope, request):
        first = getattr(request, "from")
        through = max(first - 1, min(request.to, self.lanes.get(request.lane, 0)))
        replayed = [self.published[request.lane, number] for number in range(first, through + 1)]
        return pb.ReplayReply(updates=[pb.ReplayedUpdate(header=header, body=body) for header, body in replayed], through=through)

    async def beat(self):
        while True:
            await self.publish(pb.UpdateHeader(stream="control", control=pb.Control(heartbeat=self.heartbeat())), b"")
            await asyncio.sleep(0.5)

    async def publish(self, header, body):
        data = header.SerializeToString()
        await self.publisher.send(pack([(data, body)]))

    async def publish_change(self, lane, state, stream, audience, origin_session=""):
        """Publishes a changed state with the next number of its lane."""
        number = self.lanes[lane] = self.lanes.get(lane, 0) + 1
        header = pb.UpdateHeader(lane=lane, number=number, stream=stream, position=state.position, kind=state.DESCRIPTOR.name,
                                 audience=audience, origin_session=origin_session, **{"class": pb.DURABLE})
        self.published[lane, number] = header, state.SerializeToString()
        await self.publish(*self.published[lane, number])

    def close(self):
        for task in self.tasks:
            task.cancel()
        if self.authenticator:
            self.authenticator.stop()
        self.router.close(0)
        self.publisher.close(0)


# ---- tokens, as a gateway reads them


def read_token(token, keys):
    """Returns the claims of an access token, a JWT signed with Ed25519 by one of the keys of Authority.Keys."""
    parts = token.split(".")
    def decode(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    kid = json.loads(decode(parts[0]))["kid"]
    key = next(key for key in keys if key.id == kid)
    signed, sodium = ".".join(parts[:2]).encode(), ctypes.CDLL("libsodium.so.23")
    if sodium.crypto_sign_verify_detached(decode(parts[2]), signed, ctypes.c_ulonglong(len(signed)), key.ed25519) != 0:
        raise ValueError("not signed by that key")
    claims = json.loads(decode(parts[1]))
    sealed, purpose, number = decode(claims["acc"]), claims["sub"].encode(), ctypes.create_string_buffer(8)
    nonce, text = sealed[:24], sealed[24:]
    if len(text) != 8 + 16 or sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
            number, None, None, text, ctypes.c_ulonglong(len(text)), purpose, ctypes.c_ulonglong(len(purpose)), nonce,
            key.seal) != 0:
        raise ValueError("the account number does not open")
    claims["acc"] = int.from_bytes(number.raw, "big")
    return claims
