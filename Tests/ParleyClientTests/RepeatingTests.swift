import Synchronization
import Testing

@testable import ParleyClient

/// Checks the rules of proto/REFERENCE.md on repeating requests.
@Suite("Requests that are repeated", .timeLimit(.minutes(4))) struct RepeatingTests {
    private func client(_ gateway: ScriptedGateway, for time: Duration) async throws -> ParleyClient {
        let client = ParleyClient(
            url: gateway.url,
            options: .init(backoff: Backoff(first: .milliseconds(5), last: .milliseconds(20)), retriesFor: time))
        try await client.connect(token: "access-0")
        return client
    }

    /// Returns a gateway that answers `CreateReminder` with these refusals in order, then with the reminder, and a
    /// function that returns the ids it received.
    private func gateway(_ codes: [String]) async throws -> (ScriptedGateway, @Sendable () -> [BytesOfProtobuf]) {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let ids = Ids()
        gateway.state.withLock { state in
            state.answers["entities.CreateReminder"] = { request in
                let decoded = try Parley_V1_CreateReminderRequest(serializedBytes: request.body)
                let number = ids.note(decoded.id)
                guard number < codes.count else { return Parley_V1_ReminderReply() }
                throw ParleyError(code: codes[number], message: "", retryAfterMs: 1)
            }
        }
        return (gateway, { ids.all })
    }

    private final class Ids: Sendable {
        private let ids = Mutex<[BytesOfProtobuf]>([])
        var all: [BytesOfProtobuf] { ids.withLock { $0 } }
        func note(_ id: BytesOfProtobuf) -> Int {
            ids.withLock {
                $0.append(id)
                return $0.count - 1
            }
        }
    }

    @Test("A request that is encoded already goes out byte for byte, again and again")
    func encoded() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let bodies = Ids()
        gateway.state.withLock { state in
            state.answers["entities.CreateReminder"] = { request in
                guard bodies.note(request.body) > 0 else { throw ParleyError(code: "unavailable", message: "") }
                return Parley_V1_ReminderReply()
            }
        }
        let client = try await client(gateway, for: .seconds(30))
        // Its fields are not in order, and one is of a newer version.
        let body = BytesOfProtobuf([0xf8, 0x7f, 5, 0x12, 1, 0x78])
        _ = try await client.perform(EntitiesMethods.createReminder, key: "me", .init(), encoded: body)
        #expect(bodies.all == [body, body])
        await client.close()
    }

    @Test("A client repeats a request with the same id until it succeeds")
    func repeats() async throws {
        let (gateway, ids) = try await gateway(["rate_limited", "unavailable", "deadline", "rate_limited"])
        let client = try await client(gateway, for: .seconds(30))
        _ = try await client.createReminder(.with { $0.title = "x" })
        #expect(ids().count == 5 && Set(ids()).count == 1 && ids()[0].count == 16)
        await client.close()
    }

    @Test("A request with a permanent refusal is sent once", arguments: ["invalid", "not_member", "internal"])
    func final(code: String) async throws {
        let (gateway, ids) = try await gateway([code])
        let client = try await client(gateway, for: .seconds(30))
        let refused = await #expect(throws: ParleyError.self) {
            try await client.createReminder(.with { $0.title = "x" })
        }
        #expect(refused?.code == code && ids().count == 1)
        await client.close()
    }

    @Test("A request is sent once without `retriesFor`, and with a deadline of its own")
    func once() async throws {
        let (gateway, ids) = try await gateway(["unavailable"])
        let client = try await client(gateway, for: .zero)
        let refused = await #expect(throws: ParleyError.self) {
            try await client.createReminder(.with { $0.title = "x" })
        }
        #expect(refused?.code == "unavailable" && ids().count == 1)
        await client.close()

        let (busy, busyIDs) = try await self.gateway(["unavailable"])
        let repeating = try await self.client(busy, for: .seconds(30))
        let late = await #expect(throws: ParleyError.self) {
            try await repeating.call(
                EntitiesMethods.createReminder, .with { $0.title = "x" }, deadline: .seconds(5))
        }
        #expect(late?.code == "unavailable" && busyIDs().count == 1)
        await repeating.close()
    }

    @Test("A client gives up with the last refusal when its time is up; one that never connected does so immediately")
    func givesUp() async throws {
        let (gateway, ids) = try await gateway(Array(repeating: "rate_limited", count: 10_000))
        let client = try await client(gateway, for: .seconds(2))
        let refused = await #expect(throws: ParleyError.self) {
            try await client.createReminder(.with { $0.title = "x" })
        }
        #expect(refused?.code == "rate_limited" && ids().count > 1)
        await client.close()

        let idle = ParleyClient(url: gateway.url, options: .init(retriesFor: .seconds(3600)))
        let never = await #expect(throws: ParleyError.self) { try await idle.devices() }
        #expect(never?.code == "unavailable")
    }
}
