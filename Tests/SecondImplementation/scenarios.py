"""Tests of Parley's promises with parley_client and parley_peer. Each name starts with the ids of its promises."""
import asyncio
import random
import socket
import time
from collections import Counter

import websockets
import zmq
import zmq.asyncio

import extremes
import vectors
from parley_client import Client, Clock, Closed, Link, Refused, pb, register, sign_in
from parley_client import REPLY_BYTES, SUBPROTOCOL
from parley_peer import Caller, Keys, Listener, Replica, read_token

SCENARIOS = []


def scenario(name, within=90):
    def keep(function):
        SCENARIOS.append((name, within, function))
        return function
    return keep


class World:
    """A running Parley: `urls` of its gateways, `pids` of its processes, and the scenario's open connections."""

    def __init__(self, urls, pids, folder):
        self.urls, self.pids, self.folder, self.opened, self.count = urls, pids, folder, [], 0
        self.run = f"{random.randrange(36 ** 4):06d}"

    def gateway_keys(self):
        """Returns the keys of the running gateway, or None if the links are plain."""
        secret, peers = self.link_settings.get("PARLEY_LINK_KEY_FILE"), self.link_settings.get("PARLEY_LINK_PEERS")
        if self.link_settings.get("PARLEY_LINK_SECURITY") == "plain" or not peers:
            return None
        return Keys.of_files(secret, peers) if secret else Keys(self.link_settings["PARLEY_LINK_KEY"], Keys.read_peers(peers))

    async def person(self, name):
        self.count += 1
        person = Person(self, f"{name}{self.count}-{self.run}")
        person.signed_in = await register(self.urls[0], person.username, person.password, display_name=name.title())
        person.id = person.signed_in.user.id
        return person

    async def people(self, *names):
        return [await self.person(name) for name in names]

    async def link(self, token="", gateway=0, **options):
        link = await Link.open(self.urls[gateway], token, **options)
        self.opened.append(link.close)
        return link

    async def close(self):
        opened, self.opened = self.opened, []
        await asyncio.gather(*[close() for close in opened], return_exceptions=True)


async def talk(one, other):
    """Returns the id of the conversation of two people, started by both so that both may write."""
    await one.direct(other.user)
    return (await other.direct(one.user)).id


async def befriend(world, one, *others):
    """Makes people known to one person, so that they join that person's groups without an invitation."""
    for other in others:
        for me, user in ((other, one.id), (one, other.id)):
            link = await Link.open(world.urls[0], me.signed_in.access_token)
            try:
                await link.ask("conversations.StartDirect", pb.StartDirectRequest(user=user))
            finally:
                await link.close()


class Person:
    def __init__(self, world, username, password="correct horse battery"):
        self.world, self.username, self.password, self.first = world, username, password, True

    async def device(self, gateway=0):
        """Returns a client on a new device: first that of the registration, then further sign-ins."""
        url = self.world.urls[gateway % len(self.world.urls)]
        signed_in = self.signed_in if self.first else await sign_in(url, self.username, self.password)
        self.first = False
        return await self.session(signed_in, gateway)

    async def session(self, signed_in, gateway=0):
        client = Client(self.world.urls[gateway % len(self.world.urls)], signed_in)
        self.world.opened.append(client.stop)
        return await client.start()


async def refused(code, asked, field=None):
    try:
        answer = await asked
    except Refused as error:
        assert error.code == code, f"{code} was expected, not {error}"
        assert field is None or error.field == field, f"field {field} was expected, not {error.field}"
        return error
    raise AssertionError(f"{code} was expected, not an answer: {answer}")


async def closed(code, link, within=10):
    end = await link.closed(within)
    assert end.code == code, f"close code {code} was expected, not {end}"
    return end


def same(one, other, what=""):
    assert one == other, f"{what}: {one!r} is not {other!r}"


def whole(client, conversation, count):
    """Checks that seqs and positions are 1, 2, 3 … and that each was applied once."""
    same(sorted(client.messages[conversation]), list(range(1, count + 1)), "seq")
    name = f"messaging/c/{conversation}"
    same([position for stream, position in client.applied if stream == name], list(range(1, count + 1)), "positions, in the order applied")


def known(client):
    """Returns all messages that a client holds. That there is no own state is said by replies alone."""
    def plain(message):
        copy = pb.Message.FromString(message.SerializeToString())
        if copy.own == pb.OwnMessageState():
            copy.ClearField("own")
        return copy
    return {chat: {seq: plain(message) for seq, message in messages.items()} for chat, messages in client.messages.items()}


# ---- accounts


@scenario("A1 after registering, a person can sign in with the password, and only with it; both devices are listed")
async def accounts(world):
    ann = await world.person("ann")
    phone, tablet = await ann.device(), await ann.device(1)
    assert phone.user == tablet.user == ann.id and phone.device != tablet.device
    await refused("wrong_credentials", sign_in(world.urls[0], ann.username, ann.password + "!"))
    await refused("wrong_credentials", sign_in(world.urls[0], "nobody-" + ann.username, ann.password))
    await refused("username_taken", register(world.urls[0], ann.username, "something else"))
    await refused("invalid", register(world.urls[0], "Not A Name", ann.password), "username")
    await refused("invalid", register(world.urls[0], "short-" + ann.username, "short"), "password")
    devices = (await phone.ask("conversations.ListDevices")).devices
    same({device.id for device in devices}, {phone.device, tablet.device}, "devices")
    same([device.id for device in devices if device.current], [phone.device], "the current one")
    found = (await phone.ask("conversations.FindUser", pb.FindUserRequest(username=ann.username))).user
    assert found.id == ann.id and found.display_name == "Ann"


@scenario("A1 the same registration sent again signs in and creates no second account")
async def registration_again(world):
    link = await world.link()
    request = pb.RegisterRequest(id=link.clock.new_id(), username=f"again-{world.run}", password="correct horse battery")
    first = await link.ask("conversations.Register", request)
    again = await link.ask("conversations.Register", request)
    same(again.user, first.user, "user")
    welcome = (await world.link(again.access_token)).welcome
    assert welcome.user == first.user.id and welcome.device == again.device
    request.password = "wrong horse battery"
    await refused("username_taken", link.ask("conversations.Register", request))


@scenario("A1 refreshing returns new tokens; an old refresh token used again signs out the device, close code 4003")
async def refresh_rotates(world):
    ann = await world.person("ann")
    phone = await ann.device()
    link = await world.link()
    def ask(token):
        return link.ask("conversations.RefreshTokens", pb.RefreshTokensRequest(refresh_token=token))
    first = ann.signed_in
    second = await ask(first.refresh_token)
    assert second.refresh_token != first.refresh_token and second.device == first.device
    third = await ask(second.refresh_token)
    await refused("refresh_refused", ask(first.refresh_token))
    await asyncio.wait_for(phone.keeper, 3)
    same(phone.ended.code, 4003, "close code")
    await refused("refresh_refused", ask(third.refresh_token))
    await refused("refresh_refused", ask("1.nothing"))


@scenario("A1 a refresh whose reply was lost can be repeated; either reply may be kept, and what was exchanged long ago ends the sign-in")
async def refresh_lost(world):
    ann = await world.person("ann")
    link = await world.link()
    def ask(token):
        return link.ask("conversations.RefreshTokens", pb.RefreshTokensRequest(refresh_token=token))
    lost = await ask(ann.signed_in.refresh_token)
    kept = await ask(ann.signed_in.refresh_token)
    last = await ask(kept.refresh_token)
    twin = await ask(lost.refresh_token)
    for signed_in in (last, twin):
        assert (await world.link(signed_in.access_token)).welcome.device == ann.signed_in.device
    await refused("refresh_refused", ask(ann.signed_in.refresh_token))
    for signed_in in (last, twin):
        await refused("refresh_refused", ask(signed_in.refresh_token))


@scenario("A1 a session ends with its access token (4002) unless it authenticates with a newer one; then it continues")
async def in_band(world):
    # Their tokens end before the phone's, which the scenario waits for.
    ann, bob = await world.person("ann"), await world.person("bob")
    phone = await ann.device()
    first_end, session = phone.session_ends_us, phone.link.welcome.session
    left = (first_end - phone.clock.now_us()) / 1e6
    assert 1 < left < 30, f"the scenarios want short access tokens; this one has {left} s left"
    stays = await world.link(phone.access)
    # Authenticate signs in a session that began without a token; another person's token then closes it.
    anonymous = await world.link()
    await refused("unauthenticated", anonymous.ask("conversations.ListDevices"))
    assert (await anonymous.authenticate(bob.signed_in.access_token)).user == bob.id
    assert (await anonymous.ask("conversations.ListDevices")).devices
    await anonymous.say(authenticate=pb.Authenticate(token=phone.access))
    await closed(4002, anonymous)
    await closed(4002, stays, left + 5)
    assert phone.clock.now_us() >= first_end - 1_000_000
    await asyncio.sleep(1)
    assert phone.link.welcome.session == session and phone.links_opened == 1 and phone.session_ends_us > first_end
    assert (await phone.ask("conversations.ListDevices")).devices
    # An expired token does not open a session; the refresh token still returns a new one.
    try:
        await world.link(ann.signed_in.access_token)
        raise AssertionError("an expired token opened a session")
    except Closed as end:
        same(end.code, 4002, "close code")
    late = await bob.session(bob.signed_in)
    assert late.closes == [4002] and late.link.welcome.user == bob.id


@scenario("A1 signing out closes all sessions of the device on all gateways with 4003, and no other device's")
async def sign_out(world):
    ann = await world.person("ann")
    phone, tablet = await ann.device(), await ann.device(1)
    other = await ann.session(ann.signed_in, gateway=1)
    begun = time.monotonic()
    try:
        await phone.once("conversations.SignOut", pb.SignOutRequest())
    except Closed as end:
        same(end.code, 4003, "close code")
    await asyncio.wait_for(asyncio.gather(phone.keeper, other.keeper), 3)
    assert time.monotonic() - begun < 2 and phone.ended.code == other.ended.code == 4003
    assert (await tablet.ask("conversations.ListDevices")).devices and tablet.links_opened == 1
    try:
        await world.link(phone.access)
        raise AssertionError("the token of a device that was signed out opened a session")
    except Closed as end:
        same(end.code, 4003, "close code of a hello with its token")
    link = await world.link()
    await refused("refresh_refused", link.ask("conversations.RefreshTokens", pb.RefreshTokensRequest(refresh_token=phone.refresh_token)))


@scenario("A1 signing out everywhere closes all devices' sessions; the person can sign in again")
async def sign_out_everywhere(world):
    ann = await world.person("ann")
    devices = [await ann.device(0), await ann.device(1)]
    try:
        await devices[0].once("conversations.SignOut", pb.SignOutRequest(everywhere=True))
    except Closed:
        pass
    await asyncio.wait_for(asyncio.gather(*[device.keeper for device in devices]), 3)
    same([device.ended.code for device in devices], [4003, 4003], "close codes")
    again = await ann.device()
    assert (await again.ask("conversations.ListDevices")).devices[0].current


@scenario("A1 a person can revoke their own devices only")
async def revoke(world):
    ann, bob = await world.people("ann", "bob")
    phone, tablet, bobs = await ann.device(), await ann.device(1), await bob.device()
    await refused("not_found", phone.ask("conversations.RevokeDevice", pb.RevokeDeviceRequest(device=bobs.device)))
    await phone.ask("conversations.RevokeDevice", pb.RevokeDeviceRequest(device=tablet.device))
    await asyncio.wait_for(tablet.keeper, 3)
    same(tablet.ended.code, 4003, "close code")
    same([device.id for device in (await phone.ask("conversations.ListDevices")).devices], [phone.device], "devices")
    assert bobs.links_opened == 1 and bobs.ended is None


# ---- conversations


@scenario("C1 C2 the conversation of two people is the same whoever starts it, and each gets one Update per change")
async def direct(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device(1)
    first = await anns.ask("conversations.StartDirect", pb.StartDirectRequest(user=bob.id), key=bob.id)
    assert first.created
    again = await bobs.ask("conversations.StartDirect", pb.StartDirectRequest(user=ann.id), key=ann.id)
    assert not again.created and again.conversation.id == first.conversation.id
    same(first.conversation.id, "_".join(sorted([ann.id, bob.id], key=str.encode)), "id")
    same({member.user.username for member in first.conversation.members}, {ann.username, bob.username}, "members")
    same((first.conversation.conversation_status, again.conversation.conversation_status), (pb.PENDING, pb.ACCEPTED), "status")
    for client, position in ((anns, 2), (bobs, 1)):  # Bob gets one Update, of the accepted request; his own session gets it too.
        await client.until(lambda: client.conversations.get(first.conversation.id) == again.conversation
                           if client is bobs else first.conversation.id in client.conversations
                           and client.conversations[first.conversation.id].conversation_status == pb.ACCEPTED)
        same(client.streams[f"conversations/u/{client.user}"].position, position, "position")
    got = (await bobs.ask("conversations.GetConversation", pb.GetConversationRequest(conversation=first.conversation.id))).conversation
    same(got.created_by, ann.id, "made by")


@scenario("C3 two people start a conversation at the same time on two gateways: each pair gets one conversation")
async def direct_race(world):
    people = await world.people("ann", "bob", "cy", "dan", "eve", "flo")
    clients = [await person.device(index) for index, person in enumerate(people)]
    pairs = [(a, b) for index, a in enumerate(clients) for b in clients[index + 1:]]
    for a, b in pairs:
        one, other = await asyncio.gather(
            a.ask("conversations.StartDirect", pb.StartDirectRequest(user=b.user), key=b.user),
            b.ask("conversations.StartDirect", pb.StartDirectRequest(user=a.user), key=a.user))
        same(one.conversation.id, other.conversation.id, "id")
        same(sorted([one.created, other.created]), [False, True], "created")
    for client in clients:
        await client.until(lambda: len(client.conversations) == len(clients) - 1)
        page = await client.ask("conversations.Sync", pb.ConversationsSyncRequest())
        same(len(page.conversations), len(clients) - 1, "conversations")
        assert all(conversation.conversation_status == pb.ACCEPTED for conversation in page.conversations)
        positions = [conversation.position for conversation in page.conversations]
        assert positions == sorted(set(positions)) and positions[-1] == page.position
        # Two Updates for each request this person sent: when it was sent and when it was accepted.
        asked = sum(conversation.requester_id == client.user for conversation in page.conversations)
        same(page.position, len(clients) - 1 + asked, "position")


@scenario("C4 C5 a conversation with oneself holds notes; another person must exist")
async def direct_odd(world):
    ann = await world.person("ann")
    phone, tablet = await ann.device(), await ann.device(1)
    notes = await phone.direct(ann.id)
    same(notes.id, f"{ann.id}_{ann.id}", "id")
    same(len(notes.members), 1, "members")
    await phone.send(notes.id, "milk")
    await tablet.until(lambda: tablet.texts(notes.id) == ["milk"])
    await refused("user_not_found", phone.direct("nobodyatall"))
    await refused("user_not_found", phone.ask("conversations.FindUser", pb.FindUserRequest(username=f"nobody-{world.run}")))
    await refused("not_found", phone.ask("conversations.GetConversation", pb.GetConversationRequest(conversation="none_such")))


@scenario("C9 a repeated request creates one group; all members get an Update and can write; others see nothing")
async def groups(world):
    ann, bob, cy, eve = await world.people("ann", "bob", "cy", "eve")
    anns, bobs, cys, eves = [await person.device(index) for index, person in enumerate((ann, bob, cy, eve))]
    id = anns.clock.new_id()
    await befriend(world, ann, bob, cy)
    request = pb.CreateGroupRequest(id=id, name="Weekend Trip", users=[bob.id, cy.id])
    first = await anns.ask("conversations.CreateGroup", request)
    again = await anns.ask("conversations.CreateGroup", request)
    assert first.created and not again.created
    same(again.conversation.id, first.conversation.id, "id")
    same(first.conversation.id, id.hex(), "id")
    group = first.conversation
    same({member.user.id: member.role for member in group.members}, {ann.id: pb.OWNER, bob.id: pb.MEMBER, cy.id: pb.MEMBER}, "members")
    await refused("id_in_use", eves.ask("conversations.CreateGroup", pb.CreateGroupRequest(id=id, name="Mine")))
    for client in (anns, bobs, cys):
        await client.until(lambda: group.id in client.conversations)
        same(client.conversations[group.id].name, "Weekend Trip", "name")
    await bobs.send(group.id, "who drives?")
    for client in (anns, cys):
        await client.until(lambda: client.texts(group.id) == ["who drives?"])
    await refused("not_member", eves.send(group.id, "me!"))
    await refused("not_member", eves.history(group.id))
    await refused("not_found", eves.ask("conversations.GetConversation", pb.GetConversationRequest(conversation=group.id)))
    assert not eves.messages and not eves.conversations


@scenario("C9 members are added, removed and leave: each sees their window of history, and system messages record it")
async def members(world):
    ann, bob, cy = await world.people("ann", "bob", "cy")
    anns, bobs, cys = [await person.device(index) for index, person in enumerate((ann, bob, cy))]
    await befriend(world, ann, bob, cy)
    group = (await anns.group("Trip", [bob.id])).id
    await anns.send(group, "before")
    await refused("forbidden", bobs.ask("conversations.AddMembers", pb.AddMembersRequest(conversation=group, users=[cy.id])))
    await refused("not_found", cys.ask("conversations.LeaveGroup", pb.LeaveGroupRequest(conversation=group)))
    added = await anns.ask("conversations.AddMembers", pb.AddMembersRequest(conversation=group, users=[cy.id]))
    same({member.user.id for member in added.conversation.members}, {ann.id, bob.id, cy.id}, "members")
    await cys.until(lambda: group in cys.conversations, what="the added member's Update of the group")
    def notes(client):
        return [(message.system.kind, message.system.actor, list(message.system.users))
                for _, message in sorted(client.messages.get(group, {}).items()) if message.kind == pb.SYSTEM]
    joined, removed = (pb.MEMBERS_JOINED, ann.id, [cy.id]), (pb.MEMBER_REMOVED, ann.id, [cy.id])
    for client in (anns, bobs, cys):
        await client.until(lambda: joined in notes(client), what="the system message about the joined member")
    await anns.send(group, "welcome")
    await cys.until(lambda: cys.texts(group)[-1:] == ["welcome"])
    assert "before" not in cys.texts(group)
    page = await cys.history(group)
    assert "before" not in [message.text for message in page.messages] and not page.more_before
    await anns.ask("conversations.RemoveMember", pb.RemoveMemberRequest(conversation=group, user=cy.id))
    await refused("not_member", cys.send(group, "still here?"))
    await cys.until(lambda: cys.conversations[group].left_at_us and not cys.conversations[group].members, what="the removed member's Update")
    await anns.until(lambda: removed in notes(anns), what="the system message about the removed member")
    await anns.send(group, "after")
    await bobs.until(lambda: bobs.texts(group)[-1:] == ["after"])
    same("after" in [message.text for message in (await cys.history(group)).messages], False, "a former member sees what came after")
    assert "after" not in cys.texts(group)
    await anns.ask("conversations.LeaveGroup", pb.LeaveGroupRequest(conversation=group))
    await bobs.until(lambda: [(member.user.id, member.role) for member in bobs.conversations[group].members] == [(bob.id, pb.OWNER)],
                     what="the new owner")
    await bobs.until(lambda: (pb.MEMBER_LEFT, ann.id, [ann.id]) in notes(bobs), what="the system message about the member who left")
    await anns.ask("conversations.LeaveGroup", pb.LeaveGroupRequest(conversation=group))


# ---- messages


@scenario("M1 M3 acknowledged messages are numbered 1, 2, 3 … and reach every device once, also the sender's other device")
async def delivery(world):
    ann, bob = await world.people("ann", "bob")
    phone, tablet, bobs, bobs_other = await ann.device(), await ann.device(1), await bob.device(), await bob.device(1)
    chat = await talk(phone, bobs)
    replies = [await phone.send(chat, f"{number}") for number in range(20)]
    same([reply.seq for reply in replies], list(range(1, 21)), "seq")
    same([reply.position for reply in replies], list(range(1, 21)), "positions")
    assert all(one.sent_at_us <= other.sent_at_us for one, other in zip(replies, replies[1:]))
    for client in (phone, tablet, bobs, bobs_other):
        await client.until(lambda: len(client.texts(chat)) == 20)
        same(client.texts(chat), [f"{number}" for number in range(20)], "texts")
        whole(client, chat, 20)
        heard = client.messages[chat][7]
        assert heard.sender == ann.id and heard.kind == pb.TEXT and heard.sent_at_us == replies[6].sent_at_us


@scenario("M2 a message sent again is a duplicate with the first result, also from two devices and gateways together")
async def duplicates(world):
    ann, bob = await world.people("ann", "bob")
    phone, tablet, bobs = await ann.device(), await ann.device(1), await bob.device()
    chat = await talk(phone, bobs)
    for number in range(10):
        id = phone.clock.new_id()
        request = pb.SendMessageRequest(id=id, conversation=chat, kind=pb.TEXT, text=f"{number}")
        answers = await asyncio.gather(*[client.ask("messaging.SendMessage", request, key=chat) for client in (phone, tablet)])
        again = await tablet.ask("messaging.SendMessage", request, key=chat)
        same({(reply.seq, reply.position, reply.sent_at_us) for reply in [*answers, again]},
             {(number + 1, answers[0].position, answers[0].sent_at_us)}, "results")
        same(sorted(reply.duplicate for reply in [*answers, again]), [False, True, True], "duplicate")
    await bobs.until(lambda: len(bobs.texts(chat)) == 10)
    await bobs.ask("messaging.Sync", pb.MessagingSyncRequest())
    whole(bobs, chat, 10)


@scenario("M1 M2 M3 five people write together on two gateways: seqs are dense, each one's order is kept, all see the same")
async def five_writers(world):
    people = await world.people("ann", "bob", "cy", "dan", "eve")
    clients = [await person.device(index) for index, person in enumerate(people)]
    await befriend(world, *people)
    chat = (await clients[0].group("Five", [person.id for person in people[1:]])).id
    async def write(client):
        return [(await client.send(chat, f"{client.user} {number}")).seq for number in range(25)]
    seqs = await asyncio.gather(*[write(client) for client in clients])
    same(sorted(seq for own in seqs for seq in own), list(range(1, 126)), "seq")
    assert all(own == sorted(own) for own in seqs)
    for client in clients:
        await client.until(lambda: len(client.texts(chat)) == 125)
        whole(client, chat, 125)
        same(client.texts(chat), clients[0].texts(chat), "what is seen")


@scenario("M3 a client notices and fetches a lost Update; for a late one it waits 250 ms without a request")
async def gaps(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device(1)
    chat = await talk(anns, bobs)
    await bobs.until(lambda: chat in bobs.conversations)
    bobs.lose = lambda update: update.kind == "Message" and update.position in (2, 3, 6)
    fills, begun = bobs.fills, time.monotonic()
    for number in range(1, 6):
        await anns.send(chat, f"{number}")
    same(len(bobs.texts(chat)) in (0, 1), True, "nothing after the gap is shown before it is filled")
    await bobs.until(lambda: len(bobs.texts(chat)) == 5)
    assert bobs.fills == fills + 1 and time.monotonic() - begun > 0.25
    late = []
    bobs.lose = lambda update: update.kind == "Message" and update.position == 6 and not late.append(update)
    await anns.send(chat, "6")
    await anns.send(chat, "7")
    await asyncio.sleep(0.1)
    bobs.lose = lambda update: False
    same(len(bobs.texts(chat)), 5, "messages before the late one came")
    bobs.heard(late[0])
    await bobs.until(lambda: len(bobs.texts(chat)) == 7)
    await asyncio.sleep(0.3)
    same(bobs.fills, fills + 1, "requests for gaps")
    whole(bobs, chat, 7)


@scenario("M3 after a connection drops, sync returns the missed messages once and in order, and Updates continue")
async def dropped(world):
    ann, bob, cy = await world.people("ann", "bob", "cy")
    anns, bobs = await ann.device(), await bob.device(1)
    chat = await talk(anns, bobs)
    await anns.send(chat, "1")
    await bobs.until(lambda: bobs.texts(chat) == ["1"])
    async def writing():
        for number in range(2, 41):
            await anns.send(chat, f"{number}")
    async def dropping():
        for _ in range(4):
            await asyncio.sleep(0.15)
            await bobs.until_ready()
            bobs.link.cut()
    await asyncio.gather(writing(), dropping())
    second = (await anns.group("New", [bob.id])).id
    await anns.send(second, "here too")
    await bobs.until(lambda: len(bobs.texts(chat)) == 40 and bobs.texts(second) == ["here too"])
    whole(bobs, chat, 40)
    # Conversations and messages come on different streams, in any order.
    await bobs.until(lambda: second in bobs.conversations)
    assert bobs.links_opened >= 4
    # The sender's link breaks with sends under way: they are sent again, and each is one message.
    sends = [asyncio.ensure_future(anns.send(chat, f"{number}")) for number in range(41, 51)]
    await asyncio.sleep(0.005)
    anns.link.cut()
    await asyncio.gather(*sends)
    for client in (anns, bobs):
        await client.until(lambda: len(client.texts(chat)) == 50)
        same(sorted(client.texts(chat), key=int), [f"{number}" for number in range(1, 51)], "texts")
        same(sorted(client.messages[chat]), list(range(1, 51)), "seq")


@scenario("M3 sync and GetChanges give a new device the same state as Updates gave the old one; a new epoch starts over")
async def sync(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device()
    chats = [await talk(anns, bobs), (await anns.group("G", [bob.id])).id, (await anns.group("Empty", [bob.id])).id]
    for number in range(60):
        await anns.send(chats[number % 2], f"{number}")
    await bobs.until(lambda: sum(len(bobs.texts(chat)) for chat in chats) == 60)
    new = await bob.device(1)
    same(known(new), known(bobs), "messages")
    same(new.conversations, bobs.conversations, "conversations")
    since, more, seen = 0, True, []
    while more:
        page = await bobs.ask("messaging.GetChanges", pb.GetChangesRequest(conversation=chats[0], epoch=new.streams[new.copy.owns[0]].epoch, since_position=since, limit=7))
        seen += [message.position for message in page.messages]
        since, more = page.position, page.more
    same(seen, list(range(1, 31)), "positions by sevens")
    again = await bobs.ask("messaging.Sync", pb.MessagingSyncRequest(epoch=new.streams[new.copy.owns[0]].epoch, cursor=new.inbox_cursor))
    await anns.send(chats[1], "news")
    news = await bobs.ask("messaging.Sync", pb.MessagingSyncRequest(epoch=again.epoch, cursor=again.cursor))
    assert (chats[1], 31) in [(entry.conversation, entry.position) for entry in news.entries]  # others may be returned again, unchanged
    inbox = {entry.conversation: entry for entry in (await bobs.ask("messaging.Sync", pb.MessagingSyncRequest())).entries}
    assert inbox[chats[1]].last_seq == 31 and inbox[chats[1]].last_message.text == "news"
    for method, request in [("messaging.GetChanges", pb.GetChangesRequest(conversation=chats[0], epoch="another", since_position=3)),
                            ("messaging.Sync", pb.MessagingSyncRequest(epoch="another", cursor=again.cursor)),
                            ("conversations.Sync", pb.ConversationsSyncRequest(epoch="another", since_position=1)),
                            ("entities.Sync", pb.EntitiesSyncRequest(epoch="another", since_position=1))]:
        assert (await bobs.ask(method, request)).start_over, f"{method} does not start over"
    # As after a restore, the client drops its copy and loads everything again.
    for stream in bobs.streams.values():
        stream.epoch = "another"
    bobs.link.cut()
    await asyncio.sleep(0.1)
    await bobs.until_ready()
    same({chat: bobs.texts(chat) for chat in chats}, {chat: anns.texts(chat) for chat in chats}, "texts")
    same(set(bobs.conversations), set(chats), "conversations")
    same({name for name, stream in bobs.streams.items() if stream.epoch == "another"}, set(), "streams of another epoch")


def held(client, conversation):
    """The state of a conversation's messages, without what a client cannot know from Updates alone."""
    return {seq: (message.position, message.text, message.edited_at_us, message.deleted_at_us, list(message.mentions),
                  sorted((one.emoji, one.count) for one in message.reactions), sorted(message.own.reactions),
                  message.own.starred, message.own.hidden)
            for seq, message in client.messages.get(conversation, {}).items()}


@scenario("M8 M9 M10 M11 M12 edits, deletions, reactions, stars: each device holds what a new one reads, also after losing Updates")
async def changes(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs, tablet = await ann.device(), await bob.device(), await bob.device(1)
    chat = await talk(anns, bobs)
    for number in range(6):
        await (anns if number % 2 else bobs).send(chat, f"{number}")
    react = lambda client, seq, emoji, remove=False: client.ask("messaging.UpdateReaction", pb.UpdateReactionRequest(
        conversation=chat, seq=seq, emoji=emoji, remove=remove))
    edit = lambda client, seq, text: client.ask("messaging.EditMessage", pb.EditMessageRequest(conversation=chat, seq=seq, text=text))
    tablet.lose = lambda update: tablet.updates_heard % 3 == 0
    await edit(anns, 2, "two")
    await react(bobs, 2, "👍")
    await react(anns, 2, "👍")
    await react(bobs, 2, "🎉")
    await react(bobs, 2, "👍", remove=True)
    await edit(bobs, 1, "one")
    await react(bobs, 4, "👍")
    await anns.ask("messaging.DeleteMessage", pb.DeleteMessageRequest(conversation=chat, seq=4))
    await bobs.ask("messaging.UpdateMessageState", pb.UpdateMessageStateRequest(conversation=chat, seqs=[1, 2], starred=pb.YES))
    await bobs.ask("messaging.UpdateMessageState", pb.UpdateMessageStateRequest(conversation=chat, seqs=[1], starred=pb.NO))
    tablet.lose = lambda update: False
    # A lost Update is noticed by the next one of its stream.
    last = await anns.send(chat, "the last")
    await bobs.ask("messaging.UpdateMessageState", pb.UpdateMessageStateRequest(conversation=chat, seqs=[6], starred=pb.YES))
    new = await bob.device()
    for client in (bobs, tablet):
        await client.until(lambda: last.seq in client.messages[chat])
        await client.until(lambda: held(client, chat) == held(new, chat), what="the state that a new device reads")
    state = held(new, chat)
    same(state[2][5:8], (sorted([("🎉", 1), ("👍", 1)]), ["🎉"], True), "reactions and own state")
    assert state[4][3] and not state[4][1] and not state[4][5] and not state[4][6], "a deleted message keeps something"
    await refused("message_deleted", react(bobs, 4, "👍"))


@scenario("M3 M7 the vectors of the contract hold")
async def vectors_hold(world):
    count, problems = vectors.run()
    same(problems, [], "problems")
    assert count >= 75, "vectors are missing"


@scenario("C8 M7 my other device learns what I read, pin, mute and archive; it counts unread messages as the server does")
async def own_state(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs, tablet = await ann.device(), await bob.device(), await bob.device(1)
    chat = await talk(anns, bobs)
    for number in range(5):
        await anns.send(chat, f"{number}")
    mark = lambda seq: bobs.ask("messaging.UpdateMarks", pb.UpdateMarksRequest(marks=[pb.Watermark(conversation=chat, read_seq=seq)]))
    await bobs.until(lambda: len(bobs.texts(chat)) == 5)
    state = (await mark(2)).states[0]
    same((state.read_seq, state.unread, state.counted_seq, state.counted_at_us > 0), (2, 3, 5, True), "state")
    update = pb.UpdateInboxStateRequest(conversation=chat, pinned=pb.YES, archived=pb.YES)
    pinned = (await bobs.ask("messaging.UpdateInboxState", update)).state
    muted = (await bobs.ask("messaging.UpdateInboxState", pb.UpdateInboxStateRequest(conversation=chat, muted=pb.YES))).state
    same((muted.own_position, muted.muted_until_us), (pinned.own_position + 1, 2 ** 63 - 1), "muted")
    same((await mark(1)).states[0].own_position, muted.own_position, "a mark never goes back")
    for client in (bobs, tablet):
        await client.until(lambda: client.inbox.get(chat) and client.inbox[chat].own_position == muted.own_position, what="the own state")
        one = client.inbox[chat]
        same((one.read_seq, bool(one.pinned_at_us), bool(one.archived_at_us), one.archived_seq), (2, True, True, 5), "own state")
    await anns.send(chat, "news")
    await tablet.until(lambda: len(tablet.texts(chat)) == 6)
    same(tablet.copy.unread(chat, tablet.clock.now_us()), ((await mark(0)).states[0].unread, 0, False), "the count")
    await bobs.ask("messaging.UpdateMessageState", pb.UpdateMessageStateRequest(conversation=chat, seqs=[4], hide=True))
    await anns.ask("messaging.DeleteMessage", pb.DeleteMessageRequest(conversation=chat, seq=4))
    await anns.ask("messaging.DeleteMessage", pb.DeleteMessageRequest(conversation=chat, seq=5))
    await tablet.until(lambda: tablet.messages[chat][5].deleted_at_us and tablet.messages[chat][4].own.hidden)
    count = (await mark(0)).states[0]
    same(tablet.copy.unread(chat, tablet.clock.now_us()), (count.unread, 0, False), "the count after hiding and deleting")
    same(count.unread, 2, "the server's count")
    await bobs.ask("messaging.UpdateInboxState", pb.UpdateInboxStateRequest(conversation=chat, muted=pb.NO, archived=pb.NO))
    badge = (await bobs.ask("messaging.GetBadge")).badge
    await tablet.until(lambda: tablet.copy.badge(tablet.clock.now_us()) == badge == 2, what="the badge")
    new = await bob.device()
    same((new.inbox[chat].own_position, new.inbox[chat].unread), (tablet.inbox[chat].own_position, 2), "what a new device reads")


@scenario("R1 R4 R5 a request appears with its message, is gone when declined, and comes back whole when its recipient asks")
async def requests(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device(1)
    chat = (await anns.direct(bob.id)).id
    assert chat not in bobs.conversations
    await anns.send(chat, "hello")
    await bobs.until(lambda: chat in bobs.conversations and bobs.texts(chat) == ["hello"], what="the request and its message")
    same((bobs.conversations[chat].section, bobs.conversations[chat].requester_id), (pb.REQUESTS, ann.id), "the request")
    same(anns.conversations[chat].section, pb.INBOX, "the requester's section")
    await refused("accept_first", bobs.send(chat, "who are you?"))
    await bobs.ask("conversations.DeclineRequest", pb.DeclineRequestRequest(conversation=chat))
    await bobs.until(lambda: chat not in bobs.conversations and chat not in bobs.messages, what="nothing of it")
    await anns.send(chat, "are you there?")
    await bobs.direct(ann.id)
    await bobs.until(lambda: chat in bobs.conversations and bobs.conversations[chat].section == pb.INBOX, what="the conversation, back")
    await bobs.until(lambda: bobs.texts(chat) == ["hello", "are you there?"], what="what was written meanwhile")
    await bobs.send(chat, "now I am")
    await anns.until(lambda: anns.texts(chat)[-1:] == ["now I am"])


@scenario("C17 a stranger sees who invites them into which group, and nothing else until they accept; declining is silent")
async def invitations(world):
    ann, bob, cy = await world.people("ann", "bob", "cy")
    anns, bobs, cys = [await person.device(index) for index, person in enumerate((ann, bob, cy))]
    made = await anns.ask("conversations.CreateGroup", pb.CreateGroupRequest(id=anns.clock.new_id(), name="Choir", users=[bob.id, cy.id]))
    group = made.conversation.id
    same((sorted(made.invited), made.conversation.member_count), (sorted([bob.id, cy.id]), 1), "who is invited")
    await anns.send(group, "before")
    for client in (bobs, cys):
        await client.until(lambda: group in client.conversations, what="the invitation")
        seen = client.conversations[group]
        same((seen.section, seen.name, seen.requester_id, seen.member_count, len(seen.members)),
             (pb.REQUESTS, "Choir", ann.id, 1, 0), "the invitation")
        await refused("not_member", client.history(group))
        await refused("not_member", client.send(group, "who is there?"))
    await bobs.ask("conversations.AcceptRequest", pb.AcceptRequestRequest(conversation=group))
    await bobs.until(lambda: bobs.conversations[group].section == pb.INBOX, what="the group")
    await anns.send(group, "welcome")
    await bobs.until(lambda: "welcome" in bobs.texts(group))
    assert "before" not in bobs.texts(group)
    async def invited():
        reply = await anns.ask("conversations.ListInvitations", pb.ListInvitationsRequest(conversation=group))
        return [(invitation.user.id, invitation.inviter) for invitation in reply.invitations]
    await cys.ask("conversations.DeclineRequest", pb.DeclineRequestRequest(conversation=group))
    await cys.until(lambda: group not in cys.conversations, what="that it is gone")
    same(await invited(), [(cy.id, ann.id)], "a declined invitation")
    await anns.ask("conversations.WithdrawInvitation", pb.WithdrawInvitationRequest(conversation=group, user=cy.id))
    same(await invited(), [], "a withdrawn invitation")
    await refused("not_found", cys.ask("conversations.AcceptRequest", pb.AcceptRequestRequest(conversation=group)))
    assert not cys.messages.get(group)


@scenario("M14 a former member reads messages as they were when they left, at no position after it")
async def former_member(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device(1)
    await befriend(world, ann, bob)
    group = (await anns.group("Trip", [bob.id])).id
    seq = (await anns.send(group, "first")).seq
    then = (await anns.ask("messaging.EditMessage", pb.EditMessageRequest(conversation=group, seq=seq, text="then", mentions=[bob.id]))).message
    gone = (await anns.send(group, "gone")).seq
    await bobs.until(lambda: bobs.texts(group)[-2:] == ["then", "gone"])
    await anns.ask("conversations.RemoveMember", pb.RemoveMemberRequest(conversation=group, user=bob.id))
    await anns.ask("messaging.EditMessage", pb.EditMessageRequest(conversation=group, seq=seq, text="secret"))
    await anns.ask("messaging.UpdateReaction", pb.UpdateReactionRequest(conversation=group, seq=seq, emoji="👍"))
    await bobs.until(lambda: bobs.conversations[group].left_at_us, what="the removal")
    end = await bobs.ask("messaging.GetChanges", pb.GetChangesRequest(conversation=group))
    assert end.start_over, "a former member gets changes, although messages were changed since"
    for _ in range(2):
        read = next(message for message in (await bobs.history(group)).messages if message.seq == seq)
        same((read.text, list(read.mentions), read.edited_at_us, list(read.reactions)), ("then", [bob.id], then.edited_at_us, []), "as then")
        same(read.position, end.position, "the position of leaving")
        await anns.ask("messaging.EditMessage", pb.EditMessageRequest(conversation=group, seq=seq, text="another secret"))
    rest = await bobs.ask("messaging.GetChanges", pb.GetChangesRequest(conversation=group, epoch=end.epoch, since_position=end.position))
    assert not rest.start_over and not rest.messages and rest.position == end.position
    # Their mentions stay. What is deleted goes from their devices, too.
    mentions = await bobs.ask("messaging.ListMentionsAndStars", pb.ListMentionsAndStarsRequest(kind=pb.MENTIONS))
    same([(message.seq, message.text) for message in mentions.messages], [(seq, "then")], "mentions as then")
    await anns.ask("messaging.DeleteMessage", pb.DeleteMessageRequest(conversation=group, seq=gone))
    await bobs.until(lambda: gone in bobs.messages.get(group, {}) and bobs.messages[group][gone].deleted_at_us, what="the deletion")
    assert "gone" not in bobs.texts(group) and seq in bobs.messages[group]
    # Who was removed is only invited.
    await anns.ask("conversations.AddMembers", pb.AddMembersRequest(conversation=group, users=[bob.id]))
    await bobs.ask("conversations.AcceptRequest", pb.AcceptRequestRequest(conversation=group))
    await anns.send(group, "welcome back")
    # The system message of the return may come after it: messaging reads who joined from a journal.
    await bobs.until(lambda: "welcome back" in bobs.texts(group))
    assert "another secret" not in bobs.texts(group)


@scenario("M14 history pages both ways and around a message")
async def history(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device()
    chat = await talk(anns, bobs)
    page = await bobs.history(chat)
    assert not page.messages and not page.more_before and not page.more_after and page.last_seq == 0
    for number in range(1, 51):
        await anns.send(chat, f"{number}")
    async def look(seqs, before, after, **options):
        page = await bobs.history(chat, **options)
        same([message.seq for message in page.messages], list(seqs), f"seqs of {options}")
        same((page.more_before, page.more_after, page.last_seq), (before, after, 50), f"more of {options}")
        same([message.text for message in page.messages], [f"{seq}" for seq in seqs], "texts")
    await look(range(1, 51), False, False)
    await look(range(41, 51), True, False, limit=10)
    await look(range(41, 51), True, False, limit=10, before_seq=0)
    await look(range(21, 31), True, True, limit=10, before_seq=31)
    await look(range(1, 6), False, True, limit=10, before_seq=6)
    await look(range(1, 11), False, True, limit=10, after_seq=0)
    await look(range(46, 51), True, False, limit=10, after_seq=45)
    await look(range(0), True, False, limit=10, after_seq=50)
    around = await bobs.history(chat, around_seq=25, limit=10)
    seqs = [message.seq for message in around.messages]
    assert 25 in seqs and len(seqs) == 10 and seqs == list(range(seqs[0], seqs[0] + 10)) and abs(25 - seqs[0] - 5) <= 1, seqs
    assert around.more_before and around.more_after
    for number in range(51, 61):
        await anns.send(chat, "x" * 16384)
    page = await bobs.history(chat, limit=200)
    assert 0 < len(page.messages) < 10 and sum(message.ByteSize() for message in page.messages) <= 96 * 1024 and page.more_before
    seen, before = [], 0
    while True:
        page = await bobs.history(chat, before_seq=before)
        seen = [message.seq for message in page.messages] + seen
        if not page.more_before:
            break
        before = seen[0]
    same(seen, list(range(1, 61)), "all pages")


@scenario("M1 M2 an invalid message is refused with the reason and takes no seq")
async def no_messages(world):
    ann, bob, eve = await world.people("ann", "bob", "eve")
    anns, eves = await ann.device(), await eve.device()
    chat = (await anns.direct(bob.id)).id
    def send(client=anns, **fields):
        request = {"id": anns.clock.new_id(), "conversation": chat, "kind": pb.TEXT, "text": "hello", **fields}
        return client.ask("messaging.SendMessage", pb.SendMessageRequest(**request), key=chat)
    await refused("invalid", send(text=""), "text")
    await refused("invalid", send(text="x" * 16385), "text")
    await refused("invalid", send(text="a\0b"), "text")
    await refused("invalid", send(id=b""), "id")
    await refused("invalid", send(id=b"short"), "id")
    await refused("invalid", send(id=bytes(16)), "id")
    await refused("invalid", send(kind=pb.MESSAGE_KIND_UNSPECIFIED), "kind")
    await refused("invalid", send(kind=pb.SYSTEM), "kind")
    await refused("not_member", send(conversation="none_such"))
    await refused("not_member", send(client=eves))
    for code, moved in (("id_from_future", 25 * 3600), ("id_too_old", -31 * 24 * 3600)):
        wrong = Clock()
        wrong.heard_us.append(anns.clock.offset_us + moved * 1_000_000)
        await refused(code, send(id=wrong.new_id()))
    same((await send()).seq, 1, "seq")


@scenario("M1 M2 M3 messaging is killed with -9 while three write: requests are repeated, none is lost or doubled")
async def killed(world):
    people = await world.people("ann", "bob", "cy")
    clients = [await person.device(index) for index, person in enumerate(people)]
    await befriend(world, *people)
    chat = (await clients[0].group("Three", [person.id for person in people[1:]])).id
    done = asyncio.Event()
    async def write(client, index):
        number = 0
        while not done.is_set() or number < 10:
            await client.send(chat, f"{index}.{number}", deadline=3)
            number += 1
            await asyncio.sleep(0.02)
        return number
    writers = [asyncio.ensure_future(write(client, index)) for index, client in enumerate(clients)]
    await asyncio.sleep(0.4)
    world.kill("messaging-1")
    await asyncio.sleep(2)
    done.set()
    counts = await asyncio.gather(*writers)
    total = sum(counts)
    for client in clients:
        await client.until(lambda: len(client.texts(chat)) == total, within=15, what=f"{total} messages")
        same(sorted(client.messages[chat]), list(range(1, total + 1)), "seq")
        for index, count in enumerate(counts):
            same([text for text in client.texts(chat) if text.startswith(f"{index}.")], [f"{index}.{number}" for number in range(count)], "order")


# ---- presence


@scenario("P1 P2 a person is online to watchers while any device is connected, then offline with last seen")
async def presence(world):
    ann, bob = await world.people("ann", "bob")
    anns = await ann.device()
    await befriend(world, ann, bob)
    await anns.group("Both", [bob.id])
    await anns.watch([bob.id])
    def is_now(status):
        return lambda: bob.id in anns.presence and anns.presence[bob.id].status == status
    await anns.until(is_now(pb.OFFLINE), 3, "offline at first")
    phone = await bob.device(1)
    await anns.until(is_now(pb.ONLINE), 3, "online")
    tablet = await bob.device(0)
    await phone.stop()
    await asyncio.sleep(0.5)
    assert is_now(pb.ONLINE)()
    same((await anns.ask("presence.GetPresence", pb.GetPresenceRequest(users=[bob.id, ann.id]))).states[0].status, pb.ONLINE, "status")
    before = anns.clock.now_us()
    await tablet.stop()
    await anns.until(is_now(pb.OFFLINE), 3, "offline")
    seen = anns.presence[bob.id].last_seen_us
    assert before - 1_000_000 < seen < before + 3_000_000
    same((await anns.ask("presence.GetPresence", pb.GetPresenceRequest(users=[bob.id]))).states[0].last_seen_us, seen, "last seen")
    # Watching continues after a link breaks; watching somebody else replaces it.
    anns.link.cut()
    await asyncio.sleep(0.1)
    await bob.device(0)
    await anns.until(is_now(pb.ONLINE), 5, "online, over another link")
    await anns.watch([ann.id])
    anns.presence.clear()
    await bob.device(1)
    await asyncio.sleep(0.5)
    assert bob.id not in anns.presence
    # The client never fetches missing Updates of presence, since they have no positions.
    assert not any(name.startswith("presence") for name in anns.streams)


@scenario("P1 P2 presence is killed with -9: watchers are asked to watch again, and then get Updates as before")
async def presence_killed(world):
    ann, bob, cy = await world.people("ann", "bob", "cy")
    anns, bobs = await ann.device(), await bob.device(1)
    await befriend(world, ann, bob, cy)
    await anns.group("Three", [bob.id, cy.id])
    await anns.watch([bob.id, cy.id])
    def are(*statuses):
        return lambda: tuple(anns.presence[person.id].status for person in (bob, cy)) == statuses
    await anns.until(are(pb.ONLINE, pb.OFFLINE))
    world.kill("presence-1")
    await asyncio.sleep(0.1)
    cys = await cy.device(1)
    await anns.until(are(pb.ONLINE, pb.ONLINE), 15, "online after the restart")
    await bobs.stop()
    await anns.until(are(pb.OFFLINE, pb.ONLINE), 5, "offline after the restart")
    await cys.stop()
    await anns.until(are(pb.OFFLINE, pb.OFFLINE), 5, "offline after the restart")
    same(anns.links_opened, 1, "links")


@scenario("P1 P2 a person looks offline and never seen to people without a shared conversation")
async def presence_strangers(world):
    ann, eve = await world.people("ann", "eve")
    await ann.device()
    eves = await eve.device(1)
    states = (await eves.ask("presence.WatchPresence", pb.WatchPresenceRequest(users=[ann.id, "nobodyatall"]))).states
    same([(state.user, state.status, state.last_seen_us) for state in states],
         [(ann.id, pb.OFFLINE, 0), ("nobodyatall", pb.OFFLINE, 0)], "states")


@scenario("P1 P5 what people say and look at is shown to watchers on all devices; hiding looks like offline, both ways")
async def presence_said(world):
    ann, bob = await world.people("ann", "bob")
    anns, phone, tablet = await ann.device(), await bob.device(1), await bob.device(0)
    await befriend(world, ann, bob)
    group = (await anns.group("Both", [bob.id])).id
    for device, other in ((anns, bob), (phone, ann)):
        await device.watch([other.id])
        await device.until(lambda: device.presence[other.id].status == pb.ONLINE, 5, "online")
    await phone.say(availability=pb.SAYS_DO_NOT_DISTURB, status=pb.StatusText(text="busy"))
    await anns.until(lambda: anns.presence[bob.id] == pb.PresenceState(
        user=bob.id, status=pb.DO_NOT_DISTURB, status_text="busy"), 3, "what he says")
    await tablet.until(lambda: tablet.own_presence == phone.own_presence, 3, "his other device")
    same(await tablet.ask("presence.GetOwnPresence", pb.GetOwnPresenceRequest()), phone.own_presence, "what he says")
    await phone.do(conversation=group)
    await anns.until(lambda: anns.presence[bob.id].current_conversation == group, 3, "what he looks at")
    await phone.do(background=True)
    await anns.until(lambda: not anns.presence[bob.id].current_conversation, 3, "nothing")
    await tablet.say(hiding=pb.FROM_ALL)
    hidden = (await anns.ask("presence.GetPresence", pb.GetPresenceRequest(users=[bob.id]))).states[0]
    same(hidden, pb.PresenceState(user=bob.id, status=pb.OFFLINE, last_seen_us=hidden.last_seen_us), "hidden")
    await anns.until(lambda: anns.presence[bob.id] == hidden, 3, "the same bytes")
    await phone.until(lambda: phone.presence[ann.id] == pb.PresenceState(user=ann.id, status=pb.OFFLINE), 3, "both ways")
    await phone.say(hiding=pb.FROM_NOBODY, availability=pb.AUTOMATIC, status=pb.StatusText())
    await anns.until(lambda: anns.presence[bob.id] == pb.PresenceState(user=bob.id, status=pb.ONLINE), 3, "back")


# ---- reminders


@scenario("E2 many answers to an event reach the others as its counts alone, about once a second, and lose none")
async def answers(world):
    people = await world.people("ann", *["guest"] * 7)
    ann, guests = people[0], people[1:]
    await befriend(world, ann, *guests)
    heard = {person.id: [] for person in people}
    links = {person.id: await world.link(person.signed_in.access_token, on_update=heard[person.id].append) for person in people}
    group = (await links[ann.id].ask("conversations.CreateGroup", pb.CreateGroupRequest(
        id=links[ann.id].clock.new_id(), name="Party", users=[guest.id for guest in guests]))).conversation.id
    event = (await links[ann.id].ask("entities.CreateEvent", pb.CreateEventRequest(
        id=links[ann.id].clock.new_id(), title="Party", notes="n" * 4096, conversations=[group], when=pb.EventTime(date="2090-12-01")))).event
    async def seen(person):
        try:
            return (await links[person.id].ask("entities.GetEvent", pb.GetEventRequest(id=event.id))).event
        except Refused:
            return None
    async def until(holds, what):
        for _ in range(600):
            if await holds():
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"never: {what}")
    def own(person):
        return sorted((update for update in heard[person.id] if update.stream == f"entities/u/{person.id}"), key=lambda update: update.position)
    def held(person):
        state = None
        for update in own(person):
            if update.kind == "Event":
                state = pb.Event.FromString(update.body)
            elif update.kind == "EventCounts":
                counts = pb.EventCounts.FromString(update.body)
                same(counts.id, event.id, "the event")
                for name in ("position", "accepted", "tentative", "declined", "coming"):
                    setattr(state, name, getattr(counts, name))
        return state
    for guest in guests:
        async def appeared():
            return await seen(guest) is not None
        await until(appeared, "it is seen")
    began = time.monotonic()
    async def answer(guest):
        for number in range(10):
            status = pb.ATTENDANCE_STATUS_ACCEPTED if number % 2 else pb.ATTENDANCE_STATUS_TENTATIVE
            await links[guest.id].ask("entities.AnswerEvent", pb.AnswerEventRequest(id=event.id, status=status, guests=number))
    await asyncio.gather(*[answer(guest) for guest in guests])
    async def told():
        return all((held(person).accepted, held(person).tentative, held(person).coming) == (8, 0, 8 + 7 * 9) for person in people)
    await until(told, "everyone has the last counts")
    most, told_times = 2 + int(time.monotonic() - began), []
    for person in people:
        kinds = Counter(update.kind for update in own(person))
        same(kinds["Event"], 1 if person is ann else 10, "whole for what one did oneself")
        told_times.append(kinds["EventCounts"])
        assert kinds["EventCounts"] <= most, (kinds, most)
        assert all(len(update.body) < 64 for update in own(person) if update.kind == "EventCounts")
        same([update.position for update in own(person)], list(range(1, len(own(person)) + 1)), "positions")
        same(held(person), await seen(person), "by Updates and by GetEvent")
        since = own(person)[0].position
        synced = await links[person.id].ask("entities.Sync", pb.EntitiesSyncRequest(
            epoch=(await links[person.id].ask("entities.Sync", pb.EntitiesSyncRequest())).epoch, since_position=since))
        same(list(synced.events), [held(person)], "what a device that was away gets")
    # Whoever answered last knows the counts already.
    assert sum(told_times) >= len(people) - 1, told_times


@scenario("E3 reminders are created once, listed by due time, completed and reopened, on all devices of their owner only")
async def reminders(world):
    ann, eve = await world.people("ann", "eve")
    phone, tablet, eves = await ann.device(), await ann.device(1), await eve.device()
    day = 86_400_000_000
    made = []
    for title, due in (("second", 2 * day), ("third", 3 * day), ("first", day)):
        request = pb.CreateReminderRequest(id=phone.clock.new_id(), title=title, due_at_us=phone.clock.now_us() + due, time_zone="Europe/Zurich")
        made.append((await phone.ask("entities.CreateReminder", request)).reminder)
        again = await tablet.ask("entities.CreateReminder", request)
        assert again.duplicate and again.reminder == made[-1]
    for client in (phone, tablet):
        await client.until(lambda: len(client.reminders) == 3)
        same(sorted(reminder.title for reminder in client.reminders.values()), ["first", "second", "third"], "titles")
    listed, cursor = [], ""
    while True:
        page = await tablet.ask("entities.ListReminders", pb.ListRemindersRequest(limit=2, cursor=cursor))
        listed += [reminder.title for reminder in page.reminders]
        cursor = page.cursor
        if not cursor:
            break
    same(listed, ["first", "second", "third"], "by due time")
    done = await tablet.ask("entities.CompleteReminder", pb.CompleteReminderRequest(id=made[0].id, completed=True))
    again = await tablet.ask("entities.CompleteReminder", pb.CompleteReminderRequest(id=made[0].id, completed=True))
    same(again.reminder.position, done.reminder.position, "position after saying it again")
    await phone.until(lambda: phone.reminders[made[0].id].completed)
    open_ones = await phone.ask("entities.ListReminders", pb.ListRemindersRequest(completed=pb.ONLY_OPEN))
    same([reminder.title for reminder in open_ones.reminders], ["first", "third"], "open")
    await phone.ask("entities.CompleteReminder", pb.CompleteReminderRequest(id=made[0].id, completed=False))
    await tablet.until(lambda: not tablet.reminders[made[0].id].completed)
    stream = f"entities/u/{ann.id}"
    for client in (phone, tablet):
        await client.until(lambda: client.streams[stream].position == 5)
        same([position for name, position in client.applied if name == stream], [1, 2, 3, 4, 5], "positions")
    await refused("not_found", eves.ask("entities.CompleteReminder", pb.CompleteReminderRequest(id=made[0].id, completed=True)))
    await refused("invalid", phone.ask("entities.CreateReminder", pb.CreateReminderRequest(
        id=phone.clock.new_id(), title="x", due_at_us=1, time_zone="Mars/Base")), "time_zone")
    assert not eves.reminders and not (await eves.ask("entities.ListReminders")).reminders


# ---- decisions


@scenario("E4 a due reminder fires once, on all devices of its owner")
async def firing(world):
    ann = await world.person("ann")
    phone, tablet = await ann.device(), await ann.device(1)
    due = phone.clock.now_us() + 1_000_000
    made = (await phone.ask("entities.CreateReminder", pb.CreateReminderRequest(id=phone.clock.new_id(), title="tea", due_at_us=due))).reminder
    for client in (phone, tablet):
        await client.until(lambda: made.id in client.reminders and client.reminders[made.id].fired_at_us)
        assert client.reminders[made.id].fired_at_us >= due
    same((await phone.ask("entities.GetReminder", pb.GetReminderRequest(id=made.id))).reminder, phone.reminders[made.id], "the reminder")
    later = phone.clock.now_us() + 3_600_000_000
    await phone.ask("entities.SnoozeReminder", pb.SnoozeReminderRequest(id=made.id, until_us=later))
    await tablet.until(lambda: tablet.reminders[made.id].due_at_us == later and not tablet.reminders[made.id].fired_at_us)
    await phone.ask("entities.DeleteReminder", pb.DeleteReminderRequest(id=made.id))
    await tablet.until(lambda: tablet.reminders[made.id].deleted_at_us and not tablet.reminders[made.id].title)


@scenario("E5 a private decision is its author's alone; a shared one appears in its conversation, and goes when it is deleted")
async def decisions(world):
    ann, bob, eve = await world.people("ann", "bob", "eve")
    phone, tablet, bobs, eves = await ann.device(), await ann.device(1), await bob.device(), await eve.device()
    chat = await talk(phone, bobs)
    private = pb.CreateDecisionRequest(id=phone.clock.new_id(), text="No coffee after four", conversation=chat)
    made = (await phone.ask("entities.CreateDecision", private)).decision
    again = await tablet.ask("entities.CreateDecision", private)
    assert again.duplicate and again.decision == made
    for client in (phone, tablet):
        await client.until(lambda: client.decisions.get(made.id) == made)
    for other in (bobs, eves):
        await refused("not_found", other.ask("entities.GetDecision", pb.GetDecisionRequest(id=made.id)))
    shared = pb.CreateDecisionRequest(id=phone.clock.new_id(), text="At seven", conversation=chat, shared=True)
    first = (await phone.ask("entities.CreateDecision", shared)).decision

    def cards(client):
        held = client.messages.get(chat, {}).values()
        return [message.system.entity for message in held if message.system.kind == pb.DECISION_SHARED]
    for client in (phone, tablet, bobs):
        await client.until(lambda: cards(client) == [first.id], what="the message that shows the decision")
    theirs = (await bobs.ask("entities.GetDecision", pb.GetDecisionRequest(id=first.id))).decision
    same((theirs.text, theirs.user, theirs.position, theirs.shared), ("At seven", ann.id, 0, True), "as another member reads it")
    assert not bobs.decisions, "only its author gets Updates"
    await refused("not_found", eves.ask("entities.GetDecision", pb.GetDecisionRequest(id=first.id)))
    await refused("not_member", eves.ask("entities.ListDecisions", pb.ListDecisionsRequest(conversation=chat, shared_only=True)))

    later = pb.CreateDecisionRequest(id=bobs.clock.new_id(), text="At eight", conversation=chat, shared=True, supersedes=first.id)
    second = (await bobs.ask("entities.CreateDecision", later)).decision
    await tablet.until(lambda: tablet.decisions[first.id].superseded_by == second.id)
    # Who may read the message may read the decision.
    await tablet.until(lambda: cards(tablet) == [first.id, second.id])
    listed = await tablet.ask("entities.ListDecisions", pb.ListDecisionsRequest(conversation=chat, shared_only=True))
    same([decision.text for decision in listed.decisions], ["At eight", "At seven"], "newest first")
    found = await tablet.ask("entities.ListDecisions", pb.ListDecisionsRequest(text="COFFEE"))
    same([decision.id for decision in found.decisions], [made.id], "found by text")
    await bobs.ask("entities.DeleteDecision", pb.DeleteDecisionRequest(id=second.id))
    await phone.until(lambda: not phone.decisions[first.id].superseded_by, what="the earlier decision holds again")
    await phone.until(lambda: cards(phone) == [first.id], what="its message is deleted with it")
    await refused("not_found", phone.ask("entities.GetDecision", pb.GetDecisionRequest(id=second.id)))
    # A device that begins now holds the same.
    third = await ann.device()
    await third.until(lambda: third.decisions == phone.decisions)
    stream = f"entities/u/{ann.id}"
    same([position for name, position in phone.applied if name == stream], [1, 2, 3, 4], "positions")


# ---- bad input, limits, close codes


@scenario("bad frames: text, garbage, empty, too large, unexpected: each closes with its code and a goodbye in words")
async def bad_frames(world):
    ann = await world.person("ann")
    token = ann.signed_in.access_token
    async def ends(code, word, data, hello=True):
        link = await world.link(token if hello else "", hello=hello)
        await link.socket.send(data)
        end = await closed(code, link)
        assert end.problem is not None and end.problem.code == word and end.problem.message, f"{end} was not {word}"
    def frame(**fields):
        return pb.ClientFrame(**fields).SerializeToString()
    limit = (await world.link(token)).welcome.limits.frame_bytes
    for hello in (False, True):
        await ends(4005, "protocol_error", "text", hello)
        await ends(4005, "protocol_error", b"\xff\xff\xff\xff", hello)
        await ends(4005, "protocol_error", b"", hello)
        await ends(4006, "too_large", bytes(limit + 1), hello)
    await ends(4005, "protocol_error", frame(hello=pb.Hello(version=1, token=token)))
    await ends(4005, "protocol_error", frame(request=pb.Request(id=1, method="m" * 65)))
    await ends(4001, "hello_expected", frame(request=pb.Request(id=1, method="conversations.ListDevices")), hello=False)
    await ends(4007, "version_unsupported", frame(hello=pb.Hello(version=99)), hello=False)
    await ends(4002, "unauthenticated", frame(hello=pb.Hello(version=1, token="not.a.token")), hello=False)
    await ends(4002, "unauthenticated", frame(hello=pb.Hello(version=1, token=token[:-4] + "AAAA")), hello=False)
    # A text of 16 KiB in the largest allowed frame is accepted.
    link = await world.link(token)
    await link.socket.send(frame(request=pb.Request(id=9, method="conversations.FindUser", body=bytes(122880))))
    assert (await link.ping()).server_time_us


@scenario("HTTP: a wrong path or subprotocol is refused before any frame; message fragments are joined")
async def http(world):
    for path, protocols, status in (("/v1/socket", None, 400), ("/v1/socket", ["parley.v9"], 400), ("/v9/socket", [SUBPROTOCOL], 404)):
        try:
            await websockets.connect(world.urls[0] + path, subprotocols=protocols)
            raise AssertionError(f"{path} with {protocols} was accepted")
        except websockets.InvalidStatusCode as refusal:
            same(refusal.status_code, status, f"{path} with {protocols}")
    link = await world.link(hello=False)
    hello = pb.ClientFrame(hello=pb.Hello(version=1)).SerializeToString()
    await link.socket.send([hello[:1], hello[1:]])
    assert (await link.request_raw("conversations.ListDevices", b"")).error.code == "unauthenticated"


@scenario("a connection without hello within 5 s is closed with 1001")
async def no_hello(world):
    link = await world.link(hello=False)
    begun = time.monotonic()
    await closed(1001, link)
    assert 4 < time.monotonic() - begun < 7


@scenario("bad requests: unknown methods, unreadable bodies, exceeded limits; unknown fields are ignored; the session continues")
async def bad_requests(world):
    ann = await world.person("ann")
    link = await world.link(ann.signed_in.access_token)
    async def code(method, body=b"", **options):
        error = (await link.request_raw(method, body, **options)).error
        return error.code, error.field
    for method in ("messaging.Nothing", "nothing.Send", "", "messaging", "Messaging.SendMessage",
                   "authority.Keys", "health.Check", "journal.Replay", "sessions.Report"):
        same((await code(method))[0], "unknown_method", method)
    same(await code("conversations.ListDevices", b"\xff\xff"), ("invalid", ""), "garbage")
    same(await code("conversations.FindUser", b"\x0a\x02\xff\xff"), ("invalid", "username"), "not UTF-8")
    same(await code("conversations.FindUser", b"\x0a\x02a\x00"), ("invalid", "username"), "zero byte")
    same(await code("conversations.FindUser", b"\x0a\x81\x01" + b"a" * 129), ("invalid", "username"), "too long")
    same(await code("presence.GetPresence", pb.GetPresenceRequest(users=["a"] * 201).SerializeToString()), ("invalid", "users"), "too many")
    same(await code("entities.CreateReminder", pb.CreateReminderRequest(id=b"12", title="x", due_at_us=1).SerializeToString()),
         ("invalid", "id"), "id of another length")
    unknown = bytes([15 << 3 | 2, 3, 1, 2, 3])
    found = await link.request_raw("conversations.FindUser", pb.FindUserRequest(username=ann.username).SerializeToString() + unknown)
    same(pb.FindUserReply.FromString(found.body).user.id, ann.id, "with a field that nobody knows")
    await link.socket.send(pb.ClientFrame(ping=pb.Ping(id=3)).SerializeToString() + unknown)
    same((await code("conversations.ListDevices", key="k" * 160))[0], "", "the longest key")
    for _ in range(20):
        await link.request_raw("messaging.SendMessage", random.randbytes(200))
    assert (await link.ask("conversations.ListDevices")).devices


@scenario("ping and pong: the link is alive, the server's clock is known, ids made with it are UUIDv7")
async def clock(world):
    link = await world.link()
    pong = await link.ping()
    assert abs(pong.server_time_us - link.clock.now_us()) < 1_000_000
    id = link.clock.new_id()
    assert id[6] >> 4 == 7 and id[8] >> 6 == 2 and abs(int.from_bytes(id[:6], "big") * 1000 - pong.server_time_us) < 1_000_000


@scenario("limits: excess requests are refused with a wait; after that wait they succeed, and others are not affected")
async def rates(world):
    ann, bob = await world.people("ann", "bob")
    link, other = await world.link(ann.signed_in.access_token), await world.link(bob.signed_in.access_token)
    limits = link.welcome.limits
    count = limits.requests_burst + 2 * limits.requests_per_second
    replies = await asyncio.gather(*[link.request_raw("conversations.ListDevices", b"") for _ in range(count)])
    codes = Counter(reply.error.code for reply in replies)
    assert codes["rate_limited"] >= 1 and set(codes) == {"", "rate_limited"}, codes
    assert all(reply.error.retry_after_ms > 0 for reply in replies if reply.error.code)
    assert (await other.ask("conversations.ListDevices")).devices
    for _ in range(3):  # waiting retry_after is enough
        reply = await link.request_raw("conversations.ListDevices", b"")
        if reply.error.code:
            await asyncio.sleep(reply.error.retry_after_ms / 1000 + 0.02)
            reply = await link.request_raw("conversations.ListDevices", b"")
        same(reply.error.code, "", "after waiting")
    # A client that respects the limits of its welcome is never refused.
    client = await ann.device()
    await asyncio.gather(*[client.ask("conversations.ListDevices") for _ in range(limits.requests_burst + limits.requests_per_second)])


@scenario("4004 a client that does not read is closed with RESYNC; it reconnects immediately, syncs, and loses nothing")
async def resync(world):
    ann, bob, cy = await world.people("ann", "bob", "cy")
    anns, bobs = await ann.device(), await cy.device(1)
    await befriend(world, ann, bob, cy)
    chat = (await anns.group("Loud", [bob.id, cy.id])).id
    host, port = world.urls[0].removeprefix("ws://").split(":")
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.connect((host, int(port)))
    slow = await websockets.connect(f"{world.urls[0]}/v1/socket", sock=small, subprotocols=[SUBPROTOCOL], compression=None,
                                    max_size=REPLY_BYTES, max_queue=1, read_limit=1024, ping_interval=None)
    await slow.send(pb.ClientFrame(hello=pb.Hello(version=1, token=bob.signed_in.access_token)).SerializeToString())
    welcome = pb.ServerFrame.FromString(await slow.recv())
    assert welcome.welcome.user == bob.id
    for start in range(0, 400, 8):
        await asyncio.gather(*[(anns, bobs)[number % 2].send(chat, f"{number} " + "x" * 16000) for number in range(start, start + 8)])
    code = None
    try:
        while True:
            frame = pb.ServerFrame.FromString(await asyncio.wait_for(slow.recv(), 10))
    except websockets.ConnectionClosed:
        code = slow.close_code
    same(code, 4004, "close code of who did not read")
    back = await bob.device()
    same(sorted(back.messages[chat]), list(range(1, 401)), "seq")


# ---- the service link: the peer is a gateway or a service


class Peer:
    """A gateway: its keys, with a caller and a listener for each service."""

    def __init__(self, world):
        self.world, self.context, self.settings = world, zmq.asyncio.Context(), world.link_settings
        self.keys = world.gateway_keys()
        world.opened.append(self.close)
        self.open = []

    def endpoint(self, service, link):
        return self.settings[f"PARLEY_{service.upper()}_{link.upper()}"].split(",")[0].split()[0]

    def server_key(self, service):
        return self.keys.of_role(service)[0] if self.keys else None

    def caller(self, service, keys=None):
        self.open.append(Caller(self.context, self.endpoint(service, "requests"), keys or self.keys, self.server_key(service)))
        return self.open[-1]

    async def listener(self, service):
        listener = Listener(self.context, self.endpoint(service, "updates"), self.keys, self.server_key(service))
        self.open.append(listener)
        await asyncio.wait_for(listener.greeted.wait(), 5)
        return listener

    async def close(self):
        for one in self.open:
            one.close()
        self.context.destroy(0)


async def account_of(peer, token):
    return read_token(token, (await peer.caller("conversations").ask("authority.Keys")).keys)["acc"]


SERVICES = ("conversations", "messaging", "presence", "entities")
JOURNALING = ("conversations", "messaging", "entities")


@scenario("link: health of each service; several requests in one frame; unknown methods and unreadable bodies")
async def link_requests(world):
    peer = Peer(world)
    for service in SERVICES:
        caller = peer.caller(service)
        health = await caller.ask("health.Check")
        assert health.service == service and health.ready and health.metrics, health
        answers = await caller.ask_bytes([(pb.Envelope(method="health.Check"), b""), (pb.Envelope(method=f"{service}.Nothing"), b""),
                                          (pb.Envelope(method="health.Check"), b"\xff\xff"), (pb.Envelope(method="health.Check"), b"")])
        same([header.error.code for header, _ in answers], ["", "unknown_method", "invalid", ""], "codes")
    await refused("unauthenticated", peer.caller("messaging").ask("messaging.Sync"))
    # Many frames with many records each: every request gets its reply.
    caller = peer.caller("presence")
    answers = await asyncio.gather(*[caller.ask_bytes([(pb.Envelope(method="health.Check"), b"")] * 20) for _ in range(10)])
    same({header.error.code for page in answers for header, _ in page}, {""}, "codes")


@scenario("A1 link: authority.Keys checks access tokens; a sign-out is published and listed, with its time")
async def link_authority(world):
    peer = Peer(world)
    ann = await world.person("ann")
    caller, listener = peer.caller("conversations"), await peer.listener("conversations")
    keys = (await caller.ask("authority.Keys")).keys
    token = ann.signed_in.access_token
    claims = read_token(token, keys)
    same((claims["sub"], claims["dev"]), (ann.id, ann.signed_in.device), "claims")
    same(claims["exp"] * 1_000_000, ann.signed_in.access_ends_us, "end")
    body, signature = token.rsplit(".", 1)
    try:
        read_token(body[:-2] + ("AA" if body[-2:] != "AA" else "BB") + "." + signature, keys)
        raise AssertionError("an altered token was accepted")
    except ValueError:
        pass
    phone = await ann.device()
    await phone.once("conversations.SignOut", pb.SignOutRequest())
    def revocations():
        return [header.control.device_revoked for header, _ in listener.heard if header.control.WhichOneof("control") == "device_revoked"]
    await listener.until(lambda: any(one.account == claims["acc"] and one.device == phone.device for one in revocations()))
    kept = [one for one in (await caller.ask("authority.Keys")).revoked if one.account == claims["acc"]]
    same([one.device for one in kept], [phone.device], "revoked devices")
    assert kept[0].at_us >= claims["ius"]


@scenario("M1 M2 M3 link: a message sent over the link is published with lane, number, audience and origin, and reaches clients")
async def link_send(world):
    peer = Peer(world)
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device(1)
    chat = await talk(anns, bobs)
    stream = f"messaging/c/{chat}"
    listener = await peer.listener("messaging")
    who = dict(account=await account_of(peer, anns.access), user=ann.id, device=ann.signed_in.device, session="python-session")
    request = pb.SendMessageRequest(id=anns.clock.new_id(), conversation=chat, kind=pb.TEXT, text="over the link")
    caller = peer.caller("messaging")
    reply = await caller.ask("messaging.SendMessage", request, **who)
    again = await caller.ask("messaging.SendMessage", request, **who)
    assert reply.seq == again.seq == 1 and again.duplicate
    for client in (anns, bobs):
        await client.until(lambda: client.texts(chat) == ["over the link"])
    await listener.until(lambda: any(header.stream == stream for header, _ in listener.heard))
    header, body = next(heard for heard in listener.heard if heard[0].stream == stream)
    same((header.position, header.kind, header.origin_session), (1, "Message", "python-session"), "header")
    same(sorted(header.audience), sorted([who["account"], await account_of(peer, bobs.access)]), "audience")
    assert header.lane > 0 and header.number > 0
    same(pb.Message.FromString(body).text, "over the link", "text")
    await refused("not_member", caller.ask("messaging.SendMessage", request, **{**who, "account": 999_999, "user": "somebody"}))


@scenario("link: heartbeats twice a second, and journal.Lanes, list every lane's last number; published numbers are dense")
async def link_heartbeats(world):
    peer = Peer(world)
    ann, bob = await world.people("ann", "bob")
    anns = await ann.device()
    await befriend(world, ann, bob)
    chat = (await anns.group("Both", [bob.id])).id
    listeners = {service: await peer.listener(service) for service in JOURNALING}
    for number in range(30):
        await anns.send(chat, f"{number}")
        if number % 10 == 0:
            await anns.ask("entities.CreateReminder", pb.CreateReminderRequest(id=anns.clock.new_id(), title="x", due_at_us=1))
    await asyncio.sleep(2.2)
    for service, listener in listeners.items():
        times = [at for at, _ in listener.beats]
        assert len(times) >= 4 and max(b - a for a, b in zip(times, times[1:])) < 1, f"{service}: {len(times)} heartbeats"
        last = listener.beats[-1][1]
        assert last.lane == 0 and not last.kind and last.stream == "control"
        beat = last.control.heartbeat
        lanes = (await peer.caller(service).ask("journal.Lanes")).heartbeat
        same(lanes.epoch, beat.epoch, "epoch")
        numbers = {lane.lane: lane.number for lane in beat.lanes}
        for lane, number in numbers.items():
            published = [header.number for header, _ in listener.heard if header.lane == lane]
            assert not published or published == list(range(published[0], number + 1)), f"{service} lane {lane}: {published}, committed {number}"
        assert service == "conversations" or any(header.lane for header, _ in listener.heard)


@scenario("link: journal.Replay returns published Updates, outdated ones as Superseded; accounts_only lists their accounts")
async def link_replay(world):
    peer = Peer(world)
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device()
    accounts = {await account_of(peer, client.access) for client in (anns, bobs)}
    messages, entities = await peer.listener("messaging"), await peer.listener("entities")
    chat = await talk(anns, bobs)
    for number in range(12):
        await anns.send(chat, f"{number}")
    id = anns.clock.new_id()
    await anns.ask("entities.CreateReminder", pb.CreateReminderRequest(id=id, title="x", due_at_us=4_102_444_800_000_000))
    await anns.ask("entities.CompleteReminder", pb.CompleteReminderRequest(id=id, completed=True))
    for service, listener, stream, count in (("messaging", messages, f"messaging/c/{chat}", 12), ("entities", entities, f"entities/u/{ann.id}", 2)):
        def mine():
            return [(header, body) for header, body in listener.heard if header.stream == stream]
        await listener.until(lambda: len(mine()) == count)
        caller, replayed, seen = peer.caller(service), {}, set()
        for lane in {header.lane for header, _ in mine()}:
            numbers = [header.number for header, _ in mine() if header.lane == lane]
            at = numbers[0]
            while at <= numbers[-1]:
                page = await caller.ask("journal.Replay", pb.ReplayRequest(lane=lane, to=numbers[-1], **{"from": at}))
                assert not page.incomplete and page.through >= at
                for update in page.updates:
                    assert at <= update.header.number <= page.through
                    if update.header.stream == stream:
                        replayed[update.header.position] = update
                at = page.through + 1
            page = await caller.ask("journal.Replay", pb.ReplayRequest(lane=lane, to=numbers[-1], accounts_only=True, **{"from": numbers[0]}))
            assert not page.updates
            seen |= set(page.accounts)
        same(sorted(replayed), [header.position for header, _ in sorted(mine(), key=lambda one: one[0].position)], "positions")
        assert seen >= (accounts if service == "messaging" else accounts - {await account_of(peer, bobs.access)})
        for header, body in mine():
            again = replayed[header.position]
            same((again.header.lane, again.header.number, sorted(again.header.audience)), (header.lane, header.number, sorted(header.audience)), "header")
            if service == "messaging":
                same((again.header.kind, again.body), ("Message", body), "state")
        if service == "entities":
            same([replayed[position].header.kind for position in (1, 2)], ["Superseded", "Reminder"], "kinds")
            same(replayed[1].body, b"", "body of a Superseded Update")
    for wrong in (dict(lane=1, to=0, **{"from": 1}), dict(lane=1, to=5, **{"from": 0})):
        await refused("invalid", peer.caller("messaging").ask("journal.Replay", pb.ReplayRequest(**wrong)))


@scenario("P1 link: people in a gateway's session report are online; its next full report ends the sessions it leaves out")
async def link_presence(world):
    peer = Peer(world)
    ann, bob = await world.people("ann", "bob")
    anns = await ann.device()
    await befriend(world, ann, bob)
    await anns.group("Both", [bob.id])
    account = await account_of(peer, bob.signed_in.access_token)
    caller = peer.caller("presence")

    async def status():
        return (await anns.ask("presence.GetPresence", pb.GetPresenceRequest(users=[bob.id]))).states[0].status
    # Bob's connection of before has ended, and its gateway reports that within 10 s.
    for _ in range(100):
        if await status() == pb.OFFLINE:
            break
        await asyncio.sleep(0.1)
    same(await status(), pb.OFFLINE, "status before the report")
    session = pb.SessionOpened(session="python-1", account=account)
    await caller.ask("sessions.Report", pb.SessionsReport(gateway="gateway-python", full=True, opened=[session]))
    same(await status(), pb.ONLINE, "status")
    await caller.ask("sessions.Report", pb.SessionsReport(gateway="gateway-python", full=True))
    same(await status(), pb.OFFLINE, "status")
    unknown = await caller.ask("sessions.Report", pb.SessionsReport(gateway="gateway-nobody", opened=[session]))
    assert unknown.send_full


@scenario("link: a peer with an unlisted key, or without a key, gets no reply")
async def link_strangers(world):
    peer = Peer(world)
    assert peer.keys, "the links have no keys"
    for keys in (Keys.new(peer.keys.peers), None):
        for service in ("conversations", "messaging"):
            caller = Caller(peer.context, peer.endpoint(service, "requests"), keys, peer.server_key(service))
            peer.open.append(caller)
            try:
                await caller.ask("health.Check", deadline=0.3)
                raise AssertionError("a stranger was answered")
            except asyncio.TimeoutError:
                pass
    assert (await peer.caller("messaging").ask("health.Check")).ready


@scenario("link: the same peer talks to a replica in Python, over the same frames and keys")
async def link_python_replica(world):
    peer = Peer(world)
    strangers, own = Keys.new(), Keys.new()
    gateway, monitor = Keys.new(), Keys.new()
    peers = [("echo-1", "echo", own.public), ("gateway-9", "gateway", gateway.public), ("monitor-1", "monitor", monitor.public)]
    own.peers = gateway.peers = monitor.peers = strangers.peers = peers
    async def echo(envelope, body):
        if not envelope.account:
            raise Refused(pb.Problem(code="unauthenticated", message="Sign in first."))
        return pb.Problem(code="echo", message=f"{envelope.user}: {body.message}")
    ends = {link: f"ipc://{world.folder}/echo.{link}" for link in ("requests", "updates")}
    replica = Replica(peer.context, "echo", ends["requests"], ends["updates"], own, {"echo.Say": (pb.Problem, echo)})
    peer.open.append(replica)
    def caller(keys):
        peer.open.append(Caller(peer.context, ends["requests"], keys, own.public))
        return peer.open[-1]
    asks = caller(gateway)
    same((await asks.ask("health.Check")).service, "echo", "service")
    said = await asks.ask("echo.Say", pb.Problem(message="hello"), reply_type=pb.Problem, account=7, user="ann")
    same(said.message, "ann: hello", "the reply")
    await refused("unauthenticated", asks.ask("echo.Say", pb.Problem(), reply_type=pb.Problem))
    await refused("unknown_method", asks.ask("echo.Shout", pb.Problem(), reply_type=pb.Problem))
    watches = caller(monitor)
    assert (await watches.ask("health.Check")).ready
    await refused("forbidden", watches.ask("echo.Say", pb.Problem(), reply_type=pb.Problem))
    try:
        await caller(strangers).ask("health.Check", deadline=0.3)
        raise AssertionError("a stranger was answered")
    except asyncio.TimeoutError:
        pass
    listener = Listener(peer.context, ends["updates"], gateway, own.public)
    peer.open.append(listener)
    await asyncio.wait_for(listener.greeted.wait(), 3)
    for position in range(1, 4):
        await replica.publish_change(1, pb.Reminder(title=f"{position}", position=position), "entities/u/ann", [7])
    await listener.until(lambda: len(listener.heard) == 3 and listener.beats)
    same([header.number for header, _ in listener.heard], [1, 2, 3], "numbers")
    page = await asks.ask("journal.Replay", pb.ReplayRequest(lane=1, to=9, **{"from": 2}))
    same(([update.header.number for update in page.updates], page.through), ([2, 3], 3), "replayed")


@scenario("E3 link: a gateway accepts a Python service as entities: requests, replies, refusals, Updates, a gap filled by Replay")
async def link_python_service(world):
    peer = Peer(world)
    own = Keys.new()
    # Its key replaces the real service's key in this gateway's peers file.
    own.peers = [(name, role, key) for name, role, key in peer.keys.peers if role != "entities"] + [("entities-1", "entities", own.public)]
    peers_file = f"{world.folder}/peers-of-python"
    with open(peers_file, "w") as lines:
        lines.writelines(f"{name} {role} {key.decode()}\n" for name, role, key in own.peers)
    ends = {link: f"ipc://{world.folder}/entities.{link}" for link in ("requests", "updates")}
    reminders = {}
    async def create(envelope, request):
        if request.title == "bad":
            raise Refused(pb.Problem(code="invalid", message="Not that one.", field="title"))
        duplicate = request.id in reminders
        if not duplicate:
            reminder = pb.Reminder(id=request.id, title=request.title, due_at_us=request.due_at_us, position=len(reminders) + 1)
            reminders[request.id] = reminder
            if request.title == "unpublished":  # committed but not published: only the heartbeat counts it
                replica.publish, publish = lambda header, body: asyncio.sleep(0), replica.publish
            await replica.publish_change(1, reminder, f"entities/u/{envelope.user}", [envelope.account])
            if request.title == "unpublished":
                replica.publish = publish
        return pb.ReminderReply(reminder=reminders[request.id], duplicate=duplicate)
    async def sync(envelope, request):
        page = [reminder for reminder in reminders.values() if reminder.position > request.since_position]
        return pb.EntitiesSyncReply(epoch=replica.epoch, position=len(reminders), reminders=page)
    replica = Replica(peer.context, "entities", ends["requests"], ends["updates"], own, {
        "entities.CreateReminder": (pb.CreateReminderRequest, create), "entities.Sync": (pb.EntitiesSyncRequest, sync)})
    peer.open.append(replica)
    url = await world.start_gateway({"PARLEY_ENTITIES_REQUESTS": ends["requests"], "PARLEY_ENTITIES_UPDATES": ends["updates"],
                                     "PARLEY_LINK_PEERS": peers_file})
    ann = await world.person("ann")
    clients = []
    for signed_in in (ann.signed_in, await sign_in(world.urls[0], ann.username, ann.password)):
        client = Client(url, signed_in)
        world.opened.append(client.stop)
        clients.append(await client.start())
    phone, tablet = clients
    def create_one(title):
        return phone.ask("entities.CreateReminder", pb.CreateReminderRequest(id=phone.clock.new_id(), title=title, due_at_us=1))
    same((await create_one("first")).reminder.position, 1, "position")
    refusal = await refused("invalid", create_one("bad"), "title")
    same(refusal.problem.message, "Not that one.", "message")
    envelope = next(envelope for envelope in replica.asked if envelope.method == "entities.CreateReminder")
    same((envelope.user, envelope.device), (ann.id, phone.device), "the caller")
    assert envelope.session == phone.link.welcome.session and 0 < envelope.deadline_ms <= 10_000 and envelope.account
    await tablet.until(lambda: len(tablet.reminders) == 1)
    fills = tablet.fills
    await create_one("unpublished")
    await tablet.until(lambda: len(tablet.reminders) == 2, within=5, what="the change that only the heartbeat counts")
    assert tablet.fills == fills and any(envelope.method == "journal.Replay" for envelope in replica.asked)


@scenario("X2 every field of every request at its ends is answered within its deadline, and no process dies", within=240)
async def ends(world):
    ann, bob = await world.people("ann", "bob")
    anns, bobs = await ann.device(), await bob.device()
    chat = await talk(anns, bobs)
    group = await anns.group("Both", [bob.id])
    seq = (await anns.send(group.id, "lunch tomorrow at 1pm?")).seq
    event = (await anns.ask("entities.CreateEvent", pb.CreateEventRequest(
        id=anns.clock.new_id(), title="Lunch", conversations=[group.id], when=pb.EventTime(date="2090-12-01", time="19:30")))).event
    plain = extremes.Plain(
        {"conversation": group.id, "conversations": group.id, "user": bob.id, "users": bob.id, "seq": seq, "date": "2090-12-01",
         "from_date": "2090-12-01", "to_date": "2090-12-05", "new_date": "2090-12-02", "time": "19:30", "new_time": "19:30",
         "time_zone": "Europe/Zurich", "due_at_us": 4_102_444_800_000_000, "recurrence": "FREQ=WEEKLY;COUNT=3", "event": event.id,
         "version": event.version, "link": "https://example.org", "photo_url": "https://example.org", "emoji": "👍", "duration_minutes": 60},
        anns.clock.new_id)
    alive, codes, asked = dict(world.pids), Counter(), asyncio.Semaphore(8)
    async def all_of(method):
        async with asked:
            link = await world.link((await world.person("end")).signed_in.access_token if method != "entities.UpdateEvent" else anns.access)
            for count, body in enumerate(extremes.requests(method, plain)):
                if count % 100 == 99:  # as many as welcome allows at once
                    await asyncio.sleep(1)
                try:
                    codes[(await link.request_raw(method, body, key=group.id)).error.code] += 1
                except Closed:  # a change of the password or the like ended the session
                    link = await world.link((await world.person("end")).signed_in.access_token)
    await asyncio.gather(*[all_of(method) for method in extremes.methods()])
    assert sum(codes.values()) > 3000 and codes[""] > 500, codes
    assert not {"internal", "unavailable", "deadline"} & set(codes), codes
    # What texts suggest is read a moment later.
    for text in extremes.TEXTS:
        try:
            await anns.send(chat, text)
        except Refused as error:
            same(error.code, "invalid", f"code for {text[:40]!r}")
    await anns.send(chat, "the last one")
    await bobs.until(lambda: bobs.texts(chat)[-1:] == ["the last one"], 30, "the last text")
    for method, request in (("entities.ListReminders", pb.ListRemindersRequest()), ("entities.ListSuggestions", pb.ListSuggestionsRequest())):
        await bobs.ask(method, request)
    same(dict(world.pids), alive, "processes")


# This is the last scenario, since it uses up the sign-ins of this address.
@scenario("A1 password attempts are limited with a wait; until then the right password is refused too")
async def password_tries(world):
    ann = await world.person("ann")
    link = await world.link()
    for _ in range(60):
        try:
            await link.ask("conversations.SignIn", pb.SignInRequest(username=ann.username, password="not that one"))
            raise AssertionError("signed in with a wrong password")
        except Refused as error:
            if error.code != "wrong_credentials":
                break
    else:
        raise AssertionError("60 wrong passwords were tried")
    last = await refused("rate_limited", link.ask("conversations.SignIn", pb.SignInRequest(username=ann.username, password="not that one")))
    assert last.retry_after > 0
    await refused("rate_limited", link.ask("conversations.SignIn", pb.SignInRequest(username=ann.username, password=ann.password)))
