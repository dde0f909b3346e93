import ParleyClient
import SwiftProtobuf
import TestSupport
import Testing

extension LeakTests {
    /// Somebody who adds a stranger to one group and a person who blocks them to another.
    private struct Adder {
        let me: Device
        let stranger: Device
        let blocker: Device

        init(_ cluster: TestCluster) async throws {
            (me, stranger) = (try await cluster.person("adder"), try await cluster.person("stranger"))
            blocker = try await cluster.person("blocker")
            // Everyone's stream has begun.
            for person in [me, stranger, blocker] { _ = try await person.client.startDirect(with: person.user) }
            try await blocker.client.block(me.user)
        }
    }

    /// Returns a reply without what differs between any two groups and any two people.
    private static func alike(_ reply: Parley_V1_ConversationReply) throws -> [UInt8] {
        var reply = reply
        (reply.conversation.id, reply.conversation.position, reply.conversation.createdAtUs) = ("", 0, 0)
        for index in reply.conversation.members.indices { reply.conversation.members[index].joinedAtUs = 0 }
        reply.invited = reply.invited.map { _ in "invited" }
        return try reply.serializedBytes()
    }

    @Test("C17 creating a group and adding to one do not tell who blocks the caller")
    func blockedInvitations() async throws {
        let cluster = try await Self.made.value.stage.cluster
        try await Self.expectAlike("CreateGroup") {
            let adder = try await Adder(cluster)
            try await cluster.quiet()
            return try await Self.differences(isRefused: false, rounds: 1) {
                try Self.alike(try await adder.me.client.createGroup(name: "g", users: [adder.blocker.user]))
            } and: {
                try Self.alike(try await adder.me.client.createGroup(name: "g", users: [adder.stranger.user]))
            }
        }
        for (what, isAgain) in [("AddMembers", false), ("AddMembers again", true)] {
            try await Self.expectAlike(what) {
                let adder = try await Adder(cluster)
                let client = adder.me.client
                let groups = [
                    try await client.createGroup(name: "g", users: []).conversation.id,
                    try await client.createGroup(name: "g", users: []).conversation.id,
                ]
                if isAgain {
                    try await client.addMembers([adder.blocker.user], to: groups[0])
                    try await client.addMembers([adder.stranger.user], to: groups[1])
                }
                try await cluster.quiet()
                return try await Self.differences(isRefused: false, rounds: 1) {
                    try Self.alike(try await client.addMembers([adder.blocker.user], to: groups[0]))
                } and: {
                    try Self.alike(try await client.addMembers([adder.stranger.user], to: groups[1]))
                }
            }
        }
        try await Self.expectAlike("WithdrawInvitation") {
            let adder = try await Adder(cluster)
            let client = adder.me.client
            let blocked = try await client.createGroup(name: "g", users: [adder.blocker.user]).conversation.id
            let shown = try await client.createGroup(name: "g", users: [adder.stranger.user]).conversation.id
            try await cluster.quiet()
            return try await Self.differences(isRefused: false, rounds: 1) {
                try await client.withdrawInvitation(of: adder.blocker.user, into: blocked)
                return []
            } and: {
                try await client.withdrawInvitation(of: adder.stranger.user, into: shown)
                return []
            }
        }
    }

    @Test("C17 an invitation that is not shown looks to its person as if the group did not exist")
    func unseenInvitations() async throws {
        let cluster = try await Self.made.value.stage.cluster
        try await Self.expectAlike("an invitation that is not shown") {
            let adder = try await Adder(cluster)
            let hidden = try await adder.me.client.createGroup(name: "g", users: [adder.blocker.user]).conversation
            let client = adder.blocker.client
            let absent = await client.newID().description
            try await cluster.quiet()
            var lines: [String] = []
            for ask in [
                { (id: String) in try await client.acceptRequest(id).serializedBytes() as [UInt8] },
                { (id: String) in
                    try await client.declineRequest(id)
                    return []
                },
                { (id: String) in try await client.getConversation(id).serializedBytes() as [UInt8] },
                { (id: String) in
                    try await client.getConversations([id]).flatMap { try $0.serializedBytes() as [UInt8] }
                },
                { (id: String) in try await client.markRequestsRead([id]).serializedBytes() as [UInt8] },
            ] as [@Sendable (String) async throws -> [UInt8]] {
                lines += try await Self.differences(isRefused: false) {
                    try await ask(hidden.id)
                } and: {
                    try await ask(absent)
                }
            }
            #expect(try await client.requests().count.total == 0)
            return lines
        }
    }
}
