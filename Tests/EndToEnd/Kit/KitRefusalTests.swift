import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// What no server would take: the SDK refuses it before it is stored, as the server does.
@MainActor
@Suite("ParleyKit, what is refused at once", .timeLimit(.minutes(3)))
struct KitRefusalTests {
    /// The code and the field of a refusal; nil: there is none.
    private struct Why: Equatable {
        var code: String
        var field: String
    }

    private func kit(_ action: () async throws(Refusal) -> Void) async -> Why? {
        do throws(Refusal) {
            try await action()
            return nil
        } catch {
            return Why(code: error.code.rawValue, field: error.field ?? "")
        }
    }

    private func server<Request, Reply>(
        _ client: ParleyClient, _ method: Method<Request, Reply>, _ key: String, _ request: Request
    ) async -> Why? {
        do throws(ParleyError) {
            _ = try await client.call(method, key: key, request)
            return nil
        } catch {
            return Why(code: error.code, field: error.field)
        }
    }

    private func newID() -> Data {
        var ids = UUIDv7.Generator()
        return Data(ids.next(at: Int64(Date.now.timeIntervalSince1970 * 1_000_000)).bytes)
    }

    @Test("S9 M1 M12 E1 E3 what no server would take is refused at once, with the server's code and field")
    func same() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let name = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: name, password: Device.password)
        let me = try #require(parley.user).rawValue
        let raw = try await cluster.stranger()
        try await raw.signIn(username: name, password: Device.password)
        let ada = try await cluster.person("ada")
        let person = try #require(try await parley.users([UserID(rawValue: ada.user)]).first)
        let chat = try await parley.startConversation(with: person)
        try await ada.client.accept(chat.id)
        try await chat.send("1")
        try await eventually("it is sent") { @Sendable in await parley.unsent.isEmpty }
        let (id, message) = (chat.id.rawValue, try #require(chat.messages.first))

        let texts = [
            "", " \u{2800}\n", String(repeating: "x", count: 16_385), "bell\u{7}", "\u{202E}back",
            "a" + String(repeating: "\u{301}", count: 30), "nul\u{0}",
        ]
        for text in texts {
            let what: Comment = "message \(text.debugDescription.prefix(30))"
            let sent = await kit { () throws(Refusal) in try await chat.send(text) }
            #expect(sent != nil, what)
            #expect(
                await server(
                    raw, MessagingMethods.sendMessage, id,
                    .with {
                        ($0.id, $0.conversation, $0.kind, $0.text) = (
                            newID(), id, .text, text
                        )
                    }) == sent, what)
        }
        for emoji in ["", "ab", "👍👍", "x"] {
            let reacted = await kit { () throws(Refusal) in try await chat.react(emoji, to: message) }
            #expect(reacted == Why(code: "invalid", field: "emoji"))
            #expect(
                await server(
                    raw, MessagingMethods.updateReaction, id,
                    .with { ($0.conversation, $0.seq, $0.emoji) = (id, 1, emoji) }) == reacted)
        }
        for title in ["", " ", String(repeating: "x", count: 513), "a\u{202E}b"] {
            let what: Comment = "title \(title.debugDescription.prefix(30))"
            let added = await kit { () throws(Refusal) in
                try await parley.addReminder(title, dueAt: Date(timeIntervalSinceNow: 3600))
            }
            #expect(added == Why(code: "invalid", field: "title"), what)
            #expect(
                await server(
                    raw, EntitiesMethods.createReminder, me,
                    .with {
                        ($0.id, $0.title) = (newID(), title)
                        $0.dueAtUs = 4_000_000_000_000_000
                    }) == added, what)
        }
        for name in ["", String(repeating: "x", count: 129), String(repeating: "😀", count: 129)] {
            let made = await kit { () throws(Refusal) in _ = try await parley.createGroup(name, with: [person]) }
            #expect(made == Why(code: "invalid", field: "name"))
            #expect(
                await server(
                    raw, ConversationsMethods.createGroup, me,
                    .with {
                        ($0.id, $0.name, $0.users) = (newID(), name, [ada.user])
                    }) == made)
        }
        let many = (0..<1_001).map { "u\($0)" }
        let people = many.map { User(id: UserID(rawValue: $0), username: $0, displayName: $0) }
        let crowd = await kit { () throws(Refusal) in _ = try await parley.createGroup("Crowd", with: people) }
        #expect(crowd == Why(code: "invalid", field: "users"))
        #expect(
            await server(
                raw, ConversationsMethods.createGroup, me,
                .with { ($0.id, $0.name, $0.users) = (newID(), "Crowd", many) }) == crowd)
        #expect(parley.unsent.isEmpty && chat.messages.count == 1, "nothing is stored")
        await raw.close()
        await parley.close()
    }
}
