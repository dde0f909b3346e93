import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("Readers that stop")
struct SlowReaderTimingTests {
    @Test(
        "a reader that stops does not delay others or use unbounded memory, and can catch up after close code 4004"
    )
    func slowReader() async throws {
        let cluster = try await TestCluster(.init(gateways: 1))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let carol = try await cluster.person("carol")
        let group = try await alice.client.createGroup(name: "flood", users: [bob.user, carol.user]).conversation.id
        let watcher = Arrivals(of: group, from: await bob.client.updates)

        let (count, bytes) = (4_000, 10 * 1024)
        let text = String(repeating: "x", count: bytes)
        /// Sends 50 messages at once, then one whose delay for a reader that keeps up is returned.
        func ping() async throws -> Measured {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<50 { tasks.addTask { _ = try await alice.client.sendReliably(text, to: group) } }
                try await tasks.waitForAll()
            }
            return try await measured {
                let seq = try await alice.client.send("ping", to: group).seq
                try await eventually("bob has it") { await watcher.has(seq) }
            }
        }
        // As long as carol reads.
        var control = Duration.zero
        for _ in 0..<20 { control = max(control, try await ping().took) }

        // Carol's phone connects and stops reading.
        let token = await carol.client.credentials?.accessToken ?? ""
        await carol.client.close()
        let stopped = try await onThread {
            let socket = try RawSocket(cluster.url(), receiveBuffer: 4096, timeout: 60)
            try socket.hello(token)
            return socket
        }
        let pid = try #require(await cluster.pids["gateway-1"])
        let before = try residentKiB(pid)
        var most = before
        for _ in 0..<count / 50 {
            let ping = try await ping()
            #expect(ping.isWithin(max(.seconds(1), control * 5)), "\(ping); at most \(control) while she read")
            most = max(most, try residentKiB(pid))
        }
        // 40 MB were sent. A session may hold 512 KiB. Batches under way and the allocator's slack are the rest.
        #expect(most - before < 24 * 1024, "\(before) KiB before, \(most) KiB at most")

        #expect(await stopped.closing().code.map { $0 == 4004 } ?? true, "no goodbye if it reads too late, else 4004")
        let back = try await cluster.device(of: carol)
        let all = try await back.client.wholeHistory(of: group)
        #expect(all.map(\.seq) == Array(1...Int64(20 * 51 + count + count / 50)))
        #expect(await watcher.count == all.count)
        await cluster.end()
    }

    private func residentKiB(_ pid: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }
}

/// The messages of a conversation that arrived live.
private actor Arrivals {
    private var positions: Set<Int64> = []
    private var pings: Set<Int64> = []

    init(of conversation: String, from updates: AsyncStream<Update>) {
        Task { [weak self] in
            for await update in updates where update.stream == "messaging/c/\(conversation)" {
                await self?.note(update)
            }
        }
    }

    private func note(_ update: Update) {
        positions.insert(update.position)
        // In a debug build, reading long texts takes longer than all else here.
        guard update.body.readableBytes < 1_000, case .message(let message) = try? update.content() else { return }
        pings.insert(message.seq)
    }

    func has(_ ping: Int64) -> Bool { pings.contains(ping) }
    var count: Int { positions.count }
}
