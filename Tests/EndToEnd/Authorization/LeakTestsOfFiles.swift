import Foundation
import ParleyClient
import TestSupport
import Testing

extension LeakTests {
    /// Two people, and attachments of one of them.
    private struct Files: Sendable {
        var me: Device
        var other: Device
        /// A conversation of both.
        var shared: String
        /// A conversation of the other person.
        var closed: String
        /// The other person's attachments, by what they are.
        var theirs: [String: (conversation: String, id: Data)] = [:]
        /// The seq of the message with the attachment in the other person's conversation.
        var closedSeq: Int64 = 0

        init(_ cluster: TestCluster) async throws {
            (me, other) = (try await cluster.person("me"), try await cluster.person("other"))
            let client = other.client
            try await cluster.acquaint(other, [me])
            shared = try await client.createGroup(name: "shared", users: [me.user]).conversation.id
            closed = try await client.createGroup(name: "closed", users: []).conversation.id
            for conversation in [shared, closed] {
                let place = conversation == shared ? "in a conversation of mine" : "in one that is not mine"
                let unfinished = await client.newID()
                _ = try await client.call(
                    MessagingMethods.createAttachment, key: conversation,
                    AttachmentTests.room(7, "text/plain", in: conversation, unfinished))
                let sent = try await Self.upload(by: client, to: conversation)
                let seq = try await client.send(sent, to: conversation).seq
                if conversation == closed { closedSeq = seq }
                let unsent = try await Self.upload(by: client, to: conversation).attachment
                theirs["not uploaded, \(place)"] = (conversation, Data(unfinished.bytes))
                theirs["not sent, \(place)"] = (conversation, unsent)
                theirs["sent, \(place)"] = (conversation, sent.attachment)
            }
        }

        static func upload(by client: ParleyClient, to conversation: String) async throws -> Parley_V1_Media {
            try await client.upload(Array("content".utf8), to: conversation, name: "a.txt")
        }
    }

    private static let files = Task { try await Files(made.value.stage.cluster) }

    @Test("the contract has no other field that holds the id of an attachment")
    func attachmentFields() {
        let declared = ContractRequest.all.flatMap { request in
            request.fields.filter { $0.firstMatch(of: /(^|[._])attachments?(_ids?)?$/) != nil }
                .map { "\(request.method) \($0)" }
        }
        #expect(Set(declared) == ["messaging.SendMessage media.attachment", "messaging.GetAttachment attachment"])
    }

    @Test("A5 M17 another person's attachment looks as if it did not exist to whoever downloads it by its id")
    func downloads() async throws {
        let files = try await Self.files.value
        try await Self.made.value.stage.cluster.quiet()
        for (name, (own, id)) in files.theirs {
            for conversation in Set([own, files.shared]) {
                try await Self.expectAlike("\(name), from \(conversation == own ? "it" : "mine")") {
                    try await Self.differences(isRefused: true) {
                        try await Self.download(id, from: conversation, by: files.me)
                    } and: {
                        try await Self.download(SeqScene.newID(), from: conversation, by: files.me)
                    }
                }
            }
        }
    }

    private static func download(
        _ attachment: Data, from conversation: String, by person: Device
    ) async throws -> [UInt8] {
        try await person.client.call(
            MessagingMethods.getAttachment, key: conversation,
            .with { ($0.conversation, $0.attachment) = (conversation, attachment) }
        ).serializedBytes()
    }

    @Test("M17 another person's attachment, sent or not, looks as if it did not exist to whoever sends it")
    func attachments() async throws {
        let files = try await Self.files.value
        try await Self.made.value.stage.cluster.quiet()
        for (name, (own, id)) in files.theirs {
            // A request names the conversation of the attachment, or one of mine.
            for conversation in Set([own, files.shared]) {
                for kind in [Parley_V1_MessageKind.file, .image] {
                    try await Self.expectAlike("\(name), as \(kind) to \(conversation == own ? "it" : "mine")") {
                        try await Self.differences(isRefused: true) {
                            try await Self.send(id, as: kind, to: conversation, by: files.me)
                        } and: {
                            try await Self.send(SeqScene.newID(), as: kind, to: conversation, by: files.me)
                        }
                    }
                }
            }
        }
        let (conversation, id) = try #require(files.theirs["not sent, in a conversation of mine"])
        let sent = try await files.other.client.send(.with { $0.attachment = id }, to: conversation)
        #expect(sent.message.media.sizeBytes == 7, "it is still theirs to send")
    }

    private static func send(
        _ attachment: Data, as kind: Parley_V1_MessageKind, to conversation: String, by person: Device
    ) async throws -> [UInt8] {
        try await person.client.call(
            MessagingMethods.sendMessage, key: conversation,
            .with {
                ($0.id, $0.conversation, $0.kind) = (SeqScene.newID(), conversation, kind)
                $0.media.attachment = attachment
            }
        ).serializedBytes()
    }

    @Test("M17 an id of an attachment elsewhere is as free as any; one taken here tells nothing more about it")
    func attachmentIDs() async throws {
        let files = try await Self.files.value
        try await Self.made.value.stage.cluster.quiet()
        /// Returns the reply without its link, which has the id and the time.
        @Sendable func create(_ id: Data, size: Int64) async throws -> [UInt8] {
            let id = try #require(UUIDv7(bytes: Array(id)))
            var reply = try await files.me.client.call(
                MessagingMethods.createAttachment, key: files.shared,
                AttachmentTests.room(size, "text/plain", in: files.shared, id))
            (reply.uploadPath, reply.expiresAtUs) = ("", 0)
            return try reply.serializedBytes()
        }
        let taken = try #require(files.theirs["not uploaded, in a conversation of mine"]?.id)
        for (name, (conversation, id)) in files.theirs {
            let isHere = conversation == files.shared
            for size: Int64 in [7, 8] {
                let other = isHere ? taken : SeqScene.newID()
                try await Self.expectAlike("\(name), with \(size) bytes") {
                    try await Self.differences(isRefused: isHere, rounds: 1) {
                        try await create(id, size: size)
                    } and: {
                        try await create(other, size: size)
                    }
                }
                // My own attachment with the id is in the way of one of another size.
                if !isHere { break }
            }
        }
    }

    // MARK: Links

    private static let methods = ["GET", "HEAD", "PUT", "PATCH", "OPTIONS"] + otherMethods
    /// The gateway refuses these by itself.
    private static let otherMethods = ["POST", "DELETE"]

    /// Returns the whole answer to a request over HTTP, without the id that is new each time.
    @Sendable private static func call(_ method: String, _ path: String, on cluster: TestCluster) async throws
        -> [UInt8]
    {
        let server = cluster.endpoints.http[0]
        let isUpload = ["PUT", "PATCH", "POST"].contains(method)
        let answer = try await onThread {
            try RawHTTP.send(
                method, path, to: server, headers: isUpload ? ["Upload-Offset": "0"] : [:],
                body: isUpload ? Array("content".utf8) : [])
        }
        let (status, headers, body) = try #require(answer.map { ($0.status, $0.headers, $0.body) })
        #expect((headers["x-request-id"] == nil) == otherMethods.contains(method))
        let lines = headers.filter { $0.key != "x-request-id" }.map { "\($0.key): \($0.value)" }.sorted()
        return Array("\(status)\n\(lines.joined(separator: "\n"))\n\n".utf8) + body
    }

    private static func status(_ answer: [UInt8]) -> String { String(decoding: answer.prefix(3), as: UTF8.self) }

    /// Records how the answers to two links differ, for every method.
    /// - Parameters:
    ///   - status: the status of the answers, except to OPTIONS and ``otherMethods``.
    ///   - counter: counts the statements; nil: they may differ.
    private static func expectAlike(
        _ what: String, _ one: String, _ other: String, status: String, on cluster: TestCluster,
        by counter: StatementCounter?
    ) async throws {
        for method in methods {
            let first = try await call(method, one, on: cluster)
            let expected = method == "OPTIONS" ? "204" : otherMethods.contains(method) ? "405" : status
            #expect(Self.status(first) == expected, "\(method) \(what)")
            try await expectAlike("\(method) \(what)") {
                guard let counter else {
                    let second = try await call(method, other, on: cluster)
                    return first == second ? [] : [String(decoding: first + second, as: UTF8.self)]
                }
                return try await differences(isRefused: false, by: counter) {
                    try await call(method, one, on: cluster)
                } and: {
                    try await call(method, other, on: cluster)
                }
            }
        }
    }

    /// A link, by its parts, both sealed: the file, and the right that was sealed for it.
    private struct Link {
        var file: Substring
        var rest: Substring
        var path: String { "/v1/files/\(file)/\(rest)" }

        init(_ path: String) throws {
            let parts = path.split(separator: "/")
            try #require(parts.count == 4 && parts[2].count == 128 && parts[3].count == 114)
            (file, rest) = (parts[2], parts[3])
        }

        /// The same link to a file that does not exist.
        var missing: Link {
            var link = self
            let digits = SeqScene.newID().hexDigits
            link.file = file.dropLast(digits.count) + digits
            return link
        }

        /// Returns links that nobody sealed, by what is wrong with them.
        /// - Parameter mine: a valid link to another file.
        func forged(_ mine: Link) -> [String: String] {
            func with(_ rest: Substring) -> String {
                var link = self
                link.rest = rest
                return link.path
            }
            let flipped: Substring = rest.hasSuffix("0") ? "1" : "0"
            return [
                "with the right of mine": with(mine.rest),
                "with another digit at the end": with(rest.dropLast() + flipped),
                "with another digit at the beginning": with((rest.hasPrefix("0") ? "1" : "0") + rest.dropFirst()),
                "with another digit within": with(
                    rest.prefix(60) + (rest.dropFirst(60).hasPrefix("7") ? "8" : "7") + rest.dropFirst(61)),
                "without its end": with(rest.dropLast(2)),
            ]
        }
    }

    @Test("M17 a link that was not made for a file answers like one to a file that does not exist")
    func forgedLinks() async throws {
        let files = try await Self.files.value
        let cluster = try await Self.made.value.stage.cluster
        let other = files.other.client
        let named = try #require(files.theirs["not uploaded, in one that is not mine"])
        let unfinished = try #require(UUIDv7(bytes: Array(named.id)))
        let room = AttachmentTests.room(7, "text/plain", in: files.closed, unfinished)
        let mine = try await Files.upload(by: files.me.client, to: files.shared)
        let seq = try await files.me.client.send(mine, to: files.shared).seq
        let upload = try await other.call(MessagingMethods.createAttachment, key: files.closed, room).uploadPath
        let download = try await other.attachment(of: files.closedSeq, in: files.closed).downloadPath
        let myUpload = try await files.me.client.call(
            MessagingMethods.createAttachment, key: files.shared,
            AttachmentTests.room(7, "text/plain", in: files.shared, await files.me.client.newID())
        ).uploadPath
        let myDownload = try await files.me.client.attachment(of: seq, in: files.shared).downloadPath
        try await cluster.quiet()
        let counter = try await Self.made.value.counter
        for (purpose, path, own) in [("upload", upload, myUpload), ("download", download, myDownload)] {
            let (link, own) = (try Link(path), try Link(own))
            let missing = link.missing.forged(own)
            for (what, forged) in link.forged(own) {
                try await Self.expectAlike(
                    "\(purpose) link \(what)", forged, try #require(missing[what]), status: "404", on: cluster,
                    by: counter)
            }
        }
        let after = try await other.call(MessagingMethods.createAttachment, key: files.closed, room)
        #expect(!after.complete && after.receivedBytes == 0, "nothing was uploaded")
        let whole = try await Self.call("GET", download, on: cluster)
        #expect(Self.status(whole) == "200", "the link itself is right")
    }

    /// Links of one person to their files.
    private struct Links {
        /// A link to an attachment that waits for its upload, and one to a file.
        var valid: [String]
        /// The same to an attachment whose upload was refused, and to the file of a deleted message.
        var gone: [String]

        init(_ cluster: TestCluster) async throws {
            // The client ends with the device.
            let device = try await cluster.person("me")
            let me = device.client
            let talk = try await me.createGroup(name: "g", users: []).conversation.id
            var downloads: [String] = []
            for isDeleted in [false, true] {
                let seq = try await me.send(Files.upload(by: me, to: talk), to: talk).seq
                downloads.append(try await me.attachment(of: seq, in: talk).downloadPath)
                if isDeleted { try await me.delete(seq, of: talk) }
            }
            func upload(_ type: String) async throws -> String {
                try await me.call(
                    MessagingMethods.createAttachment, key: talk,
                    AttachmentTests.room(7, type, in: talk, await me.newID())
                ).uploadPath
            }
            var refused = try await upload("image/png")
            // Where links are short-lived, one may end before it is used.
            while status(try await call("PUT", refused, on: cluster)) == "403" {
                refused = try await upload("image/png")
            }
            (valid, gone) = ([try await upload("text/plain"), downloads[0]], [refused, downloads[1]])
            withExtendedLifetime(device) {}
        }
    }

    @Test("M17 a link to a file that no longer exists answers like one to a file that never did")
    func endedLinks() async throws {
        let cluster = try await Self.made.value.stage.cluster
        let links = try await Links(cluster)
        let forged = try Link(links.gone[0]).missing.path
        for path in links.gone {
            try await Self.expectAlike("of what is gone", path, forged, status: "404", on: cluster, by: nil)
        }
    }

    @Test("M17 an expired link does not tell whether its file still exists")
    func expiredLinks() async throws {
        let cluster = try await TestCluster(
            .init(
                gateways: 1, settings: ["messaging": ["PARLEY_FILES_LINK_SECONDS": "1"]],
                postgres: StatementCounter.postgresSettings))
        let counter = try await StatementCounter(cluster)
        let links = try await Links(cluster)
        try await eventually("the links expire") {
            var statuses: Set<String> = []
            for path in links.valid + links.gone {
                statuses.insert(Self.status(try await Self.call("GET", path, on: cluster)))
            }
            return statuses == ["403"]
        }
        try await cluster.quiet()
        for (valid, gone) in zip(links.valid, links.gone) {
            try await Self.expectAlike("expired link", valid, gone, status: "403", on: cluster, by: counter)
            try await Self.expectAlike(
                "forged expired link", try Link(valid).missing.path, try Link(gone).missing.path, status: "404",
                on: cluster, by: counter)
        }
        await counter.close()
        await cluster.end()
    }
}
