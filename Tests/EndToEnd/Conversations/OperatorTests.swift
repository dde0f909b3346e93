import Foundation
import ParleyClient
import TestSupport
import Testing

/// `parley admin`, which works by the database alone.
struct Operator {
    let program: Program
    let database: String

    init(of cluster: TestCluster) throws {
        (program, database) = (try Program(), cluster.endpoints.database)
    }

    func run(_ arguments: String...) async throws -> Ended {
        try await run(arguments)
    }

    private func run(_ arguments: [String]) async throws -> Ended {
        try await program.run(["admin"] + arguments, environment: ["PARLEY_DATABASE_URL": database])
    }

    /// Runs a command that succeeds.
    func done(_ arguments: [String]) async throws {
        let outcome = try await run(arguments)
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
}

@Suite("O1: what the operator does")
struct OperatorTests {
    @Test(
        "O1 a group whose owner is suspended without end gets another; the operator can name one; restoring changes none"
    )
    func succession() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(4)
        let (owner, admin, member) = (people[0], people[1], people[2])
        let group = try await owner.client.createGroup(name: "Choir", users: people.dropFirst().map(\.user))
            .conversation.id
        func roles() async throws -> [String: Parley_V1_MemberRole] {
            let members = try await member.client.allMembers(of: group)
            return Dictionary(uniqueKeysWithValues: members.map { ($0.user.id, $0.role) })
        }
        try await eventually("all are members") { try await roles().count == 4 }
        try await owner.client.setMemberRole(.admin, of: admin.user, in: group)
        let command = try Operator(of: cluster)
        defer { command.program.remove() }
        // A suspension that ends by itself changes nothing.
        try await command.done(["suspend", owner.username, "--reason", "a day", "--until", "+1d"])
        #expect(try await roles()[owner.user] == .owner)
        try await command.done(["suspend", owner.username, "--reason", "for good"])
        try await eventually("the admin leads") {
            let roles = try await roles()
            return roles[admin.user] == .owner && roles[owner.user] == .member
        }
        try await admin.client.updateGroup(group, name: "Choir of all")
        try await command.done(["restore", owner.username, "--reason", "by mistake"])
        try await command.done(["owner", group, member.username, "--reason", "elected"])
        try await eventually("the named member leads") {
            let roles = try await roles()
            return roles[member.user] == .owner && roles[admin.user] == .member
        }
        let stranger = try await cluster.person("stranger")
        for wrong in [[group, stranger.username], ["0", member.username]] {
            #expect(try await command.run("owner", wrong[0], wrong[1], "--reason", "x").status != 0)
        }
        let audit = try await command.run("audit", member.username, "--json")
        #expect(audit.output.contains("elected"), "\(audit)")
    }

    @Test("O1 a suspended person's sessions close, and signing in says why until they are restored")
    func suspended() async throws {
        let cluster = try await TestCluster.shared
        let person = try await cluster.person("mallory")
        let elsewhere = try await cluster.session(of: person, gateway: 1)
        let other = try await cluster.person("other")
        let held = try #require(await person.client.credentials)
        let admin = try Operator(of: cluster)
        defer { admin.program.remove() }
        let suspended = try await admin.run("suspend", person.username, "--reason", "spam in 40 groups")
        #expect(suspended.status == 0, "\(suspended.errors)")
        try await eventually("both sessions close") {
            let here = await person.client.endedBy?.code
            let there = await elsewhere.client.endedBy?.code
            return here == "revoked" && there == "revoked"
        }
        #expect(await other.client.isReady)

        let stranger = try await cluster.stranger(1)
        func signIn(_ password: String) async throws -> ParleyError {
            try await refusal { () async throws(ParleyError) in
                try await stranger.signIn(username: person.username, password: password)
            }
        }
        let told = try await signIn(person.password)
        #expect(told.code == "account_suspended" && told.message.contains("spam in 40 groups"))
        #expect(told.retryAfterMs == 0)
        // Whoever does not know the password learns nothing.
        #expect(try await signIn("wrong horse battery").code == "wrong_credentials")
        let refresh = try await refusal { () async throws(ParleyError) in
            try await stranger.call(ConversationsMethods.refreshTokens, .with { $0.refreshToken = held.refreshToken })
        }
        #expect(refresh.code == "refresh_refused")
        let late = cluster.newClient(1)
        let token = try await refusal { () async throws(ParleyError) in try await late.connect(token: held.accessToken)
        }
        #expect(token.code == "revoked")

        #expect(try await admin.run("suspend", person.user, "--reason", "spam", "--until", "+2d").status == 0)
        let limited = try await signIn(person.password)
        #expect(limited.code == "account_suspended" && limited.message.contains("2 days"))
        #expect((172_000_000...172_800_000).contains(limited.retryAfterMs))

        #expect(try await admin.run("restore", person.username, "--reason", "promised to stop").status == 0)
        try await stranger.signIn(username: person.username, password: person.password)
        #expect(try await stranger.devices().count == 1)
        let audit = try await admin.run("audit", person.username, "--json").objects
        #expect(audit.map { $0["action"] } == ["restore", "suspend", "suspend"])
        #expect(audit.map { $0["reason"] } == ["promised to stop", "spam", "spam in 40 groups"])
        #expect(audit.allSatisfy { $0["user"] == person.username && $0["operator"]?.contains("@") == true })
        await stranger.close()
    }

    @Test("O1 links to files that a suspended person got answer no more, and their transfers under way end")
    func linksOfSuspended() async throws {
        let cluster = try await TestCluster.shared
        let (person, other) = (try await cluster.person("mallory"), try await cluster.person("other"))
        let admin = try Operator(of: cluster)
        defer { admin.program.remove() }
        let talk = try await other.client.startDirect(with: person.user).conversation.id
        let media = try await other.client.upload([1, 2, 3], to: talk, name: "a.bin")
        let seq = try await other.client.send(media, to: talk).seq
        try await eventually("the message is there") { try await person.client.history(of: talk).messages.count > 0 }
        let server = cluster.endpoints.http[0]
        let paths = [
            try await person.client.attachment(of: seq, in: talk).downloadPath,
            try await other.client.attachment(of: seq, in: talk).downloadPath,
        ]
        func statuses() async throws -> [Int?] {
            try await onThread { try paths.map { try RawHTTP.send("GET", $0, to: server)?.status } }
        }
        // Half of a body, of which the server waits for the rest: first of somebody else, so that silence does not end
        // that of the suspended person earlier.
        let notes = try await person.client.startDirect(with: person.user).conversation.id
        let own = try await other.client.startDirect(with: other.user).conversation.id
        let waiting = Waiting()
        var uploads: [Task<Void, Never>] = []
        for (device, conversation) in [(other, own), (person, notes)] {
            let id = Data(await device.client.newID().bytes)
            let path = try await device.client.call(
                MessagingMethods.createAttachment, key: conversation,
                .with {
                    ($0.id, $0.conversation, $0.name, $0.sizeBytes) = (id, conversation, "a.bin", 1 << 20)
                    $0.mimeType = "application/octet-stream"
                }
            ).uploadPath
            uploads.append(
                Task {
                    _ = try? await onThread {
                        try RawHTTP.send(
                            "PATCH", path, to: server, headers: ["Upload-Offset": "0"],
                            body: Array(repeating: 0, count: 1 << 19), length: 1 << 20)
                    }
                    await waiting.ended(device.user)
                })
            try await eventually("half of it is there") {
                let answer = try await onThread { try RawHTTP.send("HEAD", path, to: server) }
                return answer?.headers["upload-offset"].flatMap { Int($0) } ?? 0 > 0
            }
        }
        #expect(try await statuses() == [200, 200])
        try await admin.done(["suspend", person.username, "--reason", "spam"])
        #expect(try await statuses() == [404, 200], "what others got answers")
        await uploads[1].value
        #expect(await waiting.who == [person.user], "the other one goes on")
        try await admin.done(["restore", person.username, "--reason", "promised to stop"])
        #expect(try await statuses() == [200, 200])
        await uploads[0].value
    }

    private actor Waiting {
        private(set) var who: [String] = []

        func ended(_ user: String) { who.append(user) }
    }

    @Test("O1 the operator signs a person out, with the calendar's link, and removes one, whose id the audit keeps")
    func removed() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2)
        let (leaving, staying) = (people[0], people[1])
        let direct = try await leaving.client.startDirect(with: staying.user).conversation.id
        _ = try await leaving.client.send("remember me", to: direct)
        let group = try await staying.client.createGroup(name: "crew", users: [leaving.user]).conversation.id
        let admin = try Operator(of: cluster)
        defer { admin.program.remove() }

        let links = [
            try await leaving.client.createCalendarLink(), try await staying.client.createCalendarLink(),
        ]
        func statuses() async throws -> [Int?] {
            let server = cluster.endpoints.http[0]
            return try await onThread { try links.map { try RawHTTP.send("HEAD", $0, to: server)?.status } }
        }
        #expect(try await statuses() == [200, 200])
        #expect(try await admin.run("sign-out", leaving.username, "--reason", "phone was stolen").status == 0)
        #expect(try await statuses() == [404, 200], "the link to the calendar ends at once")
        // A session that does not know it yet cannot make another one.
        do {
            _ = try await leaving.client.call(EntitiesMethods.createCalendarLink, key: leaving.user, .init())
            Issue.record("a link was made")
        } catch {
            #expect(["rate_limited", "revoked"].contains(error.code), "\(error)")
        }
        try await eventually("the session closes") {
            await leaving.client.endedBy?.code == "revoked"
        }
        let again = try await cluster.device(of: leaving)
        #expect(try await again.client.devices().count == 1)
        try await eventually("a new link can be made") { (try? await again.client.createCalendarLink()) != nil }

        let unsure = try await admin.run("remove", leaving.username, "--reason", "court order")
        #expect(unsure.status == 64 && unsure.errors.contains("--yes"))
        #expect(try await admin.run("remove", leaving.username, "--reason", "court order", "--yes").status == 0)
        try await eventually("the session closes") {
            await again.client.endedBy?.code == "revoked"
        }
        let stranger = try await cluster.stranger()
        let gone = try await refusal { () async throws(ParleyError) in
            try await stranger.signIn(username: leaving.username, password: leaving.password)
        }
        #expect(gone.code == "wrong_credentials")
        let taken = try await refusal { () async throws(ParleyError) in
            try await stranger.register(username: leaving.username, password: Device.password)
        }
        #expect(taken.code == "username_taken")
        try await eventually("the services remove the person from their conversations") {
            let members = try await staying.client.getConversation(group).members
            let shown = try await staying.client.users([leaving.user]).first
            return members.map(\.user.id) == [staying.user] && shown?.deleted == true
        }
        #expect(try await staying.client.history(of: direct).messages.map(\.text) == ["remember me"])
        let audit = try await admin.run("audit", leaving.user, "--json").objects
        #expect(
            audit.map { $0["action"] } == ["remove", "sign-out"] && audit.allSatisfy { $0["user"] == leaving.user })
        await stranger.close()

        for arguments in [["suspend"], ["restore"], ["sign-out"], ["remove", "--yes"]] {
            let unknown = try await admin.program.run(
                ["admin"] + arguments + [leaving.username, "--reason", "x"],
                environment: ["PARLEY_DATABASE_URL": admin.database])
            #expect(unknown.status == 1 && unknown.errors.contains("user_not_found"), "\(arguments)")
        }
        let wrong = [
            ["suspend", "x"], ["suspend", "x", "--reason", ""],
            ["suspend", "x", "--reason", "y", "--until", "2001-01-01"],
            ["invite", "--uses", "0"], ["invite", "--expires", "yesterday"],
        ]
        for arguments in wrong {
            let outcome = try await admin.program.run(
                ["admin"] + arguments, environment: ["PARLEY_DATABASE_URL": admin.database])
            #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
        }
    }
}

extension OperatedClusters {
    @Test("O1 M8 the operator deletes a message: it is gone for every device, with its suggestion, and is in the audit")
    func deletedMessage() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (author, reader) = (people[0], people[1])
        for person in people { await person.client.setTimeZone("Europe/Zurich") }
        try await cluster.acquaint(author, [reader])
        let group = try await author.client.createGroup(name: "us", users: [reader.user]).conversation.id
        let seq = try await author.client.send("Lunch tomorrow at 1pm", to: group).seq
        try await eventually("it is suggested") {
            try await !reader.client.listSuggestions().suggestions.isEmpty
        }
        let admin = try Operator(of: cluster)
        defer { admin.program.remove() }
        let unsure = try await admin.run("delete-message", group, "\(seq)", "--reason", "report 7")
        #expect(unsure.status == 64 && unsure.errors.contains("--yes"))
        try await admin.done(["delete-message", group, "\(seq)", "--reason", "report 7", "--yes"])
        try await eventually("both see it deleted, by an Update") {
            for person in people {
                guard let last = await person.updates.messages.last, last.deletedAtUs > 0 else { return false }
            }
            return true
        }
        try await eventually("its suggestion is gone") {
            try await reader.client.listSuggestions().suggestions.isEmpty
        }
        let read = try await reader.client.history(of: group, limit: 10).messages.first { $0.seq == seq }
        #expect(read?.text == "" && (read?.deletedAtUs ?? 0) > 0)
        let watcher = try await Watcher(cluster.endpoints.database)
        try await eventually("its text is removed from the database") {
            try await watcher.number(
                "SELECT count(*) FROM messaging.messages WHERE text = 'Lunch tomorrow at 1pm' AND seq = \(seq)") == 0
        }
        let again = try await admin.run("delete-message", group, "\(seq)", "--reason", "report 7", "--yes")
        #expect(again.status == 1 && again.errors.contains("gone already"), "\(again.errors)")
        let audit = try await admin.run("audit", author.username)
        #expect(audit.output.contains("delete-message"))
        #expect(audit.output.contains("message \(seq) of \(group): report 7"))
    }

    @Test("O1 where registration is invited, people need a code of the operator; where it is closed, nobody registers")
    func registration() async throws {
        let invited = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "conversations": [
                        "PARLEY_REGISTRATION": "invited", "PARLEY_USERNAMES_RESERVED": "boss,ceo",
                        "PARLEY_PEOPLE_FIND_BY_EMAIL": "no",
                    ]
                ]))
        let admin = try Operator(of: invited)
        defer { admin.program.remove() }
        let made = try await admin.run("invite", "--uses", "2", "--expires", "2099-12-31", "--json")
        let code = try #require(made.objects.first?["code"], "\(made.errors)")
        var client = try await invited.stranger()
        func register(_ name: String, _ code: String, id: UUIDv7? = nil) async throws -> String {
            await client.close()
            client = try await invited.stranger()
            do throws(ParleyError) {
                try await client.register(username: name, password: Device.password, code: code, id: id)
                return "ok"
            } catch {
                return error.code
            }
        }
        #expect(try await register("ada", "") == "registration_code_refused")
        #expect(try await register("ada", "abcd-efgh-jkmn-pqrs") == "registration_code_refused")
        #expect(try await register("ceo", code) == "username_taken")
        let id = await client.newID()
        #expect(try await register("ada", code, id: id) == "ok")
        #expect(try await register("ada", code) == "username_taken", "which uses nothing up")
        let typed = code.replacingOccurrences(of: "-", with: " ").uppercased()
        #expect(try await register("bob", typed) == "ok")
        #expect(try await register("cyd", code) == "registration_code_refused", "it is used up")
        #expect(try await register("ada", code, id: id) == "ok", "the same registration signs in")
        #expect(try await admin.run("invite", "--expires", "+1s").status == 0)
        let audit = try await admin.run("audit", "--json").objects
        #expect(audit.map { $0["action"] } == ["invite", "invite"])
        #expect(audit.last?["reason"]?.hasPrefix("2 accounts until 2") == true)
        let stored = try await Watcher(invited.endpoints.database).texts(
            "SELECT string_agg(e::text, ' ') FROM conversations.registration_codes AS e")
        #expect(!stored.joined().contains(code.filter(\.isLetter)))
        // A4 nobody is found by an address where the operator does not allow it.
        try await client.updateProfile(email: "ada@example.org", findableByEmail: true)
        #expect(try await client.searchUsers("ada@example.org").users.isEmpty)
        await client.close()
        await invited.end()

        let closed = try await TestCluster(
            .init(gateways: 1, settings: ["conversations": ["PARLEY_REGISTRATION": "closed"]]))
        let stranger = try await closed.stranger()
        let refused = try await refusal { () async throws(ParleyError) in
            try await stranger.register(username: "dan", password: Device.password, code: code)
        }
        #expect(refused.code == "registration_closed")
        await stranger.close()
        await closed.end()
    }
}
