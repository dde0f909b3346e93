import Metrics
import PushSenders
import Reactor
import ServiceKit
import Wire

extension PushNotice {
    /// The transport with a number of the contract, which are the same.
    static func transport(_ number: Int16) -> PushTransport { PushTransport(rawValue: number) ?? .web }
}

/// The senders that the settings have keys for.
@ReactorActor
struct ConfiguredSenders {
    /// The settings of keys and addresses.
    nonisolated static var settings: [Setting] {
        PushSetup.all.map { Setting($0.key, $0.isSecret ? .key : .text, default: $0.defaultValue, $0.help) }
    }

    /// By their numbers in the contract; empty: no push is sent.
    let transports: [Int16]
    /// What pages subscribe with; empty: no pushes to browsers.
    let webKey: [UInt8]
    private let senders: PushSenders

    /// - Throws: ``StartRefused`` with the setting that is wrong.
    init(_ context: ServiceContext) throws(StartRefused) {
        let options: PushOptions
        do throws(PushKeyProblem) {
            options = try PushSetup.options { context.settings.text($0) }
        } catch {
            throw StartRefused(error.description, code: 64)
        }
        let log = context.log
        let senders = PushSenders(options) { problem in
            Counter(
                label: "parley_push_problems_total",
                dimensions: [("transport", problem.provider), ("code", problem.code.rawValue)]
            ).increment()
            log.error(
                "a push service does not take pushes",
                metadata: [
                    "transport": "\(problem.provider)", "host": "\(problem.host)", "code": "\(problem.code.rawValue)",
                    "what": "\(problem.text)",
                ])
        }
        transports = senders.transports.map(\.rawValue)
        webKey = options.vapid?.publicKeyBytes ?? []
        self.senders = senders
        guard transports.isEmpty else { return }
        log.notice(
            "no push service has a key: devices are registered, and no push is sent (deploy/README.md, \"Pushes\")")
    }

    func canSend(over transport: Int16) -> Bool { transports.contains(transport) }

    func send(_ notice: PushNotice) async -> PushResult { await senders.send(notice) }
}
