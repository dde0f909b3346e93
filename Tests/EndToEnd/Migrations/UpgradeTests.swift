import Foundation
import ParleyClient
import TestSupport
import Testing

/// The folder with the programs of an older build. `Tests/Upgrade/run` sets it.
private let olderPrograms = ProcessInfo.processInfo.environment["PARLEY_TEST_OLDER_PROGRAMS"]

extension ReplicaClusters {
    @Test(
        "D4 under load, a cluster of an older build is upgraded process by process, and nothing is lost",
        .enabled(if: olderPrograms != nil, "Tests/Upgrade/run makes an older build"))
    func upgrade() async throws {
        let older = URL(fileURLWithPath: try #require(olderPrograms))
        let newer = URL(fileURLWithPath: try TestCluster.binaries())
        // The supervisor starts what these links name at that moment.
        let links = try TestFolder()
        func link(_ program: String, in programs: URL) throws {
            let link = URL(fileURLWithPath: "\(links.path)/\(program)")
            try? FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: programs.appending(path: program))
        }
        let services = ["conversations", "messaging", "presence", "entities"]
        for service in services + ["gateway"] { try link("parley-\(service)", in: older) }
        var options = TestCluster.Options(replicas: Dictionary(uniqueKeysWithValues: services.map { ($0, 2) }))
        options.binaries = links.path
        let cluster = try await TestCluster(options)
        let people = try await cluster.people(4) { $0 % 2 }
        var talks: [String] = []
        for number in 0..<6 {
            let talk = try await people[0].client.createGroup(name: "talk \(number)", users: people.map(\.user))
            talks.append(talk.conversation.id)
        }
        var followers: [Follower] = []
        for person in people { followers.append(await Follower(person.client)) }
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (index, talk) in talks.enumerated() {
                tasks.addTask { try await load.write(as: people[index % 4], index, into: talk) }
                // These use other functions and views that the upgrade replaces.
                tasks.addTask { try await load.use(talk, as: people[(index + 1) % 4]) }
            }
            tasks.addTask {
                defer { load.stop() }
                try await load.continues("before the upgrade", by: 200)
                for service in services + ["gateway"] {
                    try link("parley-\(service)", in: newer)
                    for number in 1...2 {
                        try await cluster.cluster.kill("\(service)-\(number)", SIGTERM)
                        try await load.continues("after \(service)-\(number) was upgraded", by: 200)
                    }
                }
            }
            try await tasks.waitForAll()
        }
        Figures.say("upgrade: the longest wait of a send, with all its retries, was \(load.longestWait)")
        try await converges(cluster, talks, people, followers, load)
        for service in services + ["gateway"] {
            for number in 1...2 {
                let pid = try #require(await cluster.pids["\(service)-\(number)"])
                let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
                #expect(program.hasPrefix(newer.resolvingSymlinksInPath().path), "\(service)-\(number) is \(program)")
            }
        }
        await cluster.end()
        links.remove()
    }
}

extension Load {
    /// Reads, marks as read and opens the inbox until the load is stopped.
    fileprivate func use(_ talk: String, as person: Device) async throws {
        while !isStopping {
            let newest = try await person.client.history(of: talk, limit: 10).messages.last
            if let newest { try await person.client.markRead(talk, upTo: newest.seq) }
            _ = try await person.client.inbox()
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
