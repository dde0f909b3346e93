#!/usr/bin/python3 -B
"""Runs the cases of proto/vectors against parley_sync. Prints a line for each case that fails; exits with 1 then.

    Tests/SecondImplementation/vectors.py [ID…]
"""
import glob
import json
import os
import sys

from google.protobuf import json_format

from parley_contract import CONTRACT, pb
from parley_sync import Stream, Sync, is_messages, parse

METHODS = {"conversations.Sync": pb.ConversationsSyncRequest, "entities.Sync": pb.EntitiesSyncRequest,
           "messaging.Sync": pb.MessagingSyncRequest, "messaging.GetChanges": pb.GetChangesRequest,
           "messaging.GetHistory": pb.GetHistoryRequest, "messaging.UpdateMarks": pb.UpdateMarksRequest,
           "conversations.ListBlocked": pb.ListBlockedRequest, "messaging.ListReceipts": pb.ListReceiptsRequest}


def message(kind, body):
    return json_format.ParseDict(body or {}, getattr(pb, kind)())


def restore(stored):
    """Returns a Sync that holds what a vector says is stored."""
    sync = Sync("a")
    for name, fields in stored.get("streams", {}).items():
        sync.restore(name, Stream(fields["position"], fields["epoch"], fields.get("cursor", ""), fields.get("behind", False)), fields.get("kinds"))
    for one in stored.get("states", []):
        state = message(one["kind"], one["body"])
        if one["kind"] == "Message":
            sync.keep_message(state, True)
        elif one["kind"] == "Conversation":
            sync.conversations[state.id] = state
            sync.known[state.id] = (state.position, state.section, bool(state.left_at_us), False)
        elif one["kind"] == "InboxState":
            sync.inbox[state.conversation] = state
            sync.count(state.conversation).take(state)
        else:
            sync.apply(one["kind"], state)
    for id, held in stored.get("held", {}).items():
        sync.count(id).held_from, sync.count(id).held_to = held["from"], held["to"]
    return sync


def states(sync):
    """Returns everything held as text, by kind and key."""
    found = {("Conversation", id): state for id, state in sync.conversations.items()}
    for id, table in sync.messages.items():
        for seq, state in table.items():
            state = pb.Message.FromString(state.SerializeToString())
            if state.own == pb.OwnMessageState():
                state.ClearField("own")
            found["Message", id, seq] = state
    found.update({("InboxState", id): state for id, state in sync.inbox.items()})
    found.update({("Reminder", id): state for id, state in sync.reminders.items()})
    found.update({("Block", id): state for id, state in sync.blocks.items()})
    found.update({("Receipt", *key): state for key, state in sync.receipts.items()})
    found.update({("ReadCount", *key): state for key, state in sync.read_counts.items()})
    found.update({("Typing", *key): pb.Typing(conversation=key[0], user=key[1], typing=True) for key in sync.typing})
    found.update({("Profile",): sync.profile, ("RequestCount",): sync.request_count})
    return {str(key): str(state) for key, state in found.items() if state.SerializeToString()}


class Run:
    def __init__(self, vector):
        self.vector, self.clock, self.open = vector, 0.0, []
        self.sync = restore(vector["stored"])
        if vector.get("connected", True):
            for ask in list(self.made(self.sync.connected(["0"], self.clock))):
                kind = {"conversations.Sync": pb.ConversationsSyncReply, "entities.Sync": pb.EntitiesSyncReply}.get(ask.method)
                reply = (kind(epoch="e1", position=ask.request.since_position) if kind else
                         pb.MessagingSyncReply(epoch="e1", cursor=ask.request.cursor, own_position=ask.request.own_position))
                self.open.remove(ask)
                self.made(self.sync.reply(ask.number, reply, self.clock))

    def made(self, asks):
        self.open += asks
        return asks

    def find(self, method):
        ask = next((ask for ask in self.open if ask.method == method), None)
        if not ask:
            raise LookupError(f"{method} was not asked")
        self.open.remove(ask)
        return ask

    def step(self, step):
        sync = self.sync
        if "connect" in step:
            return self.made(sync.connected(step["connect"].get("cells", ["0"]), self.clock))
        if "disconnect" in step:
            self.open = []
            return sync.disconnected()
        if "update" in step:
            update = step["update"]
            body = message(update["kind"], update.get("body")).SerializeToString() if parse(update["kind"], b"") else b""
            return self.made(sync.update(pb.Update(stream=update["stream"], position=update["position"], kind=update["kind"], body=body), self.clock))
        if "own" in step:
            return self.made(sync.own_reply(message(step["own"]["kind"], step["own"]["body"]), self.clock))
        if "open" in step:
            return self.made(sync.opened(step["open"], self.clock))
        if "recount" in step:
            return self.made(sync.recount(step["recount"], self.clock))
        if "wait_ms" in step:
            self.clock += step["wait_ms"] / 1000
            at = sync.next_wake()
            return self.made(sync.woke(self.clock)) if at is not None and at <= self.clock + 1e-9 else []
        if "reply" in step:
            ask = self.find(step["reply"]["to"])
            reply = json_format.ParseDict(step["reply"]["body"], pb.methods[ask.method][1]())
            return self.made(sync.reply(ask.number, reply, self.clock))
        failure = step["fail"]
        return self.made(sync.failed(self.find(failure["to"]).number, failure["code"], failure["retry_after_ms"] / 1000, self.clock))

    def problems(self):
        for number, step in enumerate(self.vector["steps"], 1):
            try:
                asks = self.step(step)
            except LookupError as problem:
                yield f"step {number}: {problem}"
                return
            for ask in asks:
                if ask.method == "messaging.Sync":
                    ask.request.ClearField("held")
            asked = sorted(f"{ask.method} {{{str(ask.request).strip()}}}" for ask in asks)
            expected = sorted(f"{ask['method']} {{{str(json_format.ParseDict(ask['request'], METHODS[ask['method']]())).strip()}}}" for ask in step.get("asks", []))
            if asked != expected:
                yield f"step {number}: asked {asked}, not {expected}"
        after, now = self.vector["after"], self.vector.get("now_us", 1000)
        for name, position in after.get("positions", {}).items():
            held = self.sync.streams[name].position if name in self.sync.streams else None
            if held != position:
                yield f"{name} is at {held}, not {position}"
        if "states" in after:
            held, expected = states(self.sync), states(restore({"states": after["states"]}))
            for key in sorted(set(held) | set(expected)):
                if held.get(key) != expected.get(key):
                    yield f"{key}: {held.get(key)!r}, not {expected.get(key)!r}"
        for id, expected in after.get("unread", {}).items():
            counted = self.sync.unread(id, now)
            if counted != (expected["unread"], expected["mentions"], expected["ask"]):
                yield f"unread of {id}: {counted}, not {expected}"
        if "badge" in after and self.sync.badge(now) != after["badge"]:
            yield f"badge: {self.sync.badge(now)}, not {after['badge']}"


def run(ids=()):
    """Returns the number of cases, and the problems as (id, text)."""
    count, problems = 0, []
    for path in sorted(glob.glob(os.path.join(CONTRACT, "vectors", "*.json"))):
        with open(path, encoding="utf-8") as file:
            for vector in json.load(file)["vectors"]:
                if not ids or vector["id"] in ids:
                    count += 1
                    problems += [(vector["id"], text) for text in Run(vector).problems()]
    return count, problems


if __name__ == "__main__":
    count, problems = run(sys.argv[1:])
    for id, text in problems:
        print(f"{id}: {text}")
    print(f"{count} vectors, {len({id for id, _ in problems})} failed")
    sys.exit(1 if problems or not count else 0)
