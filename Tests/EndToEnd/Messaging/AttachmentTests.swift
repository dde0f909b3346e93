import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("Files in messages")
struct AttachmentTests {
    @Test("M4 M17 members of a conversation, and nobody else, download a file as it was uploaded, with its real type")
    func upAndDown() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3)
        let talk = try await people[0].client.startDirect(with: people[1].user).conversation.id
        let picture = Pictures.png(width: 640, height: 480, padding: 300_000)
        let media = try await people[0].client.upload(picture, to: talk, name: "Søndag \"1\".png")
        let sent = try await people[0].client.send(media, as: .image, text: "look", to: talk)
        try await eventually("the message arrives") { await people[1].updates.messages(of: talk).last?.seq == sent.seq }
        let received = try #require(await people[1].updates.messages(of: talk).last)
        #expect(received.kind == .image && received.text == "look")
        #expect(received.media.mimeType == "image/png" && received.media.sizeBytes == Int64(picture.count))
        #expect((received.media.width, received.media.height) == (640, 480), "read from its bytes")
        let read = try await people[1].client.history(of: talk).messages.last
        #expect(read?.media == received.media)

        let folder = try TestFolder()
        let path = "\(folder.path)/down.png"
        try await people[1].client.download(sent.seq, of: talk, to: path)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == picture)
        let overwriting = try await refusal { () async throws(ParleyError) in
            try await people[1].client.download(sent.seq, of: talk, to: path)
        }
        #expect(overwriting.code == "file_failed")

        let stranger = people[2].client
        #expect(
            try await refusal { () async throws(ParleyError) in try await stranger.attachment(of: sent.seq, in: talk) }
                .code == "not_member")
        #expect(
            try await refusal { () async throws(ParleyError) in try await stranger.upload([1], to: talk, name: "x") }
                .code == "not_member")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await stranger.upload([1], to: "nobody_none", name: "x")
            }.code == "not_member")
        #expect(
            try await refusal { () async throws(ParleyError) in try await people[1].client.attachment(of: 99, in: talk)
            }.code == "message_not_found")
        let text = try await people[0].client.send("no file", to: talk).seq
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await people[1].client.attachment(of: text, in: talk)
            }.code
                == "attachment_not_found")
        folder.remove()
    }

    @Test("A5 M17 a person lists and downloads the files that they sent, even after clearing, and nobody else's")
    func ownFiles() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3)
        let (alice, bob, stranger) = (people[0].client, people[1].client, people[2].client)
        let talk = try await alice.startDirect(with: people[1].user).conversation.id
        let notes = try await bob.startDirect(with: people[1].user).conversation.id
        var seqs: [Int64] = []
        for (number, name) in ["a.txt", "a.txt", "b.txt"].enumerated() {
            let media = try await alice.upload([UInt8](repeating: 65 + UInt8(number), count: 10), to: talk, name: name)
            seqs.append(try await alice.send(media, to: talk).seq)
        }
        _ = try await alice.upload([1], to: talk, name: "never sent.txt")
        let forwarded = try await bob.forward(seqs[1], of: talk, to: notes).seq
        var (files, cursor, pages) = ([Parley_V1_SentAttachment](), "", 0)
        repeat {
            let page = try await alice.sentAttachments(cursor: cursor, limit: 2)
            (files, cursor, pages) = (files + page.attachments, page.cursor, pages + 1)
        } while !cursor.isEmpty
        #expect(files.map(\.seq) == seqs && files.map(\.media.name) == ["a.txt", "a.txt", "b.txt"] && pages == 2)
        #expect(files.allSatisfy { $0.conversation == talk && $0.media.sizeBytes == 10 && $0.createdAtUs > 0 })
        #expect(try await bob.sentAttachments().attachments.map(\.seq) == [forwarded])
        #expect(try await stranger.sentAttachments().attachments.isEmpty)

        // Deleting the message deletes the file.
        let folder = try TestFolder()
        try await alice.delete(seqs[2], of: talk)
        try await alice.clear(talk)
        try await alice.download(files[1], to: "\(folder.path)/mine")
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/mine")) == Data(repeating: 66, count: 10))
        func refused(_ client: ParleyClient, _ file: Parley_V1_SentAttachment) async throws -> ParleyError {
            try await refusal { () async throws(ParleyError) in
                try await client.download(file, to: "\(folder.path)/theirs")
            }
        }
        let unknown = files[1]
        let nowhere = Parley_V1_SentAttachment.with { ($0.conversation, $0.media) = ("0123nowhere", unknown.media) }
        let problems = [
            try await refused(bob, unknown), try await refused(stranger, unknown), try await refused(stranger, nowhere),
        ]
        #expect(problems.map(\.code) == Array(repeating: "attachment_not_found", count: 3))
        #expect(Set(problems.map(\.message)).count == 1, "what exists cannot be told")
        #expect(try await refused(alice, files[2]).code == "attachment_not_found")
        #expect(try await alice.sentAttachments().attachments.map(\.seq) == Array(seqs.prefix(2)))
        folder.remove()
    }

    /// Real files of Tests/Media, and what they are sent as.
    private static let media: [(name: String, kind: Parley_V1_MessageKind, type: String, durationMs: UInt32)] = [
        ("film.mp4", .video, "video/mp4", 1000), ("film.webm", .video, "video/webm", 1000),
        ("voice.ogg", .voice, "audio/ogg", 1000), ("voice.m4a", .voice, "audio/mp4", 1000),
        ("voice.wav", .voice, "audio/wav", 200),
    ]

    @Test("M4 M17 films and voice arrive live and in history with type, duration and thumbnail, and play from any part")
    func filmsAndVoice() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0].client, people[1].client)
        let talk = try await alice.startDirect(with: people[1].user).conversation.id
        let thumbnail = Data(Pictures.png(width: 32, height: 24, padding: 100))
        for (name, kind, type, durationMs) in Self.media {
            let url = MigratedDatabase.root.appending(path: "Tests/Media/\(name)")
            let bytes = try [UInt8](Data(contentsOf: url))
            var media = try await alice.upload(fileAt: url.path, to: talk, mimeType: type)
            media.durationMs = durationMs
            media.thumbnail = thumbnail
            let seq = try await alice.send(media, as: kind, text: "listen", to: talk).seq
            try await eventually("\(name) arrives") { await people[1].updates.messages(of: talk).last?.seq == seq }
            let received = try #require(await people[1].updates.messages(of: talk).last)
            #expect(received.kind == kind && received.text == "listen", "\(name)")
            #expect(received.media.mimeType == type && received.media.sizeBytes == Int64(bytes.count), "\(name)")
            #expect(received.media.durationMs == durationMs && received.media.thumbnail == thumbnail, "\(name)")
            #expect(try await bob.history(of: talk).messages.last == received, "\(name)")
            // Players fetch parts.
            let path = try await bob.attachment(of: seq, in: talk).downloadPath
            let server = cluster.endpoints.http[0]
            let part = try #require(
                try await onThread {
                    try RawHTTP.send("GET", path, to: server, headers: ["Range": "bytes=500-699"])
                })
            #expect(part.status == 206 && part.body == Array(bytes[500..<700]), "\(name)")
            #expect(part.headers["content-type"] == type && part.headers["accept-ranges"] == "bytes", "\(name)")

            let other: Parley_V1_MessageKind = kind == .video ? .voice : .video
            for wrong in [other, .image] {
                let again = try await alice.upload(bytes, to: talk, name: name, mimeType: type)
                let refused = try await refusal { () async throws(ParleyError) in
                    try await alice.send(again, as: wrong, to: talk)
                }
                #expect(refused.code == "invalid", "\(name) as \(wrong)")
            }
        }
    }

    @Test("M17 a complete file can be sent once, by its uploader, in its conversation; a repeated send changes nothing")
    func sentOnce() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2)
        let (alice, bob) = (people[0].client, people[1].client)
        let talk = try await alice.startDirect(with: people[1].user).conversation.id
        let group = try await alice.createGroup(name: "g", users: [people[1].user]).conversation.id
        let media = try await alice.upload(Array("hello".utf8), to: talk, name: "a.txt")
        func code(_ body: () async throws(ParleyError) -> Parley_V1_SendMessageReply) async throws -> String {
            try await refusal(body).code
        }
        #expect(
            try await code { () async throws(ParleyError) in try await bob.send(media, to: talk) }
                == "attachment_not_found")
        #expect(
            try await code { () async throws(ParleyError) in try await alice.send(media, to: group) }
                == "attachment_not_found")
        #expect(
            try await code { () async throws(ParleyError) in try await alice.send(media, as: .image, to: talk) }
                == "invalid")
        let id = await alice.newID()
        let first = try await alice.send(media, to: talk, id: id)
        let again = try await alice.send(media, to: talk, id: id)
        #expect(again.duplicate && again.seq == first.seq)
        #expect(
            try await code { () async throws(ParleyError) in try await alice.send(media, to: talk) }
                == "attachment_not_found")

        let unfinished = try await alice.call(
            MessagingMethods.createAttachment, key: talk, Self.room(5, "text/plain", in: talk, await alice.newID()))
        #expect(!unfinished.complete && unfinished.receivedBytes == 0)
        var elsewhere = Parley_V1_Media()
        elsewhere.url = "https://example.org/a%20b.pdf"
        #expect(try await alice.send(elsewhere, to: talk).seq > 0)
        elsewhere.url = "http://example.org/a"
        #expect(
            try await code { () async throws(ParleyError) in try await alice.send(elsewhere, to: talk) } == "invalid")
    }

    static func room(_ size: Int64, _ type: String, in talk: String, _ id: UUIDv7, name: String = "file")
        -> Parley_V1_CreateAttachmentRequest
    {
        .with {
            ($0.id, $0.conversation, $0.name) = (Data(id.bytes), talk, name)
            ($0.mimeType, $0.sizeBytes) = (type, size)
        }
    }

    @Test("M17 a file of a wrong type, too large, encoded or a decompression bomb is refused and leaves nothing behind")
    func refused() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2)
        let alice = people[0].client
        let talk = try await alice.startDirect(with: people[1].user).conversation.id
        func upload(_ bytes: [UInt8], _ type: String) async throws -> String {
            try await refusal { () async throws(ParleyError) in
                try await alice.upload(bytes, to: talk, name: "f", mimeType: type)
            }.code
        }
        #expect(try await upload(Array("<html>".utf8), "image/png") == "invalid")
        #expect(try await upload(Array("<html>".utf8), "text/html") == "invalid")
        #expect(try await upload(Array("plain".utf8), "video/mp4") == "invalid")
        #expect(try await upload(Pictures.png(width: 50_000, height: 50_000, padding: 0), "image/png") == "too_large")
        let page = try await alice.upload(
            Array("<html>".utf8), to: talk, name: "p", mimeType: "application/octet-stream")
        #expect(page.sizeBytes == 6)
        let id = await alice.newID()
        for (size, name, type) in [
            (200 << 20, "a", "text/plain"), (0, "a", "text/plain"), (5, "../a", "text/plain"), (5, "", "text/plain"),
            (5, "a", "no type"), (5, "a", "image/svg+xml"),
        ] as [(Int64, String, String)] {
            let problem = try await refusal { () async throws(ParleyError) in
                try await alice.call(
                    MessagingMethods.createAttachment, key: talk, Self.room(size, type, in: talk, id, name: name))
            }
            #expect(["invalid", "too_large"].contains(problem.code), "\(size) \(name) \(type)")
        }

        let room = try await alice.call(
            MessagingMethods.createAttachment, key: talk, Self.room(10, "text/plain", in: talk, id))
        let server = cluster.endpoints.http[0]
        func patch(_ bytes: [UInt8], _ headers: [String: String]) async throws -> RawHTTP.Answer {
            let path = room.uploadPath
            return try #require(
                try await onThread { try RawHTTP.send("PATCH", path, to: server, headers: headers, body: bytes) })
        }
        let ten = Array("0123456789".utf8)
        #expect(try await patch(ten, ["Upload-Offset": "0", "Content-Encoding": "gzip"]).status == 415)
        #expect(try await patch(ten, [:]).status == 400)
        #expect(try await patch(ten + ten, ["Upload-Offset": "0"]).status == 413)
        let ahead = try await patch(Array(ten[..<5]), ["Upload-Offset": "5"])
        #expect(ahead.status == 409 && ahead.headers["upload-offset"] == "0")
        let half = try await patch(Array(ten[..<5]), ["Upload-Offset": "0"])
        #expect(half.status == 204 && half.headers["upload-offset"] == "5" && half.headers["upload-length"] == "10")
        #expect(try await patch(Array(ten[5...]), ["Upload-Offset": "5"]).headers["upload-offset"] == "10")
        #expect(try await patch(ten, ["Upload-Offset": "0"]).status == 409, "a complete file cannot change")
        let again = try await alice.call(
            MessagingMethods.createAttachment, key: talk, Self.room(10, "text/plain", in: talk, id))
        #expect(again.complete && again.receivedBytes == 10)
    }

    @Test("M17 a link serves one purpose; ranges, tags and headers are as browsers need them to be safe")
    func links() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2)
        let alice = people[0].client
        let talk = try await alice.startDirect(with: people[1].user).conversation.id
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let media = try await alice.upload(bytes, to: talk, name: "data\u{201D};x.bin")
        let seq = try await alice.send(media, to: talk).seq
        let path = try await alice.attachment(of: seq, in: talk).downloadPath
        let server = cluster.endpoints.http[1]
        func call(_ method: String, _ path: String, _ headers: [String: String] = [:]) async throws -> RawHTTP.Answer {
            try #require(try await onThread { try RawHTTP.send(method, path, to: server, headers: headers) })
        }
        let whole = try await call("GET", path)
        #expect(whole.status == 200 && whole.body == bytes)
        #expect(whole.headers["content-disposition"] == "attachment; filename*=UTF-8''data%E2%80%9D%3Bx.bin")
        #expect(whole.headers["x-content-type-options"] == "nosniff")
        #expect(whole.headers["content-security-policy"]?.contains("sandbox") == true)
        let head = try await call("HEAD", path)
        #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "700000")
        let tag = try #require(whole.headers["etag"])
        #expect(try await call("GET", path, ["If-None-Match": tag]).status == 304)
        for (range, expected) in [
            ("bytes=0-0", 0..<1), ("bytes=300000-", 300_000..<700_000), ("bytes=-5", 699_995..<700_000),
            ("bytes=699999-800000", 699_999..<700_000),
        ] {
            let part = try await call("GET", path, ["Range": range])
            #expect(part.status == 206 && part.body == Array(bytes[expected]), "\(range)")
            #expect(
                part.headers["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/700000")
        }
        #expect(try await call("GET", path, ["Range": "bytes=700000-"]).status == 416)
        #expect(try await call("GET", path, ["Range": "bytes=1-2,4-5"]).status == 200)
        #expect(try await call("GET", path, ["Range": "bytes=1-2", "If-Range": "\"other\""]).status == 200)
        #expect(try await call("PATCH", path, ["Upload-Offset": "0"]).status == 405)
        var forged = Array(path)
        forged[forged.count - 1] = forged.last == "0" ? "1" : "0"
        #expect(try await call("GET", String(forged)).status == 404)
        for nonsense in ["/v1/files/", "/v1/files/../../etc/passwd", "/v1/files/%2e%2e/x", path + "/x", path + "00"] {
            #expect(try await call("GET", nonsense).status == 404, "\(nonsense)")
        }
    }
}

/// Pictures of which only the beginning is valid.
enum Pictures {
    static func png(width: UInt32, height: UInt32, padding: Int) -> [UInt8] {
        let number = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) } }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + number(width)
            + number(height) + [8, 6, 0, 0, 0] + (0..<padding).map { UInt8(truncatingIfNeeded: $0) }
    }
}
