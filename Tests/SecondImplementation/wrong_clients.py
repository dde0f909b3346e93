"""Ways in which a client is wrong, for `conformance_client.py --wrong`: `parley-lab conformance` must notice each of them."""
import time

import parley_sync


def gap(client):
    """Applies each Update at once, also if earlier ones are missing."""
    sync = client.copy

    def receive(name, position, kind, state):
        stream = sync.streams.setdefault(name, parley_sync.Stream())
        if position > stream.position:
            stream.position = position
            sync.apply(kind, state)
    sync.receive = receive


def epochs(client):
    """Takes each reply as if its epoch were the one asked for."""
    take = client.copy.take_changes

    def take_changes(name, request, reply):
        reply.start_over, reply.epoch = False, request.epoch or reply.epoch
        take(name, request, reply)
    client.copy.take_changes = take_changes


def receipts(client):
    """Never lists receipts."""
    client.copy.want_receipts = lambda id: None


def unknown(client):
    """Ends at an Update of a kind that it does not know."""
    update = client.copy.update

    def receive(change, now):
        if not hasattr(parley_sync.pb, change.kind):
            raise SystemExit(f"error: unknown kind {change.kind}")
        return update(change, now)
    client.copy.update = receive


def silent(client):
    """Answers no command."""
    time.sleep(3600)


def garbage(client):
    """Prints something that is no JSON."""
    print("hello", flush=True)


WRONG = {"gap": gap, "epochs": epochs, "receipts": receipts, "unknown": unknown, "silent": silent, "garbage": garbage}
