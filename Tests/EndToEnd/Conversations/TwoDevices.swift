import ParleyClient
import TestSupport
import Testing

/// A person with two devices, on two gateways.
struct TwoDevices: Sendable {
    let here: Device
    let there: Device

    init(_ cluster: TestCluster, _ name: String) async throws {
        here = try await cluster.person(name)
        there = try await cluster.device(of: here, gateway: 1)
    }

    var user: String { here.user }
    var client: ParleyClient { here.client }

    /// Waits until the newest state of a conversation meets `condition` on both devices.
    func receive(
        _ conversation: String, _ what: String, _ condition: @Sendable (Parley_V1_Conversation) -> Bool
    ) async throws {
        for device in [here, there] {
            try await eventually("\(device.username) receives: \(what)") {
                await device.updates.newest(of: conversation).map(condition) ?? false
            }
        }
    }

    func receive(unread: UInt32, total: UInt32) async throws {
        for device in [here, there] {
            try await eventually("\(device.username) receives the count: \(unread) of \(total) requests unread") {
                let count = await device.updates.newestRequestCount
                return count?.unread == unread && count?.total == total
            }
        }
        #expect(try await client.syncConversations().requests.total == total)
        #expect(try await client.requests().count.unread == unread)
    }

    /// Waits until both devices and a fresh Sync agree, while effects of messages may still arrive.
    func settle() async throws {
        var difference = ""
        do {
            try await eventually(within: .seconds(60), "all devices of \(here.username) have the stored state") {
                let sync = try await client.syncConversations(limit: 200)
                for device in [here, there] {
                    difference = await self.difference(of: device, from: sync)
                    guard difference.isEmpty else { return false }
                }
                difference = "the stored state changes"
                return try await client.syncConversations().position == sync.position
            }
        } catch let error as NeverHappened {
            throw NeverHappened(description: "\(error): \(difference)")
        }
    }

    private func difference(of device: Device, from sync: Parley_V1_ConversationsSyncReply) async -> String {
        var held: [String: Parley_V1_Conversation] = [:]
        for conversation in await device.updates.conversations
        where conversation.position >= held[conversation.id]?.position ?? 0 {
            held[conversation.id] = conversation
        }
        let shown = held.values.filter { $0.section != .gone }.sorted { $0.position < $1.position }
        if shown != sync.conversations {
            let lists = [shown, sync.conversations].map { list in
                list.map { "\($0.id) \($0.section) \($0.position)" }
            }
            return "\(device.username) has \(lists[0]), stored is \(lists[1])"
        }
        let count = await device.updates.newestRequestCount ?? .init()
        guard count.unread == sync.requests.unread, count.total == sync.requests.total else {
            return "\(device.username) has \(count.unread) of \(count.total) requests unread, stored is "
                + "\(sync.requests.unread) of \(sync.requests.total)"
        }
        return ""
    }

    /// Checks that both devices received every position of the person's own stream, and that the gap rule orders them.
    /// Updates may arrive twice and out of order (proto/REFERENCE.md): from replicas, or by a gateway's repair.
    func checkStream() async throws {
        let reached = try await client.syncConversations().position
        let stream = "conversations/u/\(user)"
        for device in [here, there] {
            try await eventually("\(device.username) receives all \(reached) positions without a gap") {
                let received = Set(await device.updates.positions[stream, default: []])
                guard let first = received.min(), let last = received.max() else { return reached == 0 }
                return last >= reached && received.count == Int(last - first) + 1
            }
            let received = await device.updates.positions[stream, default: []]
            guard let first = received.min(), let last = received.max() else { continue }
            var tracker = StreamTracker<Int64>()
            tracker.start(stream, at: first - 1)
            var applied: [Int64] = []
            for position in received {
                let verdict = tracker.received(position, stream: stream, position: position, at: .now)
                if case .apply(let ready) = verdict { applied += ready }
            }
            #expect(applied == Array(first...last) && !tracker.hasGaps)
        }
    }
}
