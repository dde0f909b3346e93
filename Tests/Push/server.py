"""Push services on 127.0.0.1 for the tests of senders: HTTP/2 over TLS, with what they are told to do wrong.

`/control` over plain HTTP takes and gives JSON: see `Control`.
"""
import argparse
import asyncio
import json
import ssl
import sys
import time

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings

import apple
import browsers
import google
from provider import Answer


class Service:
    """One port. `check(request)` records what is wrong with a request and returns an Answer."""

    def __init__(self, name, provider):
        self.name, self.provider = name, provider
        self.script, self.always = [], "ok"
        self.requests, self.connections, self.under_way, self.under_way_most = [], 0, 0, 0
        self.port = 0

    def next_step(self):
        return self.script.pop(0) if self.script else self.always

    def answer(self, request):
        faults = []
        try:
            answer = self.provider.answer(request, faults, self)
        except Exception as error:  # A request that nothing was prepared for is a fault of the sender.
            faults.append(f"{type(error).__name__}: {error}")
            answer = Answer(500, {}, b"")
        self.requests.append({
            "service": self.name, "path": request.path, "headers": request.headers, "size": len(request.body),
            "faults": faults, "status": answer.status, "connection": request.connection, **request.found,
        })
        answer.headers.setdefault("date", time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(self.provider.now())))
        if not self.provider.says_date:
            answer.headers.pop("date")
        return answer


class Request:
    def __init__(self, headers, connection):
        pseudo = {name: value for name, value in headers if name.startswith(":")}
        self.method, self.path = pseudo.get(":method"), pseudo.get(":path")
        self.authority, self.scheme = pseudo.get(":authority"), pseudo.get(":scheme")
        names = [name for name, _ in headers]
        self.repeated = sorted({name for name in names if names.count(name) > 1})
        self.headers = {name: value for name, value in headers if not name.startswith(":")}
        self.body, self.connection, self.found = b"", connection, {}


class Connection(asyncio.Protocol):
    """A connection of HTTP/2."""

    def __init__(self, service):
        self.service = service
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.open, self.transport, self.gone = {}, None, False

    def connection_made(self, transport):
        self.transport = transport
        self.service.connections += 1
        self.number = self.service.connections
        self.h2.initiate_connection()
        self.h2.update_settings({h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: 100})
        self.flush()

    def connection_lost(self, _):
        self.gone = True
        self.service.under_way -= len(self.open)
        self.open = {}

    def flush(self):
        data = self.h2.data_to_send()
        if data and not self.gone:
            self.transport.write(data)

    def data_received(self, data):
        try:
            events = self.h2.receive_data(data)
        except h2.exceptions.ProtocolError as error:
            print("protocol error:", error, flush=True)
            self.flush()
            self.transport.close()
            return
        for event in events:
            if isinstance(event, h2.events.RequestReceived):
                self.open[event.stream_id] = Request(event.headers, self.number)
                self.service.under_way += 1
                self.service.under_way_most = max(self.service.under_way, self.service.under_way_most)
            elif isinstance(event, h2.events.DataReceived):
                if event.stream_id in self.open:
                    self.open[event.stream_id].body += event.data
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamReset):
                self.forget(event.stream_id)
            elif isinstance(event, h2.events.StreamEnded) and event.stream_id in self.open:
                asyncio.ensure_future(self.serve(event.stream_id, self.open[event.stream_id]))
        self.flush()

    def forget(self, stream):
        if self.open.pop(stream, None) is not None:
            self.service.under_way -= 1

    def send(self, stream, answer):
        if self.gone or stream not in self.open:
            return
        headers = [(":status", str(answer.status)), *answer.headers.items()]
        self.h2.send_headers(stream, headers, end_stream=not answer.body)
        if answer.body:
            self.h2.send_data(stream, answer.body, end_stream=True)
        self.forget(stream)
        self.flush()

    async def serve(self, stream, request):
        step, _, more = self.service.next_step().partition(" ")
        if step == "slow":
            await asyncio.sleep(float(more))
        elif step == "silent":
            self.service.requests.append({"service": self.service.name, "step": step, "connection": self.number})
            return
        elif step == "rst":
            self.h2.reset_stream(stream, h2.errors.ErrorCodes[more or "INTERNAL_ERROR"])
            self.forget(stream)
            return self.flush()
        elif step == "goaway":  # Refuses this request and all later ones of the connection.
            self.h2.close_connection(h2.errors.ErrorCodes.NO_ERROR, last_stream_id=max(0, stream - 2))
            self.flush()
            return self.transport.close()
        elif step == "close":
            return self.transport.abort()
        elif step == "half":
            # The first half of a frame of headers.
            self.h2.send_headers(stream, [(":status", "200"), ("apns-id", "x" * 200)])
            data = self.h2.data_to_send()
            self.transport.write(data[: len(data) // 2])
            return self.transport.close()
        elif step == "answer":  # answer STATUS [TYPE] [BODY]
            status, _, rest = more.partition(" ")
            kind, _, body = rest.partition(" ")
            headers = {"content-type": kind} if kind else {}
            self.service.requests.append({"service": self.service.name, "step": step, "connection": self.number})
            return self.send(stream, Answer(int(status), headers, body.encode()))
        elif step == "retry":  # retry STATUS SECONDS
            status, _, seconds = more.partition(" ")
            self.service.requests.append({"service": self.service.name, "step": step, "connection": self.number})
            return self.send(stream, Answer(int(status), {"retry-after": seconds}))
        answer = self.service.answer(request)
        self.send(stream, answer)
        if step == "last":  # Answers, then asks for another connection, as servers do that are restarted.
            self.h2.close_connection(h2.errors.ErrorCodes.NO_ERROR, last_stream_id=stream)
            self.flush()


class Control(asyncio.Protocol):
    """`POST /control` with {"do": NAME, …}. Answers with JSON."""

    def __init__(self, services, providers):
        self.services, self.providers, self.buffer = services, providers, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            head, _, rest = self.buffer.partition(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            lengths = [line.split(b":")[1] for line in lines if line.startswith(b"content-length")]
            length = int(lengths[0]) if lengths else 0
            if len(rest) < length:
                return
            self.buffer = rest[length:]
            try:
                reply, status = self.do(**json.loads(rest[:length] or b'{"do": "ports"}')), 200
            except Exception as error:
                reply, status = {"error": f"{type(error).__name__}: {error}"}, 400
            body = json.dumps(reply).encode()
            self.transport.write(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body)
            self.transport.close()

    def do(self, do, **more):
        if do == "ports":
            return {name: service.port for name, service in self.services.items()}
        if do == "script":  # service, steps, always
            service = self.services[more["service"]]
            service.script, service.always = list(more.get("steps", [])), more.get("always", "ok")
            return {}
        if do == "seen":  # service: what came, and forgets it
            service = self.services[more["service"]]
            seen = {"requests": service.requests, "connections": service.connections,
                    "together": service.under_way_most}
            service.requests, service.under_way_most = [], 0
            return seen
        if do == "clock":  # seconds, date
            for provider in self.providers.values():
                provider.offset, provider.says_date = more.get("seconds", 0), more.get("date", True)
            return {}
        provider = self.providers[more.pop("provider")]
        return getattr(provider, "do_" + do)(**more) or {}


async def main():
    parser = argparse.ArgumentParser()
    for name in ["control", "folder", "certificate", "key"]:
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate, options.key)
    context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    providers = {"apple": apple.Apple(options.folder), "google": google.Google(options.folder),
                 "browsers": browsers.Browsers(options.folder)}
    services = {}
    for name, provider in [("apns", "apple"), ("apns-sandbox", "apple"), ("fcm", "google"), ("web", "browsers"),
                           ("web2", "browsers")]:
        service = services[name] = Service(name, providers[provider])
        server = await loop.create_server(lambda service=service: Connection(service), "127.0.0.1", 0, ssl=context)
        service.port = server.sockets[0].getsockname()[1]
    providers["google"].made(services["fcm"].port)
    try:  # Ends with whoever started it.
        loop.add_reader(sys.stdin, lambda: sys.stdin.read(1) or loop.stop())
    except PermissionError:
        pass
    control = await loop.create_server(lambda: Control(services, providers), "127.0.0.1", int(options.control))
    await control.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except RuntimeError:  # The loop was stopped.
        pass
