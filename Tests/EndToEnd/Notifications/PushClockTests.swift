import Foundation
import ParleyClient
import TestSupport
import Testing

extension ReplicaClusters {
    @Test("N1 pushes go at once, and again after a failure, when the clocks of replicas are minutes wrong")
    func pushClocks() async throws {
        let scene = try await PushScene(
            replicas: 2,
            others: [
                "notifications-1": try WrongClock.settings("+9m"), "notifications-2": try WrongClock.settings("-9m"),
            ])
        let alice = try await scene.person("alice")
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        for round in 1...2 {
            var seqs: Set<Int64> = []
            for number in 0..<4 { seqs.insert(try await bob.client.send("\(round) \(number)", to: talk).seq) }
            let awaited = seqs
            try await eventually("they come at once") { awaited.isSubset(of: try await scene.seqs(on: alice.phone)) }
            try await scene.servers.script(.apns, always: "answer 503 text/html <html>")
            let busy = try await bob.client.send("\(round) busy", to: talk).seq
            try await eventually("Apple was asked") {
                try await scene.number("SELECT count(*) FROM notifications.queue WHERE tries > 0 AND taken_by = ''") > 0
            }
            try await scene.servers.script(.apns)
            try await eventually("it comes once Apple is there") {
                try await scene.seqs(on: alice.phone).contains(busy)
            }
        }
        _ = try await alice.tablet.device.client.markRead(talk, upTo: 10)
        try await eventually("the number on the icon goes") {
            try await scene.pushes(to: alice.phone).contains {
                $0.payload.parley.kind == "read" && $0.payload.aps.badge == 0
            }
        }
        #expect(await scene.faults() == [])
        await scene.end()
    }
}
