import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import Postgres
@testable import ServiceKit

extension Sealer {
    /// For routes whose methods return no pages.
    static var unused: Sealer {
        Sealer(
            schema: "",
            database: Database(DatabaseConfiguration(url: "postgresql:///none", applicationName: "tests"), log: quiet))
    }
}

@Suite("Routes", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct RoutesTests {
    private static let folder = Folder()
    private static var last = 0

    /// Serves a set of routes, and calls them as any account.
    @ReactorActor
    private final class Served {
        let server: RequestServer
        let client: RequestClient

        init(_ routes: Routes) async throws {
            RoutesTests.last += 1
            let endpoint = "ipc://\(RoutesTests.folder.path)/\(RoutesTests.last)"
            server = RequestServer(endpoint: endpoint, log: quiet)
            _ = try server.start { envelope, body, responder in routes.dispatch(envelope, body, responder) }
            client = RequestClient(service: "test", endpoints: [endpoint], instance: "here", log: quiet)
            try client.start()
            try await eventually { client.isAvailable }
        }

        func call(_ method: String, _ body: [UInt8], as account: Int64) async -> Result<[UInt8], Refusal> {
            let envelope = Envelope(
                method: method, account: account, user: account == 0 ? "" : "u\(account)", session: "s",
                deadlineMs: 60_000)
            return await withCheckedContinuation { continuation in
                client.send(envelope, key: "", body: body, deadline: .seconds(60)) {
                    continuation.resume(returning: $0)
                }
            }
        }

        func refusal(_ method: String, _ body: [UInt8] = [], as account: Int64 = 0) async -> Refusal? {
            if case .failure(let refusal) = await call(method, body, as: account) { refusal } else { nil }
        }
    }

    private struct Odd: Error {}

    @Test("callers who are not signed in reach only methods for anyone; the handler gets the caller")
    func access() async throws {
        var routes = Routes(log: quiet, sealer: .unused)
        var callers: [Caller] = []
        let methods = Access.allCases.map { Method<HealthRequest, PublicKey>(name: "test.\($0.rawValue)", access: $0) }
        for method in methods {
            routes.on(method) { _, call in
                callers.append(call.caller)
                return PublicKey(id: call.caller.user)
            }
        }
        let served = try await Served(routes)
        for method in methods {
            #expect(await served.refusal(method.name, as: 7) == nil)
            let needsSignIn = ![.anyone, .gateway, .follower].contains(method.access)
            #expect(await served.refusal(method.name)?.code == (needsSignIn ? .unauthenticated : nil))
        }
        #expect(callers.count == 14)
        #expect(callers[0] == Caller(account: 7, user: "u7", device: "", session: "s", address: ""))
        #expect(callers.allSatisfy { $0.isSignedIn == ($0.account == 7) })
    }

    @ReactorActor
    private final class Held {
        var inside: [Int64] = []
        var most: [Int64: Int] = [:]
        var gates: [CheckedContinuation<Void, Never>] = []

        func enter(_ account: Int64) async {
            inside.append(account)
            most[account] = max(most[account] ?? 0, inside.count { $0 == account })
            await withCheckedContinuation { gates.append($0) }
            inside.remove(at: inside.firstIndex(of: account) ?? 0)
        }
    }

    @Test("a person has as many requests under way as half the connections; more wait, and nobody else waits for them")
    func personsTurns() async throws {
        var routes = Routes(log: quiet, sealer: .unused, connections: 4)
        let held = Held()
        let method = Method<HealthRequest, PublicKey>(name: "test.own", access: .own)
        routes.on(method) { _, call in
            await held.enter(call.caller.account.rawValue)
            return PublicKey()
        }
        let served = try await Served(routes)
        await withTaskGroup(of: Void.self) { group in
            for account: Int64 in Array(repeating: 1, count: 10) + [2] {
                group.addTask { #expect(await served.refusal(method.name, as: account) == nil) }
            }
            var done = 0
            while done < 11 {
                do {
                    try await eventually { !held.gates.isEmpty && (done > 0 || held.inside.contains(2)) }
                } catch {
                    Issue.record("\(done) were answered: \(error)")
                    return group.cancelAll()
                }
                held.gates.removeFirst().resume()
                done += 1
            }
        }
        #expect(held.most == [1: 2, 2: 1])
    }

    @Test("once no connection is open, a person's requests that wait for turns all wait for a connection together")
    func turnsWithoutConnection() async throws {
        var isConnected = true
        var routes = Routes(log: quiet, sealer: .unused, connections: 4, isConnected: { isConnected })
        let held = Held()
        let method = Method<HealthRequest, PublicKey>(name: "test.own", access: .own)
        routes.on(method) { _, call in
            await held.enter(call.caller.account.rawValue)
            return PublicKey()
        }
        let served = try await Served(routes)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { #expect(await served.refusal(method.name, as: 1) == nil) } }
            do {
                try await eventually { held.gates.count == 2 }
                isConnected = false
                held.gates.removeFirst().resume()
                try await eventually { held.gates.count == 9 }
                isConnected = true
                for gate in held.gates { gate.resume() }
            } catch {
                Issue.record("\(held.gates.count) have turns: \(error)")
                group.cancelAll()
            }
        }
        #expect(held.most == [1: 9])
    }

    @Test("what the contract calls expensive has those limits, and not the turns of other requests")
    func expensive() async throws {
        let database = Database(DatabaseConfiguration(url: "", applicationName: "test"), log: quiet)
        var routes = Routes(
            log: quiet, sealer: .unused, expensive: ExpensiveRequests(database), connections: 2)
        let held = Held()
        let method = Method<HealthRequest, PublicKey>(name: "test.own", access: .own, isExpensive: true)
        routes.on(method) { _, call in
            await held.enter(call.caller.account.rawValue)
            return PublicKey()
        }
        let served = try await Served(routes)
        await withTaskGroup(of: Void.self) { group in
            for account: Int64 in [1, 1, 2] {
                group.addTask { #expect(await served.refusal(method.name, as: account) == nil) }
            }
            do {
                try await eventually { held.gates.count == 3 }
            } catch {
                Issue.record("not all began: \(error)")
                return group.cancelAll()
            }
            #expect(await served.refusal(method.name, as: 1)?.code == .rateLimited)
            for gate in held.gates { gate.resume() }
        }
        #expect(held.most == [1: 2, 2: 1])
        let all = [ConversationsMethods.searchUsers.isExpensive, MessagingMethods.searchMessages.isExpensive]
        #expect(all == [true, true] && !MessagingMethods.getHistory.isExpensive)
    }

    @Test("bytes that cannot be decoded are refused as invalid, with the field")
    func decodeFailure() async throws {
        var routes = Routes(log: quiet, sealer: .unused)
        routes.on(MessagingMethods.sendMessage) { _, _ in SendMessageReply() }
        let served = try await Served(routes)
        #expect(await served.refusal("messaging.SendMessage", [0xFF, 0xFF, 0xFF], as: 7)?.code == .invalid)
        let tooLong = SendMessageRequest(
            id: [], conversation: String(repeating: "x", count: 1000), kind: .text, text: "")
        let refusal = await served.refusal("messaging.SendMessage", tooLong.encode(), as: 7)
        #expect(refusal?.code == .invalid)
        #expect(refusal?.field == "conversation")
        let badID = SendMessageRequest(id: [1, 2], conversation: "a_b", kind: .text, text: "x")
        #expect(await served.refusal("messaging.SendMessage", badID.encode(), as: 7)?.field == "id")
    }

    @Test("a refusal becomes the answer; the details of a failure are not revealed")
    func errors() async throws {
        var routes = Routes(log: quiet, sealer: .unused)
        let throwing: [(String, any Error)] = [
            ("refused", Refusal("teapot", "short and stout", field: "pot")), ("odd", Odd()),
            ("lost", DatabaseError.unavailable("password=secret")),
            ("broken", DatabaseError(.init("XX000"), "secret")),
            ("slow", DatabaseError(.queryCanceled, "secret")),
            ("disk", DatabaseError(.init("53100"), "secret")), ("stopping", DatabaseError(.init("57P01"), "secret")),
            ("full", DatabaseError.busy),
        ]
        for (name, error) in throwing {
            routes.on(Method<HealthRequest, PublicKey>(name: name, access: .anyone)) { _, _ in throw error }
        }
        let served = try await Served(routes)
        var codes: [String: String] = [:]
        for (name, _) in throwing {
            let refusal = try #require(await served.refusal(name))
            codes[name] = refusal.code.rawValue
            #expect(!refusal.message.contains("secret"))
            if refusal.code == .unavailable || refusal.code == .rateLimited { #expect(refusal.retryAfter != nil) }
        }
        #expect(
            codes == [
                "refused": "teapot", "odd": "internal", "lost": "unavailable", "broken": "internal",
                "slow": "unavailable", "disk": "unavailable", "stopping": "unavailable",
                "full": "rate_limited",
            ])
        #expect(await served.refusal("refused")?.field == "pot")
        #expect(await served.refusal("test.Nothing")?.code == .unknownMethod)
    }

    @Test("a route cannot be registered twice")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            await Task { @ReactorActor in
                var routes = Routes(log: quiet, sealer: .unused)
                for _ in 0..<2 { routes.on(MessagingMethods.sendMessage) { _, _ in SendMessageReply() } }
            }.value
        }
    }
}
