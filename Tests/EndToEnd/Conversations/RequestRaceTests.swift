import ParleyClient
import TestSupport
import Testing

@Suite("R3 R4 C12: many people do everything together", .timeLimit(.minutes(10)))
struct RequestRaceTests {
    /// Makes a random request of one person that concerns another.
    private static func act(_ client: ParleyClient, _ id: String, _ other: String) async throws {
        do throws(ParleyError) {
            switch Int.random(in: 0..<16) {
            case 0..<4: _ = try await client.startDirect(with: other)
            case 4..<7: _ = try await client.send("hello", to: id)
            case 7, 8: _ = try await client.acceptRequest(id)
            case 9, 10: try await client.declineRequest(id)
            case 11: try await client.withdrawRequest(id)
            case 12, 13: _ = try await client.markRequestsRead([id])
            case 14: try await client.block(other)
            default: try await client.unblock(other)
            }
        } catch {
            let expected: Set = [
                "not_found", "forbidden", "not_pending", "user_blocked", "not_member", "accept_first",
                "request_pending",
            ]
            #expect(expected.contains(error.code), "\(error)")
        }
    }

    @Test("R3 R4 C12 whatever six people do together on two devices each, every device ends with the stored state")
    func everything() async throws {
        let cluster = try await TestCluster.asking
        var people: [TwoDevices] = []
        for number in 0..<6 { people.append(try await TwoDevices(cluster, "p\(number)")) }
        let all = people
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, person) in all.enumerated() {
                for device in [person.here, person.there] {
                    group.addTask {
                        for _ in 0..<60 {
                            let other = all[(index + Int.random(in: 1..<6)) % 6].user
                            let pair = [person.user, other].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                            try await Self.act(device.client, pair.joined(separator: "_"), other)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for person in all {
            try await person.settle()
            let listed = try await person.client.requests(limit: 200)
            let count = try await person.client.syncConversations(limit: 200)
            #expect(listed.count.total == count.requests.total && listed.requests.count == Int(listed.count.total))
            #expect(listed.requests.count(where: \.requestReadBy.isEmpty) == Int(listed.count.unread))
            #expect(
                Set(listed.requests.map(\.id)) == Set(count.conversations.filter { $0.section == .requests }.map(\.id)))
            try await person.checkStream()
        }
    }
}
