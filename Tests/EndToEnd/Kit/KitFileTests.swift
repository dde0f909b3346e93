import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("ParleyKit, files and search", .timeLimit(.minutes(5)))
struct KitFileTests {
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(within: .seconds(30), what) { @Sendable in await isSo() }
    }

    private func newPerson(_ parley: Parley) async throws -> UserID {
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password)
        return try #require(parley.user)
    }

    private func file(_ name: String, of bytes: Int, in app: AppFolder) throws -> URL {
        let url = app.url.deletingLastPathComponent().appendingPathComponent("\(app.url.lastPathComponent)-\(name)")
        var content = Data(count: bytes)
        content.withUnsafeMutableBytes { content in
            for index in stride(from: 0, to: content.count - 8, by: 8) {
                content.storeBytes(of: UInt64.random(in: .min ... .max), toByteOffset: index, as: UInt64.self)
            }
        }
        try content.write(to: url)
        return url
    }

    @Test("S7 a file that was sent offline arrives; its message waits for the new group, and the next one for it")
    func offline() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        _ = try await newPerson(parley)
        let ada = try await cluster.person("ada")
        let people = try await parley.users([UserID(rawValue: ada.user)])
        await parley.close()

        let original = try file("notes.bin", of: 300_000, in: app)
        let content = try Data(contentsOf: original)
        let alone = await app.open("ws://127.0.0.1:1/v1/socket")
        let group = try await alone.createGroup("Crew", with: people)
        let message = try await group.send("Notes", file: FileToSend(original))
        try await group.react("👍", to: message)
        try await group.send("Read them")
        #expect(group.messages.map(\.attachment?.sizeBytes) == [300_000, nil])
        try FileManager.default.removeItem(at: original)
        await alone.close()

        let again = await app.open(cluster.url())
        let chat = again.conversation(group.id)
        try await shows("everything is sent") { again.unsent.isEmpty && !again.isFromCache }
        #expect(chat.messages.filter { $0.kind != .system }.map(\.text) == ["Notes", "Read them"])
        let sent = try #require(chat.messages.first { $0.id == message.id })
        #expect(sent.attachment?.name == original.lastPathComponent && sent.reactions.count == 1)
        #expect(sent.progress == nil && sent.syncStatus == .synced)
        let folder = try TestFolder()
        defer { folder.remove() }
        let place = folder.path + "/downloaded"
        try await ada.client.download(try #require(sent.seq), of: group.id.rawValue, to: place)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place)) == content)
        await again.suspend()
        // It is on the device already.
        let kept = try await again.file(of: sent)
        #expect(try Data(contentsOf: kept) == content)
        again.resume()

        // What the server does not take says why, and holds up nothing.
        let page = try file("page.html", of: 100, in: app)
        try Data("<html><script></script></html>".utf8).write(to: page)
        let refused = try await chat.send(file: FileToSend(page, mimeType: "image/png"))
        try await chat.send("On we go")
        try await shows("it is refused") {
            if case .failed = chat.message(refused.id)?.syncStatus { again.unsent.count == 1 } else { false }
        }
        try await chat.delete(refused)
        #expect(again.unsent.isEmpty)
        try await again.signOut()
        #expect(try FileManager.default.contentsOfDirectory(atPath: app.url.path) == [])
        await again.close()
    }

    @Test("S7 an upload goes on where it was when the app was killed, and the file is sent once")
    func killed() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let me = try await newPerson(parley)
        let ada = try await cluster.person("ada")
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: me.rawValue)
        await parley.close()
        let original = try file("large.bin", of: 24_000_000, in: app)
        let content = try Data(contentsOf: original)

        let client = try Program("kit-client")
        defer { client.remove() }
        let arguments = [cluster.url(), app.url.path, id.rawValue, "1", original.path]
        // Each app kills itself once the server has so much, or at once if it has more already.
        var reached = 0
        var cuts = 0
        for percent in [20, 45, 70] {
            let running = try client.start(arguments + ["\(percent)"])
            try await eventually(within: .seconds(60), "the app uploads, and ends") { @Sendable in !running.isRunning }
            if cuts == 0 { try? FileManager.default.removeItem(at: original) }
            let steps = running.output.matches(of: /progress (\d+)/).compactMap { Int($0.1) }
            // What was on its way at the kill is sent again.
            if let first = steps.first, first < 100 { #expect(first >= min(reached, 99) - 20, "at \(percent) %") }
            reached = max(reached, steps.first ?? 0)
            if running.output.contains("done") { break }
            cuts += 1
        }
        #expect(cuts > 0, "no upload was cut")
        let last = await app.open(cluster.url())
        try await shows("everything is sent") { last.unsent.isEmpty && !last.isFromCache }
        let history = try await ada.client.history(of: id.rawValue, .newest, limit: 50).messages
        #expect(history.map(\.text) == ["1"] && history.map(\.media.sizeBytes) == [24_000_000])
        let folder = try TestFolder()
        defer { folder.remove() }
        try await ada.client.download(1, of: id.rawValue, to: folder.path + "/downloaded")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/downloaded")) == content)
        let chat = last.conversation(id)
        await chat.load()
        #expect(chat.messages.map(\.seq) == [1] && chat.messages[0].syncStatus == .synced)
        await last.close()
    }

    @Test("S8 a search finds what is on the device, then what only the server has, each message once")
    func search() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url(), pageSize: 5)
        let me = try await newPerson(parley)
        let ada = try await cluster.person("ada")
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: me.rawValue)
        for number in 1...12 { _ = try await ada.client.send("Café number \(number)", to: id.rawValue) }
        try await eventually(within: .seconds(20), "the server has indexed them") { @Sendable in
            try await ada.client.search(.with { ($0.text, $0.conversation) = ("cafe", id.rawValue) }).found.count == 12
        }
        await parley.close()

        // A device that has the newest five.
        let fresh = try AppFolder()
        try FileManager.default.copyItem(
            at: app.url.appendingPathComponent("credentials.json"),
            to: fresh.url.appendingPathComponent("credentials.json"))
        let other = await fresh.open(cluster.url(), pageSize: 5)
        try await shows("it is synced") { !other.isFromCache }
        let chat = other.conversation(id)
        await chat.load()
        #expect(chat.messages.count == 5)
        let search = other.search("CAFE num")
        #expect(search.isSearching && search.found.isEmpty)
        await search.finish()
        #expect(search.found.map(\.message.seq) == (1...12).reversed().map(Optional.init))
        #expect(search.problem == nil && !search.hasMore && !search.isSearching)
        let text = search.found[0].message.text
        #expect(search.found[0].matches.map { String(text[$0]) } == ["Café", "number"])
        #expect(other.search("nothing like it", in: id).found.isEmpty)
        await other.suspend()

        let offline = other.search("cafe", in: id)
        await offline.finish()
        #expect(offline.found.map(\.message.seq) == [12, 11, 10, 9, 8] && offline.problem?.code == .offline)
        let empty = other.search("?!")
        await empty.finish()
        #expect(empty.problem?.code == .invalid)
        await other.close()
    }
}
