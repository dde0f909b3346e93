import Conformance
import Foundation
import NIOCore
import Torture

/// A device: a process of the client under test with a folder of its own, behind a link of its own. It is killed and
/// started again; its folder stays.
actor SoakDevice {
    nonisolated let number: Int
    /// How it signs in.
    nonisolated let name: String
    nonisolated let folder: String
    nonisolated let link: LinkProxy
    private let url: String
    private let client: [String]
    private let record: SoakRecord
    /// Who is signed in, as far as is known.
    private(set) var person: SoakPerson?
    /// Who was signed in before, and is not any more.
    private(set) var formerPeople: [SoakPerson] = []
    /// Whether something was done that ends its sign-in.
    private(set) var mayBeSignedOut = false
    /// Whom it watches.
    private var watched: [String] = []
    /// Decides what it does.
    private var random: SeededRandom
    /// What was done to it, the last lines.
    private(set) var history: [String] = []
    private var process: ClientProcess?
    private var isEnding = false
    private var lastNumber = 0
    private var waiting: [Int: CheckedContinuation<DeviceAnswer?, Never>] = [:]
    private var actions: [Int: DeviceCommand.Action] = [:]
    private var ends: [CheckedContinuation<Void, Never>] = []

    private static let historyMax = 30
    /// No command takes longer than all its requests with their repetitions.
    private static let answerLimit = Duration.seconds(150)

    init(
        _ number: Int, folder: String, link: LinkProxy, port: Int, client: [String], record: SoakRecord, seed: UInt64
    ) {
        (self.number, self.folder, self.link, self.client, self.record) = (number, folder, link, client, record)
        name = "device-\(number)"
        url = "ws://127.0.0.1:\(port)"
        random = SeededRandom(seed: seed, part: "device \(number)")
    }

    var isRunning: Bool { process != nil }
    func belongs(to person: SoakPerson?) {
        if let before = self.person, before.user != person?.user, !formerPeople.contains(before) {
            formerPeople.append(before)
        }
        self.person = person
    }

    func expectsSignOut(_ mayBeSignedOut: Bool) { self.mayBeSignedOut = mayBeSignedOut }
    func watches(_ users: [String]) { watched = users }
    func draw<Value>(_ body: (inout SeededRandom) -> Value) -> Value { body(&random) }

    func note(_ line: String) {
        history.append("\(record.time) \(line)")
        if history.count > Self.historyMax { history.removeFirst() }
        record.log("\(name): \(line)")
    }

    // MARK: Its process

    /// Starts the app.
    /// - Parameter skew: how many seconds its clock is wrong until the server tells the time.
    func start(skew: Int = 0) async {
        guard process == nil else { return }
        note("starts, clock wrong by \(skew) s")
        isEnding = false
        let variables = [
            "PARLEY_URL": url, "PARLEY_FOLDER": folder, "PARLEY_CLOCK_SKEW_SECONDS": "\(skew)",
        ]
        let (reports, continuation) = AsyncStream.makeStream(of: ClientProcess.Report.self)
        do {
            let started = try ClientProcess(client, variables: variables) { continuation.yield($0) }
            process = started
            Task { await self.follow(started, reports) }
        } catch {
            record.found("\(name) cannot be started: \(error)")
            return
        }
        guard let state = await tell(.init(.state))?.state else { return }
        note("runs: \(state.account), \(state.connection), \(state.waiting) unsent")
        if person != nil, state.account == "signedIn" { await watchAgain() }
    }

    func watchAgain() async {
        guard !watched.isEmpty else { return }
        var command = DeviceCommand(.watch)
        command.users = watched
        _ = await tell(command)
    }

    private func follow(_ started: ClientProcess, _ reports: AsyncStream<ClientProcess.Report>) async {
        var (isDrained, exit): (Bool, String?) = (false, nil)
        for await report in reports {
            switch report {
            case .line(let line): take(line)
            case .drained: isDrained = true
            case .exited(let how): exit = how
            }
            if isDrained, exit != nil { break }
        }
        if !isEnding {
            let errors = started.errors
            // The whole end of what it said, with the threads of a crash; the finding has its last lines.
            try? errors.write(toFile: folder + "-errors.txt", atomically: true, encoding: .utf8)
            record.found(
                "\(name) ended by itself (\(exit ?? "")): \(errors.suffix(2000))\n\(history.joined(separator: "\n"))")
        }
        process = nil
        for (_, continuation) in waiting { continuation.resume(returning: nil) }
        (waiting, actions) = ([:], [:])
        for end in ends { end.resume() }
        ends = []
    }

    private func take(_ line: String) {
        let answer: DeviceAnswer
        do {
            answer = try JSONDecoder().decode(DeviceAnswer.self, from: Data(line.utf8))
        } catch {
            record.found("\(name) answers what is no answer: \(line.prefix(300)) (\(error))")
            return
        }
        let user = person?.user ?? ""
        if let trying = answer.trying {
            record.note { $0.promises.tries(trying, device: number, number: answer.n, person: user) }
            return note("\(answer.n) tries \(trying.place): \(trying.value)")
        }
        guard let action = actions.removeValue(forKey: answer.n) else { return }
        record.note {
            $0.promises.answered(
                device: number, number: answer.n, isRefused: answer.refused != nil, id: answer.id)
        }
        let outcome = answer.refused.map { "refused, \($0.code): \($0.message)" } ?? "done"
        if action != .state, action != .screen, action != .unsent {
            note("\(answer.n) \(action): \(answer.isNothing ?? false ? "nothing to do" : outcome)")
        }
        for dropped in answer.dropped ?? [] where action == .drop || action == .signOut {
            note("drops \(dropped.what): \(dropped.code)")
            record.note {
                $0.figures.dropped[dropped.code, default: 0] += 1
                for place in dropped.places { $0.promises.dropped(place, device: number, person: user) }
            }
        }
        waiting.removeValue(forKey: answer.n)?.resume(returning: answer)
    }

    /// Tells it to do something.
    /// - Returns: its answer; nil if it was killed before.
    func tell(_ command: DeviceCommand) async -> DeviceAnswer? {
        guard let number = send(command) else { return nil }
        return await answer(to: number)
    }

    /// Tells it to do something, without waiting.
    /// - Returns: the number of the command; nil if it does not run.
    func send(_ command: DeviceCommand) -> Int? {
        guard let process else { return nil }
        var command = command
        lastNumber += 1
        command.n = lastNumber
        do {
            let line = String(decoding: try JSONEncoder().encode(command), as: UTF8.self)
            actions[lastNumber] = command.action
            process.write(line)
        } catch {
            return nil
        }
        return lastNumber
    }

    /// - Returns: nil if it was killed before it answered.
    func answer(to number: Int) async -> DeviceAnswer? {
        guard let action = actions[number] else { return nil }
        let late = Task {
            try? await Task.sleep(for: Self.answerLimit)
            if !Task.isCancelled { tooLate(number, action) }
        }
        defer { late.cancel() }
        return await withCheckedContinuation { waiting[number] = $0 }
    }

    private func tooLate(_ number: Int, _ action: DeviceCommand.Action) {
        guard let continuation = waiting.removeValue(forKey: number) else { return }
        record.found(
            "\(name) does not answer \(action) within \(Self.answerLimit):\n\(history.joined(separator: "\n"))")
        continuation.resume(returning: nil)
    }

    /// Kills the app with SIGKILL. Returns once all that it said is read.
    func kill() async {
        guard let process else { return }
        isEnding = true
        note("is killed")
        process.kill()
        await withCheckedContinuation { ends.append($0) }
    }

    /// Closes the app.
    func end() async {
        guard let process else { return }
        isEnding = true
        note("is closed")
        await process.end()
        if self.process != nil { await withCheckedContinuation { ends.append($0) } }
    }

    // MARK: Who is signed in

    /// Signs in, or registers, as often as it takes.
    /// - Returns: whether it is signed in.
    func signIn(_ person: SoakPerson, registers: Bool = false, attempts: Int = 1) async -> Bool {
        for _ in 0..<attempts {
            var command = DeviceCommand(registers ? .register : .signIn)
            (command.users, command.password, command.text) = ([person.username], person.password, name)
            guard let answer = await tell(command) else { return false }
            if answer.refused == nil, let user = answer.state?.user {
                mayBeSignedOut = false
                self.person = SoakPerson(username: person.username, password: person.password, user: user)
                note("is signed in as \(person.username), \(user)")
                await watchAgain()
                return true
            }
            if answer.refused?.code == "already_signed_in" { return false }
            try? await Task.sleep(for: .milliseconds(300))
        }
        return false
    }
}
