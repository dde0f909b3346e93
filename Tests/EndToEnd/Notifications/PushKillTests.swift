import Foundation
import ParleyClient
import TestSupport
import Testing

/// Pushes while notifications is killed again and again, at any moment.
extension FaultClusters {
    @Test(
        "N1 notifications, killed at any moment, loses no push, gives none two ids, and sends nothing that was read",
        .timeLimit(.minutes(30)))
    func pushesOutliveManyKills() async throws {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["PARLEY_TEST_KILLS"].flatMap(Int.init) ?? 20
        var others = TestCluster.askingSettings
        others["conversations"]?["PARLEY_LIMITS_INVITATIONS_OPEN"] = "1000000"
        others["conversations"]?["PARLEY_LIMITS_INVITATIONS_PER_HOUR"] = "1000000"
        let scene = try await PushScene(settings: ["PARLEY_LIMITS_QUEUED_PUSHES": "10000"], others: others)
        let run = try await KilledPushes(scene, readers: 2, strangers: min(kills / 4, 20))
        try await run.go(kills: kills)
        try await scene.cluster.cluster.waitUntilReady("notifications-1")
        // What the last process was taking when it died waits until its lease is over.
        try await scene.settled(within: .seconds(180))
        for fault in try await run.judge() { Issue.record("\(fault)") }
        #expect(await scene.faults() == [])
        await scene.end()
    }
}

/// What people did while notifications was killed, and what each of their phones must and must not show of it.
private actor KilledPushes {
    /// Of what a phone shows a notice.
    struct Subject: Hashable, CustomStringConvertible {
        var kind: String
        var conversation: String
        var seq: Int64 = 0

        var description: String { "\(kind) \(conversation) \(seq)" }
    }

    /// A person with two phones, in whose conversations others write.
    struct Reader: Sendable {
        var phones: [PushScene.Phone]
        /// What is never read there, but may be deleted.
        var kept: String
        /// What is read now and then.
        var read: String

        var user: String { phones[0].device.user }
        var tablet: ParleyClient { phones[1].device.client }
    }

    private let scene: PushScene
    private let writer: Device
    private let inviter: Device
    private var readers: [Reader] = []
    private var strangers: [Device] = []
    private var isOver = false
    /// By the reader's number: what was made, and each that was read, deleted or withdrawn since.
    private var made: [Set<Subject>]
    private var ended: [Set<Subject>]
    private var deleted: [Set<Subject>]
    /// How far each reader's mark may have gone in what they read.
    private var readTo: [Int64]
    /// Ended for certain, while a process may still be sending it.
    private var toMark: [Set<Subject>]
    /// What had ended when a process was dead, with how many requests had come by then.
    private var marks: [[Subject: Int]]

    init(_ scene: PushScene, readers count: Int, strangers: Int) async throws {
        self.scene = scene
        let none = [Set<Subject>](repeating: [], count: count)
        (made, ended, deleted, toMark) = (none, none, none, none)
        (marks, readTo) = ([[Subject: Int]](repeating: [:], count: count), [Int64](repeating: 0, count: count))
        (writer, inviter) = (try await scene.away("writer"), try await scene.away("inviter"))
        let other = try await scene.away("other")
        for number in 0..<count {
            let person = try await scene.person("reader\(number)")
            let device = person.phone.device
            for friend in [writer, other] { try await scene.cluster.acquaint(friend, [device]) }
            let kept = try await writer.client.startDirect(with: device.user).conversation.id
            let group = try await writer.client.createGroup(name: "Team", users: [device.user]).conversation.id
            readers.append(Reader(phones: [person.phone, person.tablet], kept: kept, read: group))
        }
        for _ in 0..<strangers { self.strangers.append(try await scene.away("stranger")) }
        try await scene.registered(count)
        try await scene.settled()
    }

    /// Kills notifications so many times, while everybody does what they do.
    func go(kills: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in readers.indices { tasks.addTask { try await self.write(to: number) } }
            tasks.addTask { try await self.kill(kills) }
            try await tasks.waitForAll()
        }
    }

    // MARK: What people do

    /// Writes to a reader, deletes some of it, and reads some of it, until no more kills come.
    private func write(to number: Int) async throws {
        let reader = readers[number]
        var (kept, read): ([Int64], [Int64]) = ([], [])
        var count = 0
        while !isOver {
            count += 1
            switch Int.random(in: 0..<20) {
            case 0:
                guard let seq = kept.suffix(100).randomElement() else { continue }
                try await delete(seq, for: number)
                kept.removeAll { $0 == seq }
            case 1:
                guard let seq = read.suffix(10).randomElement() else { continue }
                try await markRead(read.filter { $0 <= seq }, for: number)
                read.removeAll { $0 <= seq }
            case 2..<10:
                kept.append(try await send("kept \(count)", to: reader.kept, for: number))
            default:
                read.append(try await send("read \(count)", to: reader.read, for: number))
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func send(_ text: String, to conversation: String, for number: Int) async throws -> Int64 {
        let seq = try await writer.client.sendReliably(text, to: conversation).seq
        made[number].insert(Subject(kind: "message", conversation: conversation, seq: seq))
        return seq
    }

    private func delete(_ seq: Int64, for number: Int) async throws {
        let subject = Subject(kind: "message", conversation: readers[number].kept, seq: seq)
        // It may take effect before the answer.
        ended[number].insert(subject)
        _ = try await writer.client.delete(seq, of: subject.conversation)
        deleted[number].insert(subject)
        toMark[number].insert(subject)
    }

    private func markRead(_ seqs: [Int64], for number: Int) async throws {
        guard let last = seqs.max() else { return }
        let reader = readers[number]
        let subjects = seqs.map { Subject(kind: "message", conversation: reader.read, seq: $0) }
        readTo[number] = max(readTo[number], last)
        _ = try await reader.tablet.markRead(reader.read, upTo: last)
        toMark[number].formUnion(subjects)
    }

    /// Asks a reader, as somebody whom they do not know.
    private func ask(_ number: Int, round: Int, isWithdrawn: Bool) async throws {
        let reader = readers[number]
        let subject: Subject
        if !isWithdrawn, number == 0, let stranger = strangers.popLast() {
            let talk = try await stranger.client.startDirect(with: reader.user).conversation.id
            _ = try await stranger.client.sendReliably("hello", to: talk)
            subject = Subject(kind: "request", conversation: talk)
        } else {
            let group = try await inviter.client.createGroup(name: "Group \(round)", users: [reader.user])
            subject = Subject(kind: "invitation", conversation: group.conversation.id)
        }
        made[number].insert(subject)
        guard isWithdrawn else { return }
        ended[number].insert(subject)
        // Whoever accepts is added to other groups at once, and of whoever was declined nothing more is shown.
        try await inviter.client.withdrawInvitation(of: reader.user, into: subject.conversation)
        toMark[number].insert(subject)
    }

    // MARK: Kills

    private func kill(_ kills: Int) async throws {
        // Also for those who write, who would go on for ever.
        defer { isOver = true }
        var came = try await scene.count()
        for round in 0..<kills {
            for number in readers.indices { try await ask(number, round: round, isWithdrawn: round % 4 == 1) }
            // Half of them may die while they start.
            if round % 2 == 0 { try await actWhileSending(since: came) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...500)))
            try await scene.cluster.cluster.kill("notifications-1")
            // Without the pause that grows with each early death.
            try await scene.cluster.cluster.stop("notifications-1")
            try await actWhileDead(round)
            let certain = toMark
            came = try await scene.count()
            for number in readers.indices {
                marks[number].merge(certain[number].map { ($0, came) }) { first, _ in first }
                toMark[number].subtract(certain[number])
            }
            try await scene.cluster.cluster.start("notifications-1")
        }
    }

    /// Waits until more has come, and deletes some of what is shown.
    private func actWhileSending(since came: Int) async throws {
        try await eventually("pushes come between kills") { try await scene.count() > came }
        for (number, reader) in readers.enumerated() {
            let shown = try await scene.shown(on: reader.phones[0]).map { subject(of: $0) }
            let last = shown.last { $0.conversation == reader.kept && !ended[number].contains($0) }
            if let last { try await delete(last.seq, for: number) }
        }
    }

    /// Makes and ends things while nobody decides about them, so that no phone may ever show them.
    private func actWhileDead(_ round: Int) async throws {
        for number in readers.indices {
            let reader = readers[number]
            switch round % 3 {
            case 0:
                let seq = try await send("read while dead", to: reader.read, for: number)
                // The others have not been read: they stay what they are.
                let before = made[number].filter { $0.conversation == reader.read && $0.seq < seq }
                try await markRead(before.map(\.seq) + [seq], for: number)
            case 1: try await delete(send("deleted while dead", to: reader.kept, for: number), for: number)
            default: try await ask(number, round: round, isWithdrawn: true)
            }
        }
    }

    // MARK: The judgement

    /// Compares what came to each phone with what people did.
    func judge() async throws -> [String] {
        var faults: [String] = []
        var (came, again, withdrawn) = (0, 0, 0)
        for (number, reader) in readers.enumerated() {
            for (place, phone) in reader.phones.enumerated() {
                let name = "reader \(number), phone \(place)"
                let all = try await scene.numbered(to: phone)
                let shown = Dictionary(grouping: all.filter { $0.push.payload.aps.alert != .null }) {
                    subject(of: $0.push)
                }
                let taken = Dictionary(grouping: all.filter { $0.push.payload.parley.kind == "withdrawn" }) {
                    Subject(
                        kind: "message", conversation: $0.push.payload.parley.conversation.text,
                        seq: Int64($0.push.payload.parley.seq.number ?? 0))
                }
                came += shown.count
                // Some were sent while a later one was read.
                let awaited = made[number].subtracting(ended[number]).filter {
                    $0.conversation != reader.read || $0.seq > readTo[number]
                }
                for subject in awaited where shown[subject] == nil { faults.append("\(name): \(subject) is lost") }
                for (subject, pushes) in shown {
                    again += pushes.count - 1
                    let ids = Set(pushes.map { $0.push.headers["apns-id"].text })
                    if ids.count > 1 { faults.append("\(name): \(subject) came under \(ids.count) ids") }
                    if !made[number].contains(subject) { faults.append("\(name): nobody made \(subject)") }
                    if let mark = marks[number][subject], let late = pushes.first(where: { $0.number >= mark }) {
                        faults.append("\(name): \(subject) ended by request \(mark) and came as \(late.number)")
                    }
                    guard deleted[number].contains(subject) else { continue }
                    withdrawn += 1
                    guard let last = taken[subject]?.last else {
                        faults.append("\(name): \(subject) was deleted and stays shown")
                        continue
                    }
                    if last.number < pushes.last?.number ?? 0 {
                        faults.append("\(name): \(subject) was withdrawn before it came")
                    }
                }
                for (subject, pushes) in taken {
                    again += pushes.count - 1
                    let ids = Set(pushes.map { $0.push.headers["apns-id"].text })
                    if ids.count > 1 { faults.append("\(name): the withdrawal of \(subject) has \(ids.count) ids") }
                    if !deleted[number].contains(subject) { faults.append("\(name): \(subject) was withdrawn") }
                }
            }
        }
        let total = made.reduce(0) { $0 + $1.count }
        print("pushes under kills: \(total) made, \(came) came, \(again) came again, \(withdrawn) withdrawn")
        if came == 0 || withdrawn == 0 { faults.append("too little came to prove anything") }
        return faults
    }

    private func subject(of push: PushServers.JSON) -> Subject {
        let about = push.payload.parley
        return Subject(
            kind: about.kind.text, conversation: about.conversation.text, seq: Int64(about.seq.number ?? 0))
    }
}
