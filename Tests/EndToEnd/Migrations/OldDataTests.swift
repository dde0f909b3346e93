import Foundation
import ParleyClient
import Reactor
import TestSupport
import Testing

extension OperatedClusters {
    @Test(
        "D4 data of the oldest version and of the last one before this is served: sign-in, history, search")
    func oldData() async throws {
        let scene = try await DumpScene.shared
        let secrets = scene.secrets
        for dump in Set([0, SchemaDump.all.count - 1]).sorted().map({ SchemaDump.all[$0] }) {
            var options = TestCluster.Options(gateways: 1)
            options.database = try await scene.restore(dump)
            options.prepare = { folder in
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: secrets, toPath: "\(folder)/secrets")
            }
            let cluster = try await TestCluster(options)
            let (ana, ben) = (try await signIn("ana", cluster), try await signIn("ben", cluster))
            #expect(await ana.user == "Ana1")
            try await read(dump, ana, ben)
            await ana.close()
            await ben.close()
            await cluster.end()
        }
    }

    private func signIn(_ name: String, _ cluster: TestCluster) async throws -> ParleyClient {
        let client = try await cluster.stranger()
        try await client.signIn(username: name, password: Device.password)
        return client
    }

    /// Checks the data that `Tests/Migrations/data` wrote.
    private func read(_ dump: SchemaDump, _ ana: ParleyClient, _ ben: ParleyClient) async throws {
        let (talk, group) = ("Ana1_Ben2", "01955be8000070008000000000000002")
        let history = try await ben.wholeHistory(of: talk)
        let texts = [
            "Hello Ben", "Hej Ana 👋🏽", "Two lines, and @ben", "",
            "See you at the harbour",
        ]
        #expect(history.map(\.text) == texts + ["An answer", "The boat"], "\(dump)")
        #expect(history[3].deletedAtUs == 1_741_003_216_000_000)
        let (edited, photo) = (history[2], history[6])
        #expect(edited.editedAtUs != 0 && edited.mentions == ["Ben2"] && edited.reactions.map(\.emoji) == ["👍"])
        #expect(edited.thread.replies == 1 && history[5].threadSeq == 3)
        #expect(photo.media.name == "boat.png" && photo.media.sizeBytes == 2048)
        let talked = try await ana.wholeHistory(of: group)
        #expect(talked.map(\.text) == ["Welcome aboard", "Thanks, Cleo", "When do we sail?"] + [""])
        #expect(talked[3].system.kind == .memberLeft)
        // Messages from before search existed are found once they are indexed.
        try await eventually("the message is found") {
            try await ana.search(.with { $0.text = "harbour" }).found.map(\.message.seq) == [5]
        }
        #expect(try await ana.inbox().entries.map(\.conversation) == [group, talk], "the first is pinned")
        #expect(try await ana.send("After all that time", to: talk).seq == Int64(history.count) + 1)
        #expect(try await ben.wholeHistory(of: talk).last?.text == "After all that time")
    }
}
