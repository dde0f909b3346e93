import Foundation
import ParleyClient
import TestSupport
import Testing

extension OperatedClusters {
    @Test("M17 with files in an S3 store, uploads, downloads and ranges work, and unsent files are deleted")
    func filesInS3() async throws {
        let store = try await Moto()
        defer { store.end() }
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "messaging": [
                        "PARLEY_FILES_S3_ENDPOINT": store.url, "PARLEY_FILES_S3_BUCKET": "files",
                        "PARLEY_FILES_S3_KEY_ID": "tests", "PARLEY_FILES_S3_SECRET": "tests",
                        "PARLEY_FILES_UNSENT_SECONDS": "4", "PARLEY_FILES_SWEEP_SECONDS": "1",
                        "PARLEY_FILES_UNUSED_SECONDS": "0",
                    ]
                ]))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let seq = try await alice.client.send(
            try await alice.client.upload(bytes, to: talk, name: "a.bin"), to: talk
        ).seq
        #expect(try await store.count() == 1)
        let found = try await bob.client.attachment(of: seq, in: talk)
        let server = cluster.endpoints.http[0]
        func get(_ headers: [String: String]) async throws -> RawHTTP.Answer {
            try #require(
                try await onThread { try RawHTTP.send("GET", found.downloadPath, to: server, headers: headers) })
        }
        #expect(try await get([:]).body == bytes)
        #expect(try await get(["Range": "bytes=1000000-2000000"]).body == Array(bytes[1_000_000...2_000_000]))

        let refused = try await refusal { () async throws(ParleyError) in
            try await alice.client.upload(Array("<html>".utf8), to: talk, name: "a.png")
        }
        #expect(refused.code == "invalid")
        _ = try await alice.client.upload(bytes, to: talk, name: "b.bin")
        #expect(try await store.count() == 2)
        try await eventually("the unsent file is deleted") { try await store.count() == 1 }
        #expect(try await get([:]).body == bytes)

        // Without the store, messages work and files get 503. Files work again once it is back.
        store.stop()
        let sent = try await alice.client.send("still here", to: talk)
        #expect(sent.seq == seq + 1)
        #expect(try await get([:]).status == 503)
        try await store.start()
        let again = try await alice.client.upload(bytes, to: talk, name: "c.bin")
        #expect(again.sizeBytes == Int64(bytes.count))
        await cluster.end()
    }
}

/// A moto server in its own process, with the bucket "files".
private final class Moto: @unchecked Sendable {
    // Sendable: one test uses it, one step after another.
    private let port: Int
    private var process: Process?

    var url: String { "http://127.0.0.1:\(port)" }

    init() async throws {
        port = try freePort()
        try await start()
    }

    deinit { end() }

    func start() async throws {
        let process = Process()
        process.executableURL = MigratedDatabase.root.appending(path: "Tests/Moto/run")
        process.arguments = ["\(port)"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        let url = url
        // The first start installs it.
        try await eventually(within: .seconds(120), "moto serves (if not, Tests/Moto/run \(port) shows why)") {
            guard process.isRunning else {
                throw NeverHappened(description: "moto did not start: Tests/Moto/run \(self.port) shows why")
            }
            return
                (try? await onThread { try RawHTTP.send("PUT", "/files", to: url, headers: ["Connection": "close"]) })?
                .status == 200
        }
    }

    /// Returns the number of objects.
    func count() async throws -> Int {
        let url = url
        let answer = try await onThread {
            try RawHTTP.send("GET", "/files", to: url, headers: ["Connection": "close"])
        }
        return (answer?.text ?? "").components(separatedBy: "<Key>").count - 1
    }

    /// Kills the server, whose memory is lost.
    func stop() {
        guard let process, process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func end() { stop() }
}
