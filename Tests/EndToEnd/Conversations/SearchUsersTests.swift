import ParleyClient
import TestSupport
import Testing

@Suite("A4: finding people")
struct SearchUsersTests {
    @Test("A4 people are found by any part of their names, without regard to case and accents")
    func finds() async throws {
        let cluster = try await TestCluster.shared
        let me = try await cluster.person("me")
        let other = try await cluster.person("zoe", gateway: 1)
        let mark = "q" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await other.client.updateProfile(displayName: "Zoë Żółć-\(mark.uppercased()) İnönü")
        for text in [
            "\(mark)", "zoe zolc-\(mark)", "ZOLC-\(mark)", "\(mark) inonu", "\(mark.dropFirst())", " \(mark) ",
        ] {
            #expect(try await me.client.searchUsers(text).users.map(\.id) == [other.user], "\(text)")
        }
        let username = other.username
        for text in [username, username.uppercased(), String(username.dropFirst(4)), "@" + username] {
            #expect(try await me.client.searchUsers(text).users.map(\.id) == [other.user], "\(text)")
        }
        // Wildcards of patterns are plain text.
        for text in ["\(mark)%", "%\(mark)", "\(mark)_", "_\(mark)", "\(mark)\\", "\(mark)*", "\(mark)x"] {
            #expect(try await me.client.searchUsers(text).users.isEmpty, "\(text)")
        }
        for text in ["", "  ", "\u{301}"] {
            #expect(
                try await refusal { () async throws(ParleyError) in try await me.client.searchUsers(text) }.code
                    == "invalid")
        }
        try await other.client.updateProfile(displayName: "Zoe")
        #expect(try await me.client.searchUsers(mark).users.isEmpty)
        for cursor in ["x", "0.1.zzz", "9.9.9"] {
            #expect(
                try await refusal { () async throws(ParleyError) in try await me.client.searchUsers("a", cursor: cursor)
                }.code == "invalid")
        }
    }

    @Test("A4 people are found however apostrophes, hyphens, forms and keyboards write their names")
    func spellings() async throws {
        let cluster = try await TestCluster.shared
        let me = try await cluster.person("me")
        let other = try await cluster.person("other", gateway: 1)
        let mark = "q" + String(UInt64.random(in: .min ... .max), radix: 36)
        for (name, texts) in [
            ("Sean O'Neill", ["o’neill", "oneill", "O`Neill", "sean oʼneill", "o´neill"]),
            ("Anne-Marie D’Arcy", ["anne marie darcy", "Anne–Marie d'arcy", "marie darcy"]),
            ("Bob @ Acme", ["Bob @ Acme", "b @ acme"]), ("Bob@Acme", ["bob@acme"]),
            ("한국어", ["\u{1112}\u{1161}\u{11AB}국어"]), ("テスト", ["ﾃｽﾄ"]), ("علی رضا", ["علي رضا", "على رضا"]),
            ("کریم", ["كريم"]), ("Zu\u{308}rcher", ["zürcher", "zurcher"]), ("Ｗｉｄｅ", ["wide"]), ("Nº ٤٢", ["no 42"]),
        ] {
            try await other.client.updateProfile(displayName: "\(name) \(mark)")
            for text in texts {
                let found = try await me.client.searchUsers("\(text) \(mark)").users.map(\.id)
                #expect(found == [other.user], "\(name): \(text)")
            }
        }
        try await other.client.updateProfile(displayName: "Bob @ Acme")
        for text in ["Bob @ Acme", "bob @", "@ acme"] {
            #expect(try await me.client.searchUsers(text).users.map(\.id).contains(other.user), "\(text)")
        }
    }

    @Test("A4 pages have no gaps and no duplicates while others change their names")
    func pages() async throws {
        let cluster = try await TestCluster.shared
        let mark = "w" + String(UInt64.random(in: .min ... .max), radix: 36)
        let people = try await cluster.people(7)
        for (number, person) in people.enumerated() {
            // The text occurs twice in some names, but each person is found once.
            try await person.client.updateProfile(
                displayName: number < 3 ? "\(mark)\(number) \(mark)" : "x\(number)\(mark)")
        }
        var found: [String] = []
        var page = Parley_V1_SearchUsersReply()
        repeat {
            page = try await people[0].client.searchUsers(mark, cursor: page.cursor, limit: 2)
            #expect(page.users.count == 2 || !page.more)
            found += page.users.map(\.id)
            if found.count == 2 { try await people[6].client.updateProfile(displayName: "gone") }
        } while page.more
        #expect(found.prefix(3) == people.prefix(3).map(\.user)[...])
        #expect(Set(found) == Set(people.prefix(6).map(\.user)) && found.count == 6)
    }

    @Test("A4 a whole email address finds only those who allow it")
    func email() async throws {
        let cluster = try await TestCluster.shared
        let me = try await cluster.person("me")
        let other = try await cluster.person("other", gateway: 1)
        let address = "\(other.username)@Example.org"
        try await other.client.updateProfile(email: address)
        #expect(try await me.client.searchUsers(address).users.isEmpty)
        try await other.client.updateProfile(findableByEmail: true)
        for text in [address, address.lowercased(), " \(address.uppercased())"] {
            let found = try await me.client.searchUsers(text).users
            #expect(found.map(\.id) == [other.user], "\(text)")
            #expect(try found.allSatisfy { try !$0.jsonString().lowercased().contains("@example") })
        }
        for text in [String(address.dropFirst()), String(address.dropLast()), "@Example.org"] {
            #expect(try await me.client.searchUsers(text).users.isEmpty, "\(text)")
        }
        try await other.client.updateProfile(findableByEmail: false)
        #expect(try await me.client.searchUsers(address).users.isEmpty)
    }

    @Test("A4 pages list several people with the same email address, each once")
    func sameEmail() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3)
        let address = "\(people[0].username)@example.org"
        for person in people { try await person.client.updateProfile(email: address, findableByEmail: true) }
        var found: [String] = []
        var page = Parley_V1_SearchUsersReply()
        repeat {
            page = try await people[0].client.searchUsers(address, cursor: page.cursor, limit: 1)
            #expect(page.users.count == 1)
            found += page.users.map(\.id)
        } while page.more && found.count < 9
        #expect(found.sorted() == people.map(\.user).sorted())
    }

    @Test("A4 a forged cursor is refused, and so is one of another query or another person")
    func forgedCursors() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3)
        let mark = "w" + String(UInt64.random(in: .min ... .max), radix: 36)
        for person in people { try await person.client.updateProfile(displayName: mark) }
        let genuine = try await people[0].client.searchUsers(mark, limit: 1).cursor
        #expect(try await people[0].client.searchUsers(mark, cursor: genuine).users.count == 2)
        func isRefused(_ cursor: String, _ query: String, by person: Device) async throws -> Bool {
            try await refusal { () async throws(ParleyError) in
                try await person.client.searchUsers(query, cursor: cursor)
            }.code == "invalid"
        }
        #expect(try await isRefused(genuine, "forger", by: people[0]))
        #expect(try await isRefused(genuine, mark, by: people[1]))
        for cursor in [
            "2.1.forger", "0.1.forger\n", "-1.1.forger", "..", "0.1", " ", String(genuine.dropLast()), genuine + "A",
            genuine.lowercased(),
        ] {
            #expect(try await isRefused(cursor, "forger", by: people[0]), "\(cursor)")
        }
    }

    @Test("A4 searches are rate limited for each person")
    func limited() async throws {
        let cluster = try await TestCluster.shared
        let me = try await cluster.session(of: try await cluster.person("me"), once: true)
        let other = try await cluster.person("other")
        var refused: ParleyError?
        // The test may run across two minutes.
        for _ in 0..<250 where refused == nil {
            do { _ = try await me.client.searchUsers("zz") } catch { refused = error }
        }
        #expect(refused?.code == "rate_limited" && refused?.retryAfterMs ?? 0 > 0)
        _ = try await other.client.searchUsers("zz")
    }

    @Test("A4 C17 a picker leaves out me, people I blocked and, on request, people I talk with, but not who blocked me")
    func filters() async throws {
        let cluster = try await TestCluster.shared
        let mark = "v" + String(UInt64.random(in: .min ... .max), radix: 36)
        let people = try await cluster.people(5)
        for person in people { try await person.client.updateProfile(displayName: mark) }
        let (me, friend) = (people[0], people[1])
        try await me.client.block(people[2].user)
        try await people[3].client.block(me.user)
        _ = try await friend.client.startDirect(with: me.user)
        #expect(Set(try await me.client.searchUsers(mark).users.map(\.id)) == Set(people.map(\.user)))
        let writable = try await me.client.searchUsers(mark, toWriteTo: true).users.map(\.id)
        #expect(Set(writable) == [friend.user, people[3].user, people[4].user])
        let new = try await me.client.searchUsers(mark, toWriteTo: true, leavingOutTalking: true).users.map(\.id)
        #expect(Set(new) == [people[3].user, people[4].user])
        try await me.client.unblock(people[2].user)
        #expect(try await me.client.searchUsers(mark, toWriteTo: true).users.count == 4)
    }
}
