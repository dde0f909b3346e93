@testable import Cluster
@testable import ConversationsService
@testable import MessagingService
@testable import ServiceKit
@testable import Wire

extension FuzzTarget {
    /// Cursors of a sync, as clients return them.
    static let cursor = FuzzTarget(
        "cursor", bytesMax: 200,
        seeds: { ["", "d.1799999000000000", "p.17999.42.1799999900000000", "n.9.8.7.6"].map { Array($0.utf8) } }
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        guard let read = try? SyncCursor(text) else { return }
        try require(text.isEmpty || read.text == text, "\(text) became \(read.text)")
        let cursor = read.continued(at: 1_800_000_000_000_000)
        try require(
            cursor.touchedAt >= 0 && cursor.conversation >= 0 && cursor.began >= 0, "negative: \(cursor)")
        for next in [cursor, cursor.ended] {
            try require(try SyncCursor(next.text) == next, "\(next.text) is parsed differently")
        }
    }

    /// Ids of people, conversations and writes.
    static let ids = FuzzTarget(
        "ids", bytesMax: 300,
        seeds: {
            [
                Array("Ab1".utf8), Array("Ab1_Cd2".utf8), Array("0123456789abcdef0123456789abcdef".utf8),
                [1, 0x99, 0xA0, 0, 0, 0, 0x70, 1, 0x80, 2, 3, 4, 5, 6, 7, 8], Array("tcp://messaging:7001".utf8),
            ]
        }
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let user = UserID(text) {
            try require(user.rawValue == text && (1...64).contains(text.utf8.count), "user id \(text)")
            let notes = ConversationID(user, user)
            try require(ConversationID(notes.rawValue) == notes, "notes of \(text)")
        }
        if let conversation = ConversationID(text) {
            try require(conversation.rawValue == text && text.utf8.count <= 129, "conversation id \(text)")
            let people = text.split(separator: "_").compactMap { UserID(String($0)) }
            if text.contains("_") {
                try require(people.count == 2, "\(text) names \(people.count) people")
                try require(ConversationID(people[1], people[0]) == conversation, "\(text) depends on the order")
            } else {
                try require(text.utf8.count == 32, "a group of \(text.utf8.count) digits")
            }
        }
        if let id = try? UUIDv7(input) {
            try require(id.bytes == input && id.time >= 0, "an id of time \(id.time)")
            let isInWindow = (try? id.checkWindow(now: 1_800_000_000_000_000)) != nil
            let distance = id.time.rawValue - 1_800_000_000_000_000
            try require(
                isInWindow == (-30 * 86_400_000_000...86_400_000_000).contains(distance), "window: \(distance)")
            try require(
                ConversationID(ConversationID(group: id).rawValue) != nil, "a group's own id is not a conversation id")
        }
    }

    /// Names that people choose, and texts that they write.
    static let text = FuzzTarget(
        "text", bytesMax: 1000,
        seeds: {
            ["  Ann  ", "ann.b-2", "line\nline\ttab", "\u{202E}evil", "e\u{301}\u{0}", "👩‍👩‍👧"].map { Array($0.utf8) }
        }
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let name = try? Text.name(text, field: "name", bytes: 64) {
            try require((1...64).contains(name.utf8.count), "a name of \(name.utf8.count) bytes")
            try require((try? Text.name(name, field: "name", bytes: 64)) == name, "a name is not stable")
            try require(name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "control characters in a name")
        }
        if let message = try? Text.message(text, field: "text", bytes: 256) {
            try require(message == text && text.utf8.count <= 256, "a text was changed, or is too long")
            try require(
                text.utf8.allSatisfy { $0 >= 0x20 || [9, 10, 13].contains($0) }, "control characters in a text")
        }
        if let username = try? AccountRules.username(text) {
            try require((2...32).contains(username.utf8.count), "username \(text)")
            try require((try? AccountRules.username(username)) == username, "a username is not stable: \(text)")
        }
        if let shown = try? AccountRules.displayName(text, username: "ann") {
            let letters = shown.unicodeScalars.count
            try require((1...128).contains(letters), "display name of \(letters) letters")
        }
        _ = try? AccountRules.password(text)
        _ = try? AccountRules.deviceName(text)
    }

    /// Addresses to listen on and to connect to.
    static let addresses = FuzzTarget(
        "addresses", bytesMax: 300,
        seeds: {
            [
                "127.0.0.1:8080", "[::]:80", "gateway:0", "tcp://0.0.0.0:7001", "tcp://[::1]:*", "ipc:///run/p/x.sock",
                "tcp://a:1,tcp://b:2",
            ].map { Array($0.utf8) }
        }
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        let listen = Setting("listen", .address, "where")
        if let address = try? ListenAddress(text) {
            try require(listen.complaint(about: text) == nil, "\(text) is an address but is refused as a setting")
            // A host with colons is in brackets, both the first and the second time.
            let again = try? ListenAddress(address.text)
            try require(again?.text == address.text, "\(text) became \(address.text), which parses differently")
        }
        let endpoint = Setting("endpoint", .endpoint, "where")
        let endpoints = Setting("endpoints", .endpoints, "where")
        if endpoint.complaint(about: text) == nil, !text.contains(",") {
            try require(endpoints.complaint(about: text) == nil, "\(text) is an endpoint but no list of one")
        }
    }
}
