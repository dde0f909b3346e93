import Foundation
import ParleyClient
import ParleyKit

/// A device of `parley-lab soak`: an app without a screen, which does what lines of standard input say and answers
/// each with a line (SoakProtocol.swift). What it keeps outlives a kill.
///
///     PARLEY_URL=ws://127.0.0.1:8080 PARLEY_FOLDER=/tmp/phone kit-client device
///
/// `PARLEY_CLOCK_SKEW_SECONDS` is how far its clock is wrong until the server tells the time.
@MainActor
final class KitDevice {
    let parley: Parley

    private init(_ parley: Parley) { self.parley = parley }

    static func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["PARLEY_URL"], let folder = environment["PARLEY_FOLDER"] else {
            throw Refusal(.invalid, "Set PARLEY_URL and PARLEY_FOLDER.")
        }
        var options = Parley.Options(folder: URL(fileURLWithPath: folder))
        options.name = "soak"
        options.clockSkew = .seconds(environment["PARLEY_CLOCK_SKEW_SECONDS"].flatMap(Int.init) ?? 0)
        // A dead link is noticed after seconds, so that there is time for many.
        (options.client.pingEvery, options.client.pongWithin) = (.seconds(3), .seconds(4))
        options.client.backoff = Backoff(first: .milliseconds(50), last: .seconds(1))
        let device = KitDevice(await Parley.open(url, options: options))
        for await line in Adapter.lines() {
            let command: DeviceCommand
            do {
                command = try JSONDecoder().decode(DeviceCommand.self, from: Data(line.utf8))
            } catch {
                throw Refusal(.invalid, "This is no command: \(line) (\(error))")
            }
            // What takes long does not hold up what comes next, as on a screen.
            Task { await device.take(command) }
        }
        await device.parley.close()
    }

    private func take(_ command: DeviceCommand) async {
        var answer = DeviceAnswer(command.n)
        do throws(Refusal) {
            try await perform(command, &answer)
        } catch {
            answer.refused = .init(code: error.code.rawValue, message: error.message)
        }
        answer.state = state
        say(answer)
    }

    /// Writes a line at once: what was said before a kill was said.
    private func say(_ answer: DeviceAnswer) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            var bytes = Array(try encoder.encode(answer))
            bytes.append(UInt8(ascii: "\n"))
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                // Nobody reads any more.
                guard count > 0 else { return }
                written += count
            }
        } catch {
            FileHandle.standardError.write(Data("An answer cannot be encoded: \(error)\n".utf8))
        }
    }

    /// Does something that is to be there afterwards, and says so first.
    func keep(
        _ command: DeviceCommand, _ place: String, _ value: String, name: String? = nil,
        _ body: () async throws(Refusal) -> Void
    ) async throws(Refusal) {
        var trying = DeviceAnswer(command.n)
        trying.trying = DeviceWrite(place: place, value: value, name: name)
        say(trying)
        try await body()
    }

    private func perform(_ command: DeviceCommand, _ answer: inout DeviceAnswer) async throws(Refusal) {
        let text = command.text ?? ""
        switch command.action {
        case .register:
            try await parley.register(
                username: command.users.first ?? "", password: command.password ?? "", deviceName: text)
        case .signIn:
            try await parley.signIn(
                username: command.users.first ?? "", password: command.password ?? "", deviceName: text)
        case .signOut:
            let unsent = parley.unsent.map { dropped($0, "signed_out") }
            try await parley.signOut(discardingUnsent: command.isForced)
            answer.dropped = unsent
        case .signOutOther:
            guard let other = try await parley.devices().first(where: { $0.name == text && !$0.isCurrent }) else {
                answer.isNothing = true
                return
            }
            try await parley.signOut(device: other.id)
        case .watch: try await parley.watchPresence(of: command.users.map(UserID.init(rawValue:)))
        case .suspend: await parley.suspend()
        case .resume: parley.resume()
        case .networkChanged: await parley.networkChanged()
        case .state: break
        case .unsent: answer.dropped = parley.unsent.map { dropped($0, "\($0.syncStatus)") }
        case .drop: answer.dropped = try await dropRefused()
        case .screen: try await show(command, &answer)
        case .remind, .complete, .forget, .decide, .event, .answerEvent, .profile:
            try await performOnEntity(command, &answer)
        default: try await performInConversation(command, &answer)
        }
    }

    private var state: DeviceAnswer.State {
        let account =
            switch parley.accountState {
            case .signedOut: "signedOut"
            case .signingIn: "signingIn"
            case .signedIn: "signedIn"
            case .ended(let why): "ended \(why.code)"
            }
        let connection =
            switch parley.connection {
            case .connecting: "connecting"
            case .online: "online"
            case .offline: "offline"
            case .elsewhere: "elsewhere"
            }
        var state = DeviceAnswer.State(
            account: account, connection: connection, problem: parley.problem.map { "\($0)" },
            user: parley.user?.rawValue)
        for unsent in parley.unsent {
            if case .failed = unsent.syncStatus { state.failed += 1 } else { state.waiting += 1 }
        }
        return state
    }

    private func show(_ command: DeviceCommand, _ answer: inout DeviceAnswer) async throws(Refusal) {
        let screen = try await KitScreen.read(parley)
        let digest = screen.hashValue
        answer.digest = digest
        if digest != command.known { answer.screen = screen }
    }

    // MARK: What was refused

    /// Drops what the server refused, as a person does who was told so.
    /// - Returns: all that goes with it.
    private func dropRefused() async throws(Refusal) -> [DeviceAnswer.Dropped] {
        var all: [DeviceAnswer.Dropped] = []
        while true {
            let before = parley.unsent
            var refusal: (id: Unsent.ID, code: String)?
            for unsent in before {
                if case .failed(let why) = unsent.syncStatus {
                    refusal = (unsent.id, why.code.rawValue)
                    break
                }
            }
            guard let refusal else { return all }
            try await parley.drop(refusal.id)
            let left = Set(parley.unsent.map(\.id))
            all += before.filter { !left.contains($0.id) }.map { dropped($0, refusal.code) }
            // It is on its way again.
            if left.contains(refusal.id) { return all }
        }
    }

    private func dropped(_ unsent: Unsent, _ code: String) -> DeviceAnswer.Dropped {
        let (chat, message) = (unsent.conversation?.rawValue ?? "", unsent.message?.description ?? "")
        let places =
            switch unsent.kind {
            case .message(let text): [Self.place(of: text, in: chat)]
            case .edit: ["edit \(message)"]
            case .deletion: ["delete \(message)"]
            case .reaction(let emoji): ["react \(emoji) \(message)"]
            case .messageState: ["star \(message)"]
            case .ownState: ["read \(chat)", "pin \(chat)", "mute \(chat)"]
            case .group: ["name \(chat)"]
            case .profile: ["profile"]
            case .reminder: ["reminder", "completed"]
            case .decision: ["decision"]
            case .event: ["event", "answer"]
            default: [String]()
            }
        return .init(places: places, what: "\(unsent.kind) \(chat) \(message)", code: code)
    }

    /// - Parameter text: its first word names the message for good.
    static func place(of text: String, in chat: String) -> String { "message \(chat) \(name(text))" }

    static func name(_ text: String) -> String { text.split(separator: " ").first.map(String.init) ?? "" }
}

extension Array {
    /// Returns one of the elements; nil: there is none.
    func picked(_ number: UInt64) -> Element? { isEmpty ? nil : self[Int(number % UInt64(count))] }
}
