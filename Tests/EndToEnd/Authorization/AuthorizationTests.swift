import Foundation
import ParleyClient
import TestSupport
import Testing

import enum Schema.Access

@Suite("Authorization: every request by every kind of caller", .serialized, .timeLimit(.minutes(30)))
struct AuthorizationTests {
    private static let stage = Task { try await Stage(TestCluster.asking) }

    @Test("the table has one row for each request of the contract, with the same access")
    func complete() {
        let methods = ContractRequest.all.map(\.method)
        #expect(methods.count > 45)
        #expect(Set(Rows.byMethod.keys) == Set(methods))
        for request in ContractRequest.all {
            let rows = Rows.byMethod[request.method] ?? []
            #expect(rows.count == 1, "\(request)")
            #expect(rows.first?.access.words == request.access, "\(request)")
        }
    }

    /// The refusals that any request may get. The contract does not list them.
    private static let general: Set<String> = ["unauthenticated", "unknown_method", "invalid"]

    @Test("the contract lists every refusal of the table above its request", arguments: ContractRequest.all)
    func documented(request: ContractRequest) throws {
        let row = try #require(Rows.byMethod[request.method]?.first)
        for caller in Caller.withSession {
            guard case .refused(let code) = row.verdict(for: caller), !Self.general.contains(code) else { continue }
            #expect(request.refusals.contains(code), "\(caller)")
        }
    }

    @Test("each kind of caller gets the verdict of the table", arguments: ContractRequest.all)
    func walk(request: ContractRequest) async throws {
        let row = try #require(Rows.byMethod[request.method]?.first)
        let stage = try await Self.stage.value
        for caller in Caller.withSession {
            let scene = try await stage.scene(of: caller)
            let outcome = try await row.outcome(in: scene)
            #expect(outcome == row.verdict(for: caller), "\(request) by \(caller)")
            if outcome == .allowed { await stage.spend(row.spends, by: caller) }
        }
    }

    /// Tokens that start no session, each with the close code that the gateway sends.
    private static let invalidTokens = Task { () -> [(caller: Caller, token: String, code: UInt16)] in
        let cluster = try await TestCluster.asking
        let signedOut = try await cluster.person("out")
        let erased = try await cluster.person("erased")
        let device = try await cluster.device(of: erased, gateway: 1)
        let tokens = await [signedOut, device].asyncMap { await $0.client.credentials?.accessToken ?? "" }
        let watch = try await cluster.session(of: signedOut, gateway: 1)
        try await signedOut.client.signOut()
        _ = try? await erased.client.call(
            ConversationsMethods.eraseAccount, key: erased.user, .with { $0.password = erased.password })
        for session in [watch, device] {
            try await eventually("the session is closed") { await session.client.endedBy?.code == "revoked" }
        }
        return [(.badToken, "not.a.token", 4002), (.signedOut, tokens[0], 4003), (.erased, tokens[1], 4003)]
    }

    @Test("with an invalid token the gateway answers no request and closes the session", arguments: ContractRequest.all)
    func closed(request: ContractRequest) async throws {
        let cluster = try await TestCluster.asking
        for (caller, token, code) in try await Self.invalidTokens.value {
            let closing = try await onThread {
                let socket = try RawSocket(cluster.url(1))
                socket.send(.with { $0.hello = .with { ($0.version, $0.token) = (1, token) } })
                socket.send(.with { $0.request = .with { ($0.id, $0.method) = (1, request.method) } })
                let closing = socket.readClosing()
                return (closing.code, socket.messagesRead)
            }
            #expect(closing == (code, 1), "\(request) by \(caller): only a goodbye is expected")
        }
    }
}

extension Access {
    /// The words of the contract.
    var words: String {
        switch self {
        case .anyone: "Anyone"
        case .signedIn: "Signed in"
        case .own: "Self"
        case .member: "Member"
        case .ownerOrAdmin: "Owner or admin"
        case .owner: "Owner"
        case .requester: "Requester"
        case .recipient: "Recipient"
        case .creator: "Creator"
        case .gateway: "Gateway"
        case .follower: "Follower"
        }
    }
}

extension Sequence where Self: Sendable {
    fileprivate func asyncMap<T>(_ transform: (Element) async -> T) async -> [T] {
        var results: [T] = []
        for element in self { results.append(await transform(element)) }
        return results
    }
}
