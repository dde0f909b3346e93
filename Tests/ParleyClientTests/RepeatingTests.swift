import Synchronization
import Testing

@testable import ParleyClient

/// What proto/REFERENCE.md says may be repeated, and what not.
@Suite("Requests that are repeated", .timeLimit(.minutes(4))) struct RepeatingTests {
    private func client(_ gateway: ScriptedGateway, for time: Duration) async throws -> ParleyClient {
        let client = ParleyClient(
            url: gateway.url,
            options: .init(backoff: Backoff(first: .milliseconds(5), last: .milliseconds(20)), retriesFor: time))
        try await client.connect(token: "access-0")
        return client
    }

    /// A gateway that answers making a reminder with these refusals, one after the other, then with the reminder; and
    /// the ids it was asked with.
    private func gateway(_ codes: [String]) async throws -> (ScriptedGateway, @Sendable () -> [BytesOfProtobuf]) {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let ids = Ids()
        gateway.state.withLock { state in
            state.answers["entities.CreateReminder"] = { request in
                let asked = try Parley_V1_CreateReminderRequest(serializedBytes: request.body)
                let number = ids.note(asked.id)
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

    @Test("A client that repeats asks again with the same id, until it is served")
    func repeats() async throws {
        let (gateway, ids) = try await gateway(["rate_limited", "unavailable", "deadline", "rate_limited"])
        let client = try await client(gateway, for: .seconds(30))
        _ = try await client.createReminder(.with { $0.title = "x" })
        #expect(ids().count == 5 && Set(ids()).count == 1 && ids()[0].count == 16)
        await client.close()
    }

    @Test("What was answered for good is asked once", arguments: ["invalid", "not_member", "internal"])
    func final(code: String) async throws {
        let (gateway, ids) = try await gateway([code])
        let client = try await client(gateway, for: .seconds(30))
        let refused = await #expect(throws: ParleyError.self) {
            try await client.createReminder(.with { $0.title = "x" })
        }
        #expect(refused?.code == code && ids().count == 1)
        await client.close()
    }

    @Test("A client that was not told to repeat asks once, and so does a request with a deadline of its own")
    func once() async throws {
        let (gateway, ids) = try await gateway(["unavailable"])
        let client = try await client(gateway, for: .zero)
        let refused = await #expect(throws: ParleyError.self) {
            try await client.createReminder(.with { $0.title = "x" })
        }
        #expect(refused?.code == "unavailable" && ids().count == 1)
        await client.close()

        let (busy, asked) = try await self.gateway(["unavailable"])
        let repeating = try await self.client(busy, for: .seconds(30))
        let late = await #expect(throws: ParleyError.self) {
            try await repeating.call(
                EntitiesMethods.createReminder, .with { $0.title = "x" }, deadline: .seconds(5))
        }
        #expect(late?.code == "unavailable" && asked().count == 1)
        await repeating.close()
    }

    @Test("It gives up when its time is over, with the last refusal; a client that never connected does at once")
    func givesUp() async throws {
        let (gateway, ids) = try await gateway(Array(repeating: "rate_limited", count: 10_000))
        let client = try await client(gateway, for: .milliseconds(300))
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
