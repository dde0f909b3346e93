import Cluster

/// The settings of a run.
public struct TortureConfiguration: Sendable {
    /// Determines all actions and faults.
    public var seed: UInt64
    /// The duration of the faults and, unless the machine needs longer to do enough for the audit, of the load.
    public var seconds: Int
    /// The number of people. Each has two permanent devices.
    public var clients = 16
    public var gateways = 2
    /// The number of replicas of each service.
    public var replicas = 2
    /// The kinds of fault to skip.
    public var without: Set<FaultKind> = []
    /// The folder that keeps everything if the run fails; if nil, one in the system's temporary folder.
    public var keep: String?
    /// The folder of the programs.
    public var binaries: String?
    /// The server that pushes are sent to.
    public var pushServer = "Tests/Push/sink.py"
    /// `ws://…` of each gateway of an external cluster with high limits. The run injects no faults there; its operator
    /// may. If empty, the run starts its own cluster.
    public var elsewhere: [String] = []
    var isElsewhere: Bool { !elsewhere.isEmpty }

    public init(seed: UInt64, seconds: Int) { (self.seed, self.seconds) = (seed, seconds) }

    var replicasOfServices: [String: Int] {
        Dictionary(uniqueKeysWithValues: ClusterConfiguration.services.map { ($0, replicas) })
    }

    /// The command that repeats the run.
    public var command: String {
        var words = [
            "parley-lab torture --seed \(seed) --seconds \(seconds) --clients \(clients) --replicas \(replicas)"
        ]
        if isElsewhere { words.append("--at \(elsewhere.joined(separator: ","))") }
        if !without.isEmpty { words.append("--without \(without.sorted().map(\.rawValue).joined(separator: ","))") }
        return words.joined(separator: " ")
    }

    /// Returns the least that a run of this size must have done.
    /// - Parameter seconds: the duration of the load.
    func minimum(_ schedule: FaultSchedule, seconds: Int) -> Audit.Minimum {
        let acknowledged = max(30, 3 * seconds)
        var minimum = Audit.Minimum(
            acknowledged: acknowledged, histories: 2 * clients, keptClients: 2 * clients,
            messagesOfReaders: 2 * acknowledged,
            // The processes of an external cluster cannot be inspected.
            processes: isElsewhere ? 0 : 1, faults: schedule.faults.count * 3 / 4,
            kinds: Set(schedule.faults.map(\.kind)),
            // With fewer people, hardly anybody joins a group.
            notes: clients < 4 ? 0 : seconds / 10)
        if clients >= 4 {
            (minimum.valuesOfEachKind, minimum.downloads) = (seconds / 10, seconds / 10)
            (minimum.cards, minimum.answers) = (seconds / 10, seconds / 5)
            // Of eight people two hide.
            (minimum.presence, minimum.closed) = (clients, clients < 8 ? 0 : clients)
            // In a long load nearly all people block each other.
            minimum.heardTyping = seconds > 120 ? 0 : clients / 2
            minimum.acceptedRequests = min(seconds / 20, clients / 4)
        }
        return minimum
    }
}

/// The result of a run.
public struct TortureReport: Sendable {
    public var findings: [Audit.Finding]
    /// The figures to print.
    public var figures: [(name: String, value: String)]
    /// The folder that keeps everything; nil if the run passed.
    public var kept: String?

    public var hasPassed: Bool { findings.isEmpty }
}
