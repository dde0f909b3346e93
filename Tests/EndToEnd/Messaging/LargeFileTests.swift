import Foundation
import ParleyClient
import Synchronization
import TestSupport
import Testing

extension OwnClusters {
    @Test(
        "M17 transfers of 100 MiB take constant memory and survive kill -9 of both processes; unsent files are deleted",
        .timeLimit(.minutes(15)))
    func largeFiles() async throws {
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "messaging": ["PARLEY_FILES_SWEEP_SECONDS": "1", "PARLEY_FILES_UNUSED_SECONDS": "0"]
                ]))
        let folder = try TestFolder()
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let size = 100 << 20
        let path = "\(folder.path)/large.bin"
        try Self.write(size, to: path)

        // First an undisturbed upload and download, in constant memory.
        let memory = try MemoryWatch(of: await cluster.pids, ["gateway-1", "messaging-1"])
        let began = ContinuousClock.now
        let media = try await alice.client.upload(fileAt: path, to: talk)
        let up = ContinuousClock.now - began
        let seq = try await alice.client.send(media, to: talk).seq
        try await bob.client.download(seq, of: talk, to: "\(folder.path)/down.bin")
        let down = ContinuousClock.now - began - up
        let grown = memory.end()
        print("files: 100 MiB up in \(up), down in \(down); grown by \(grown) KiB")
        for (process, most) in grown { #expect(most < 24 * 1024, "\(process) grew by \(most) KiB") }
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: "\(folder.path)/down.bin"))

        // Both processes are killed during upload and download. Transfers continue and do not start over.
        let kills = Kills()
        let second = try await alice.client.upload(fileAt: path, to: talk) { reached in
            kills.note(reached, of: size, cluster)
        }
        #expect(kills.done == ["messaging-1", "gateway-1"])
        kills.again()
        let next = try await alice.client.send(second, to: talk).seq
        try await bob.client.download(next, of: talk, to: "\(folder.path)/again.bin") { reached in
            kills.note(reached, of: size, cluster)
        }
        #expect(kills.done == ["messaging-1", "gateway-1"])
        #expect(kills.stepsBack == 0, "stored bytes are not sent again")
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: "\(folder.path)/again.bin"))

        // An unsent file is deleted after a day. Sent ones stay.
        _ = try await alice.client.upload(Array("left alone".utf8), to: talk, name: "a.txt")
        let files = "\(cluster.cluster.folder)/files"
        #expect(try Self.count(files) == 3)
        try await cluster.execute("UPDATE messaging.attachments SET created_at = created_at - 86400000000")
        try await eventually(within: .seconds(40), "it is deleted") { try Self.count(files) == 2 }
        try await bob.client.download(next, of: talk, to: "\(folder.path)/third.bin")
        await cluster.end()
        folder.remove()
    }

    @Test("M17 when the disk is full, an upload is refused with no_room and leaves nothing behind")
    func fullDisk() async throws {
        let cluster = try await TestCluster(
            .init(gateways: 1, settings: ["messaging": ["PARLEY_FILES_FREE_BYTES": "\(1 << 60)"]]))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let problem = try await refusal { () async throws(ParleyError) in
            try await alice.client.upload(Array("hello".utf8), to: talk, name: "a.txt")
        }
        #expect(problem.code == "no_room")
        #expect(try Self.count("\(cluster.cluster.folder)/files") == 0)
        #expect(try await alice.client.send("still here", to: talk).seq == 1)
        await cluster.end()
    }

    @Test("M17 one address may use a quarter of the transfer slots, and a broken transfer frees its slot")
    func exchanges() async throws {
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "gateway": [
                        "PARLEY_LIMITS_EXCHANGES": "8", "PARLEY_LISTEN_ADDRESS_HEADER": "X-Forwarded-For",
                        "PARLEY_LISTEN_TRUSTED_PROXIES": "127.0.0.1",
                    ]
                ]))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let server = cluster.url().replacingOccurrences(of: "ws://", with: "http://")
            .replacingOccurrences(of: "/v1/socket", with: "")
        func link() async throws -> String {
            try await alice.client.call(
                MessagingMethods.createAttachment, key: talk,
                AttachmentTests.room(10, "text/plain", in: talk, await alice.client.newID())
            ).uploadPath
        }
        @Sendable func put(
            _ path: String, from address: String, _ bytes: [UInt8] = Array("ten bytes!".utf8), cut: Bool = false
        ) async throws -> RawHTTP.Answer? {
            try await onThread {
                try RawHTTP.send(
                    "PUT", path, to: server, headers: ["X-Forwarded-For": address, "Upload-Offset": "0"], body: bytes,
                    length: 10, cut: cut)
            }
        }
        // Twenty transfers break off half-way, one after another.
        for _ in 1...20 { _ = try await put(try await link(), from: "10.0.0.1", [1], cut: true) }
        try await eventually("their slots are free") {
            try await put(try await link(), from: "10.0.0.1").map { 200..<300 ~= $0.status } ?? false
        }
        // Two transfers wait for the rest of their bytes, once the last broken one has freed its slot.
        let waiting = try await [link(), link()].map { path in
            Task { while try await put(path, from: "10.0.0.1", [1])?.status == 503 {} }
        }
        var refused: RawHTTP.Answer?
        let third = try await link()
        try await eventually("a third is refused") {
            refused = try await put(third, from: "10.0.0.1")
            return refused?.status == 503
        }
        #expect(refused?.text.contains("unavailable") == true && refused?.headers["retry-after"] != nil)
        #expect(try await put(try await link(), from: "10.0.0.2").map { 200..<300 ~= $0.status } == true)
        await cluster.end()
        for one in waiting { _ = await one.result }
    }

    private static func write(_ size: Int, to path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for number in 0..<(size >> 20) {
            try handle.write(contentsOf: Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }))
        }
        try handle.close()
    }

    /// Returns the number of plain files in a folder and its subfolders.
    private static func count(_ folder: String) throws -> Int {
        guard let walker = FileManager.default.enumerator(atPath: folder) else { return 0 }
        var count = 0
        while let path = walker.nextObject() as? String {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
            if !isFolder.boolValue { count += 1 }
        }
        return count
    }
}

/// Kills one process at a third of the way and another at two thirds.
private final class Kills: Sendable {
    private struct State {
        var done: [String] = []
        var last: Int64 = 0
        var stepsBack = 0
    }

    private let state = Mutex(State())

    /// The bytes that may have been sent without arriving when a process dies: the system's buffers at both ends of a
    /// connection, and some pieces.
    private static let underWay: Int64 = {
        let buffers = ["tcp_wmem", "tcp_rmem"].map { name in
            let text = (try? String(contentsOfFile: "/proc/sys/net/ipv4/\(name)", encoding: .utf8)) ?? ""
            return text.split(whereSeparator: \.isWhitespace).last.flatMap { Int64($0) } ?? 16 << 20
        }
        return buffers.reduce(2 << 20, +)
    }()

    var done: [String] { state.withLock { $0.done } }
    /// How often a transfer went back further than the bytes under way.
    var stepsBack: Int { state.withLock { $0.stepsBack } }

    func again() { state.withLock { ($0.done, $0.last) = ([], 0) } }

    func note(_ reached: Int64, of size: Int, _ cluster: TestCluster) {
        let victim = state.withLock { state -> String? in
            if reached < state.last - Self.underWay { state.stepsBack += 1 }
            state.last = reached
            let due = ["messaging-1", "gateway-1"].enumerated().first { index, name in
                reached > Int64(size / 3 * (index + 1)) && !state.done.contains(name)
            }
            guard let name = due?.element else { return nil }
            state.done.append(name)
            return name
        }
        if let victim { Task { try await cluster.cluster.kill(victim) } }
    }
}

/// Measures the peak growth of processes' memory, in KiB.
private final class MemoryWatch: Sendable {
    private let pids: [String: Int32]
    private let before: [String: Int]
    private let most: Mutex<[String: Int]>
    private let task: Mutex<Task<Void, any Error>?> = Mutex(nil)

    init(of all: [String: Int32], _ names: [String]) throws {
        pids = all.filter { names.contains($0.key) }
        before = try pids.mapValues(Self.resident)
        most = Mutex(before)
        let watch = Task { [weak self] in
            while let self {
                for (name, pid) in pids {
                    let now = try Self.resident(pid)
                    most.withLock { $0[name] = max($0[name] ?? 0, now) }
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        task.withLock { $0 = watch }
    }

    func end() -> [String: Int] {
        task.withLock { $0?.cancel() }
        return most.withLock { $0 }.merging(before) { $0 - $1 }
    }

    private static func resident(_ pid: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }
}
