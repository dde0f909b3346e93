import Foundation
import ParleyClient
import Synchronization
import TestSupport
import Testing

extension OperatedClusters {
    @Test(
        "O1 where registering takes work, clients do it by themselves; work is for one username and cannot be made up")
    func proofOfWork() async throws {
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "conversations": [
                        "PARLEY_REGISTRATION_CHALLENGE": "proof-of-work", "PARLEY_REGISTRATION_WORK_BITS": "8",
                    ]
                ]))
        let client = try await cluster.stranger()
        let id = await client.newID()
        let made = try await client.register(username: "ada", password: Device.password, id: id)
        let again = try await cluster.stranger()
        let same = try await again.register(username: "ada", password: Device.password, id: id)
        #expect(made.user.id == same.user.id, "a repeated registration signs in")

        let stranger = try await cluster.stranger()
        let challenge = try await stranger.challenge()
        #expect(challenge.kind == .work && challenge.bits == 8)
        func register(_ username: String, _ proof: String) async throws -> String {
            var request = Parley_V1_RegisterRequest()
            request.id = Data(await stranger.newID().bytes)
            (request.username, request.password, request.proof) = (username, Device.password, proof)
            do throws(ParleyError) {
                _ = try await stranger.call(ConversationsMethods.register, request)
                return "ok"
            } catch {
                return error.code
            }
        }
        // The smallest number that is right for each of some names: a smaller one is wrong.
        var numbers: [(name: String, number: Int)] = []
        for name in ["bob", "cyd", "dan", "eve"] {
            let proof = try await ProofOfWork.find(challenge.text, bits: 8, for: name)
            numbers.append((name, try #require(Int(proof.split(separator: ":")[1]))))
        }
        numbers.sort { $0.number < $1.number }
        let (small, large) = (numbers[0], numbers[3])
        #expect(try await register(large.name, "") == "proof_required")
        #expect(try await register(large.name, "\(challenge.text):\(large.number - 1)") == "proof_required")
        #expect(try await register(large.name, "\(challenge.text):\(small.number)") == "proof_required", "for another")
        #expect(try await register(large.name, "A\(challenge.text):\(large.number)") == "proof_required", "made up")
        #expect(try await register(large.name, challenge.text) == "proof_required")
        let right = "\(challenge.text):\(large.number)"
        #expect(try await register(large.name, right) == "ok")
        #expect(try await register(large.name, right) == "username_taken")
        // Refusals for want of a proof are not counted among the registrations of an address.
        for number in 0..<30 { #expect(try await register("many\(number)", "") == "proof_required") }
        let program = try Program()
        defer { program.remove() }
        let registered = try await program.run(
            ["register", "by-command", "--url", cluster.url(), "--json"],
            environment: ["PARLEY_PASSWORD": Device.password])
        #expect(registered.status == 0, "\(registered.errors)")
        for client in [client, again, stranger] { await client.close() }
        await cluster.end()
    }

    @Test("O1 where registering takes a token, the operator's verifier decides; without its answer nobody registers")
    func verifier() async throws {
        // Tokens are for one use, as those of a CAPTCHA.
        let spent = Mutex<Set<String>>([])
        let verifier = RawServer { connection in
            while let (head, body) = connection.request() {
                let form = String(decoding: body, as: UTF8.self)
                let token = form.split(separator: "&").last.map(String.init) ?? ""
                let isKnown = form.hasPrefix("secret=s%26cret&response=good") && head.hasPrefix("POST /siteverify ")
                let isGood = isKnown && spent.withLock { $0.insert(token).inserted }
                let answer =
                    form.hasSuffix("broken") ? "no JSON" : "{\"success\": \(isGood), \"hostname\": \"example.org\"}"
                let status = form.hasSuffix("failing") ? "500 Sorry" : "200 OK"
                connection.write("HTTP/1.1 \(status)\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
            }
        }
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "conversations": [
                        "PARLEY_REGISTRATION_CHALLENGE": "verifier",
                        "PARLEY_REGISTRATION_VERIFIER_URL": "\(verifier.url)/siteverify",
                        "PARLEY_REGISTRATION_VERIFIER_SECRET": "s&cret",
                        "PARLEY_REGISTRATION_VERIFIER_PAGE": "https://example.org/human",
                    ]
                ], repeats: false))
        let client = try await cluster.stranger()
        let challenge = try await client.challenge()
        #expect(challenge.kind == .token && challenge.page == "https://example.org/human")
        func problem(_ username: String, _ proof: String) async throws -> ParleyError {
            let other = try await cluster.stranger()
            let problem = try await refusal { () async throws(ParleyError) in
                try await other.register(username: username, password: Device.password, proof: proof)
            }
            await other.close()
            return problem
        }
        for token in ["", "bad"] {
            let refused = try await problem("ada", token)
            #expect(refused.code == "proof_required" && refused.message.contains("https://example.org/human"))
        }
        for token in ["good-broken", "good-failing"] {
            let refused = try await problem("ada", token)
            #expect(refused.code == "unavailable" && refused.retryAfterMs > 0, "\(token): \(refused)")
        }
        let id = await client.newID()
        let made = try await client.register(username: "ada", password: Device.password, proof: "good-1", id: id)
        let again = try await cluster.stranger()
        let same = try await again.register(username: "ada", password: Device.password, proof: "good-1", id: id)
        #expect(made.user.id == same.user.id, "a repeated registration signs in, although its token is spent")
        #expect(try await problem("bob", "good-1").code == "proof_required")
        for client in [client, again] { await client.close() }
        await cluster.end()
    }

    @Test("O1 wrong tokens from a few addresses leave a slow verifier room for somebody else's right one")
    func slowVerifier() async throws {
        let held = Mutex(0)
        let answers = DispatchSemaphore(value: 0)
        let verifier = RawServer { connection in
            while let (_, body) = connection.request() {
                let isGood = String(decoding: body, as: UTF8.self).hasSuffix("good")
                if !isGood {
                    held.withLock { $0 += 1 }
                    answers.wait()
                    held.withLock { $0 -= 1 }
                }
                let answer = "{\"success\": \(isGood)}"
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
            }
        }
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "conversations": [
                        "PARLEY_REGISTRATION_CHALLENGE": "verifier", "PARLEY_REGISTRATION_VERIFIER_URL": verifier.url,
                    ],
                    "gateway": [
                        "PARLEY_LISTEN_ADDRESS_HEADER": "X-Forwarded-For",
                        "PARLEY_LISTEN_TRUSTED_PROXIES": "127.0.0.1",
                    ],
                ], repeats: false))
        let client = try await cluster.stranger()
        func register(_ username: String, _ proof: String, from address: String) async throws -> String {
            let id = Data(await client.newID().bytes)
            return try await onThread {
                let socket = try RawSocket(cluster.url(), from: address)
                try socket.hello()
                let request = Parley_V1_RegisterRequest.with {
                    $0.id = id
                    ($0.username, $0.password, $0.proof) = (username, Device.password, proof)
                }
                let reply = try socket.call(
                    1, "conversations.Register", try request.serializedBytes(), key: username)
                return reply.error.code
            }
        }
        let wrong = (0..<80).map { number in
            Task { try? await register("junk\(number)", "junk\(number)", from: "10.0.0.\(number % 4)") }
        }
        try await eventually("the verifier has wrong tokens") { held.withLock { $0 } >= 8 }
        #expect(try await register("ada", "good", from: "10.0.1.1").isEmpty)
        #expect(held.withLock { $0 } == 8, "two of each address, still without an answer")
        for _ in wrong { answers.signal() }
        for task in wrong { _ = await task.value }
        await client.close()
        await cluster.end()
    }

    @Test("O1 registering fails closed while the verifier is silent or away, and says when to try again")
    func noVerifier() async throws {
        let silent = RawServer { connection in while connection.request() != nil {} }
        for url in [silent.url, "http://127.0.0.1:\(try freePort())"] {
            let cluster = try await TestCluster(
                .init(
                    gateways: 1,
                    settings: [
                        "conversations": [
                            "PARLEY_REGISTRATION_CHALLENGE": "verifier", "PARLEY_REGISTRATION_VERIFIER_URL": url,
                        ]
                    ], repeats: false))
            let client = try await cluster.stranger()
            let refused = try await refusal { () async throws(ParleyError) in
                try await client.register(username: "ada", password: Device.password, proof: "a token")
            }
            #expect(refused.code == "unavailable" && refused.retryAfterMs > 0, "\(refused)")
            await client.close()
            await cluster.end()
        }
    }
}
