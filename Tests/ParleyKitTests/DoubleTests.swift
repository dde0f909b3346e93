import Foundation
import Testing

@testable import ParleyKit

/// What an app sees, with the double that its own tests use.
@MainActor
@Suite("What an app sees", .timeLimit(.minutes(2)))
struct DoubleTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
    private let bob = User(id: UserID(rawValue: "bob"), username: "bob", displayName: "Bob")

    @Test("a message arrives in its conversation, the inbox and the counts, without another step")
    func message() async {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let (one, two) = (await double.addConversation(with: ada), await double.addGroup("Crew", members: [ada, bob]))
        #expect(parley.profile?.user == me)
        #expect(parley.inbox.conversations.map(\.id) == [two.id, one.id])
        await double.receive("Hello!", from: ada.id, in: one.id)
        #expect(one.messages.map(\.text) == ["Hello!"])
        #expect(parley.inbox.conversations.map(\.id) == [one.id, two.id])
        #expect(one.unread == .init(messages: 1))
        await double.receive("You?", from: bob.id, in: two.id, mentions: [me.id])
        #expect(two.unread == .init(messages: 1, mentions: 1))
        #expect(parley.inbox.conversations.first === two)
        #expect((two.name, two.kind, two.memberCount) == ("Crew", .group, 3))
        #expect((one.kind, one.request, one.isFromCache) == (.direct, .accepted, false))
    }

    @Test("a title is the other person, a group's name or its members, and for notes to myself my own name")
    func titles() async {
        let double = await ParleyDouble(as: me)
        let (direct, notes) = (await double.addConversation(with: ada), await double.addConversation(with: me))
        let named = await double.addGroup("Crew", members: [ada, bob])
        let unnamed = await double.addGroup("", members: [ada, bob])
        #expect([direct, notes, named, unnamed].map(\.title) == ["Ada", "Me", "Crew", "Ada, Bob"])
        #expect([direct, notes, named].map(\.other) == [ada, nil, nil])
    }

    @Test("an edit, a deletion and a receipt change the message that is shown")
    func changes() async {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        let first = await double.receive("Helo", from: me.id, in: chat.id)
        await double.edit(first, to: "Hello")
        #expect(chat.messages.map(\.text) == ["Hello"])
        #expect(chat.messages[0].editedAt != nil)
        #expect(chat.messages[0].status == .sent)
        await double.read(chat.id, by: ada.id)
        #expect(chat.messages[0].status == .read)
        #expect(chat.receipts[ada.id]?.readUpTo == 1)
        await double.delete(first)
        #expect(chat.messages[0].isDeleted)
        #expect(chat.messages[0].text.isEmpty)
        #expect(double.parley.conversations.audit().isEmpty)
    }

    @Test("a message request is in its own list, a reminder among the reminders; presence and the connection are shown")
    func others() async {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let request = await double.addRequest(from: ada)
        #expect(parley.requests.conversations.map(\.id) == [request.id])
        #expect(parley.inbox.conversations.isEmpty)
        #expect(request.request == .received(from: ada.id))
        await double.addReminder("later", dueAt: Date(timeIntervalSince1970: 200))
        await double.addReminder("sooner", dueAt: Date(timeIntervalSince1970: 100))
        #expect(parley.reminders.map(\.title) == ["sooner", "later"])
        double.set(.online, of: ada.id)
        #expect(parley.presence[ada.id] == .online)
        double.set(.offline(since: Date(timeIntervalSince1970: 1)))
        #expect(parley.connection == .offline(since: Date(timeIntervalSince1970: 1)))
    }

    @Test("a list shows a page, then the next ones")
    func pages() async {
        let double = await ParleyDouble(as: me)
        for number in 0..<120 { await double.addGroup("\(number)", members: [ada]) }
        #expect(double.parley.inbox.conversations.count == 120)
        let list = ConversationList(.inbox)
        list.loadPage = { [parley = double.parley] key in
            let rows = try? await parley.account?.store.read {
                try $0.list(.inbox, isArchived: false, after: key, limit: 51)
            }
            let page = (rows ?? []).prefix(50)
            list.show(
                page.map { (parley.conversations.conversation(ConversationID(rawValue: $0.id)), $0.key) },
                hasMore: (rows ?? []).count > 50)
        }
        for (count, hasMore) in [(50, true), (100, true), (120, false), (120, false)] {
            await list.loadMore()
            #expect((list.conversations.count, list.hasMore) == (count, hasMore))
        }
        #expect(list.conversations.map(\.id) == double.parley.inbox.conversations.map(\.id))
    }

    @Test("codes are those of the contract; what may succeed later is temporary")
    func codes() {
        let codes: [(Refusal.Code, String)] = [
            (.accountSuspended, "account_suspended"), (.registrationClosed, "registration_closed"),
            (.registrationCodeRefused, "registration_code_refused"), (.proofRequired, "proof_required"),
            (.quotaReached, "quota_reached"),
            (.groupFull, "group_full"), (.reminderCompleted, "reminder_completed"),
            (.decisionNotFound, "decision_not_found"), (.alreadySuperseded, "already_superseded"),
            (.notHost, "not_host"), (.eventChanged, "event_changed"), (.userNotInvited, "user_not_invited"),
            (.notAsked, "not_asked"), (.hostDeclined, "host_declined"),
            (.tooManyEvents, "too_many_events"), (.tooManyConversations, "too_many_conversations"),
            (.tooManyHosts, "too_many_hosts"), (.tooManyAttendees, "too_many_attendees"),
            (.tooManySessions, "too_many_sessions"), (.tooManyDecisions, "too_many_decisions"),
            (.idTooOld, "id_too_old"), (.idFromFuture, "id_from_future"),
        ]
        for (code, name) in codes { #expect(code.rawValue == name) }
        #expect(Refusal(.rateLimited, "Wait.").isTemporary)
        #expect(!Refusal(.notMember, "No.").isTemporary)
    }

    @Test("downloaded files are bounded: those opened longest ago go first")
    func files() async throws {
        let folder = try Folder()
        let cache = FileCache(folder.url, bytesMax: 2500)
        for number in 1...4 {
            let place = folder.url.appendingPathComponent("\(number)-file")
            try Data(count: 1000).write(to: place)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(number))], ofItemAtPath: place.path)
        }
        try await cache.trim()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["3-file", "4-file"])
    }

    @Test(
        "a kept file has a name that each file system takes, whatever the sender called it",
        arguments: [
            String(repeating: "x", count: 251) + ".jpg", String(repeating: "👨‍👩‍👧‍👦", count: 100) + ".jpg",
            "e" + String(repeating: "\u{301}", count: 126) + ".jpg", "../../../.jpg", "/etc/.jpg", "a\0b.jpg",
            "\n\r\u{1b}.jpg",
            "..\\.jpg",
        ])
    func names(name: String) async throws {
        let folder = try Folder()
        let kept = folder.url.appendingPathComponent("kept")
        let cache = FileCache(kept)
        let sent = folder.url.appendingPathComponent("sent")
        try Data(count: 10).write(to: sent)
        await cache.adopt(sent, of: .max, name, in: "conversation")
        let place = try await cache.file(of: .max, name, in: "conversation", from: nil)
        #expect(try Data(contentsOf: place).count == 10)
        #expect(place.lastPathComponent.utf8.count <= 200 && place.lastPathComponent.hasSuffix(".jpg"))
        #expect(place.lastPathComponent.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        #expect(place.standardizedFileURL.deletingLastPathComponent().path == kept.path + "/conversation")
    }
}
