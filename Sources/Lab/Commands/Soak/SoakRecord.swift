import Foundation
import Synchronization

/// Somebody who uses devices.
struct SoakPerson: Hashable, Sendable {
    var username: String
    var password: String
    var user: String
}

/// What happened in a soak, for the judge and for people.
final class SoakRecord: Sendable {
    struct Figures: Sendable {
        var (actions, refusals, kills, cuts, freezes, switches, comparisons) = (0, 0, 0, 0, 0, 0, 0)
        var (suspensions, gatewayKills, restarts) = (0, 0, 0)
        /// What the server refused later, by code.
        var dropped: [String: Int] = [:]
    }

    struct State: Sendable {
        var promises = Promises()
        var figures = Figures()
        var findings: [String] = []
    }

    private let state = Mutex(State())
    private let path: String
    private let began = ContinuousClock.now

    /// - Parameter path: the file with all that happened.
    init(path: String) { self.path = path }

    func note(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    var figures: Figures { state.withLock { $0.figures } }
    var promises: Promises { state.withLock { $0.promises } }
    var findings: [String] { state.withLock { $0.findings } }

    /// How long the soak has run: "12.345".
    var time: String {
        let elapsed = (ContinuousClock.now - began) / .milliseconds(1)
        return String(format: "%.3f", elapsed / 1000)
    }

    func found(_ what: String) {
        log("FOUND \(what)")
        state.withLock { $0.findings.append(what) }
    }

    func log(_ line: String) {
        let bytes = Array("\(time) \(line)\n".utf8)
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        // A line that is not written is missed by people alone.
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }
}
