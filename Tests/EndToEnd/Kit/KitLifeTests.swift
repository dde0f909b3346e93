import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// The life of an app: background and foreground, networks that change, in any order.
@MainActor
@Suite("ParleyKit, in background and foreground", .timeLimit(.minutes(3)))
struct KitLifeTests {
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    @Test("S8 an app in the background lets its extension take over, whose message goes out, and goes on after it")
    func handingOver() async throws {
        let cluster = try await TestCluster.shared
        let ada = try await cluster.person("ada")
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password)
        let person = try #require(try await parley.users([UserID(rawValue: ada.user)]).first)
        let chat = try await parley.startConversation(with: person)
        try await ada.client.accept(chat.id)
        try await chat.send("1")
        try await shows("it is sent") { parley.unsent.isEmpty }

        let sharing = await app.open(cluster.url())
        #expect(sharing.connection == .elsewhere)
        await parley.suspend()
        try await shows("the extension takes over") { sharing.connection == .online }
        let shared = sharing.conversation(chat.id)
        try await shared.send("2, from the extension")
        try await shows("it goes out") { sharing.unsent.isEmpty }
        // What is done in the background is stored. The extension sends it.
        try await chat.send("3, in the background")
        try await shows("the extension sends it") { shared.messages.map(\.seq) == [1, 2, 3] }

        parley.resume()
        try await shows("the extension is connected still") { parley.connection == .elsewhere }
        try await shows("the app shows what was sent") { chat.messages.map(\.seq) == [1, 2, 3] }
        _ = try await ada.client.send("4", to: chat.id.rawValue)
        try await shows("and what arrives") { chat.messages.last?.text == "4" }
        await sharing.close()
        try await shows("the app takes over") { parley.connection == .online }
        _ = try await ada.client.send("5", to: chat.id.rawValue)
        try await shows("it receives by itself") { chat.messages.last?.text == "5" }

        // Alone it goes on from where it was, and reads nothing again.
        await parley.suspend()
        _ = try await ada.client.send("6", to: chat.id.rawValue)
        parley.resume()
        try await shows("it comes back") { chat.messages.last?.text == "6" && parley.connection == .online }
        await parley.close()
    }

    @Test("S8 an app that goes to the background, comes back and changes its network at once is connected in the end")
    func meeting() async throws {
        let cluster = try await TestCluster.shared
        let ada = try await cluster.person("ada")
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password)
        let person = try #require(try await parley.users([UserID(rawValue: ada.user)]).first)
        let chat = try await parley.startConversation(with: person)
        try await shows("the server has it") { parley.unsent.isEmpty }
        try await ada.client.accept(chat.id)
        await chat.load()
        try await parley.watchPresence(of: [person.id])
        await parley.setActivity(isInForeground: true, conversation: chat.id)
        var random = SystemRandomNumberGenerator()
        for round in 1...12 {
            var tasks: [Task<Void, Never>] = []
            for _ in 0..<Int.random(in: 2...5, using: &random) {
                let call = Int.random(in: 0..<3, using: &random)
                tasks.append(
                    Task { @MainActor in
                        switch call {
                        case 0: await parley.suspend()
                        case 1: parley.resume()
                        default: await parley.networkChanged()
                        }
                    })
                for _ in 0..<Int.random(in: 0...20, using: &random) { await Task.yield() }
            }
            parley.resume()
            for task in tasks { await task.value }
            parley.resume()
            try await shows("round \(round): it is connected") { parley.connection == .online }
            _ = try await ada.client.send("\(round)", to: chat.id.rawValue)
            try await shows("round \(round): what is sent arrives") { chat.messages.last?.text == "\(round)" }
        }
        try await shows("who is watched is still watched") { parley.presence[person.id]?.status == .online }
        // What the app wanted last holds, whatever is still under way.
        async let change: Void = parley.networkChanged()
        await parley.suspend()
        await change
        #expect(parley.connection != .online && parley.connection != .connecting)
        await ada.client.close()
        parley.resume()
        try await shows("that she has gone while the app was away") { parley.presence[person.id]?.status == .offline }
        await parley.close()
    }

    @Test("S8 whom to watch is remembered without a connection")
    func watchedOffline() async throws {
        let cluster = try await TestCluster.shared
        let ada = try await cluster.person("ada")
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password)
        let person = try #require(try await parley.users([UserID(rawValue: ada.user)]).first)
        let chat = try await parley.startConversation(with: person)
        try await ada.client.accept(chat.id)
        await parley.suspend()
        try await parley.watchPresence(of: [person.id])
        parley.resume()
        try await shows("she is online") { parley.presence[person.id]?.status == .online }
        await parley.close()
    }
}

extension ParleyClient {
    /// Accepts a request, if the conversation is one.
    func accept(_ conversation: ConversationID) async throws {
        let seen = try? await getConversation(conversation.rawValue)
        if seen?.section == .requests { try await acceptRequest(conversation.rawValue) }
    }
}
