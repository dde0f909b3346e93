"""A client of Parley, written only from the pages of proto/, with asyncio, websockets and google.protobuf.

Link is one connection: frames, replies, pings. Client is the part an app would use: it keeps the link up, repeats
requests, refreshes its token, and keeps its copy of the streams complete.
"""
import asyncio
import collections
import hashlib
import itertools
import random
import time

import websockets

from parley_contract import pb
from parley_sync import Sync

VERSION = 1
SUBPROTOCOL = "parley.v1"
REPLY_BYTES = 2 << 20


class Refused(Exception):
    """A reply with an error."""

    def __init__(self, problem):
        super().__init__(f"{problem.code}: {problem.message}" + (f" ({problem.field})" if problem.field else ""))
        self.problem, self.code, self.field, self.retry_after = problem, problem.code, problem.field, problem.retry_after_ms / 1000


class Closed(Exception):
    """The link has closed. `code` is the WebSocket's close code, `problem` the error of the goodbye frame."""

    def __init__(self, code, problem=None):
        super().__init__(f"closed {code}" + (f": {problem.code} {problem.message}" if problem else ""))
        self.code, self.problem = code, problem


class Clock:
    """The server's clock: this machine's clock with the offset from welcome and pong. What was heard late makes the
    offset smaller, so the largest of the last few counts."""

    def __init__(self):
        self.heard_us = collections.deque([], 8)

    @property
    def offset_us(self):
        return max(self.heard_us, default=0)

    def now_us(self):
        return time.time_ns() // 1000 + self.offset_us

    def heard(self, server_time_us):
        self.heard_us.append(server_time_us - time.time_ns() // 1000)

    def new_id(self):
        """Returns a UUIDv7: 48 bits of milliseconds, version 7, 12 random bits, variant 2, 62 random bits."""
        value = (self.now_us() // 1000) << 80 | 7 << 76 | random.getrandbits(12) << 64 | 2 << 62 | random.getrandbits(62)
        return value.to_bytes(16, "big")


# ---- one connection


class Link:
    """One WebSocket. Sends hello, passes each reply to its request, and passes Updates on."""

    def __init__(self, socket, clock, on_update):
        self.socket, self.clock, self.on_update = socket, clock, on_update
        self.welcome, self.problem, self.failure = None, None, None
        self.waiting, self.pings, self.next_id = {}, {}, 0
        self.authenticated = asyncio.Queue()

    @classmethod
    async def open(cls, url, token="", clock=None, on_update=lambda update: None, hello=True, client="second/1"):
        socket = await websockets.connect(f"{url}/v1/socket", subprotocols=[SUBPROTOCOL], compression=None, max_size=REPLY_BYTES,
                                          ping_interval=None, close_timeout=2, open_timeout=10)
        link = cls(socket, clock or Clock(), on_update)
        if hello:
            await link.say(hello=pb.Hello(version=VERSION, token=token, client=client))
            frame = await link.receive()
            if frame.WhichOneof("frame") != "welcome":
                raise Closed(await link.end(), link.problem)
            link.welcome = frame.welcome
            link.clock.heard(frame.welcome.server_time_us)
        link.reader = asyncio.ensure_future(link.read())
        return link

    async def say(self, **frame):
        try:
            await self.socket.send(pb.ClientFrame(**frame).SerializeToString())
        except websockets.ConnectionClosed:
            raise Closed(self.socket.close_code, self.problem) from None

    async def receive(self):
        """Returns the next frame. The error of a goodbye is kept for the Closed that follows."""
        try:
            frame = pb.ServerFrame.FromString(await self.socket.recv())
        except websockets.ConnectionClosed:
            raise Closed(self.socket.close_code, self.problem) from None
        if frame.WhichOneof("frame") == "goodbye":
            self.problem = frame.goodbye.error
        return frame

    async def read(self):
        try:
            while True:
                frame = await self.receive()
                kind = frame.WhichOneof("frame")
                if kind == "reply":
                    answer = self.waiting.pop(frame.reply.id, None)
                    if answer and not answer.done():
                        answer.set_result(frame.reply)
                elif kind == "update":
                    self.on_update(frame.update)
                elif kind == "pong":
                    self.clock.heard(frame.pong.server_time_us)
                    answer = self.pings.pop(frame.pong.id, None)
                    if answer and not answer.done():
                        answer.set_result(frame.pong)
                elif kind == "authenticated":
                    self.authenticated.put_nowait(frame.authenticated)
        except Closed as closed:
            self.failure = closed
        finally:
            self.failure = self.failure or Closed(1006)
            for answer in [*self.waiting.values(), *self.pings.values()]:
                if not answer.done():
                    answer.set_exception(self.failure)
                    answer.exception()
            self.authenticated.put_nowait(None)

    async def request_raw(self, method, body, key="", deadline=10.0):
        """Sends a request and returns the undecoded Reply. Raises TimeoutError soon after the deadline."""
        if self.failure:
            raise self.failure
        self.next_id += 1
        number, answer = self.next_id, asyncio.get_running_loop().create_future()
        self.waiting[number] = answer
        try:
            await self.say(request=pb.Request(id=number, method=method, key=key, deadline_ms=int(deadline * 1000), body=body))
            return await asyncio.wait_for(answer, deadline + 2)
        finally:
            self.waiting.pop(number, None)

    async def ask(self, method, request=None, key="", deadline=10.0):
        """Sends a request once. Raises Refused if the reply is an error, Closed if the link breaks."""
        request_type, reply_type = pb.methods[method]
        reply = await self.request_raw(method, (request or request_type()).SerializeToString(), key, deadline)
        if reply.HasField("error"):
            raise Refused(reply.error)
        return reply_type.FromString(reply.body)

    async def authenticate(self, token):
        await self.say(authenticate=pb.Authenticate(token=token))
        said = await asyncio.wait_for(self.authenticated.get(), 10)
        if said is None:
            raise self.failure
        return said

    async def ping(self):
        self.next_id += 1
        number, answer = self.next_id, asyncio.get_running_loop().create_future()
        self.pings[number] = answer
        await self.say(ping=pb.Ping(id=number))
        return await asyncio.wait_for(answer, 10)

    async def end(self):
        """Waits for the server to close the link and returns the close code."""
        try:
            while True:
                await asyncio.wait_for(self.receive(), 10)
        except Closed as closed:
            return closed.code

    async def closed(self, within=10):
        """Waits until the reader has seen the end of the link and returns the Closed."""
        await asyncio.wait_for(asyncio.shield(self.reader), within)
        return self.failure

    async def close(self):
        await self.socket.close()
        if getattr(self, "reader", None):
            await asyncio.wait([self.reader], timeout=3)

    def cut(self):
        """Cuts the link without a close frame, as a network failure does."""
        self.socket.transport.abort()


# ---- the client of an app

PING = 20.0  # well within the 60 s after which a silent session is closed
STAY_AWAY = {4001, 4005, 4006, 4007}  # do not reconnect unchanged


class Client:
    """A signed-in device. `copy` is its copy of the state; `messages`, `conversations`, `inbox` (its own states),
    `reminders` and `decisions` are parts of it, `presence` is beside it."""

    def __init__(self, url, signed_in=None):
        self.url, self.clock, self.link = url, Clock(), None
        self.user = self.device = self.access = self.refresh_token = ""
        self.session_ends_us = 0
        self.copy, self.presence, self.own_presence = Sync(), {}, pb.OwnPresence()
        self.watched = []
        self.updates_heard, self.links_opened, self.closes = 0, 0, []
        self.lose = lambda update: False  # for tests: whether an Update gets lost on the way
        self.waker = None
        self.changed, self.ready, self.keeper = asyncio.Condition(), asyncio.Event(), None
        self.ended = None  # why it does not reconnect
        self.refreshing = asyncio.Lock()
        self.slots, self.bucket, self.bucket_at = None, None, 0.0
        self.tasks = set()
        if signed_in:
            self.take(signed_in)
            self.copy.me = self.user

    messages = property(lambda self: self.copy.messages)
    conversations = property(lambda self: self.copy.conversations)
    inbox = property(lambda self: self.copy.inbox)
    reminders = property(lambda self: self.copy.reminders)
    decisions = property(lambda self: self.copy.decisions)
    streams = property(lambda self: self.copy.streams)
    applied = property(lambda self: self.copy.applied)
    fills = property(lambda self: self.copy.gap_requests)
    inbox_cursor = property(lambda self: self.streams[self.copy.owns[0]].cursor)

    def take(self, signed_in):
        self.user, self.device = signed_in.user.id, signed_in.device
        self.access, self.refresh_token = signed_in.access_token, signed_in.refresh_token

    # -- connecting and disconnecting

    async def start(self):
        self.keeper = asyncio.ensure_future(self.keep())
        await self.until_ready()
        return self

    async def until_ready(self, within=30):
        waits = [asyncio.ensure_future(self.ready.wait()), self.keeper]
        await asyncio.wait(waits, timeout=within, return_when=asyncio.FIRST_COMPLETED)
        waits[0].cancel()
        if self.ended:
            raise self.ended
        if not self.ready.is_set():
            raise TimeoutError("not connected")

    async def stop(self):
        if self.keeper:
            self.keeper.cancel()
            await asyncio.wait([self.keeper])
        for task in list(self.tasks):
            task.cancel()
        if self.link:
            await self.link.close()

    def spawn(self, work):
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def keep(self):
        """Keeps a link up until the device is signed out or a close code forbids reconnecting."""
        tries = 0
        while True:
            try:
                self.link = await Link.open(self.url, self.access, self.clock, self.heard)
                self.links_opened += 1
                welcome = self.link.welcome
                self.user = self.copy.me = welcome.user
                self.session_ends_us = welcome.session_ends_us
                self.slots = asyncio.Semaphore(welcome.limits.requests_in_flight)
                self.bucket, self.bucket_at = float(welcome.limits.requests_burst), time.monotonic()
                self.make(self.copy.connected(welcome.cells, time.monotonic()))
                await self.synced()
                tries = 0
                self.ready.set()
                if self.watched:
                    self.spawn(self.look_again())
                meanwhile = [asyncio.ensure_future(self.renew()), asyncio.ensure_future(self.keep_awake(self.link)),
                             asyncio.ensure_future(self.keep_watching())]
                try:
                    raise await self.link.closed(within=None)
                finally:
                    for task in meanwhile:
                        task.cancel()
            except Closed as closed:
                self.ready.clear()
                self.copy.disconnected()
                self.closes.append(closed.code)
                if closed.code == 4003 or closed.code in STAY_AWAY:
                    self.ended = closed
                    return
                if closed.code == 4002:
                    try:
                        await self.refresh()
                    except Refused as refused:
                        self.ended = refused
                        return
                    continue
                if closed.code == 4004 and tries == 0:
                    tries += 1
                    continue
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException, Refused, AssertionError):
                self.ready.clear()
                self.copy.disconnected()
            tries += 1
            await asyncio.sleep(self.wait_before(tries))

    async def keep_awake(self, link):
        """Pings, and cuts a link that does not answer; keep() opens another."""
        try:
            while True:
                await asyncio.sleep(PING)
                await link.ping()
        except asyncio.TimeoutError:
            link.cut()
        except Closed:
            pass

    @staticmethod
    def wait_before(tries, longest=10.0):
        return random.uniform(0.5, 1.0) * min(longest, 0.1 * 2 ** tries)

    # -- tokens

    async def refresh(self):
        """Gets new tokens over a separate session, which also works after the token has expired."""
        async with self.refreshing:
            tries = 0
            while True:
                try:
                    link = await Link.open(self.url)
                    try:
                        self.take(await link.ask("conversations.RefreshTokens", pb.RefreshTokensRequest(refresh_token=self.refresh_token)))
                        return
                    finally:
                        await link.close()
                except Refused as refused:
                    if refused.code not in ("deadline", "unavailable", "rate_limited", "internal"):
                        raise
                    wait = refused.retry_after
                except (OSError, Closed, asyncio.TimeoutError):
                    wait = 0
                tries += 1
                await asyncio.sleep(max(wait, self.wait_before(tries)))

    async def extend(self):
        """Extends the session: refreshes over this session, then authenticates."""
        async with self.refreshing:
            self.take(await self.link.ask("conversations.RefreshTokens", pb.RefreshTokensRequest(refresh_token=self.refresh_token)))
            said = await self.link.authenticate(self.access)
            self.session_ends_us = said.session_ends_us

    async def renew(self):
        while True:
            left = (self.session_ends_us - self.clock.now_us()) / 1e6
            await asyncio.sleep(max(0.0, left * random.uniform(0.5, 0.7)))
            try:
                await self.extend()
            except (Refused, Closed, asyncio.TimeoutError):
                await asyncio.sleep(1)

    # -- requests

    async def ask(self, method, request=None, key="", deadline=10.0, patience=40.0):
        """Sends a request and repeats it unchanged, where allowed, until it is answered or refused or patience ends."""
        until, tries = time.monotonic() + patience, 0
        while True:
            wait = None
            try:
                await self.until_ready(max(0.1, until - time.monotonic()))
                return await self.once(method, request, key, deadline)
            except Refused as refused:
                failure = refused
                if refused.code in ("deadline", "unavailable"):
                    wait = max(refused.retry_after, self.wait_before(tries + 1))
                elif refused.code == "rate_limited":
                    wait = refused.retry_after
                elif refused.code == "internal" and tries < 4:
                    wait = self.wait_before(tries + 1)
                elif refused.code == "unauthenticated" and tries < 2:
                    await self.extend()
                    wait = 0
            except (Closed, asyncio.TimeoutError) as closed:
                failure = closed
                wait = self.wait_before(tries + 1)
            if wait is None or self.ended or time.monotonic() + wait > until:
                raise failure
            tries += 1
            await asyncio.sleep(wait)

    async def once(self, method, request=None, key="", deadline=10.0):
        """Sends a request once, within the limits of welcome."""
        async with self.slots:
            await self.turn()
            return await self.link.ask(method, request, key, deadline)

    async def turn(self):
        limits = self.link.welcome.limits
        while True:
            now = time.monotonic()
            self.bucket = min(limits.requests_burst, self.bucket + (now - self.bucket_at) * limits.requests_per_second)
            self.bucket_at = now
            if self.bucket >= 1:
                self.bucket -= 1
                return
            await asyncio.sleep((1 - self.bucket) / limits.requests_per_second)

    # -- presence

    async def watch(self, users):
        """Keeps `presence` up to date for these users from now on, also after reconnecting."""
        self.watched = list(users)
        self.seen(await self.ask("presence.WatchPresence", pb.WatchPresenceRequest(users=self.watched)))

    async def say(self, **changes):
        """Changes what the person says of themselves on all devices."""
        self.said(await self.ask("presence.SetPresence", pb.SetPresenceRequest(**changes)))

    def said(self, state):
        if state.version >= self.own_presence.version:
            self.own_presence = state

    async def do(self, background=False, conversation=""):
        """Says what the person does in this session."""
        await self.link.say(set_activity=pb.Activity(background=background, current_conversation=conversation))

    async def look(self):
        self.seen(await self.once("presence.WatchPresence", pb.WatchPresenceRequest(users=self.watched)))

    def seen(self, reply):
        for state in reply.states:
            self.presence[state.user] = state
        self.notify()

    async def look_again(self):
        """Watches again after presence restarted. It may not know yet who is online."""
        for tries in range(8):
            await asyncio.sleep(random.uniform(0, 1) + (self.wait_before(tries) if tries else 0))
            try:
                return await self.look()
            except Refused:
                pass
            except (Closed, asyncio.TimeoutError):
                return

    async def keep_watching(self):
        while True:
            await asyncio.sleep(60)
            if self.watched:
                await self.look_again()

    # -- the copy

    def heard(self, update):
        self.updates_heard += 1
        if not self.lose(update):
            self.receive_update(update)

    def receive_update(self, update):
        if update.kind == "PresenceRestarted":
            self.spawn(self.look_again())
        elif update.kind == "PresenceState":
            state = pb.PresenceState.FromString(update.body)
            self.presence[state.user] = state
        elif update.kind == "OwnPresence":
            self.said(pb.OwnPresence.FromString(update.body))
        self.make(self.copy.update(update, time.monotonic()))

    def make(self, asks):
        """Makes the requests of the copy, and wakes it when it says."""
        for ask in asks:
            self.spawn(self.answer(ask, self.link))
        if self.waker:
            self.waker.cancel()
        at = self.copy.next_wake()
        self.waker = at and asyncio.get_running_loop().call_later(max(0, at - time.monotonic()), self.wake)
        self.notify()

    def wake(self):
        self.make(self.copy.woke(time.monotonic()))

    async def synced(self):
        """Waits until nothing that was missed is missing, or the link fails."""
        whole = asyncio.ensure_future(self.until(
            lambda: not self.copy.unsynced and not any(stream.behind for stream in self.streams.values()), 30, "the sync"))
        try:
            await asyncio.wait([whole, self.link.reader], return_when=asyncio.FIRST_COMPLETED)
            if not whole.done():
                raise self.link.failure
            await whole
        finally:
            whole.cancel()

    async def answer(self, ask, link):
        if link is not self.link:
            return
        try:
            reply = await self.once(ask.method, ask.request, key=ask.key)
        except Refused as refused:
            return self.make(self.copy.failed(ask.number, refused.code, refused.retry_after, time.monotonic()))
        except (Closed, asyncio.TimeoutError):
            return self.make(self.copy.failed(ask.number, "unavailable", 0, time.monotonic()))
        if link is self.link:
            self.make(self.copy.reply(ask.number, reply, time.monotonic()))

    def notify(self):
        self.spawn(self._notify())

    async def _notify(self):
        async with self.changed:
            self.changed.notify_all()

    async def until(self, holds, within=10.0, what=""):
        """Waits until `holds` returns true."""
        async def wait():
            async with self.changed:
                await self.changed.wait_for(holds)
        try:
            await asyncio.wait_for(wait(), within)
        except asyncio.TimeoutError:
            raise AssertionError(f"timed out after {within} s waiting for: {what or 'a condition'}") from None

    # -- actions of people

    async def direct(self, user):
        return (await self.ask("conversations.StartDirect", pb.StartDirectRequest(user=user), key=user)).conversation

    async def group(self, name, users, id=None):
        return (await self.ask("conversations.CreateGroup", pb.CreateGroupRequest(id=id or self.clock.new_id(), name=name, users=users))).conversation

    async def send(self, conversation, text, id=None, **options):
        """Sends a message. Its reply is applied like the Update, which this session does not get."""
        id = id or self.clock.new_id()
        reply = await self.ask("messaging.SendMessage", pb.SendMessageRequest(id=id, conversation=conversation, kind=pb.TEXT, text=text), key=conversation, **options)
        message = pb.Message(conversation=conversation, seq=reply.seq, id=id, sender=self.user, kind=pb.TEXT, text=text,
                             sent_at_us=reply.sent_at_us, position=reply.position)
        self.make(self.copy.own_reply(message, time.monotonic()))
        return reply

    async def history(self, conversation, **options):
        return await self.ask("messaging.GetHistory", pb.GetHistoryRequest(conversation=conversation, **options), key=conversation)

    def texts(self, conversation):
        return [message.text for _, message in sorted(self.messages.get(conversation, {}).items())]


def proof_of_work(challenge, bits, username):
    for number in itertools.count():
        digest = hashlib.sha256(f"{challenge}:{username}:{number}".encode()).digest()
        if int.from_bytes(digest, "big") >> (256 - bits) == 0:
            return f"{challenge}:{number}"


async def register(url, username, password, display_name="", device_name="python", id=None):
    link = await Link.open(url)
    try:
        request = pb.RegisterRequest(
            id=id or link.clock.new_id(), username=username, password=password, display_name=display_name, device_name=device_name)
        while True:
            try:
                return await link.ask("conversations.Register", request)
            except Refused as refused:
                if refused.code == "proof_required":
                    challenge = await link.ask("conversations.GetChallenge", pb.GetChallengeRequest())
                    if challenge.kind != pb.WORK:
                        raise
                    request.proof = await asyncio.to_thread(proof_of_work, challenge.text, challenge.bits, username)
                elif refused.code == "rate_limited":
                    await asyncio.sleep(refused.retry_after)
                else:
                    raise
    finally:
        await link.close()


async def sign_in(url, username, password, device_name="python"):
    link = await Link.open(url)
    try:
        return await link.ask("conversations.SignIn", pb.SignInRequest(username=username, password=password, device_name=device_name))
    finally:
        await link.close()
