import Foundation
import ParleyClient
import TestSupport
import Testing

/// Pushes while processes die and providers fail.
extension FaultClusters {
    @Test("N1 what was being sent when notifications was killed is sent again under the same id, and nothing is lost")
    func pushesOutliveTheirProcess() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        var sent: [Int64] = []
        for round in 0..<6 {
            // Apple takes the notice and answers nobody: notifications is between decision and result.
            try await scene.servers.script(.apns, always: "slow 3")
            sent.append(try await bob.client.send("message \(round)", to: talk).seq)
            try await eventually("Apple has it") { try await scene.underWay(.apns) > 0 }
            try await scene.cluster.cluster.kill("notifications-1")
            try await scene.servers.script(.apns)
            // This one comes while notifications is away.
            sent.append(try await bob.client.send("later \(round)", to: talk).seq)
            try await scene.cluster.cluster.waitUntilReady("notifications-1")
            for phone in [alice.phone, alice.tablet] {
                try await eventually("each message has come to the device") {
                    let came = try await scene.shown(on: phone)
                    let known = Set(came.compactMap { $0.payload.parley.seq.number.map { Int64($0) } })
                    return known == Set(sent)
                }
            }
        }
        try await scene.settled()
        var again = 0
        for phone in [alice.phone, alice.tablet] {
            let bySeq = Dictionary(grouping: try await scene.shown(on: phone)) { $0.payload.parley.seq.number }
            for (seq, pushes) in bySeq {
                #expect(Set(pushes.map { $0.headers["apns-id"].text }).count == 1, "one id for message \(seq ?? 0)")
                again += pushes.count - 1
            }
        }
        #expect(again > 0, "some were sent twice under one id")
        #expect(await scene.faults() == [])
        await scene.end()
    }

    @Test("N1 what a provider did not take comes once it does, apart from what was read or deleted meanwhile")
    func pushesOutlastAnOutage() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let android = try await scene.android(scene.another(of: alice.phone.device))
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        try await scene.servers.script(.apns, always: "answer 503 text/html <html>")
        var seqs: [Int64] = []
        for number in 0..<8 { seqs.append(try await bob.client.send("message \(number)", to: talk).seq) }
        try await eventually("the others do not wait") { try await scene.shown(on: android).count == 8 }
        try await eventually("an operator learns of it") {
            try await scene.metrics().contains(#"parley_push_problems_total{transport="apns",code="busy"}"#)
        }
        _ = try await alice.phone.device.client.markRead(talk, upTo: seqs[1])
        _ = try await bob.client.delete(seqs[4], of: talk)
        try await scene.servers.script(.apns)
        let awaited = Set(seqs).subtracting([seqs[0], seqs[1], seqs[4]])
        for phone in [alice.phone, alice.tablet] {
            try await eventually(within: .seconds(120), "what still matters comes") {
                awaited.isSubset(of: try await scene.seqs(on: phone))
            }
        }
        try await scene.settled()
        for phone in [alice.phone, alice.tablet] {
            #expect(try await scene.seqs(on: phone) == awaited)
        }
        await scene.end()
    }
}

extension FaultClusters {
    @Test("N1 what could not be decided while the database failed is sent soon after, and waits for no lease")
    func pushesOutlastTheDatabase() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        let function = "ON FUNCTION messaging.badge_of"
        // Rows of the queue are taken without it, and it is read before they are sent.
        try await scene.cluster.execute("REVOKE EXECUTE \(function) FROM PUBLIC, parley_notifications")
        let seq = try await bob.client.send("hello", to: talk).seq
        try await eventually("it was taken") {
            try await scene.number("SELECT count(*) FROM notifications.queue WHERE tries > 0") == 2
        }
        try await eventually("it could not be decided") {
            scene.cluster.log(of: "notifications-1").contains("pushes cannot be sent for now")
        }
        #expect(try await scene.pushes(to: alice.phone).isEmpty)
        try await scene.cluster.execute("GRANT EXECUTE \(function) TO parley_notifications")
        for phone in [alice.phone, alice.tablet] {
            try await eventually("it comes") { try await scene.seqs(on: phone) == [seq] }
        }
        #expect(await scene.faults() == [])
        await scene.end()
    }

    @Test("N1 a browser's service that never answers holds up no other device")
    func pushesPassSilentServices() async throws {
        let scene = try await PushScene()
        let (alice, mallory, bob) = (
            try await scene.away("alice"), try await scene.away("mallory"), try await scene.away("bob")
        )
        let quick = try await scene.browser(alice, of: .web2)
        _ = try await scene.browser(mallory)
        try await scene.servers.script(.web, always: "silent")
        try await scene.cluster.acquaint(bob, [alice, mallory])
        let group = try await bob.client.createGroup(name: "Team", users: [alice.user, mallory.user]).conversation.id
        try await scene.registered(2)
        // One batch has the notices of both.
        _ = try await bob.client.send("hello", to: group)
        _ = try await scene.first(on: quick)
        func account(_ device: Device) -> String {
            "(SELECT account FROM conversations.accounts WHERE user_id = '\(device.user)')"
        }
        let of = "FROM notifications.queue WHERE taken_by = '' AND tries > 0 AND account = \(account(mallory))"
        try await eventually(within: .seconds(120), "the silent one is given up for now") {
            try await scene.number("SELECT count(*) \(of)") > 0
        }
        let stored = try await scene.number(
            "SELECT last_sent_at FROM notifications.devices WHERE account = \(account(alice))")
        let again = try await scene.number("SELECT coalesce(max(due_at), \(Int64.max)) \(of)")
        // It is tried again a second after it was given up.
        #expect(0 < stored && stored < again - 1_000_000, "the quick one was finished before")
        await scene.end()
    }
}

extension ReplicaClusters {
    @Test("N1 two replicas of notifications, of which one dies now and then, tell each device once of each message")
    func pushesOfTwoReplicas() async throws {
        let scene = try await PushScene(replicas: 2)
        var people: [(phone: PushScene.Phone, tablet: PushScene.Phone)] = []
        for number in 0..<4 { people.append(try await scene.person("p\(number)")) }
        let bob = try await scene.away("bob")
        var talks: [String] = []
        for person in people {
            talks.append(try await bob.client.startDirect(with: person.phone.device.user).conversation.id)
        }
        try await scene.registered(people.count)
        var sent = [Set<Int64>](repeating: [], count: people.count)
        for round in 0..<60 {
            let index = round % people.count
            sent[index].insert(try await bob.client.sendReliably("message \(round)", to: talks[index]).seq)
            if round % 20 == 10 { try await scene.cluster.cluster.kill("notifications-\(round / 20 % 2 + 1)") }
        }
        for name in ["notifications-1", "notifications-2"] { try await scene.cluster.cluster.waitUntilReady(name) }
        for (index, person) in people.enumerated() {
            for phone in [person.phone, person.tablet] {
                // A replica that died may have taken some, and others take them when its lease is over.
                try await eventually(within: .seconds(180), "all messages came") {
                    try await scene.seqs(on: phone) == sent[index]
                }
                let bySeq = Dictionary(grouping: try await scene.shown(on: phone)) { $0.payload.parley.seq.number }
                for (seq, pushes) in bySeq {
                    #expect(Set(pushes.map { $0.headers["apns-id"].text }).count == 1, "one id for message \(seq ?? 0)")
                }
            }
        }
        #expect(await scene.faults() == [])
        await scene.end()
    }
}
