import Foundation
import ParleyClient
import TestSupport
import Testing

/// Pushes at their bounds, and to people who see things anyway.
extension OperatedClusters {
    @Test("N1 nobody is told who has the app in front on any device; who closes it then is told of what they missed")
    func pushesSpareWhoIsThere() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let laptop = try await scene.cluster.device(of: alice.phone.device)
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: laptop.user).conversation.id
        try await scene.inFront(1)
        let seen = try await bob.client.send("seen", to: talk)
        try await laptop.client.markRead(talk, upTo: seen.seq)
        try await scene.settled()
        for phone in [alice.phone, alice.tablet] { #expect(try await scene.pushes(to: phone).isEmpty) }
        let missed = try await bob.client.send("missed", to: talk)
        await laptop.client.setActivity(isInForeground: false)
        for phone in [alice.phone, alice.tablet] {
            try await eventually("what came just before comes after all") {
                try await scene.seqs(on: phone) == [missed.seq]
            }
        }
        try await scene.inFront(0)
        let later = try await bob.client.send("later", to: talk)
        try await eventually("and what comes later") {
            try await scene.seqs(on: alice.phone) == [missed.seq, later.seq]
        }
        await scene.end()
    }

    @Test("N1 of a request and an invitation people are told once, of what blocked people do never")
    func pushesOfRequests() async throws {
        let scene = try await PushScene(others: TestCluster.askingSettings)
        let alice = try await scene.person("alice")
        let me = alice.phone.device
        let (bob, carol) = (try await scene.away("bob"), try await scene.away("carol"))
        _ = try await me.client.block(carol.user)
        let talk = try await bob.client.startDirect(with: me.user).conversation.id
        for number in 1...3 { _ = try await bob.client.send("\(number)", to: talk) }
        let asked = try await scene.first(on: alice.phone)
        #expect(asked.payload.parley.kind == "request" && asked.payload.parley.conversation.text == talk)
        #expect(asked.payload.aps.alert.title == "bob" && asked.payload.aps.alert.body == "Wants to write to you")
        _ = try await carol.client.createGroup(name: "Spam", users: [me.user])
        _ = try await bob.client.createGroup(name: "Team", users: [me.user])
        try await eventually("the invitation") { try await scene.shown(on: alice.tablet).count == 2 }
        let invited = try #require(try await scene.shown(on: alice.tablet).last)
        #expect(invited.payload.aps.alert.title == "Team" && invited.payload.aps.alert.body == "bob invites you")
        try await scene.settled()
        #expect(try await scene.shown(on: alice.phone).count == 2)
        try await me.client.acceptRequest(talk)
        _ = try await bob.client.send("4", to: talk)
        try await eventually("a message") { try await scene.shown(on: alice.phone).count == 3 }
        #expect(try await scene.shown(on: alice.phone).last?.payload.aps.alert.body == "4")
        await scene.end()
    }

    @Test("N1 10,000 devices of one person stay 20, and 10,000 messages wait for none of them beyond its queue")
    func pushesOfManyDevices() async throws {
        let scene = try await PushScene(settings: ["PARLEY_LIMITS_QUEUED_PUSHES": "5"])
        let alice = try await scene.away("alice")
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.user).conversation.id
        let phone = try await scene.phone(alice)
        let account = try await scene.number(
            "SELECT account FROM conversations.accounts WHERE user_id = '\(alice.user)'")
        // As sign-ins make them, which would hash passwords for an hour.
        try await scene.cluster.execute(
            """
            INSERT INTO conversations.devices (account, device_id, name, signed_in_at, last_used_at)
            SELECT \(account), 'many' || n, 'phone', 0, 0
            FROM generate_series(1, 10000) AS n
            """)
        for first in stride(from: 1, to: 10_000, by: 200) {
            try await scene.cluster.execute(
                """
                SELECT r.registered_at
                FROM generate_series(\(first), \(first + 199)) AS n
                CROSS JOIN LATERAL notifications.register_device(
                    \(account), 'many' || n, 1::smallint, md5(n::text) || md5(n::text),
                    decode(md5(n::text) || md5(n::text), 'hex'), 'com.example.chat', '', NULL, NULL, 20) AS r
                """)
        }
        #expect(try await alice.client.pushDevices().devices.count == 20)
        #expect(try await alice.client.pushDevices().devices.allSatisfy { $0.device.hasPrefix("many") })
        // The phone was the one registered longest ago; it comes back in place of another.
        _ = try await alice.client.registerPush(.apns, token: phone.token, app: PushScene.app)
        #expect(try await alice.client.pushDevices().devices.count == 20)
        try await scene.servers.script(.apns, always: "answer 503")
        var sent: [Int?] = []
        for number in 0..<50 { sent.append(Int(try await bob.client.send("\(number)", to: talk).seq)) }
        try await scene.followed()
        let most = try await scene.number(
            "SELECT max(n) FROM (SELECT count(*) AS n FROM notifications.queue GROUP BY account, device) AS q")
        #expect(most == 5, "the oldest are dropped")
        try await scene.servers.script(.apns)
        // The provider is left alone for as long as it failed, at most 5 minutes; a retry waits up to a minute.
        try await eventually(within: .seconds(360), "the queue is empty") {
            try await scene.number("SELECT count(*) FROM notifications.queue WHERE kind <> 8") == 0
        }
        let seqs = Set(
            try await scene.shown(on: phone).filter { $0.status == 200 }.map { $0.payload.parley.seq.number })
        #expect(seqs.isSuperset(of: sent.suffix(5)), "the newest come")
        // Those that were being sent when they were dropped, and the provider took pushes again, may come too.
        #expect(seqs.count <= 10, "\(seqs)")
        await scene.end()
    }

    @Test("D1 without keys the start says so once and goes on; a key that cannot be used stops it with one sentence")
    func pushKeys() async throws {
        let cluster = try await TestCluster(.init(gateways: 1))
        let alice = try await cluster.person("alice")
        _ = try await alice.client.registerPush(.fcm, token: "abc", app: "")
        let reply = try await alice.client.pushDevices()
        #expect(reply.devices.count == 1 && reply.transports.isEmpty && reply.webPushKey.isEmpty)
        let said = cluster.log(of: "notifications-1", last: 1000).filter { $0.contains("no push service has a key") }
        #expect(said.count == 1)
        try await alice.client.testPush()
        try await eventually("a test says why") {
            try await alice.client.pushDevices().devices.first?.lastResult == "no_key"
        }
        await cluster.end()

        let ids = ["PARLEY_PUSH_APNS_KEY_ID": "ABC123DEFG", "PARLEY_PUSH_APNS_TEAM_ID": "TEAM456789"]
        for (settings, what) in [
            (ids.merging(["PARLEY_PUSH_APNS_KEY": "nonsense"]) { $1 }, "push.apns-key"),
            (["PARLEY_PUSH_FCM_ACCOUNT": "{}"], "push.fcm-account"),
        ] {
            do {
                let refused = try await TestCluster(.init(gateways: 1, settings: ["notifications": settings]))
                Issue.record("it started with \(settings)")
                await refused.end()
            } catch {
                #expect("\(error)".contains(what), "\(error)")
            }
        }
    }
}
