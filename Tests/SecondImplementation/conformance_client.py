#!/usr/bin/python3 -B
"""Plays this client for `parley-lab conformance`, which proto/CONFORMANCE.md describes.

    parley-lab conformance -- Tests/SecondImplementation/conformance_client.py [--wrong NAME]

With --wrong the client breaks a rule on purpose (wrong_clients.py): the command must notice it.
"""
import asyncio
import json
import os
import sys
import time

from google.protobuf import json_format

import wrong_clients
from parley_client import Client
from parley_contract import pb


def states(sync):
    """Returns everything held as (kind, message)."""
    for table, kind in ((sync.conversations, "Conversation"), (sync.inbox, "InboxState"), (sync.reminders, "Reminder"),
                        (sync.blocks, "Block"), (sync.receipts, "Receipt"), (sync.read_counts, "ReadCount")):
        yield from ((kind, state) for state in table.values())
    for table in sync.messages.values():
        yield from (("Message", state) for state in table.values())
    yield from (("Typing", pb.Typing(conversation=id, user=user, typing=True)) for id, user in sync.typing)
    yield "Profile", sync.profile
    yield "RequestCount", sync.request_count


def held(sync, now_us):
    counts = {id: sync.unread(id, now_us) for id in list(sync.counts)}
    return {
        "positions": {name: stream.position for name, stream in sync.streams.items()},
        "states": [{"kind": kind, "body": json_format.MessageToDict(state, preserving_proto_field_name=True)} for kind, state in states(sync)],
        "unread": {id: {"unread": unread, "mentions": mentions, "ask": ask} for id, (unread, mentions, ask) in counts.items()},
        "badge": sync.badge(now_us),
    }


def perform(client, command):
    sync, what = client.copy, command["do"]
    if what == "state":
        return held(sync, command["now_us"])
    if what == "own":
        state = json_format.ParseDict(command["body"], getattr(pb, command["kind"])())
        client.make(sync.own_reply(state, time.monotonic()))
    elif what == "open":
        client.make(sync.opened(command["conversation"], time.monotonic()))
    elif what == "recount":
        client.make(sync.recount(command["conversations"], time.monotonic()))
    else:
        return {"unsupported": True}
    return {"done": True}


async def main(wrong):
    client = Client(os.environ["PARLEY_URL"])
    client.access = os.environ["PARLEY_TOKEN"]
    wrong_clients.WRONG[wrong](client) if wrong else None
    keeper = asyncio.ensure_future(client.keep())
    keeper.add_done_callback(lambda task: task.exception() and asyncio.get_running_loop().stop())
    lines = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        print(json.dumps(perform(client, json.loads(line))), flush=True)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[2] if sys.argv[1:2] == ["--wrong"] else None))
