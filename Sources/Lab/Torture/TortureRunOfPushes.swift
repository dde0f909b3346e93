import Cluster
import Foundation
import ParleyClient

// Pushes: who is away, who has the app in front, and what comes to their devices.
extension TortureRun {
    /// How long what must come may take: a row that a killed replica had taken waits for its lease.
    private static let pushLimit = Duration.seconds(200)

    /// Starts the server that pushes go to. Without it, the run is as it would be without pushes.
    func startSink(
        _ cluster: inout ClusterConfiguration, _ recorder: Recorder, _ skipped: inout [String]
    ) -> PushSink? {
        do {
            let sink = try PushSink(configuration.pushServer, folder: "\(folder)/l/sink") { pushes in
                let facts = pushes.compactMap { PushFact($0, since: recorder.began) }
                recorder.note { $0.pushes += facts }
            }
            cluster.settings["notifications", default: [:]].merge(try sink.settings) { $1 }
            // What waits while nothing can be sent is not dropped.
            cluster.settings["notifications"]?["PARLEY_LIMITS_QUEUED_PUSHES"] = "10000"
            return sink
        } catch {
            skipped.append("pushes: \(error)")
            return nil
        }
    }

    /// Registers everybody's devices for pushes, and two people who then stay away.
    func registerPushes(_ scene: Scene, _ entrance: Entrance) async throws {
        let people = scene.world.people
        for person in people { try await person.registerPushes() }
        for number in 0..<2 {
            let absent = try await Absent.register(
                number: number, seed: configuration.seed, entrance: entrance,
                people: people.filter { $0.number % 2 == number }, recorder: scene.recorder)
            scene.world.absent.append(absent)
        }
    }

    /// Waits until all pushes have come that had to. The audit finds those that do not.
    func awaitPushes(_ scene: Scene) async throws {
        guard scene.own?.sink != nil else { return }
        let began = ContinuousClock.now
        while Audit.missingPushes(scene.recorder.facts) > 0, .now - began < Self.pushLimit {
            try await Task.sleep(for: .milliseconds(200))
        }
        report("All pushes that had to come were there \(seconds(since: began)) s after the last messages.")
    }

    /// Writes to a group of two people, of whom one is away and the other has the app in front.
    ///
    /// Notifications decides about both at once. Once it knows who has the app in front, nothing changes that any more.
    func spareThoseInFront(_ scene: Scene) async throws {
        let people = scene.world.people
        guard let absent = scene.world.absent.last, people.count > 2 else { return }
        // These two know each other and never block each other, and the first knows who is away.
        let (writer, reader) = (people[1], people[2])
        let users = [reader.user, absent.user]
        guard let made = try? await writer.home.createGroup(name: "in front and away", users: users),
            made.invited.isEmpty
        else { return }
        let group = made.conversation.id
        let end = ContinuousClock.now + .seconds(60)
        var (spared, isReaderTold): ([Int64], Bool) = ([], false)
        while .now < end {
            guard let seq = await seqOfMore(by: writer, to: group),
                try await isTold(absent.user, of: seq, in: group, scene)
            else { continue }
            let told = Set(scene.recorder.facts.pushes.filter { $0.user == reader.user }.map(\.subject))
            isReaderTold = told.contains { $0.conversation == group && $0.seq == seq }
            spared = isReaderTold ? [] : spared + [seq]
            // A push to the reader may be a little later than the others of its message.
            guard spared.count == 4 else { continue }
            return scene.recorder.note { $0.inFront.append(InFrontFact(reader.user, in: group, seq: spared[2])) }
        }
        // Otherwise this machine is too slow to tell.
        guard isReaderTold else { return }
        scene.recorder.trouble("\(reader.name) has the app in front, and is told of messages for 60 s")
    }

    /// Sends a message that no fact is kept of, since everything was read before.
    private func seqOfMore(by person: Person, to conversation: String) async -> Int64? {
        let id = await person.home.newID()
        return try? await person.home.sendReliably("more", to: conversation, id: id).seq
    }

    /// Waits until both devices of somebody were told of a message, at most 10 s.
    private func isTold(_ user: String, of seq: Int64, in conversation: String, _ scene: Scene) async throws -> Bool {
        for _ in 0..<100 {
            let devices = scene.recorder.facts.pushes.filter {
                $0.user == user && $0.conversation == conversation && $0.seq == seq
            }
            if Set(devices.map(\.device)).count == 2 { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }
}
