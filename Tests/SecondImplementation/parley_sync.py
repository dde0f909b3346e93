"""What keeps a client's copy equal to what the server has: the rules of proto/REFERENCE.md from "Updates" to "Unread".

Sync is written only from that page and does no I/O. It takes what arrives and the time, keeps the copy, and returns the
requests to make. The comments name the rules by their ids.
"""
import collections
import random

from parley_contract import pb

HOLD = 0.25
RECEIPTS = "receipts of "  # how the subject of a request for them begins
TYPING_LASTS = 10.0  # [typing-lost]
FIRST_RETRY, LAST_RETRY = 0.5, 30.0
WINDOW = 60_000_000  # [ask]: how long a count without the messages is valid where messages disappear

Ask = collections.namedtuple("Ask", "number method request key")


# [kinds]: the kinds with positions that this client knows, by how the names of their streams begin.
KINDS = {"conversations/u/": {"Profile", "Block", "Conversation", "RequestCount"}, "entities/u/": {"Reminder", "Decision"},
         "messaging/c/": {"Message", "Reactions"}, "messaging/u/": {"InboxState", "MessageState"}}


class Stream:
    """A stream, applied completely up to `position` of `epoch`."""

    def __init__(self, position=0, epoch="", cursor="", behind=False):
        self.position, self.epoch, self.cursor, self.behind = position, epoch, cursor, behind
        self.held, self.due, self.page_since, self.meanwhile = {}, None, None, []
        self.listing = False  # [mine]: whether a Sync lists all conversations, as nothing was held
        self.dropped_to = 0  # up to which position Updates were dropped since a reply said to start over
        self.ignored_to = 0  # up to which position Updates of this session were not new
        self.anew = False  # [kinds]: whether the next reply begins anew
        self.reading = None  # (position, epoch, seq after which to read, whether the changes go on afterwards)


class Count:
    """What the unread messages of one conversation are counted from."""

    def __init__(self, me):
        self.me, self.state = me, pb.InboxState()
        self.held_from, self.held_to = None, 0
        self.changed_seq, self.changed_position = float("inf"), 0
        self.disappears = self.new_window = False

    def read_up_to(self):
        return max(self.state.read_seq, self.state.cleared_seq, self.state.first_seq - 1)

    def holds_all(self):
        return self.held_from is not None and self.held_from <= self.read_up_to() + 1 and self.held_to >= self.state.counted_seq

    def count(self, messages, blocked, now):
        above, unread, mentions = self.read_up_to(), 0, 0
        if not self.holds_all():
            above, unread, mentions = max(above, self.state.counted_seq), self.state.unread, self.state.mentions
        for seq in sorted(seq for seq in messages if seq > above):
            message = messages[seq]
            if (unread < 1000 and message.sender != self.me and message.kind != pb.SYSTEM and not message.own.hidden
                    and message.deleted_at_us == 0 and (message.expires_at_us == 0 or message.expires_at_us > now)):
                unread += 1
                mentions += self.me in message.mentions and message.sender not in blocked
        return unread, mentions

    def must_ask(self, now):
        if self.new_window:
            return True
        if self.holds_all():
            return False
        return ((self.held_from is not None and self.held_from > max(self.state.counted_seq, self.read_up_to()) + 1)
                or (self.changed_position > self.state.counted_position and self.changed_seq <= self.state.counted_seq)
                or (self.disappears and self.state.unread > 0 and now >= self.state.counted_at_us + WINDOW))

    def note(self, message):
        if message.expires_at_us:
            self.disappears = True
        if (message.edited_at_us or message.deleted_at_us) and message.sender != self.me and message.seq > self.read_up_to():
            self.changed_seq = min(self.changed_seq, message.seq)
            self.changed_position = max(self.changed_position, message.position)

    def take(self, newer):
        if (newer.own_position, newer.counted_position) < (self.state.own_position, self.state.counted_position):
            return
        if newer.own_position == self.state.own_position:
            self.new_window = False
        self.state = newer
        if self.changed_position <= newer.counted_position:
            self.changed_seq, self.changed_position = float("inf"), 0

    def hold(self, first, last):
        self.held_from = first if self.held_from is None else min(self.held_from, first)
        self.held_to = max(self.held_to, last)


class Sync:
    """The copy, and what must be requested to keep it complete. Each input returns the Asks to make."""

    def __init__(self, me=""):
        self.me, self.streams, self.counts = me, {}, {}
        self.cells, self.cell_of = [], {}  # [cells]: those of welcome, and that of each conversation
        self.conversations, self.messages, self.inbox = {}, {}, {}
        self.reminders, self.decisions = {}, {}
        self.receipts, self.read_counts, self.blocks = {}, {}, {}
        self.open, self.receipts_from = None, {}  # [receipts]: the open conversation; those asked for, and where the next page begins
        self.typing = {}     # [typing]: when it ends, by conversation and user id
        self.profile, self.request_count = pb.Profile(), pb.RequestCount()
        self.early = {}      # [own-early]: states of messages that have not come, by conversation and seq
        self.known = {}      # conversations and what is remembered of them: (position, section, has left, was lost)
        self.newest = {}     # by conversation, the newest seq and when it was sent
        self.applied = []    # (stream, position), in the order applied
        self.gap_requests = 0
        self.connected_now, self.unsynced, self.unseen = False, set(), None
        self.blocks_changed, self.listed, self.blocks_cursor, self.uncounted = False, {}, "", set()
        self.queue, self.under_way, self.asked, self.again = [], {}, {}, set()
        self.retries, self.failures, self.last = {}, {}, 0
        self.now = 0.0

    def restore(self, name, stream, kinds=None):
        """[kinds]: takes a stream as it was stored, with the kinds that were known when it was read; None: those known now."""
        known = KINDS[next(prefix for prefix in KINDS if name.startswith(prefix))]
        if kinds is not None and not known <= set(kinds):
            stream = Stream(behind=stream.behind or is_messages(name))
            stream.anew = True
        self.streams[name] = stream

    # -- inputs

    def connected(self, cells, now):
        """[connect], [cells]: syncs with each service and cell, and requests what was missing before."""
        self.cells, self.now, self.connected_now, self.typing = list(cells), now, True, {}
        self.forget_requests()
        for name in (f"conversations/u/{self.me}", f"entities/u/{self.me}", *self.owns):
            self.streams.setdefault(name, Stream())
            self.unsynced.add(name)
            self.want(name)
        for name, stream in self.streams.items():
            stream.ignored_to = 0
            if stream.held:  # [session]
                stream.held, stream.due = {}, None
                stream.behind = stream.behind or is_messages(name)
            if stream.behind and is_messages(name):
                self.want(name)
        if self.uncounted:
            self.want("counts")
        if self.blocks_changed:
            self.want("blocks")
        self.receipts_from = {}
        self.want_receipts(self.open)
        return self.asks()

    def disconnected(self):
        self.connected_now, self.typing = False, {}  # [typing-lost]
        self.forget_requests()
        return []

    def forget_requests(self):
        self.queue, self.under_way, self.asked, self.again, self.retries, self.failures = [], {}, {}, set(), {}, {}
        for stream in self.streams.values():
            stream.meanwhile, stream.page_since, stream.listing = [], None, False

    def update(self, update, now):
        self.now = now
        if update.position:
            self.receive(update.stream, update.position, update.kind, parse(update.kind, update.body))
        else:
            state = parse(update.kind, update.body)
            if update.kind not in ("Receipt", "ReadCount") or self.knows_epoch(state.conversation):
                self.apply(update.kind, state)
        return self.asks()

    def own_reply(self, state, now):
        """[own-request]: takes the state in a reply to a request of the app's own."""
        self.now = now
        if isinstance(state, pb.Message):
            self.receive(messages_of(state.conversation), state.position, "Message", state)
        elif isinstance(state, pb.Conversation):
            self.receive(f"conversations/u/{self.me}", state.position, "Conversation", state)
        elif isinstance(state, pb.InboxState):
            self.take_state(state)
            self.receive_own(state, "", None)
        else:
            self.receive_own(state, "MessageState", state)
        return self.asks()

    def receive_own(self, state, kind, content):
        """[cells]."""
        name = self.own_of(state.conversation)
        if name:
            return self.receive(name, state.own_position, kind, content)
        for name in self.owns:
            self.want(name)

    def woke(self, now):
        self.now = now
        self.typing = {key: end for key, end in self.typing.items() if end > now}  # [typing-lost]
        for name, stream in list(self.streams.items()):
            if stream.due is not None and stream.due <= now:
                stream.due = None
                self.gap_requests += 1
                self.want(name)
        for subject, at in sorted(self.retries.items(), key=lambda one: one[1]):
            if at <= now:
                self.want(subject)
        return self.asks()

    def next_wake(self):
        """Returns the time at which to call woke; None: nothing waits."""
        return min([stream.due for stream in self.streams.values() if stream.due is not None] + list(self.retries.values())
                   + list(self.typing.values()), default=None)

    def opened(self, conversation, now):
        """[receipts]: the person opens a conversation."""
        self.now, self.open = now, conversation
        self.want_receipts(conversation)
        return self.asks()

    def recount(self, conversations, now):
        self.now = now
        self.uncounted |= set(conversations)
        self.want("counts")
        return self.asks()

    def reply(self, number, reply, now):
        self.now = now
        if number not in self.asked:
            return []
        subject, method, request = self.asked.pop(number)
        del self.under_way[subject]
        self.failures.pop(subject, None)
        {"conversations.Sync": self.take_conversations, "entities.Sync": self.take_entities, "messaging.Sync": self.take_inbox,
         "messaging.GetChanges": self.take_changes, "messaging.GetHistory": self.take_history,
         "messaging.UpdateMarks": self.take_marks, "conversations.ListBlocked": self.take_blocks,
         "messaging.ListReceipts": self.take_receipts}[method](subject, request, reply)
        if subject in self.again:
            self.again.discard(subject)
            self.want(subject)
        return self.asks()

    def failed(self, number, code, retry_after, now):
        """[retry], [refused]."""
        self.now = now
        if number not in self.asked:
            return []
        subject, method, request = self.asked.pop(number)
        del self.under_way[subject]
        again = subject in self.again
        self.again.discard(subject)
        if code in ("not_member", "not_found") and is_messages(subject) and self.is_lost(subject, again):
            self.drop_messages(conversation_of(subject))
        elif code in ("not_member", "not_found") and subject.startswith(RECEIPTS):
            pass
        else:
            self.retry(subject, retry_after)
            if subject in self.streams:
                self.streams[subject].meanwhile = []
                self.advance(subject)
        return self.asks()

    def is_lost(self, name, again):
        """[refused]"""
        position, section, has_left, _ = self.known.get(conversation_of(name), (0, 0, False, False))
        is_mine = position and section != pb.GONE and not has_left
        return not is_mine or not again and not (name in self.streams and self.streams[name].held)

    def retry(self, subject, retry_after=0.0):
        tries = self.failures.get(subject, 0)
        self.failures[subject] = tries + 1
        self.retries[subject] = self.now + max(retry_after, min(FIRST_RETRY * 2 ** tries, LAST_RETRY)) * random.uniform(1, 1.5)

    # -- requests

    @property
    def owns(self):
        return [self.own_in(cell) for cell in self.cells]

    def own_in(self, cell):
        return f"messaging/u/{self.me}/{cell}"

    def own_of(self, conversation):
        """Returns my stream in the cell of a conversation; None: the cell is not known."""
        cell = self.cells[0] if len(self.cells) == 1 else self.cell_of.get(conversation)
        return cell and self.own_in(cell)

    def want(self, subject):
        self.retries.pop(subject, None)
        if subject in self.under_way:
            self.again.add(subject)
        elif subject not in self.queue:
            self.queue.append(subject)

    def asks(self):
        made = []
        while self.connected_now and self.queue:
            subject = self.queue.pop(0)
            asked = self.request(subject)
            if asked:
                self.last += 1
                method, request, key = asked
                self.under_way[subject] = self.last
                self.asked[self.last] = (subject, method, request)
                made.append(Ask(self.last, method, request, key))
        return made

    def request(self, subject):
        if subject == "counts":
            marks = [pb.Watermark(conversation=id) for id in sorted(self.uncounted)[:100]]
            return ("messaging.UpdateMarks", pb.UpdateMarksRequest(marks=marks), self.me) if marks else None
        if subject == "blocks":
            return "conversations.ListBlocked", pb.ListBlockedRequest(cursor=self.blocks_cursor), self.me
        if subject.startswith(RECEIPTS):
            id = subject.removeprefix(RECEIPTS)
            return "messaging.ListReceipts", pb.ListReceiptsRequest(conversation=id, cursor=self.receipts_from[id]), id
        stream = self.streams.get(subject)
        if not stream:
            return None
        since = stream.position if stream.epoch else 0  # [epoch]
        if is_messages(subject):
            id = conversation_of(subject)
            if stream.reading:
                return "messaging.GetHistory", pb.GetHistoryRequest(conversation=id, after_seq=stream.reading[2]), id
            return "messaging.GetChanges", pb.GetChangesRequest(conversation=id, epoch=stream.epoch if since else "", since_position=since), id
        if subject in self.owns:
            since = since if stream.page_since is None else stream.page_since
            return "messaging.Sync", pb.MessagingSyncRequest(cell=cell_of(subject), epoch=stream.epoch, cursor=stream.cursor, own_position=since,
                                                             held=self.held_in(subject)), self.me
        if subject.startswith("conversations/"):
            return "conversations.Sync", pb.ConversationsSyncRequest(epoch=stream.epoch, since_position=since), self.me
        return "entities.Sync", pb.EntitiesSyncRequest(epoch=stream.epoch, since_position=since), self.me

    def held_in(self, own):
        """[missed]: returns what is held of at most 100 conversations, those with the latest news first."""
        epoch = self.streams[own].epoch
        held = [(self.newest.get(conversation_of(name), (0, 0))[1], name) for name, stream in self.streams.items()
                if is_messages(name) and epoch and stream.position and stream.epoch == epoch and not stream.reading
                and self.cell_of.get(conversation_of(name), cell_of(own)) == cell_of(own)]
        return [pb.HeldPosition(conversation=conversation_of(name), position=self.streams[name].position) for _, name in sorted(held)[-100:]]

    # -- Updates

    def receive(self, name, position, kind, state):
        if name.split("/")[0] not in ("conversations", "entities", "messaging") or not position:
            return
        if is_messages(name) and self.is_gone(conversation_of(name)):  # [gone]
            return
        own = self.streams.get(self.own_of(conversation_of(name))) if is_messages(name) else None
        stream = self.streams.setdefault(name, Stream(epoch=own.epoch if own else ""))
        if position > stream.position:  # [have]
            stream.held[position] = (kind, state)
        else:
            stream.ignored_to = max(stream.ignored_to, position)
        self.advance(name)

    def is_gone(self, conversation):
        return self.known.get(conversation, (0, 0))[1] == pb.GONE

    def must_wait(self, name):
        """[connect], [pages]."""
        stream = self.streams[name]
        return any(one in self.unsynced for one in (self.owns if is_messages(name) else [name])) or stream.behind or stream.reading or name in self.under_way

    def advance(self, name):
        """[next], [gap], [zero], [unknown]: applies the held Updates that follow, and waits for those that are missing."""
        stream = self.streams.get(name)
        if not stream or self.must_wait(name):
            return
        moved = False
        while stream.position + 1 in stream.held:
            kind, state = stream.held[stream.position + 1]
            if kind == "Reactions" and not state.changes:  # [reactions-again]
                stream.behind, stream.due = True, None
                return self.want(name)
            del stream.held[stream.position + 1]
            stream.position, moved = stream.position + 1, True
            self.applied.append((name, stream.position))
            if kind == "InboxState":
                self.cell_of[state.conversation] = cell_of(name)
            self.apply(kind, state)
        stream.held = {position: held for position, held in stream.held.items() if position > stream.position}
        if not stream.held:
            stream.due = None
        elif name not in self.retries and name not in self.queue and (moved or stream.due is None):
            stream.due = self.now + HOLD

    def apply(self, kind, state):
        if kind == "Message":
            self.keep_message(state, False)
        elif kind == "Reactions":
            self.react(state)
        elif kind == "MessageState":
            self.take_message_state(state)
        elif kind == "InboxState":
            self.take_state(state)
        elif kind == "Conversation":
            self.take_conversation(state)
        elif kind == "Receipt":  # [receipt]
            held = self.receipts.setdefault((state.conversation, state.user), pb.Receipt(conversation=state.conversation, user=state.user))
            for field in ("read_seq", "delivered_seq", "read_at_us", "delivered_at_us"):
                setattr(held, field, max(getattr(held, field), getattr(state, field)))
        elif kind == "Typing":  # [typing]
            self.typing.pop((state.conversation, state.user), None)
            if state.typing:
                self.typing[state.conversation, state.user] = self.now + TYPING_LASTS
        elif kind == "ReadCount":
            self.read_counts[state.conversation, state.seq] = state
        elif kind == "Reminder":
            self.reminders[state.id] = state
        elif kind == "Decision":
            self.decisions[state.id] = state
        elif kind == "Profile":
            self.profile = state
        elif kind == "RequestCount":
            self.request_count = state
        elif kind == "Block":
            self.doubt_mentions()
            if state.blocked:
                self.blocks[state.user.id] = state
            else:
                self.blocks.pop(state.user.id, None)

    def doubt_mentions(self):
        """[mentions]: whom I block has changed, and whose mentions count with it."""
        for id, count in self.counts.items():
            if self.newest.get(id, (0, 0))[0] > count.read_up_to():
                count.new_window = True

    # -- messages

    def count(self, id):
        return self.counts.setdefault(id, Count(self.me))

    def keep_message(self, state, is_reply):
        id, seq = state.conversation, state.seq
        if seq <= self.count(id).state.cleared_seq:  # [cleared]
            return
        if seq > self.count(id).held_to:  # [typing-sent]
            self.typing.pop((id, state.sender), None)
        table = self.messages.setdefault(id, {})
        held, early = table.get(seq), self.early.get(id, {}).pop(seq, None)
        message = pb.Message.FromString(state.SerializeToString())
        if is_reply:
            message.own.SetInParent()  # Empty: there is none.
        if not held:
            if not is_reply and early:  # [own-early]
                message.own.starred, message.own.hidden = early.starred, early.hidden
            table[seq] = message
        elif message.position >= held.position:  # [larger]
            if not is_reply:  # [own]
                message.own.CopyFrom(held.own)
            if held.thread.position > message.thread.position:
                message.thread.CopyFrom(held.thread)
            table[seq] = message
        else:
            if is_reply and not held.HasField("own"):  # [own]
                held.own.CopyFrom(message.own)
            if message.thread.position > held.thread.position:
                held.thread.CopyFrom(message.thread)
        empty_if_gone(table[seq])
        if message.thread_seq or message.HasField("thread"):
            self.spread_thread(id, message.thread_seq or seq)
        count = self.count(id)
        count.note(message)
        if seq > count.held_to:
            count.hold(1 if count.held_from is None else count.held_from, seq)
        newest, sent = self.newest.get(id, (0, 0))
        self.newest[id] = (max(newest, seq), max(sent, message.sent_at_us))

    def spread_thread(self, id, first):
        """[thread]."""
        members = [message for message in self.messages[id].values() if (message.thread_seq or message.seq) == first]
        latest = max((message.thread for message in members), key=lambda thread: thread.position)
        for message in members:
            if message.thread.position < latest.position:
                message.thread.CopyFrom(latest)

    def react(self, reactions):
        """[reactions], [reactions-newer]."""
        message = self.messages.get(reactions.conversation, {}).get(reactions.seq)
        if not message:
            return
        if message.position < reactions.position:
            message.position = reactions.position
            del message.reactions[:]
            message.reactions.extend(reactions.counts)
        for change in reactions.changes:
            if change.user == self.me:
                mine = set(message.own.reactions) - {change.emoji} | (set() if change.removed else {change.emoji})
                message.own.reactions[:] = sorted(mine)
        empty_if_gone(message)

    def take_message_state(self, state):
        """[own-later]."""
        self.keep_message_state(state)
        name = messages_of(state.conversation)
        if name in self.under_way:
            self.streams[name].meanwhile.append(state)

    def keep_message_state(self, state):
        message = self.messages.get(state.conversation, {}).get(state.seq)
        if not message:
            self.early.setdefault(state.conversation, {})[state.seq] = state
            return
        message.own.starred, message.own.hidden = state.starred, state.hidden
        empty_if_gone(message)

    def take_state(self, state):
        """[state], [cleared]."""
        id, count = state.conversation, self.count(state.conversation)
        held = count.state
        if self.is_gone(id) or (state.own_position, state.counted_position) < (held.own_position, held.counted_position):
            return
        count.take(state)
        self.inbox[id] = state
        if id in self.messages:
            self.messages[id] = {seq: message for seq, message in self.messages[id].items() if seq > state.cleared_seq}
        if state.renewed_position > held.renewed_position:
            self.read_again(id)

    def read_again(self, id):
        """[renewed]."""
        name = messages_of(id)
        stream = self.streams.get(name)
        if not stream:
            return
        self.drop_messages(id)
        position, epoch, _, goes_on = stream.reading or (stream.position, stream.epoch, 0, stream.behind)
        self.request_changes(name)
        if position:
            self.streams[name].reading = (position, epoch, 0, goes_on)

    def drop_messages(self, id, keep_stream=False):
        self.messages.pop(id, None)
        self.early.pop(id, None)
        if id in self.counts:
            self.counts[id].held_from, self.counts[id].held_to = None, 0
        if not keep_stream:
            self.streams.pop(messages_of(id), None)
            self.forget(messages_of(id))

    def forget(self, subject):
        """The reply to a request about it changes nothing."""
        self.retries.pop(subject, None)
        self.asked.pop(self.under_way.pop(subject, None), None)
        self.again.discard(subject)
        if subject in self.queue:
            self.queue.remove(subject)

    # -- receipts

    def want_receipts(self, id):
        """[receipts]: once a session, of the open conversation."""
        position, section, has_left, _ = self.known.get(id, (0, pb.GONE, False, False))
        if self.connected_now and id == self.open and position and section != pb.GONE and not has_left and id not in self.receipts_from:
            self.receipts_from[id] = ""
            self.want(RECEIPTS + id)

    def knows_epoch(self, id):
        """[receipts]: whether they can be dropped with their epoch."""
        own = self.own_of(id)
        return all(self.streams[each].epoch for each in ([own] if own else self.owns))

    def relist_receipts(self, id):
        self.forget(RECEIPTS + id)
        self.receipts_from.pop(id, None)
        self.want_receipts(id)

    def drop_receipts(self, id):
        """[receipts]: those of another history; those of the open conversation are listed again."""
        for table in (self.receipts, self.read_counts):
            for key in [key for key in table if key[0] == id]:
                del table[key]
        self.relist_receipts(id)

    def take_receipts(self, subject, request, reply):
        for receipt in reply.receipts:
            self.apply("Receipt", receipt)
        if reply.more:
            self.receipts_from[request.conversation] = reply.cursor
            self.want(subject)

    # -- conversations

    def take_conversation(self, state):
        """[newer], [mine], [left], [gone]."""
        id, name = state.id, messages_of(state.id)
        position, section, had_left, was_lost = self.known.get(id, (0, 0, False, False))
        if state.position <= position:
            return
        if self.unseen is not None:
            self.unseen.discard(id)
        was_mine = position and section != pb.GONE and not had_left
        is_mine = state.section != pb.GONE and not state.left_at_us
        was_shown = section not in (0, pb.GONE) and not had_left
        has_returned = is_mine and was_shown and state.returned_position > position
        if state.section == pb.GONE or was_mine and not is_mine:
            was_lost = True
        self.known[id] = (state.position, state.section, bool(state.left_at_us), was_lost)
        if state.section == pb.GONE:
            self.drop_messages(id)
            self.drop_receipts(id)
            for table in (self.conversations, self.inbox, self.counts, self.newest):
                table.pop(id, None)
            return
        self.conversations[id] = state
        self.want_receipts(id)
        if is_mine and (not was_mine or has_returned):
            is_back = position or section == pb.GONE  # the position may be of another epoch
            if is_back:
                self.drop_messages(id)
                self.drop_receipts(id)
                for table in (self.counts, self.newest):
                    table.pop(id, None)
            if has_returned or is_back and was_lost:
                self.uncounted.add(id)
                self.want("counts")
            if is_back or (name not in self.streams and not self.is_first_sync()):
                self.request_changes(name)
        elif was_mine and not is_mine:
            self.count(id).new_window = True
            if name in self.streams:
                self.request_changes(name)

    def is_first_sync(self):
        """[mine]: whether pages of the inbox say where each conversation stands."""
        streams = [self.streams[own] for own in self.owns if own in self.unsynced]
        return any(stream.listing or not stream.cursor for stream in streams)

    def request_changes(self, name):
        self.streams.setdefault(name, Stream()).behind = True
        self.want(name)

    # -- replies

    def starts_over(self, name, request, reply):
        """[start-over]"""
        if reply.start_over or (request.epoch and request.epoch != reply.epoch):
            self.start_over(name, reply.epoch)
        if self.streams[name].anew:  # [kinds]
            self.drop_states(name, reply.epoch)

    def start_over(self, name, epoch):
        """[start-over], [check-all]: drops what the stream carries, and checks everything else."""
        self.drop_states(name, epoch)
        for other, stream in list(self.streams.items()):
            if other != name and stream.reading:
                stream.reading = (*stream.reading[:3], True)
            if other != name and stream.position:
                self.request_changes(other) if is_messages(other) else self.want(other)

    def drop_states(self, name, epoch):
        stream = self.streams[name]
        stream.anew = False
        stream.dropped_to = max(stream.held, default=0)
        stream.dropped_to = max(stream.dropped_to, stream.ignored_to)
        stream.position, stream.cursor, stream.held, stream.due = 0, "", {}, None
        if name.startswith("conversations/"):
            self.unseen = {id for id, (position, section, _, _) in self.known.items() if position and section != pb.GONE}
            self.known = {id: (0, section, left, lost) for id, (_, section, left, lost) in self.known.items()}
            self.conversations, self.blocks = {}, {}
            self.begin_blocks(False)
            self.profile, self.request_count = pb.Profile(), pb.RequestCount()
        elif name in self.owns:
            if "counts" in self.under_way:  # its reply may be of the other epoch
                self.asked.pop(self.under_way.pop("counts"), None)
                self.want("counts")

            def elsewhere(id):
                return self.cell_of.get(id, cell_of(name)) != cell_of(name)
            self.inbox = {id: state for id, state in self.inbox.items() if elsewhere(id)}
            self.early = {id: states for id, states in self.early.items() if elsewhere(id)}
            for id in {id for id, _ in [*self.receipts, *self.read_counts]} | set(self.receipts_from):
                if not elsewhere(id):
                    self.drop_receipts(id)
            for id, count in self.counts.items():
                if not elsewhere(id):
                    count.state, count.changed_seq, count.changed_position = pb.InboxState(), float("inf"), 0
            for other, empty in self.streams.items():
                if is_messages(other) and not elsewhere(conversation_of(other)) and not empty.position and empty.epoch:
                    empty.epoch = epoch
            for message in (message for id, table in self.messages.items() if not elsewhere(id) for message in table.values()):
                message.own.starred = False
        else:
            self.reminders, self.decisions = {}, {}

    def reach(self, name, position, epoch):
        stream = self.streams[name]
        stream.position, stream.epoch = position, epoch
        stream.held = {at: held for at, held in stream.held.items() if at > position}

    def note_applied(self, name, states):
        self.applied += [(name, state.position) for state in states if state.position > self.streams[name].position]

    def synced(self, name):
        self.unsynced.discard(name)
        stream = self.streams[name]
        if stream.dropped_to > stream.position:
            self.want(name)
        stream.dropped_to = 0
        for each in [name] + [each for each in self.streams if is_messages(each)] if name in self.owns else [name]:
            self.advance(each)

    def take_conversations(self, name, request, reply):
        self.starts_over(name, request, reply)
        self.note_applied(name, reply.conversations)
        for conversation in reply.conversations:
            self.take_conversation(conversation)
        if reply.HasField("requests"):
            self.request_count = reply.requests
        if reply.HasField("profile"):
            self.profile = reply.profile
        if reply.blocks_changed:
            self.begin_blocks(True)
            if request.epoch and not reply.start_over:
                self.doubt_mentions()
        self.reach(name, reply.position, reply.epoch)
        if reply.more:
            return self.want(name)
        self.streams[name].behind = self.blocks_changed
        if self.blocks_changed:
            self.want("blocks")
        for id in self.unseen or ():
            self.drop_messages(id)
            for table in (self.conversations, self.inbox, self.counts, self.newest):
                table.pop(id, None)
            self.known[id] = (0, pb.GONE, False, True)
            self.drop_receipts(id)
        self.unseen = None
        self.synced(name)

    def begin_blocks(self, changed):
        """What was read of the list counts no longer, nor does the reply to what was asked."""
        self.forget("blocks")
        self.blocks_changed, self.listed, self.blocks_cursor = changed, {}, ""

    def take_blocks(self, subject, request, reply):
        """[blocks]."""
        self.listed.update({block.user.id: block for block in reply.blocks})
        self.blocks_cursor = reply.cursor
        if reply.more:
            return self.want("blocks")
        self.blocks, self.blocks_changed, self.listed, self.blocks_cursor = self.listed, False, {}, ""
        name = f"conversations/u/{self.me}"
        self.streams[name].behind = False
        self.advance(name)

    def take_entities(self, name, request, reply):
        self.starts_over(name, request, reply)
        self.note_applied(name, sorted([*reply.reminders, *reply.decisions], key=lambda state: state.position))
        for kind, states in (("Reminder", reply.reminders), ("Decision", reply.decisions)):
            for state in states:
                self.apply(kind, state)
        self.reach(name, reply.position, reply.epoch)
        self.want(name) if reply.more else self.synced(name)

    def take_inbox(self, name, request, reply):
        self.starts_over(name, request, reply)
        stream = self.streams[name]
        if not request.cursor:
            stream.listing = True
        if not request.epoch:
            for id in list(self.receipts_from):  # what came before the first page was not kept
                self.relist_receipts(id)
        for entry in reply.entries:
            self.cell_of[entry.conversation] = cell_of(name)
            self.take_entry(entry, reply.epoch)
        for state in reply.message_states:
            self.take_message_state(state)
        stream.epoch, stream.cursor = reply.epoch, reply.cursor
        if reply.more:
            stream.page_since = reply.own_position
            return self.want(name)
        listed = stream.listing
        stream.page_since, stream.listing = None, False
        self.reach(name, max(stream.position, reply.own_position), reply.epoch)
        self.synced(name)
        if listed and not self.is_first_sync():  # [mine]: what no page has
            for id, (position, section, has_left, _) in list(self.known.items()):
                if position and section != pb.GONE and not has_left and messages_of(id) not in self.streams:
                    self.request_changes(messages_of(id))

    def take_entry(self, entry, epoch):
        """[entry], [missed], [new]."""
        if entry.section == pb.GONE:
            return
        id, name = entry.conversation, messages_of(entry.conversation)
        if entry.HasField("state"):
            self.take_state(entry.state)
        if entry.retention_seconds:
            self.count(id).disappears = True
        newest, sent = self.newest.get(id, (0, 0))
        self.newest[id] = (max(newest, entry.last_seq), max(sent, entry.last_message.sent_at_us))
        stream = self.streams.setdefault(name, Stream())
        if not stream.position and not stream.behind:
            stream.reading = (entry.position, epoch, 0, False)
            self.request_changes(name)
        elif stream.reading:
            if stream.reading[0] < entry.position or stream.reading[1] != epoch:
                stream.reading = (*stream.reading[:3], True)
        elif entry.caught_up and stream.epoch == epoch and name not in self.under_way:  # [missed]
            for message in entry.missed:
                self.keep_message(message, True)
            if stream.position < entry.position:
                self.note_applied(name, entry.missed)
                self.reach(name, entry.position, epoch)
                self.advance(name)
        elif not stream.behind and (stream.position < entry.position or stream.epoch != epoch):
            self.request_changes(name)

    def take_changes(self, name, request, reply):
        id, stream = conversation_of(name), self.streams.get(name)
        if not stream:
            return
        own = self.own_of(id)
        if own and self.streams[own].epoch and self.streams[own].epoch != reply.epoch:  # [check-all]
            self.start_over(own, reply.epoch)
            self.streams[own].epoch, self.streams[own].page_since = reply.epoch, None
            self.unsynced.add(own)
            if own not in self.under_way:
                self.want(own)
        if reply.start_over or (request.epoch and request.epoch != reply.epoch):
            self.drop_messages(id, keep_stream=True)
            self.newest.pop(id, None)
            stream.position, stream.epoch, stream.held, stream.due, stream.behind = 0, "", {}, None, True
            stream.reading = (reply.position, reply.epoch, 0, True)
            return self.want(name)
        if not request.since_position:
            # What was read of it before may be of another epoch.
            self.drop_messages(id, keep_stream=True)
            self.count(id).hold(1, 0)
        self.note_applied(name, reply.messages)
        for message in reply.messages:
            self.keep_message(message, True)
        self.reapply_meanwhile(stream)
        self.reach(name, max(reply.position, request.since_position), reply.epoch)
        stream.behind = reply.more
        self.want(name) if reply.more else self.advance(name)

    def take_history(self, name, request, reply):
        id, stream = conversation_of(name), self.streams.get(name)
        if not stream or not stream.reading:
            return
        for message in reply.messages:
            self.keep_message(message, True)
        self.reapply_meanwhile(stream)
        last = reply.messages[-1].seq if reply.messages else 0
        self.count(id).hold(1, last if reply.more_after else max(last, reply.last_seq))
        position, epoch, _, goes_on = stream.reading
        if reply.more_after and last:
            stream.reading = (position, epoch, last, goes_on)
            return self.want(name)
        stream.reading = None
        self.applied += [(name, at) for at in range(1, position + 1)] if not goes_on else []
        self.reach(name, position, epoch)
        stream.behind = goes_on
        self.want(name) if goes_on else self.advance(name)

    def reapply_meanwhile(self, stream):
        for state in stream.meanwhile:
            self.keep_message_state(state)
        stream.meanwhile = []

    def take_marks(self, subject, request, reply):
        for state in reply.states:
            self.take_state(state)
        for mark in request.marks:
            self.count(mark.conversation).new_window = False
            self.uncounted.discard(mark.conversation)
        if self.uncounted:
            self.want("counts")

    # -- unread

    def unread(self, id, now_us):
        """[count], [continue], [ask]: returns the unread messages, the mentions, and whether they may be wrong."""
        count = self.count(id)
        return (*count.count(self.messages.get(id, {}), self.blocks, now_us), count.must_ask(now_us))

    def badge(self, now_us):
        """[badge]."""
        total = 0
        for id, conversation in self.conversations.items():
            state, (seq, sent) = self.count(id).state, self.newest.get(id, (0, 0))
            archived = state.archived_at_us and (seq <= state.archived_seq or (state.muted_until_us and sent <= state.muted_until_us))
            if conversation.section == pb.INBOX and state.muted_until_us <= now_us and not archived:
                unread = self.unread(id, now_us)[0]
                total += 1 if not unread and state.marked_unread else unread
        return total


def messages_of(conversation):
    return f"messaging/c/{conversation}"


def cell_of(stream):
    """Returns the cell of a stream of messaging's own states."""
    return stream.rsplit("/", 1)[1]


def is_messages(stream):
    return stream.startswith("messaging/c/")


def conversation_of(stream):
    return stream[len("messaging/c/"):]


def empty_if_gone(message):
    """[deleted], [hidden]."""
    if not message.deleted_at_us and not message.own.hidden:
        return
    for field in ("text", "mentions", "reactions", "forwarded_from", "edited_at_us", "media"):
        message.ClearField(field)
    hidden = message.own.hidden
    message.ClearField("own")
    if hidden:
        message.own.hidden = True


def parse(kind, body):
    """Decodes the body of an Update; None: a kind of a newer server."""
    known = ("Message", "Reactions", "MessageState", "InboxState", "Conversation", "Receipt", "ReadCount", "Reminder", "Decision",
             "Profile", "RequestCount", "Block", "PresenceState", "OwnPresence", "Typing")
    return getattr(pb, kind).FromString(body) if kind in known else None
