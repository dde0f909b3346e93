import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// Everything of a person, written by an app.
@MainActor
@Suite("ParleyKit, export", .timeLimit(.minutes(3)))
struct KitExportTests {
    @MainActor
    private final class Shown {
        var texts: [String] = []
    }

    @Test("A5 S9 an app writes everything of a person into a folder, with the files, and says how far it is")
    func export() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let name = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: name, password: Device.password, displayName: "Kit")
        let me = try #require(parley.user)
        let notes = try await parley.startConversation(with: try #require(try await parley.users([me]).first))
        try await notes.send("Remember the milk")
        let picture = app.url.appendingPathComponent("list.txt")
        try Data("milk".utf8).write(to: picture)
        try await notes.send("The list", file: FileToSend(picture))
        try await eventually("all is sent") { @Sendable in await parley.unsent.isEmpty }

        let shown = Shown()
        func show(_ text: String) { shown.texts.append(text) }
        let folder = app.url.appendingPathComponent("export")
        // snippet
        let file = try await parley.export(into: folder) { done in show("\(Int(done * 100)) %") }
        // end
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        let messages = json["messages"] as? [[String: Any]] ?? []
        #expect(messages.compactMap { $0["text"] as? String } == ["Remember the milk", "The list"])
        #expect((json["profile"] as? [[String: Any]] ?? []).count == 1)
        let saved = (json["files"] as? [[String: Any]] ?? []).compactMap { $0["savedAs"] as? String }
        #expect(saved.count == 1)
        let files = folder.appendingPathComponent("files")
        #expect(try Data(contentsOf: files.appendingPathComponent(saved.first ?? "")) == Data("milk".utf8))
        try await eventually("the end is told") { @Sendable in await shown.texts.contains("100 %") }

        // A folder that cannot be made.
        let code = await #expect(throws: Refusal.self) {
            try await parley.export(into: picture.appendingPathComponent("below"))
        }?.code
        #expect(code == .fileFailed)
        await parley.close()
    }
}
