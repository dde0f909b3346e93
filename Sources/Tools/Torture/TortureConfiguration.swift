import Cluster

/// What a run is to be.
public struct TortureConfiguration: Sendable {
    /// Actions and faults follow from it.
    public var seed: UInt64
    /// How long the load and the faults last.
    public var seconds: Int
    /// How many people; each has two devices that stay.
    public var clients = 16
    public var gateways = 2
    /// Of each service.
    public var replicas = 2
    /// What is left out.
    public var without: Set<FaultKind> = []
    /// Where everything is kept when it fails; a folder of the system's for temporary ones when not given.
    public var keep: String?
    /// The folder of the programs.
    public var binaries: String?
    /// `ws://…` of each gateway of a cluster that is somebody else's, who breaks it meanwhile; its limits must be high.
    /// With none the run makes a cluster of its own.
    public var elsewhere: [String] = []
    var isElsewhere: Bool { !elsewhere.isEmpty }

    public init(seed: UInt64, seconds: Int) { (self.seed, self.seconds) = (seed, seconds) }

    var replicasOfServices: [String: Int] {
        Dictionary(uniqueKeysWithValues: ClusterConfiguration.services.map { ($0, replicas) })
    }

    /// The command that does the same again.
    public var command: String {
        var words = ["parley torture --seed \(seed) --seconds \(seconds) --clients \(clients) --replicas \(replicas)"]
        if isElsewhere { words.append("--at \(elsewhere.joined(separator: ","))") }
        if !without.isEmpty { words.append("--without \(without.sorted().map(\.rawValue).joined(separator: ","))") }
        return words.joined(separator: " ")
    }

    /// What a run of this size must have done at the very least.
    /// - Parameter seconds: for how long the cluster was used.
    func minimum(_ schedule: FaultSchedule, seconds: Int) -> Audit.Minimum {
        let acknowledged = max(30, 3 * seconds)
        return Audit.Minimum(
            acknowledged: acknowledged, histories: 2 * clients, keptClients: 2 * clients,
            messagesOfReaders: 2 * acknowledged,
            // Those of somebody else's cluster cannot be looked at.
            processes: isElsewhere ? 0 : 1, faults: schedule.faults.count * 3 / 4,
            kinds: Set(schedule.faults.map(\.kind)),
            // Fewer people hardly have groups that anybody comes to.
            notes: clients < 4 ? 0 : seconds / 10)
    }
}

/// How a run ended.
public struct TortureReport: Sendable {
    public var findings: [Audit.Finding]
    /// A page of figures.
    public var figures: [(name: String, value: String)]
    /// Where everything was kept.
    public var kept: String?

    public var hasPassed: Bool { findings.isEmpty }
}
