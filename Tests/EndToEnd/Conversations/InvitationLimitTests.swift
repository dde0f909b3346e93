import ParleyClient
import TestSupport
import Testing

extension OwnClusters {
    @Suite("C17: limits of invitations", .timeLimit(.minutes(12)))
    struct InvitationLimits {
        private static let small = Task {
            try await TestCluster(
                .init(
                    gateways: 1,
                    settings: [
                        "conversations": [
                            "PARLEY_REQUESTS_REQUIRED": "yes", "PARLEY_LIMITS_INVITATIONS_PER_HOUR": "3",
                            "PARLEY_LIMITS_INVITATIONS_OPEN": "3", "PARLEY_LIMITS_GROUP_MEMBERS": "5",
                            "PARLEY_LIMITS_GROUP_CHANGES_PER_MINUTE": "12", "PARLEY_LIMITS_REQUESTS_PER_MINUTE": "3",
                        ]
                    ]))
        }

        private static func code<T>(_ body: () async throws(ParleyError) -> T) async throws -> String {
            try await refusal(body).code
        }

        @Test("C17 a person invites 3 people an hour, however many groups they use; more at once are invalid")
        func perHour() async throws {
            let cluster = try await Self.small.value
            let people = try await cluster.people(5)
            let once = try await cluster.session(of: people[0], once: true)
            let (me, users) = (once.client, people.dropFirst().map(\.user))
            let many = try await refusal { () async throws(ParleyError) in
                try await me.createGroup(name: "x", users: users)
            }
            #expect(many.code == "invalid" && many.field == "users")
            let first = try await me.createGroup(name: "one", users: Array(users[..<2])).conversation.id
            let second = try await me.createGroup(name: "two", users: [users[0]]).conversation.id
            #expect(try await me.addMembers([users[0]], to: first).invited == [users[0]], "repeating it counts nothing")
            let more = try await refusal { () async throws(ParleyError) in
                try await me.addMembers([users[3]], to: second)
            }
            #expect(more.code == "rate_limited" && more.retryAfterMs > 60_000)
            #expect(try await me.invitations(into: second).invitations.count == 1)
            withExtendedLifetime(once) {}
        }

        @Test("C17 invited people count towards the group's places, and accepting needs no further place")
        func places() async throws {
            let cluster = try await Self.small.value
            let people = try await cluster.people(6)
            let me = people[0].client
            try await cluster.acquaint(people[0], [people[1], people[5]])
            let group = try await me.createGroup(name: "full", users: people[1...4].map(\.user)).conversation.id
            #expect(try await me.getConversation(group).memberCount == 2)
            let refused = try await Self.code { () async throws(ParleyError) in
                try await me.addMembers([people[5].user], to: group)
            }
            #expect(refused == "group_full")
            for person in people[2...4] { try await person.client.acceptRequest(group) }
            #expect(try await me.getConversation(group).memberCount == 5)
            try await people[4].client.leaveGroup(group)
            try await me.addMembers([people[5].user], to: group)
            let late = try await Self.code { () async throws(ParleyError) in
                try await me.addMembers([people[4].user], to: group)
            }
            #expect(late == "group_full")
        }

        @Test(
            "C17 X3 a person sees 3 invitations: beyond it the oldest of whoever made most gives way, unnoticed by them"
        )
        func open() async throws {
            let cluster = try await Self.small.value
            let victim = try await cluster.person("victim")
            var groups: [String] = []
            for number in 0..<5 {
                let stranger = try await cluster.person("stranger")
                let made = try await stranger.client.createGroup(name: "\(number)", users: [victim.user])
                #expect(made.invited == [victim.user])
                let invitations = try await stranger.client.invitations(into: made.conversation.id).invitations
                #expect(invitations.map(\.user.id) == [victim.user])
                groups.append(made.conversation.id)
            }
            // Junk of strangers keeps no later invitation out.
            #expect(try await victim.client.requests().requests.map(\.id) == groups[2...].reversed())
            #expect(try await victim.client.requests().count.total == 3)
            try await eventually("what gave way is gone") {
                await victim.updates.newest(of: groups[0])?.section == .gone
            }
            let gone = try await Self.code { () async throws(ParleyError) in
                try await victim.client.acceptRequest(groups[0])
            }
            #expect(gone == "not_found")
            // One who invites three times takes the places of their own.
            let eager = try await cluster.person("eager")
            var eagers: [String] = []
            for number in 0..<3 {
                eagers.append(
                    try await eager.client.createGroup(name: "e\(number)", users: [victim.user]).conversation.id)
            }
            #expect(try await victim.client.requests().requests.map(\.id) == [eagers[2], groups[4], groups[3]])
            let later = try await cluster.person("later")
            let made = try await later.client.createGroup(name: "later", users: [victim.user]).conversation.id
            #expect(try await victim.client.requests().requests.map(\.id) == [made, eagers[2], groups[4]])
            for (maker, id) in [(eager, eagers[0]), (eager, eagers[1])] {
                #expect(try await maker.client.invitations(into: id).invitations.map(\.user.id) == [victim.user])
            }
        }

        @Test("C17 leaving is never rate-limited")
        func leaving() async throws {
            let cluster = try await Self.small.value
            let (victim, host) = (try await cluster.person("victim"), try await cluster.person("host"))
            try await cluster.acquaint(host, [victim])
            let once = try await cluster.session(of: victim, once: true)
            let leaving = once.client
            var groups: [String] = []
            for number in 0..<12 {
                groups.append(
                    try await host.client.createGroup(name: "\(number)", users: [victim.user]).conversation.id)
            }
            for _ in 0..<12 { _ = try await leaving.createGroup(name: "own", users: []) }
            let limited = try await Self.code { () async throws(ParleyError) in
                try await leaving.createGroup(name: "one too many", users: [])
            }
            #expect(limited == "rate_limited")
            for group in groups { try await leaving.leaveGroup(group) }
            for group in groups { #expect(try await leaving.getConversation(group).section == .left) }
            withExtendedLifetime(once) {}
        }

        @Test("C17 R6 asking again after withdrawing a message request counts as asking")
        func askingAgain() async throws {
            let cluster = try await Self.small.value
            let (me, other) = (try await cluster.person("me"), try await cluster.person("other"))
            let once = try await cluster.session(of: me, once: true)
            let asking = once.client
            let id = try await asking.startDirect(with: other.user).conversation.id
            _ = try await asking.send("hello", to: id)
            for _ in 0..<2 {
                try await asking.withdrawRequest(id)
                _ = try await asking.startDirect(with: other.user)
            }
            try await asking.withdrawRequest(id)
            let limited = try await Self.code { () async throws(ParleyError) in
                try await asking.startDirect(with: other.user)
            }
            #expect(limited == "rate_limited")
            withExtendedLifetime(once) {}
        }
    }
}
