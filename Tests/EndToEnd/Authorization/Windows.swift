import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

/// Conversations of which people may read only a part.
struct Windows: Sendable {
    /// One person, and messages of a conversation that they may not read.
    struct Sight: Sendable, CustomStringConvertible {
        var description: String
        var scene: SeqScene
        /// The seqs of the messages, by what they are.
        var hidden: [String: Int64]
        /// Whether the person could read them before, and chose not to see them any longer.
        var hasReadThem = false
        /// A seq that the conversation does not have.
        var missing: Int64 = 1_000_000
    }

    /// Someone who joined after the messages were sent, an admin who did, and someone who cleared them.
    var later: [Sight] = []
    /// A former member. The messages were sent after they left.
    var former: Sight
    /// The positions of the changes that the former member may not see, by what they are.
    var latePositions: [String: Int64]
    /// Messages that look deleted to the person, by name, each with the seq of a deleted one.
    var lookDeleted: [(sight: Sight, deleted: [String: Int64])] = []
    /// Holds the lock without which disappeared messages are not emptied.
    private let lock: Connection

    init(_ cluster: TestCluster) async throws {
        lock = try await Self.keepDisappeared(in: cluster)
        let author = try await cluster.person("author")
        let (left, plain) = (try await cluster.person("left"), try await cluster.person("later"))
        let (admin, cleared) = (try await cluster.person("admin"), try await cluster.person("cleared"))
        let client = author.client
        try await cluster.acquaint(author, [left, plain, admin, cleared])
        let group = try await client.createGroup(name: "windows", users: [left.user, cleared.user]).conversation.id
        let early = try await Self.everyKind(in: group, by: client)
        try await cleared.client.clear(group)
        _ = try await client.addMembers([plain.user, admin.user], to: group)
        try await Self.note(.membersJoined, in: group, client)
        try await client.setMemberRole(.admin, of: admin.user, in: group)
        try await Self.note(.adminAdded, in: group, client)
        let readable = try await client.send("everybody reads this", to: group).seq
        try await client.removeMember(left.user, from: group)
        try await Self.note(.memberRemoved, in: group, client)
        let late = try await Self.everyKind(in: group, by: client, answering: readable)
        let end = try await left.client.history(of: group).lastSeq
        latePositions = [:]
        for message in try await client.history(of: group).messages {
            if let name = late.first(where: { $0.value == message.seq })?.key { latePositions[name] = message.position }
        }
        try #require(
            early.count == 7 && late.count == 8 && early.values.allSatisfy { $0 < readable }
                && late.values.allSatisfy { $0 > end })

        func sight(
            _ name: String, _ person: Device, _ hidden: [String: Int64], hasReadThem: Bool = false
        ) async throws -> Sight {
            let scene = SeqScene(
                me: person, conversation: group, author: author.user,
                notes: try await person.client.startDirect(with: person.user).conversation.id, readable: readable)
            return Sight(description: name, scene: scene, hidden: hidden, hasReadThem: hasReadThem)
        }
        former = try await sight("a former member", left, late)
        later = [
            try await sight("someone who joined later", plain, early),
            try await sight("an admin who joined later", admin, early),
            try await sight("someone who cleared them", cleared, early, hasReadThem: true),
        ]
        lookDeleted = [
            try await Self.lookDeleted("someone who hid them", cluster, bySeconds: 0),
            try await Self.lookDeleted("someone for whom they disappeared", cluster, bySeconds: 60),
        ]
    }

    /// Sends messages of every kind, with everything that may be attached to one, and returns their seqs.
    private static func everyKind(
        in group: String, by client: ParleyClient, answering root: Int64? = nil
    ) async throws -> [String: Int64] {
        var seqs = ["text": try await client.send("a text", to: group).seq]
        let changed = try await client.send("changed", to: group).seq
        try await client.edit(changed, of: group, text: "edited")
        try await client.react("👍", to: changed, of: group)
        seqs["edited, with a reaction"] = changed
        let first = try await client.send("first of a thread", to: group).seq
        seqs["first of a thread"] = first
        for (name, answered) in [("reply", first)] + (root.map { [("reply to a readable one", $0)] } ?? []) {
            let request = Parley_V1_SendMessageRequest.with {
                ($0.conversation, $0.text, $0.replyToSeq) = (group, "a reply", answered)
            }
            seqs[name] = try await client.send(request).seq
        }
        let media = try await client.upload(Array("content".utf8), to: group, name: "a.txt")
        seqs["file"] = try await client.send(media, to: group).seq
        let deleted = try await client.send("deleted", to: group).seq
        try await client.delete(deleted, of: group)
        seqs["deleted"] = deleted
        try await client.updateGroup(group, name: "renamed \(deleted)")
        seqs["system message"] = try await note(.groupRenamed, in: group, client)
        return seqs
    }

    /// Waits for a system message of this kind as the newest message, and returns its seq.
    @discardableResult
    private static func note(
        _ kind: Parley_V1_SystemNoteKind, in group: String, _ client: ParleyClient
    ) async throws -> Int64 {
        var seq: Int64 = 0
        try await eventually("the system message \(kind)") {
            let last = try await client.history(of: group, limit: 1).messages.last
            seq = last?.seq ?? 0
            return last?.system.kind == kind
        }
        return seq
    }

    // MARK: Messages that look deleted

    /// Makes messages that look deleted to one person, and others that are deleted.
    /// - Parameter seconds: how long after sending they disappear; zero: the person hides them instead.
    private static func lookDeleted(
        _ name: String, _ cluster: TestCluster, bySeconds seconds: Int64
    ) async throws -> (Sight, [String: Int64]) {
        let (author, me) = (try await cluster.person("author"), try await cluster.person("me"))
        try await cluster.acquaint(author, [me])
        let group = try await author.client.createGroup(name: "shown", users: [me.user]).conversation.id
        if seconds > 0 { try await author.client.setRetention(of: group, seconds: seconds) }
        let (hidden, deleted) = (try await twoWriters(group, author, me), try await twoWriters(group, author, me))
        for (name, seq) in deleted {
            try await (name.hasPrefix("my ") ? me : author).client.delete(seq, of: group)
        }
        if seconds > 0 {
            try await pass(seconds * 2, in: group, of: cluster)
        } else {
            try await me.client.hide(hidden.values.sorted(), of: group)
        }
        let scene = SeqScene(
            me: me, conversation: group, author: author.user,
            notes: try await me.client.startDirect(with: me.user).conversation.id,
            readable: try await author.client.send("readable", to: group).seq)
        return (Sight(description: name, scene: scene, hidden: hidden, hasReadThem: seconds == 0), deleted)
    }

    /// Sends messages of two people, with everything that may be attached to one, and returns their seqs.
    private static func twoWriters(_ group: String, _ author: Device, _ me: Device) async throws -> [String: Int64] {
        var seqs: [String: Int64] = [:]
        for (whose, writer) in [("my", me), ("another's", author)] {
            let text = try await writer.client.send("a text", to: group).seq
            try await writer.client.edit(text, of: group, text: "edited")
            try await author.client.react("👍", to: text, of: group)
            let media = try await writer.client.upload(Array("content".utf8), to: group, name: "a.txt")
            seqs["\(whose) text"] = text
            seqs["\(whose) file"] = try await writer.client.send(media, to: group).seq
        }
        return seqs
    }

    /// Makes the messages of a conversation that disappear older, as if time had passed.
    @ReactorActor
    private static func pass(_ seconds: Int64, in group: String, of cluster: TestCluster) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        try await connection.execute(
            Statement(
                """
                UPDATE messaging.messages SET expires_at = expires_at - \(seconds * 1_000_000)
                WHERE expires_at IS NOT NULL AND conversation = (
                    SELECT conversation FROM conversations.conversations WHERE conversation_id = '\(group)')
                """))
    }

    /// Keeps messages that have disappeared from being emptied, so that their content is still stored.
    @ReactorActor
    private static func keepDisappeared(in cluster: TestCluster) async throws -> Connection {
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        try await connection.execute(
            Statement("SELECT pg_advisory_lock(\(AdvisoryLock.retention.rawValue), hashtext('messaging'))"))
        return connection
    }
}
