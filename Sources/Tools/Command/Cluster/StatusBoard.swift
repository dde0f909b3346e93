import Cluster
import Foundation
import Synchronization

/// Shows the state of every process, on a terminal as a block that is redrawn in place, elsewhere as plain lines. Other
/// lines are printed above the block.
final class StatusBoard: Sendable {
    private struct State {
        var statuses: [ProcessStatus] = []
        var linesDrawn = 0
        var isSettled = false
        /// Processes whose trouble was printed and which have not become ready since.
        var troubled: Set<String> = []
        /// When a line about a process that waits is due: a start of a second passes on no report of its steps.
        var waitsDue: [String: ContinuousClock.Instant] = [:]
    }

    struct ProcessJSON: Encodable {
        var type = "process"
        var name: String
        var state: String
        var detail: String?
        var pid: Int32?
        var restarts: Int
    }

    private let state = Mutex(State())
    private let isJSON: Bool
    private let isLive: Bool
    let style: Style

    init(isJSON: Bool) {
        self.isJSON = isJSON
        isLive = !isJSON && isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        style = Style()
    }

    /// Shows a process's new state.
    func show(_ status: ProcessStatus) {
        state.withLock { state in
            let index = state.statuses.firstIndex { $0.name == status.name }
            let old = index.map { state.statuses[$0] }
            if let index { state.statuses[index] = status } else { state.statuses.append(status) }
            guard old?.state != status.state else { return }
            if isJSON {
                let words = Self.words(status.state)
                Output.json(
                    ProcessJSON(
                        name: status.name, state: words.state, detail: words.detail, pid: status.pid,
                        restarts: status.restarts))
            } else if state.isSettled {
                reportChange(status, after: old, &state)
            } else if isLive {
                redraw(&state)
            } else if Self.isWorthALine(status, &state) {
                Output.line(line(status, width: 0))
            }
        }
    }

    /// Ends the start. From now on only trouble and recoveries are printed.
    func settle() {
        state.withLock { $0.isSettled = true }
    }

    /// Prints a line that is not redrawn.
    func print(_ text: String) {
        guard !isJSON else { return }
        state.withLock { state in
            guard isLive, !state.isSettled, state.linesDrawn > 0 else { return Output.line(text) }
            Output.write(erase(&state) + Output.harmless(text) + "\n", to: STDOUT_FILENO)
            redraw(&state)
        }
    }

    private func reportChange(_ status: ProcessStatus, after old: ProcessStatus?, _ state: inout State) {
        let time = style.dim(Times.short(Times.now()))
        switch status.state {
        case .ready:
            guard state.troubled.remove(status.name) != nil else { return }
            Output.line("\(time) \(style.green("\(status.name) is ready again"))")
            return
        case .failed(let why): Output.line("\(time) \(style.red("\(status.name) failed: \(why)"))")
        case .restarting(let why): Output.line("\(time) \(style.yellow("\(status.name) \(why) and is started again"))")
        case .waiting(let why) where old?.state == .ready:
            Output.line("\(time) \(style.yellow("\(status.name): \(why)"))")
        default: return
        }
        state.troubled.insert(status.name)
    }

    private func redraw(_ state: inout State) {
        let width = Self.width()
        let text = erase(&state) + state.statuses.map { line($0, width: width) + "\n" }.joined()
        state.linesDrawn = state.statuses.count
        Output.write(text, to: STDOUT_FILENO)
    }

    private func erase(_ state: inout State) -> String {
        defer { state.linesDrawn = 0 }
        return state.linesDrawn > 0 ? "\u{1B}[\(state.linesDrawn)A\u{1B}[J" : ""
    }

    private func line(_ status: ProcessStatus, width: Int) -> String {
        let words = Self.words(status.state)
        var detail = words.detail.map { ": " + ($0.split(separator: "\n").first.map(String.init) ?? "") } ?? ""
        if status.state == .ready, let pid = status.pid { detail += "  pid \(pid)" }
        if status.restarts > 0 { detail += "  restarted \(status.restarts)×" }
        if width > 0 { detail = String(detail.prefix(max(0, width - 34))) }
        let name = PlainText.padded(status.name, 18)
        switch status.state {
        case .ready: return "  \(style.green("●")) \(name) \(words.state)\(style.dim(detail))"
        case .failed, .restarting: return "  \(style.red("●")) \(name) \(words.state)\(detail)"
        case .stopped: return "  \(style.dim("○")) \(name) \(words.state)\(detail)"
        case .starting, .waiting, .stopping: return "  \(style.yellow("○")) \(name) \(words.state)\(detail)"
        }
    }

    private static func isWorthALine(_ status: ProcessStatus, _ state: inout State) -> Bool {
        switch status.state {
        case .starting, .stopping, .stopped: return false
        case .ready, .failed, .restarting: return true
        case .waiting:
            let isDue = state.waitsDue[status.name].map { $0 <= .now }
            if isDue != false { state.waitsDue[status.name] = .now + .seconds(3) }
            return isDue == true
        }
    }

    static func words(_ state: ProcessStatus.State) -> (state: String, detail: String?) {
        switch state {
        case .starting: ("starting", nil)
        case .waiting(let why): ("waiting", why)
        case .ready: ("ready", nil)
        case .restarting(let why): ("restarting", why)
        case .stopping: ("stopping", nil)
        case .stopped: ("stopped", nil)
        case .failed(let why): ("failed", why)
        }
    }

    private static func width() -> Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
