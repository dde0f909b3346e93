import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("A2: signing in on a page", .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(8)))
struct SignInPageTests {
    @Test(
        "A2 a browser goes to the issuer and back, and the device that began signs in, once",
        arguments: [
            "paged", "form", "open",
        ])
    func whole(issuer: String) async throws {
        let scene = try await IdentityScene.shared.value
        let subject = IdentityScene.subject()
        let client = try await scene.cluster.stranger(once: true)
        #expect(try await client.signInOffers().issuers.first { $0.name == issuer }?.pages == true)
        #expect(try await client.signInOffers().issuers.first { $0.name == "work" }?.pages == false)
        let page = try scene.page(of: issuer)
        let returned = try await scene.returned(page, as: subject)
        #expect(returned.hasPrefix("\(PageScene.app)?code="))
        let code = try PageSignIn.code(in: returned)
        // Whoever saw the code and did not begin has nothing.
        let other = try scene.page(of: issuer)
        #expect(
            await codeOf { () async throws(ParleyError) in try await client.signIn(page: other, code: code) }
                == "code_refused")
        let id = await client.newID()
        let signedIn = try await client.signIn(page: page, code: code, deviceName: "Browser", id: id)
        #expect(signedIn.newAccount && signedIn.user.username == subject)
        // The reply may be lost.
        let again = try await scene.cluster.stranger(once: true)
        let second = try await again.signIn(page: page, code: code, deviceName: "Browser", id: id)
        #expect(second.user.id == signedIn.user.id && second.newAccount)
        #expect(try await again.devices().map(\.id) == [second.device], "the same one")
        #expect(
            await codeOf { () async throws(ParleyError) in try await again.signIn(page: page, code: code) }
                == "code_refused")
        // The same person by another replica, and by a token of an app.
        let (third, known) = try await scene.signIn(on: issuer, as: subject)
        #expect(!known.newAccount && known.user.id == signedIn.user.id)
        #expect(try await third.identities().identities.map(\.label) == [subject])
        for client in [client, again, third] { await client.close() }
    }

    @Test("A2 nothing of a sign-in stays in a browser, and nothing on its pages runs or is kept")
    func headers() async throws {
        let scene = try await IdentityScene.shared.value
        let page = try scene.page(of: "paged")
        let there = try await scene.get(IdentityScene.path(page.url))
        let back = try await scene.get(try await scene.comingBack(page, as: IdentityScene.subject()))
        let problem = try await scene.get("/v1/identity/paged/start?return=%3Cscript%3E")
        #expect(problem.status == 400 && problem.headers["content-type"] == "text/html; charset=utf-8")
        #expect(problem.text.contains("<code>invalid</code>") && !problem.text.contains("<script>"))
        for answer in [there, back, problem] {
            #expect(answer.headers["set-cookie"] == nil)
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(answer.headers["referrer-policy"] == "no-referrer")
            #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        }
        for method in ["POST", "PUT", "HEAD"] {
            #expect(try await scene.get(IdentityScene.path(page.url), method: method).status == 405)
        }
    }

    @Test("A2 people return only to what the operator lists, letter by letter; programs at any port of their machine")
    func returns() async throws {
        let scene = try await IdentityScene.shared.value
        let good = [
            PageScene.app, "https://chat.example.com/in?page=1", "http://127.0.0.1/parley", "http://127.0.0.1:1/parley",
            "http://127.0.0.1:65535/parley",
        ]
        let bad = [
            "", "https://evil.example/", "https://chat.example.com", "https://chat.example.com/in",
            "https://chat.example.com/in?page=1&x", "https://chat.example.com/in?page=1#",
            "//chat.example.com/in?page=1",
            "https://chat.example.com.evil.example/in?page=1", "https://chat.example.com@evil.example/in?page=1",
            "HTTPS://chat.example.com/in?page=1", " https://chat.example.com/in?page=1", "org.example.chat:/signed-in/",
            "http://127.0.0.1:0/parley", "http://127.0.0.1:65536/parley", "http://127.0.0.1:80@evil.example/parley",
            "http://127.0.0.1:/parley", "http://127.0.0.1:８０/parley", "http://127.0.0.1:80/parley/../x",
            "http://127.0.0.2:80/parley", "http://localhost:80/parley", "javascript:alert(1)", "data:text/html,x",
            "https://chat.example.com/in?page=1\r\nX-Evil: 1",
        ]
        for address in good {
            let answer = try await scene.get(IdentityScene.path(try scene.page(of: "paged", returningTo: address).url))
            #expect(answer.status == 302, "\(address)")
        }
        for address in bad {
            let answer = try await scene.get(IdentityScene.path(try scene.page(of: "paged", returningTo: address).url))
            #expect(answer.status == 400 && answer.headers["location"] == nil, "\(address)")
        }
        let listed = try await scene.returned(
            try scene.page(of: "paged", returningTo: good[1]), as: IdentityScene.subject())
        #expect(listed.hasPrefix("https://chat.example.com/in?page=1&code="))
    }

    @Test("A2 an address that is not complete, not encoded or too long is refused with a sentence")
    func addresses() async throws {
        let scene = try await IdentityScene.shared.value
        let start = IdentityScene.path(try scene.page(of: "paged").url)
        let long = String(repeating: "a", count: 6144)
        let cases: [(String, Int)] = [
            ("/v1/identity/", 404), ("/v1/identity/paged", 404), ("/v1/identity/paged/", 404),
            ("/v1/identity/paged/start/", 404), ("/v1/identity/paged/else", 404), ("/v1/identity//start", 404),
            (start.replacing("paged", with: "work"), 404), (start.replacing("paged", with: "nobody"), 404),
            (start.replacing("paged", with: "%70aged"), 404), ("/v1/identity/paged/start", 400),
            (start + "&return=\(PageScene.app)", 400), (start + "&x=%", 400), (start + "&x=%zz", 400),
            (start + "&x=%-1", 400), (start + "&x=%00", 302), (start + "&x=%0d%0aX-Evil:%201", 302),
            (start + "&x=%ff", 400), (start + "&other=1", 302), (start.replacing("challenge", with: "else"), 400),
            (start + "a", 400), (String(start.dropLast()), 400), (start + "&x=\(long)", 414),
            ("/v1/identity/paged/callback", 400), ("/v1/identity/paged/callback?state=&code=x", 400),
            ("/v1/identity/paged/callback?state=\(long.prefix(6000))&code=x", 400),
        ]
        for (path, status) in cases {
            let answer = try await scene.get(path)
            #expect(answer.status == status && answer.headers["x-evil"] == nil, "\(path.prefix(100)): \(answer.status)")
            #expect(status != 400 || answer.text.contains("<code>invalid</code>"))
        }
    }

    @Test("A2 a state that is forged, of another issuer, used or too old signs nobody in")
    func states() async throws {
        let scene = try await IdentityScene.shared.value
        let page = try scene.page(of: "counted")
        let back = try await scene.comingBack(page, as: IdentityScene.subject())
        let asked = try await scene.issuer.exchanged("counted")
        func parameter(_ name: String, of path: String) -> String {
            URLComponents(string: path)?.queryItems?.first { $0.name == name }?.value ?? ""
        }
        let (state, given) = (parameter("state", of: back), parameter("code", of: back))
        var flipped = Array(state)
        flipped[state.count / 2] = flipped[state.count / 2] == "A" ? "B" : "A"
        let forged = ["B" + state.dropFirst(), String(flipped), state + "A", String(state.dropLast(4)), "e30"]
        for wrong in forged {
            let answer = try await scene.get("/v1/identity/counted/callback?state=\(wrong)&code=\(given)")
            #expect(answer.status == 400 && answer.headers["location"] == nil, "\(wrong)")
        }
        // Sealed here, for another issuer.
        let foreign = try await scene.get("/v1/identity/form/callback?state=\(state)&code=\(given)")
        #expect(foreign.status == 400)
        #expect(try await scene.issuer.exchanged("counted") == asked, "the issuer was not asked")

        // One of somebody else: the issuer's code is for the state that it came with.
        let other = try await scene.comingBack(try scene.page(of: "counted"), as: IdentityScene.subject())
        let mixed = try await scene.get(
            "/v1/identity/counted/callback?state=\(parameter("state", of: other))&code=\(given)")
        #expect(mixed.headers["location"] == "\(PageScene.app)?error=sign_in_refused")

        // It was right until then. Each comes back once, by whichever replica.
        let spent = try await scene.get(back)
        #expect(spent.headers["location"] == "\(PageScene.app)?error=sign_in_refused", "the issuer's code is used up")
        let fresh = try await scene.comingBack(page, as: IdentityScene.subject())
        let first = try await scene.get(fresh)
        #expect(first.headers["location"]?.hasPrefix("\(PageScene.app)?code=") == true)
        for path in [fresh, fresh.replacing("code=", with: "code=x")] {
            let replayed = try await scene.get(path, gateway: 1)
            #expect(replayed.headers["location"] == "\(PageScene.app)?error=link_expired")
        }
    }

    @Test("A2 of ten browsers that come back with one state at once, one signs in")
    func race() async throws {
        let scene = try await IdentityScene.shared.value
        let page = try scene.page(of: "open")
        let back = try await scene.comingBack(page, as: IdentityScene.subject())
        let ends = try await withThrowingTaskGroup { group in
            for number in 0..<10 {
                group.addTask { try await scene.get(back, gateway: number % 2).headers["location"] ?? "" }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        let codes = ends.filter { $0.hasPrefix("\(PageScene.app)?code=") }
        #expect(codes.count == 1 && ends.count { $0 == "\(PageScene.app)?error=link_expired" } == 9, "\(ends)")
        // And of ten devices with one code, one.
        let code = try PageSignIn.code(in: try #require(codes.first))
        let outcomes = try await withThrowingTaskGroup { group in
            for number in 0..<10 {
                group.addTask {
                    let client = try await scene.cluster.stranger(number % 2)
                    defer { Task { await client.close() } }
                    return await codeOf { () async throws(ParleyError) in
                        try await client.signIn(page: page, code: code)
                    }
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(outcomes.sorted() == [String](repeating: "code_refused", count: 9) + ["ok"], "\(outcomes)")
    }

    @Test("A2 A6 a code adds the identity of its page, or shows that the owner asks, once, and only to who began")
    func owners() async throws {
        let scene = try await IdentityScene.shared.value
        let subject = IdentityScene.subject()
        let (mine, _) = try await scene.signIn(on: "paged", as: subject)
        func began(_ issuer: String, as subject: String) async throws -> (page: PageSignIn, code: String) {
            let page = try scene.page(of: issuer)
            return (page, try PageSignIn.code(in: try await scene.returned(page, as: subject)))
        }
        func linking(_ new: (page: PageSignIn, code: String), _ owner: Parley_V1_OwnerProof) async -> String {
            await codeOf { () async throws(ParleyError) in
                try await mine.linkIdentity(page: new.page, code: new.code, owner: owner)
            }
        }
        let owner = try await began("paged", as: subject)
        let new = try await began("form", as: subject)
        let foreign = try await began("paged", as: IdentityScene.subject())
        // Nothing of what is refused uses the other up.
        #expect(await linking(new, .page(foreign.page, code: foreign.code)) == "owner_unproven")
        #expect(await linking(new, .page(foreign.page, code: owner.code)) == "code_refused")
        #expect(await linking((foreign.page, new.code), .page(owner.page, code: owner.code)) == "code_refused")
        var both = Parley_V1_OwnerProof.page(owner.page, code: owner.code)
        both.token = try await scene.token(subject: subject)
        #expect(await linking(new, both) == "invalid")
        #expect(await linking(new, .page(owner.page, code: owner.code)) == "ok")
        let other = try await scene.cluster.stranger(once: true)
        try await other.signIn(page: foreign.page, code: foreign.code)
        #expect(
            await codeOf { () async throws(ParleyError) in
                try await other.signIn(page: new.page, code: new.code)
            } == "code_refused", "what added an identity signs nobody in")
        #expect(
            await codeOf { () async throws(ParleyError) in
                try await other.linkIdentity(
                    page: new.page, code: new.code, owner: .page(owner.page, code: owner.code))
            } == "owner_unproven", "a code of somebody else's identity")
        for client in [mine, other] { await client.close() }
    }

    @Test("A2 a code of a minute ago signs nobody in, nor does a sign-in that took ten")
    func late() async throws {
        let scene = try await IdentityScene(settings: ["PARLEY_LIMITS_WRONG_TOKENS_PER_ADDRESS": "1000"])
        try await scene.settle("open")
        let page = try scene.page(of: "open")
        let code = try PageSignIn.code(in: try await scene.returned(page, as: IdentityScene.subject()))
        try await scene.cluster.execute(
            "UPDATE conversations.page_sign_ins SET code_ends_at = code_ends_at - 61000000")
        let client = try await scene.cluster.stranger(once: true)
        for wrong in [code, "", "none", String(repeating: "x", count: 64)] {
            #expect(
                await codeOf { () async throws(ParleyError) in try await client.signIn(page: page, code: wrong) }
                    == "code_refused")
        }
        // The database keeps nothing that signs anybody in.
        #expect(
            try await scene.cluster.number(
                """
                SELECT count(*) FROM conversations.page_sign_ins
                WHERE position('eyJ' IN encode(sealed_token, 'escape')) > 0 OR code_hash = '\(code)'::bytea
                """) == 0)
        await client.close()
        await scene.cluster.end()
    }
}
