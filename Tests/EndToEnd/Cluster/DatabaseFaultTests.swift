import Foundation
import Glibc
import ParleyClient
import Postgres
import Reactor
import Synchronization
import TestSupport
import Testing

extension OwnClusters {
    @Test(
        "PostgreSQL freezes for 12 s under load: requests are answered or refused in time, and then service resumes"
    )
    func databaseStandsStill() async throws {
        let cluster = try await TestCluster(.init(repeats: false))
        let people = try await cluster.people(20) { $0 % 2 }
        let group = try await people[0].client.createGroup(name: "all", users: people.map(\.user)).conversation.id
        let load = Load()
        let pids = await cluster.pids.filter { $0.key != "postgres" }
        let before = pids.mapValues(ProcessTree.residentBytes)
        let peak = Peaks(before)
        let postgres = try #require(await cluster.pids["postgres"])

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (index, person) in people.prefix(4).enumerated() {
                tasks.addTask { try await load.write(as: person, index, into: group) }
            }
            try await load.continues("before PostgreSQL freezes", by: 100)
            ProcessTree.freeze(postgres)
            defer { ProcessTree.thaw(postgres) }
            let end = ContinuousClock.now + .seconds(12)
            let answers = Answers()
            await withTaskGroup(of: Void.self) { requests in
                for person in people {
                    // 10,000 messages wait together.
                    for number in 0..<500 {
                        requests.addTask {
                            let text = "\(number) " + String(repeating: "x", count: 1000)
                            await answers.note("flood") { () async throws(ParleyError) in
                                _ = try await person.client.send(text, to: group)
                            }
                        }
                    }
                    requests.addTask {
                        while ContinuousClock.now < end {
                            for kind in Probe.all(as: person, in: group) where ContinuousClock.now < end {
                                await answers.note(kind.name, kind.call)
                            }
                            try? await Task.sleep(for: .milliseconds(100))
                        }
                    }
                }
                requests.addTask {
                    while ContinuousClock.now < end {
                        for (name, pid) in pids { peak.note(ProcessTree.residentBytes(of: pid), for: name) }
                        try? await Task.sleep(for: .milliseconds(100))
                    }
                }
            }
            answers.expectUnavailable(orFull: true)
            #expect(answers.count(of: "flood") == 10_000)

            ProcessTree.thaw(postgres)
            let thawed = ContinuousClock.now
            for kind in Probe.all(as: people[1], in: group) {
                try await eventually("\(kind.name) is served again") {
                    do throws(ParleyError) {
                        try await kind.call()
                        return true
                    } catch {
                        #expect(error.code == "unavailable", "\(kind.name)")
                        return false
                    }
                }
            }
            Figures.say("freeze: served again after \(ContinuousClock.now - thawed)")
            try await load.continues("after it resumed", by: 50)
            load.stop()
            try await tasks.waitForAll()
        }
        for (name, bytes) in peak.all {
            let grown = bytes - (before[name] ?? 0)
            Figures.say("freeze: \(name) \((before[name] ?? 0) >> 20) MiB, at most \(bytes >> 20) MiB")
            #expect(grown < 96 * patience << 20, "\(name) grew by \(grown >> 20) MiB")
        }
        #expect(await cluster.pids.filter { $0.key != "postgres" } == pids, "no process was restarted")
        try await hasAll(load, group, people[5], cluster)
        await cluster.end()
    }

    @Test(
        "other connections fill PostgreSQL: requests get unavailable until there is room, and the log stays short"
    )
    func databaseFull() async throws {
        let cluster = try await TestCluster(.init(postgres: ["max_connections": "50"], repeats: false))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let pids = await cluster.pids
        let others = try await Crowd(cluster.endpoints.database)
        try await eventually("messaging has no connection left") {
            try await others.push(out: "parley_messaging")
            // A connection that still authenticates is not listed under its role yet.
            try await Task.sleep(for: .milliseconds(500))
            return try await others.count(of: "parley_messaging") == 0
        }
        let answers = Answers()
        await withTaskGroup(of: Void.self) { group in
            for kind in Probe.all(as: alice, in: direct) where kind.name.hasPrefix("messaging") {
                for _ in 0..<50 { group.addTask { await answers.note(kind.name, kind.call) } }
            }
        }
        answers.expectUnavailable(nothingServed: true)
        let linesBefore = cluster.log(of: "messaging-1", last: 1000).count
        let began = ContinuousClock.now
        try await Task.sleep(for: .seconds(3))
        let lines = cluster.log(of: "messaging-1", last: 1000)
        // On a busy machine the three seconds take longer.
        let spans = 1 + (ContinuousClock.now - began).components.seconds / 3
        #expect(lines.contains { $0.contains("too many clients") || $0.contains("reserved") }, "the log says why")
        let new = lines.dropFirst(linesBefore)
        #expect(new.count <= 12 * spans, "an occasional line, not one per attempt:\n\(new.joined(separator: "\n"))")

        await others.leave()
        let left = ContinuousClock.now
        for kind in Probe.all(as: bob, in: direct) {
            try await eventually("\(kind.name) is served again") {
                (try? await kind.call()) != nil
            }
        }
        Figures.say("full of connections: served again after \(ContinuousClock.now - left)")
        #expect(await cluster.pids == pids, "no process was restarted")
        await cluster.end()
    }

    @Test("while another session locks one conversation's row, only that conversation waits")
    func rowHeld() async throws {
        let cluster = try await TestCluster(.init(repeats: false))
        let people = try await cluster.people(4) { $0 % 2 }
        var conversations: [String] = []
        for person in people.dropFirst() {
            conversations.append(try await people[0].client.startDirect(with: person.user).conversation.id)
            _ = try await people[0].client.send("first", to: conversations[conversations.count - 1])
        }
        let holder = try await Holder(
            cluster.endpoints.database,
            "SELECT FROM messaging.heads WHERE conversation = \(Holder.number(of: conversations[0])) FOR UPDATE")
        let held = conversations[0]
        // Refused whenever its wait for the lock is over, and sent again at once.
        let refusals = Count()
        async let waiting = repeatedly(refusals) { [id = await people[1].client.newID()] () async throws(ParleyError) in
            try await people[1].client.send("waits", to: held, id: id).seq
        }
        var delayed = 0
        for number in 0..<25 {
            for conversation in conversations.dropFirst() {
                let before = refusals.value
                _ = try await people[0].client.send("\(number)", to: conversation)
                if refusals.value != before { delayed += 1 }
            }
        }
        #expect(delayed < 25, "of 50, as many as waited until the other was refused")
        #expect(try await people[0].client.history(of: held).lastSeq == 1)
        await holder.release()
        #expect(try await waiting == 2)
        await cluster.end()
    }

    /// Sends until it is accepted, and counts how often it was refused.
    private func repeatedly(
        _ refusals: Count, _ send: () async throws(ParleyError) -> Int64
    ) async throws(ParleyError) -> Int64 {
        while true {
            do throws(ParleyError) { return try await send() } catch {
                guard error.code == "unavailable" else { throw error }
                refusals.add()
            }
        }
    }

    @Test("while a session locks a table for 8 s, requests that need it are refused in time and all others are served")
    func tableHeld() async throws {
        let cluster = try await TestCluster(.init(repeats: false))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("first", to: direct)
        let holder = try await Holder(
            cluster.endpoints.database, "LOCK TABLE messaging.messages IN ACCESS EXCLUSIVE MODE")
        let answers = Answers()
        let end = ContinuousClock.now + .seconds(8)
        await withTaskGroup(of: Void.self) { group in
            for kind in Probe.all(as: alice, in: direct) where kind.name.hasPrefix("messaging") {
                group.addTask { await answers.note(kind.name, kind.call) }
            }
            group.addTask {
                while ContinuousClock.now < end {
                    for kind in Probe.all(as: bob, in: direct) where !kind.name.hasPrefix("messaging") {
                        // One that waited for the table would be refused.
                        do throws(ParleyError) { try await kind.call() } catch {
                            Issue.record("\(kind.name): \(error)")
                        }
                    }
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
        }
        answers.expectUnavailable(nothingServed: true)
        await holder.release()
        for kind in Probe.all(as: bob, in: direct) {
            try await eventually("\(kind.name) is served again") {
                (try? await kind.call()) != nil
            }
        }
        await cluster.end()
    }

    @Test(
        "the disk fills up under load and is freed: no acknowledged message is lost, and service resumes automatically",
        .enabled(if: Disk.canMount, "needs the right to mount a small file system"))
    func diskFull() async throws {
        let disk = Made()
        var options = TestCluster.Options(
            postgres: [
                "max_wal_size": "48MB", "min_wal_size": "32MB", "wal_keep_size": "0", "checkpoint_timeout": "30s",
            ], repeats: false)
        options.prepare = { folder in
            disk.note(try Disk(at: folder, bytes: 288 << 20))
        }
        let cluster = try await TestCluster(options)
        let tmpfs = try #require(disk.disk)
        defer { tmpfs.unmount() }
        let people = try await cluster.people(4) { $0 % 2 }
        let group = try await people[0].client.createGroup(name: "all", users: people.map(\.user)).conversation.id
        let pids = await cluster.pids.filter { $0.key != "postgres" }
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (index, person) in people.enumerated() {
                tasks.addTask { try await load.write(as: person, index, into: group, padding: 4000) }
            }
            try await load.continues("before the disk is full", by: 100)
            try tmpfs.fill()
            let answers = Answers()
            try await eventually("messages are refused") {
                for person in people {
                    await answers.note("send") { () async throws(ParleyError) in
                        _ = try await person.client.send(String(repeating: "y", count: 16_000), to: group)
                    }
                }
                return answers.refusals > 20
            }
            answers.expectUnavailable()
            let log = cluster.log(of: "postgres", last: 200) + cluster.log(of: "messaging-1", last: 200)
            #expect(log.contains { $0.contains("No space left") || $0.contains("no room") }, "the log says why")
            try tmpfs.free()
            let freed = ContinuousClock.now
            try await load.continues("after space was made", by: 50)
            Figures.say("disk full: \(answers.refusals) refused, 50 more messages \(ContinuousClock.now - freed) after")
            load.stop()
            try await tasks.waitForAll()
        }
        #expect(await cluster.pids.filter { $0.key != "postgres" } == pids, "no service was restarted")
        try await hasAll(load, group, people[1], cluster)
        await cluster.cluster.stop()
        tmpfs.unmount()
        await cluster.end()
    }

    /// Checks that a fresh session reads every acknowledged message at its seq, without a gap.
    private func hasAll(_ load: Load, _ conversation: String, _ person: Device, _ cluster: TestCluster) async throws {
        let fresh = try await cluster.session(of: person, gateway: 1)
        let history = try await fresh.client.wholeHistory(of: conversation)
        #expect(history.map(\.seq) == Array(1...Int64(history.count)), "no gaps and no duplicates")
        let bySeq = Dictionary(uniqueKeysWithValues: history.map { ($0.seq, $0) })
        let sent = load.acknowledged
        #expect(sent.allSatisfy { bySeq[$0.seq]?.text == $0.text && bySeq[$0.seq]?.sender == $0.user })
        #expect(Set(sent.map(\.seq)).count == sent.count)
    }
}

/// A request that needs the database.
struct Probe: Sendable {
    var name: String
    var call: @Sendable () async throws(ParleyError) -> Void

    static func all(as person: Device, in conversation: String) -> [Probe] {
        let client = person.client
        return [
            Probe(name: "messaging.SendMessage") { () async throws(ParleyError) in
                _ = try await client.send("asked", to: conversation)
            },
            Probe(name: "messaging.GetHistory") { () async throws(ParleyError) in
                _ = try await client.history(of: conversation)
            },
            Probe(name: "messaging.GetChanges") { () async throws(ParleyError) in
                _ = try await client.changes(of: conversation, epoch: "", since: 0)
            },
            Probe(name: "messaging.Sync") { () async throws(ParleyError) in _ = try await client.syncMessaging() },
            Probe(name: "conversations.Sync") { () async throws(ParleyError) in
                _ = try await client.syncConversations()
            },
            Probe(name: "conversations.StartDirect") { () async throws(ParleyError) in
                _ = try await client.startDirect(with: person.user)
            },
            Probe(name: "conversations.ListDevices") { () async throws(ParleyError) in _ = try await client.devices()
            },
            Probe(name: "presence.GetPresence") { () async throws(ParleyError) in
                _ = try await client.getPresence([person.user])
            },
            Probe(name: "entities.CreateReminder") { () async throws(ParleyError) in
                _ = try await client.createReminder(.with { ($0.title, $0.dueAtUs) = ("x", 1) })
            },
            Probe(name: "entities.ListReminders") { () async throws(ParleyError) in
                _ = try await client.listReminders()
            },
            Probe(name: "entities.Sync") { () async throws(ParleyError) in _ = try await client.syncEntities() },
        ]
    }
}

/// The highest value of each process.
private final class Peaks: Sendable {
    private let values: Mutex<[String: Int]>

    init(_ values: [String: Int]) { self.values = Mutex(values) }

    var all: [String: Int] { values.withLock { $0 } }
    func note(_ value: Int, for name: String) { values.withLock { $0[name] = max($0[name] ?? 0, value) } }
}

private final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}

private final class Made: Sendable {
    private let made = Mutex<Disk?>(nil)

    var disk: Disk? { made.withLock { $0 } }
    func note(_ disk: Disk) { made.withLock { $0 = disk } }
}

/// The results of requests.
final class Answers: Sendable {
    private struct Answer: Sendable {
        var what: String
        var error: ParleyError?
    }

    private let answers = Mutex<[Answer]>([])

    func note(_ what: String, _ body: () async throws(ParleyError) -> Void) async {
        var failure: ParleyError?
        do throws(ParleyError) { try await body() } catch { failure = error }
        let answer = Answer(what: what, error: failure)
        answers.withLock { $0.append(answer) }
    }

    func count(of what: String) -> Int { answers.withLock { all in all.count { $0.what == what } } }
    var refusals: Int { answers.withLock { all in all.count { $0.error != nil } } }

    /// Checks that each request was served in time, or refused in time with `unavailable` and a retry time. A client
    /// whose time is over says `deadline`.
    /// - Parameter orFull: whether `rate_limited` is allowed too, because too many requests wait.
    func expectUnavailable(nothingServed: Bool = false, orFull: Bool = false) {
        let codes = ["unavailable"] + (orFull ? ["rate_limited"] : [])
        let all = answers.withLock { $0 }
        let byKind = Dictionary(grouping: all) { "\($0.what): \($0.error?.code ?? "served")" }
        for (kind, answers) in byKind {
            #expect(answers.allSatisfy { $0.error.map { codes.contains($0.code) } ?? !nothingServed }, "\(kind)")
            #expect(
                answers.allSatisfy { $0.error.map { $0.retryAfterMs > 0 } ?? true }, "\(kind) has a retry time")
        }
        #expect(all.contains { $0.error != nil })
    }
}

/// Sessions that take every free connection.
@ReactorActor
private final class Crowd {
    private static let end = Statement(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = $1"
    ) { try $0.int64(0) }
    private static let sessions = Statement("SELECT count(*) FROM pg_stat_activity WHERE usename = $1") {
        try $0.int64(0)
    }

    private let configuration: DatabaseConfiguration
    private var connections: [Connection] = []

    init(_ url: String) async throws {
        configuration = DatabaseConfiguration(test: url)
        connections = [try await Connection.open(configuration)]
    }

    func push(out role: String) async throws {
        _ = try await connections[0].first(Self.end, .text(role))
        while let connection = try? await Connection.open(configuration) { connections.append(connection) }
    }

    func count(of role: String) async throws -> Int64 {
        try await connections[0].first(Self.sessions, .text(role)) ?? 0
    }

    func leave() {
        for connection in connections { connection.close() }
        connections = []
    }
}

/// A small file system in memory.
struct Disk: Sendable {
    /// Whether this process may mount one.
    static let canMount: Bool = {
        let folder = "/tmp/parley-mount-\(getpid())"
        mkdir(folder, 0o700)
        defer { rmdir(folder) }
        guard mount("none", folder, "tmpfs", 0, "size=1m") == 0 else { return false }
        umount2(folder, Int32(MNT_DETACH))
        return true
    }()

    let folder: String

    init(at folder: String, bytes: Int) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard mount("none", folder, "tmpfs", 0, "size=\(bytes)") == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Fills the file system completely.
    func fill() throws {
        let file = open("\(folder)/ballast", O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(file, block, block.count) > 0 {}
    }

    func free() throws { try FileManager.default.removeItem(atPath: "\(folder)/ballast") }

    func unmount() { umount2(folder, Int32(MNT_DETACH)) }
}

/// Prints what tests measured if `PARLEY_FIGURES` is set.
enum Figures {
    static func say(_ line: String) {
        if ProcessInfo.processInfo.environment["PARLEY_FIGURES"] != nil { print("figures: \(line)") }
    }
}
