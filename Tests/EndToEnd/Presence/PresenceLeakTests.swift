import Foundation
import ParleyClient
import SwiftProtobuf
import TestSupport
import Testing

extension OwnClusters {
    @Test("C6 P5 who hides from me, blocks me or is offline: the same bytes after the same number of statements")
    func presenceLooksAlike() async throws {
        let cluster = try await TestCluster(
            .init(settings: TestCluster.askingSettings, postgres: StatementCounter.postgresSettings))
        // As long as somebody watches and types, presence reads the journal. The counter is to know those statements.
        let bystanders = (try await cluster.person("dora"), try await cluster.person("emil"))
        try await cluster.acquaint(bystanders.0, [bystanders.1])
        let talk = try await bystanders.0.client.startDirect(with: bystanders.1.user).conversation.id
        _ = try await bystanders.0.client.watchPresence([bystanders.1.user])
        try await bystanders.0.client.setTyping(true, in: talk)
        let counter = try await StatementCounter(cluster)
        for method in ["GetPresence", "WatchPresence", "SetTyping"] {
            for closed in ["hides", "blocks"] {
                try await LeakTests.expectAlike("\(method) about somebody who \(closed)") {
                    let people = try await Closed(cluster, by: closed)
                    try await cluster.quiet()
                    var lines: [String] = []
                    for (when, rounds) in [("at first", 1), ("again", 3)] {
                        lines += try await LeakTests.differences(isRefused: false, rounds: rounds, by: counter) {
                            try await people.ask(method, about: people.closed)
                        } and: {
                            try await people.ask(method, about: people.offline)
                        }.map { "\(when): \($0)" }
                    }
                    return lines
                }
            }
        }
        await counter.close()
        await cluster.end()
    }
}

/// A person with two accepted conversations: with somebody who is connected, and closed to them, and with somebody who
/// is offline.
private struct Closed: Sendable {
    let reader: Device
    let closed: Device
    let offline: Device

    init(_ cluster: TestCluster, by way: String) async throws {
        reader = try await cluster.person("reader")
        closed = try await cluster.person("closed", gateway: 1)
        offline = try await cluster.person("offline", gateway: 1)
        let (reader, closed, offline) = (reader, closed, offline)
        try await cluster.acquaint(reader, [closed, offline])
        try await eventually("both are online") {
            try await reader.client.getPresence([closed.user, offline.user]).map(\.status) == [.online, .online]
        }
        if way == "hides" {
            _ = try await closed.client.setPresence(.saysAway, status: .with { $0.text = "busy" }, hiding: .fromAll)
        } else {
            _ = try await closed.client.call(ConversationsMethods.blockUser, .with { $0.user = reader.user })
        }
        await offline.client.close()
        try await eventually("both look offline, and were seen") {
            try await reader.client.getPresence([closed.user, offline.user]).allSatisfy {
                $0.status == .offline && $0.lastSeenUs > 0
            }
        }
    }

    /// Returns the encoded reply without the name and the time, of which only the size must be the same.
    func ask(_ method: String, about other: Device) async throws -> [UInt8] {
        if method == "SetTyping" {
            let talk = [reader.user, other.user].sorted().joined(separator: "_")
            try await reader.client.setTyping(true, in: talk)
            try await reader.client.setTyping(false, in: talk)
            return []
        }
        var states =
            method == "GetPresence"
            ? try await reader.client.getPresence([other.user])
            : try await reader.client.watchPresence([other.user])
        let size = try states.map { try $0.serializedData().count }
        for index in states.indices { (states[index].user, states[index].lastSeenUs) = ("", 0) }
        return Array("\(size) ".utf8) + (try states.flatMap { try $0.serializedData() })
    }
}
