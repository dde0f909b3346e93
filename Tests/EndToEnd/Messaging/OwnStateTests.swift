import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("C8, C11, M7, M10, M11, M16: a person's own state", .timeLimit(.minutes(10 * patience)))
struct OwnStateTests {
    /// Alice with a second device, bob, carol, and a group of the three.
    private struct Cast {
        let alice, tablet, bob, carol: Device
        let group: String

        init(_ cluster: TestCluster) async throws {
            alice = try await cluster.person("alice")
            tablet = try await cluster.device(of: alice, gateway: 1)
            bob = try await cluster.person("bob", gateway: 1)
            carol = try await cluster.person("carol")
            group = try await alice.client.createGroup(name: "trip", users: [bob.user, carol.user]).conversation.id
        }

        /// Returns the direct conversation of alice and bob, in which bob has sent `count` messages.
        func direct(_ count: Int = 1) async throws -> String {
            let id = try await alice.client.startDirect(with: bob.user).conversation.id
            for number in 1...count { _ = try await bob.client.send("hello \(number)", to: id) }
            return id
        }

        func entry(_ conversation: String, archived: Bool = false) async throws -> Parley_V1_InboxEntry? {
            try await alice.client.inbox(archived: archived).entries.first { $0.conversation == conversation }
        }
    }

    @Test("C8 pinning, muting, archiving and marking unread reach my other devices in order, and nobody else")
    func inboxState() async throws {
        let cast = try await Cast(try await TestCluster.shared)
        let id = try await cast.direct()
        let (alice, tablet, bob) = (cast.alice, cast.tablet, cast.bob)
        let pinned = try await alice.client.updateInboxState(id, pinned: true)
        #expect(pinned.pinnedAtUs > 0 && pinned.ownPosition > 0 && pinned.unread == 1)
        let again = try await alice.client.updateInboxState(id, pinned: true)
        #expect(again.untimed == pinned.untimed, "a repeat changes nothing")
        let muted = try await alice.client.mute(id)
        #expect(muted.mutedUntilUs == .max && muted.ownPosition == pinned.ownPosition + 1)
        let archived = try await alice.client.updateInboxState(id, archived: true, markedUnread: true)
        #expect(archived.archivedSeq == 1 && archived.markedUnread && archived.pinnedAtUs == pinned.pinnedAtUs)
        let later = try await tablet.client.unmute(id)
        #expect(later.mutedUntilUs == 0 && later.archivedAtUs == archived.archivedAtUs)
        try await eventually("both devices receive the changes of both") {
            let onTablet = await tablet.updates.inboxStates
            let onPhone = await alice.updates.inboxStates
            return onTablet == [pinned, muted, archived, later] && onPhone == onTablet
        }
        let read = try await alice.client.markRead(id, upTo: 1)
        #expect(read?.markedUnread == false && read?.unread == 0 && read?.ownPosition == later.ownPosition + 1)
        #expect(await bob.updates.inboxStates.isEmpty)
        #expect(await bob.updates.positions.keys.allSatisfy { !$0.hasPrefix("messaging/u/") })
        let bobs = try await bob.client.inboxStates(of: [id])
        #expect(bobs[0].pinnedAtUs == 0 && bobs[0].mutedUntilUs == 0 && bobs[0].archivedAtUs == 0)
    }

    @Test("C8 M16 an archived conversation comes back with a message, but not while it is muted")
    func archive() async throws {
        let cast = try await Cast(try await TestCluster.shared)
        let id = try await cast.direct()
        try await cast.alice.client.updateInboxState(id, archived: true)
        #expect(try await cast.entry(id) == nil)
        #expect(try await cast.entry(id, archived: true)?.archived == true)
        _ = try await cast.bob.client.send("back", to: id)
        #expect(try await cast.entry(id)?.archived == false)
        #expect(try await cast.entry(id, archived: true) == nil)
        try await cast.alice.client.updateInboxState(id, archived: true)
        try await cast.alice.client.mute(id)
        _ = try await cast.bob.client.send("unheard", to: id)
        #expect(try await cast.entry(id) == nil)
        #expect(try await cast.entry(id, archived: true)?.lastMessage.text == "unheard")
        let unmuted = try await cast.alice.client.unmute(id)
        #expect(unmuted.archivedSeq == 3 && unmuted.archivedAtUs > 0, "messages while muted do not bring it back")
        #expect(try await cast.entry(id, archived: true) != nil)
        #expect(try await cast.alice.client.updateInboxState(id, archived: false).archivedAtUs == 0)
        #expect(try await cast.entry(id)?.state.unread == 3)
    }

    @Test("C8 C11 strangers, missing messages, invalid values and pins or stars over the limit are refused")
    func refusals() async throws {
        let cluster = try await TestCluster(
            .init(gateways: 1, settings: ["messaging": ["PARLEY_LIMITS_PINNED": "2", "PARLEY_LIMITS_STARRED": "3"]]))
        let alice = try await cluster.person("alice")
        let eve = try await cluster.person("eve")
        var groups: [String] = []
        for number in 1...3 {
            groups.append(try await alice.client.createGroup(name: "g\(number)", users: []).conversation.id)
        }
        for group in groups {
            for number in 1...2 { _ = try await alice.client.send("\(number)", to: group) }
        }
        for group in groups.prefix(2) { try await alice.client.updateInboxState(group, pinned: true) }
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.updateInboxState(groups[2], pinned: true, archived: true)
            }.code == "too_many_pinned")
        #expect(try await alice.client.inboxStates(of: [groups[2]])[0].archivedAtUs == 0, "nothing changes")
        try await alice.client.updateInboxState(groups[0], pinned: false)
        try await alice.client.updateInboxState(groups[2], pinned: true)

        try await alice.client.star([1, 2], of: groups[0])
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.star([1, 2], of: groups[1])
            }.code == "too_many_starred")
        try await alice.client.star([1, 2], of: groups[0])
        try await alice.client.star([1], of: groups[1])
        // A star of a deleted message takes no room: a new star replaces it, and all devices receive that.
        let second = try await cluster.session(of: alice)
        try await alice.client.delete(1, of: groups[0])
        try await alice.client.star([2], of: groups[2])
        try await eventually("the other device receives both changes") {
            let states = await second.updates.messageStates
            return states.contains { $0.conversation == groups[0] && $0.seq == 1 && !$0.starred }
                && states.contains { $0.conversation == groups[2] && $0.seq == 2 && $0.starred }
        }
        #expect(
            try await alice.client.mentionsAndStars(.starred).messages.map {
                "\($0.conversation == groups[2]) \($0.seq)"
            }
                == ["true 2", "false 1", "false 2"])
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.star([2], of: groups[1])
            }.code == "too_many_starred")
        for conversation in [groups[0], String(repeating: "0", count: 32), "no id at all"] {
            let codes = try await [
                refusal { () async throws(ParleyError) in
                    try await eve.client.updateInboxState(conversation, pinned: true)
                },
                refusal { () async throws(ParleyError) in try await eve.client.clear(conversation) },
                refusal { () async throws(ParleyError) in try await eve.client.star([1], of: conversation) },
                refusal { () async throws(ParleyError) in try await eve.client.hide([1], of: conversation) },
            ].map(\.code)
            #expect(codes == Array(repeating: "not_member", count: 4))
        }
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.star([2, 3], of: groups[2])
            }.code == "message_not_found")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.call(
                    MessagingMethods.updateInboxState, .with { ($0.conversation, $0.mutedUntilUs) = (groups[0], 5) })
            }.code == "invalid")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.call(
                    MessagingMethods.updateInboxState,
                    .with { ($0.conversation, $0.pinned) = (groups[0], .UNRECOGNIZED(9)) })
            }.code == "invalid")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.inbox(.left, archived: true)
            }.code == "invalid")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.mentionsAndStars(.unspecified)
            }.code == "invalid")
        await cluster.end()
    }

    @Test("C11 a cleared conversation is hidden from me alone, and comes back with a new message without the old ones")
    func clearing() async throws {
        let cast = try await Cast(try await TestCluster.shared)
        let id = try await cast.direct(3)
        try await cast.alice.client.star([1, 3], of: id)
        let partly = try await cast.alice.client.clear(id, upTo: 2)
        #expect(partly.clearedSeq == 2 && partly.firstSeq == 3 && partly.unread == 1)
        #expect(try await cast.alice.client.wholeHistory(of: id).map(\.seq) == [3])
        #expect(try await cast.alice.client.mentionsAndStars(.starred).messages.map(\.seq) == [3])
        #expect(try await cast.entry(id)?.lastMessage.seq == 3)
        let cleared = try await cast.alice.client.clear(id)
        #expect(cleared.clearedSeq == 3 && cleared.unread == 0 && cleared.firstSeq == 4)
        #expect(try await cast.alice.client.clear(id, upTo: 1).untimed == cleared.untimed)
        #expect(try await cast.entry(id) == nil)
        #expect(try await cast.entry(id, archived: true) == nil)
        #expect(try await cast.alice.client.mentionsAndStars(.starred).messages.isEmpty)
        #expect(try await cast.bob.client.wholeHistory(of: id).count == 3)
        try await eventually("the tablet is notified") { await cast.tablet.updates.inboxStates.last == cleared }
        _ = try await cast.bob.client.send("again", to: id)
        #expect(try await cast.entry(id)?.lastMessage.text == "again")
        #expect(try await cast.entry(id)?.state.unread == 1)
        #expect(try await cast.alice.client.wholeHistory(of: id).map(\.text) == ["again"])
        let changes = try await cast.alice.client.changes(of: id, epoch: "", since: 0)
        #expect(changes.messages.map(\.seq) == [4])
    }

    @Test("M7 unread, mentions and the badge: others' messages count until read, hidden, deleted, muted or archived")
    func counting() async throws {
        let cast = try await Cast(try await TestCluster.shared)
        let (alice, group) = (cast.alice, cast.group)
        let badge = { () async throws -> [Int64] in
            let badge = try await alice.client.badge()
            return [badge.badge, badge.conversations, badge.mentions]
        }
        let direct = try await cast.direct(2)
        for number in 1...4 {
            var request = Parley_V1_SendMessageRequest()
            (request.conversation, request.kind, request.text) = (group, .text, "@alice \(number)")
            if number > 2 { request.mentions = [alice.user, cast.carol.user] }
            _ = try await cast.bob.client.send(request)
        }
        _ = try await alice.client.send("mine", to: group)
        let state = try await alice.client.inboxStates(of: [group])[0]
        #expect(state.unread == 4 && state.mentions == 2 && state.countedPosition >= 5)
        #expect(try await badge() == [6, 2, 2])
        let seqs = try await alice.client.wholeHistory(of: group).filter { $0.sender == cast.bob.user }.map(\.seq)
        _ = try await cast.bob.client.delete(seqs[3], of: group)
        #expect(try await badge() == [5, 2, 1])
        let hidden = try await alice.client.hide([seqs[2]], of: group)
        #expect(hidden.map(\.hidden) == [true])
        #expect(try await badge() == [4, 2, 0])
        try await eventually("both devices receive the message state and the count") {
            let (states, onTablet) = await (cast.tablet.updates.messageStates, cast.tablet.updates.inboxStates)
            let (same, onPhone) = await (alice.updates.messageStates, alice.updates.inboxStates)
            return states.map(\.seq) == [seqs[2]] && onTablet.last?.unread == 2 && same == states && onPhone == onTablet
        }
        try await alice.client.mute(direct)
        #expect(try await badge() == [2, 1, 0])
        try await alice.client.unmute(direct)
        try await alice.client.updateInboxState(group, archived: true)
        #expect(try await badge() == [2, 1, 0])
        _ = try await alice.client.markRead(direct, upTo: 2)
        try await alice.client.updateInboxState(direct, markedUnread: true)
        #expect(try await badge() == [1, 1, 0])
        _ = try await alice.client.markRead(direct, upTo: 1)
        #expect(try await badge() == [1, 1, 0], "a mark that moves nothing keeps it")
        _ = try await cast.bob.client.send("more", to: direct)
        _ = try await alice.client.markRead(direct, upTo: 3)
        #expect(try await badge() == [0, 0, 0])
        #expect(try await cast.carol.client.badge().badge == 4, "alice's own counts for carol")
    }

    @Test("M10 M11 starred messages and mentions come from all conversations, to all my devices, and are mine alone")
    func starring() async throws {
        let cast = try await Cast(try await TestCluster.shared)
        let (alice, group) = (cast.alice, cast.group)
        let direct = try await cast.direct(3)
        _ = try await cast.carol.client.send(
            .with { ($0.conversation, $0.kind, $0.text, $0.mentions) = (group, .text, "@alice", [alice.user]) })
        try await alice.client.star([2], of: direct)
        let states = try await alice.client.star([1, 2, 1], of: direct)
        #expect(states.map(\.seq) == [1, 2] && states.allSatisfy { $0.starred && !$0.hidden })
        #expect(states[1].ownPosition < states[0].ownPosition)
        let starred = try await alice.client.mentionsAndStars(.starred)
        #expect(starred.messages.map(\.seq) == [1, 2] && !starred.more && starred.cursor.isEmpty)
        #expect(starred.messages.allSatisfy { $0.own.starred && $0.conversation == direct })
        #expect(try await alice.client.mentionsAndStars(.mentions).messages.map(\.text) == ["@alice"])
        #expect(try await alice.client.mentionsAndStars(.mentionsAndStars).messages.count == 3)
        var paged: [String] = []
        var cursor = ""
        repeat {
            let page = try await alice.client.mentionsAndStars(.mentionsAndStars, cursor: cursor, limit: 1)
            paged += page.messages.map(\.text)
            cursor = page.cursor
        } while !cursor.isEmpty
        #expect(paged == ["hello 1", "hello 2", "@alice"])
        #expect(try await alice.client.history(of: direct).messages.map(\.own.starred) == [true, true, false])
        #expect(try await cast.bob.client.history(of: direct).messages.allSatisfy { !$0.own.starred })
        #expect(try await cast.bob.client.mentionsAndStars(.mentionsAndStars).messages.isEmpty)
        try await eventually("the tablet is notified") { await cast.tablet.updates.messageStates.map(\.seq) == [2, 1] }
        try await alice.client.star([2], of: direct, starred: false)
        _ = try await cast.bob.client.delete(1, of: direct)
        #expect(try await alice.client.mentionsAndStars(.starred).messages.isEmpty, "removed and deleted")
        #expect(await cast.bob.updates.messageStates.isEmpty)
    }

    @Test("M8 a message that I hid is gone from my history and inbox on every device, and visible to everyone else")
    func hiding() async throws {
        let cast = try await Cast(try await TestCluster.shared)
        let id = try await cast.direct(3)
        _ = try await cast.alice.client.hide([3], of: id)
        let history = try await cast.tablet.client.history(of: id).messages
        #expect(history.map(\.text) == ["hello 1", "hello 2", ""] && history[2].own.hidden)
        #expect(try await cast.entry(id)?.lastMessage.text == "hello 2")
        #expect(try await cast.entry(id)?.state.unread == 2)
        #expect(try await cast.bob.client.history(of: id).messages.map(\.text) == ["hello 1", "hello 2", "hello 3"])
        #expect(try await cast.alice.client.hide([3], of: id).map(\.hidden) == [true])
        #expect(
            try await refusal { () async throws(ParleyError) in try await cast.alice.client.star([3], of: id) }.code
                == "message_not_found")
    }

    @Test(
        "a sync returns message states since a position, page by page, and every conversation whose inbox state changed"
    )
    func syncing() async throws {
        let cast = try await Cast(try await TestCluster.shared)
        let id = try await cast.direct(5)
        let first = try await cast.alice.client.syncMessaging()
        #expect(first.messageStates.isEmpty && !first.more)
        for seq in Int64(1)...5 { try await cast.alice.client.star([seq], of: id) }
        try await cast.alice.client.star([2], of: id, starred: false)
        let changed = try await cast.alice.client.updateInboxState(id, pinned: true)
        var (states, own, cursor, pages) = ([Parley_V1_MessageState](), first.ownPosition, first.cursor, 0)
        var inbox: [String: Parley_V1_InboxState] = [:]
        while true {
            let page = try await cast.alice.client.syncMessaging(
                epoch: first.epoch, cursor: cursor, ownPosition: own, limit: 2)
            states += page.messageStates
            for entry in page.entries { inbox[entry.conversation] = entry.state }
            (own, cursor, pages) = (page.ownPosition, page.cursor, pages + 1)
            #expect(page.messageStates.count <= 2 && pages < 20)
            if !page.more { break }
        }
        #expect(states.map(\.seq) == [1, 3, 4, 5, 2] && states.map(\.starred) == [true, true, true, true, false])
        #expect(inbox[id]?.untimed == changed.untimed && own == changed.ownPosition)
        let over = try await cast.alice.client.syncMessaging(epoch: "another", cursor: cursor, ownPosition: own)
        #expect(over.startOver && over.messageStates.count == 5)
        for (epoch, position) in [(first.epoch, own + 1), (first.epoch, -1), ("", own)] {
            let over = try await cast.alice.client.syncMessaging(epoch: epoch, cursor: cursor, ownPosition: position)
            #expect(over.startOver && over.messageStates.count == 5, "position \(position) of epoch “\(epoch)”")
        }
    }

    @Test("M16 C8 all pinned conversations are on the first page only, the last pinned first")
    func pinnedFirst() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        var ids: [String] = []
        for other in try await cluster.people(7) {
            let id = try await alice.client.startDirect(with: other.user).conversation.id
            _ = try await other.client.send("hello", to: id)
            ids.append(id)
        }
        for index in [1, 4, 2] { try await alice.client.updateInboxState(ids[index], pinned: true) }
        let expected = [2, 4, 1, 6, 5, 3, 0].map { ids[$0] }
        #expect(try await alice.client.inbox().entries.map(\.conversation) == expected)
        for limit in [1, 2, 3, 4, 5, 7] as [UInt32] {
            var read: [String] = []
            var cursor = ""
            repeat {
                let page = try await alice.client.inbox(cursor: cursor, limit: limit)
                #expect(page.entries.count <= (cursor.isEmpty ? max(3, Int(limit)) : Int(limit)))
                read += page.entries.map(\.conversation)
                cursor = page.cursor
                #expect(page.more != cursor.isEmpty)
            } while !cursor.isEmpty
            #expect(read == expected, "\(limit)")
        }
        _ = try await alice.client.markRead(ids[0], upTo: 1)
        #expect(try await alice.client.inbox().entries.map(\.conversation) == expected, "reading moves nothing")
    }

    @Test("C8 a conversation without messages can be pinned, and is shown after its first message")
    func beforeTheFirst() async throws {
        let cast = try await Cast(try await TestCluster.shared)
        let id = try await cast.alice.client.startDirect(with: cast.carol.user).conversation.id
        let pinned = try await cast.alice.client.updateInboxState(id, pinned: true)
        #expect(pinned.pinnedAtUs > 0 && pinned.countedSeq == 0)
        #expect(try await cast.entry(id) == nil)
        _ = try await cast.carol.client.send("now", to: id)
        #expect(try await cast.alice.client.inbox().entries.first?.conversation == id)
        #expect(try await cast.entry(id)?.state.unread == 1)
    }
}
