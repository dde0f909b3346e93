import Foundation
import ParleyClient
import Testing

@testable import ParleyKit

/// Apps keep and log values: each comes back from its JSON as it was.
@Suite("Values as JSON")
struct CodableTests {
    private let ada = User(
        id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada", photo: URL(string: "https://a.example/p"))
    private let chat = ConversationID(rawValue: "ada_bob")
    private let time = Date(timeIntervalSince1970: 1_800_000_000.25)
    private let refusal = Refusal(.groupFull, "Full.", field: "users", retryAfter: .milliseconds(1500))

    private func comesBack<Value: Codable & Equatable>(_ value: Value) throws {
        let json = try JSONEncoder().encode(["value": value])
        let found = try JSONDecoder().decode([String: Value].self, from: json)
        #expect(found == ["value": value], "\(String(decoding: json, as: UTF8.self))")
    }

    private var messages: [Message] {
        var whole = Message(
            .with {
                ($0.id, $0.conversation, $0.seq, $0.sender) = (MessageID().data, chat.rawValue, 7, "ada")
                ($0.kind, $0.text, $0.sentAtUs, $0.editedAtUs) = (.image, "a", 1_800_000_000_000_001, 5)
                ($0.replyToSeq, $0.threadSeq, $0.mentions, $0.expiresAtUs) = (3, 2, ["ada", "bob"], 9)
                ($0.media.name, $0.media.mimeType, $0.media.sizeBytes) = ("a.png", "image/png", 12)
                ($0.media.width, $0.media.height, $0.media.durationMs) = (3, 4, 1500)
                ($0.media.thumbnail, $0.forwardedFrom) = (Data([1, 2]), "eve")
                ($0.thread.replies, $0.thread.lastSeq, $0.own.starred) = (2, 6, true)
                $0.reactions = [.with { ($0.emoji, $0.count) = ("👍", 2) }]
                $0.own.reactions = ["👍"]
            })
        whole.setChange(.failed(refusal))
        var deleted = whole
        deleted.dropContent()
        var file = Message(unsent: "b", id: MessageID(), in: chat, from: ada.id, at: time, status: .failed(refusal))
        file.setFile(Attachment(name: "b", mimeType: "text/plain", sizeBytes: 1), progress: 0.5)
        let note = Message(
            .with {
                ($0.id, $0.conversation, $0.seq, $0.kind) = (MessageID().data, chat.rawValue, 1, .system)
                ($0.system.kind, $0.system.actor, $0.system.users) = (.membersJoined, "ada", ["bob"])
            })
        return [Message("plain", in: chat, from: ada.id, at: time), whole, deleted, file, note]
    }

    @Test("S9 messages")
    func ofMessages() throws {
        for message in messages { try comesBack(message) }
        let notes: [SystemNote] = [
            .joined([ada.id], addedBy: ada.id), .left(ada.id), .removed([ada.id], by: ada.id),
            .renamed("Crew", by: ada.id), .photoChanged(by: ada.id), .ownerChanged(to: ada.id, by: ada.id),
            .adminsAdded([ada.id], by: ada.id), .adminsRemoved([], by: ada.id),
            .retentionChanged(.seconds(60), by: ada.id), .retentionChanged(nil, by: ada.id),
            .decisionShared(.init(), by: ada.id), .eventShared(.init(), by: ada.id), .other,
        ]
        for note in notes { try comesBack(note) }
        let statuses: [DeliveryStatus] = [.sending, .failed(refusal), .sent, .delivered, .read]
        for status in statuses { try comesBack(status) }
        let changes: [ConversationChange] = [
            .appended(messages[0]), .changed(messages[1]), .status(.read, of: MessageID(), in: chat),
            .removed([MessageID()], in: chat), .updated(chat), .migrated(from: chat, to: chat), .gone(chat),
        ]
        for change in changes { try comesBack(change) }
    }

    @Test("S9 people, entities and all else")
    func ofTheRest() throws {
        try comesBack(ada)
        try comesBack(Profile(ada, email: "ada@example.org", isFindableByEmail: true))
        for role in [Member.Role.member, .admin, .owner] { try comesBack(Member(ada, role: role, joinedAt: time)) }
        try comesBack(Receipt(readUpTo: 3, readAt: time, deliveredUpTo: 4))
        try comesBack(SignedInDevice(id: "d", name: "phone", signedInAt: time, lastUsedAt: time, isCurrent: true))
        for reason in ReportReason.allCases { try comesBack(reason) }
        try comesBack(Presence(.doNotDisturb, lastSeen: time, statusText: "away", statusEnds: time))
        try comesBack(OwnPresence(.away, statusText: "x", statusEnds: time, hiding: .fromAllButAccepted))
        try comesBack(Reminder(title: "tea", dueAt: time, timeZone: "UTC"))
        try comesBack(Decision(author: ada.id, text: "yes", isShared: true, conversation: chat))
        var event = Event(creator: ada.id, title: "Dinner", on: "2027-01-01", at: "19:00", answer: .tentative)
        (event.link, event.recurrence, event.version) = (URL(string: "https://a.example"), "FREQ=DAILY", 4)
        try comesBack(event)
        try comesBack(
            Suggestion(title: "tea", content: .reminder(dueAt: time, timeZone: "UTC"), conversation: chat))
        try comesBack(
            Suggestion(
                title: "d",
                content: .event(date: "2027-01-01", time: nil, timeZone: "UTC", minutes: 5, location: ""),
                conversation: chat))
        try comesBack(Badge(messages: 1, conversations: 2, mentions: 3))
        try comesBack(SuggestionSettings(isOff: true, conversations: [chat]))
        for state: Conversation.RequestState in [.accepted, .sent, .received(from: ada.id), .blocked] {
            try comesBack(state)
        }
        try comesBack(Conversation.Unread(messages: 1, mentions: 2, isMarked: true))
        try comesBack(Conversation.Gap(first: 1, last: 2))
        try comesBack(refusal)
        try comesBack(EventID())
        try comesBack(MessageID())
    }

    @Test("S9 ids are texts, and what is none is refused")
    func ids() throws {
        let id = EventID()
        #expect(String(decoding: try JSONEncoder().encode([id]), as: UTF8.self) == "[\"\(id)\"]")
        for text in ["", "abc", String(repeating: "x", count: 32), String(repeating: "0", count: 33)] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([MessageID].self, from: JSONEncoder().encode([text]))
            }
        }
    }

    /// What is no value that an app keeps.
    private let leftOut: Set = [
        "Options", "Storage", "Connection", "AccountState", "Repetition", "FileToSend", "Found", "OwnerProof",
        "PushToken", "NotificationKey", "NotificationFailure", "DeviceLink", "SignInPage",
    ]

    @Test("S9 every value of the API can be kept")
    func all() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Clients/ParleyKit")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var (found, missing): (Int, Set<String>) = (0, [])
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /public (?:struct|enum) (\w+)[^:{]*:([^{]*)\{/) {
                found += 1
                if !match.2.contains("Codable") { missing.insert(String(match.1)) }
            }
        }
        #expect(found > 50 && missing == leftOut, "\(missing.symmetricDifference(leftOut).sorted())")
    }
}
