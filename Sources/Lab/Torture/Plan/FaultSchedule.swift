/// All faults of a run, determined by the seed and the cluster's shape. Pure.
public struct FaultSchedule: Hashable, Sendable {
    /// The processes of the cluster.
    public struct Shape: Hashable, Sendable {
        public var gateways: [String]
        /// Names of replicas by service.
        public var replicas: [String: [String]]

        /// - Parameter replicas: the number of replicas by service.
        public init(gateways: Int, replicas: [String: Int]) {
            self.gateways = (1...max(gateways, 1)).map { "gateway-\($0)" }
            self.replicas = Dictionary(
                uniqueKeysWithValues: replicas.map { service, count in
                    (service, (1...max(count, 1)).map { "\(service)-\($0)" })
                })
        }

        public var services: [String] { replicas.keys.sorted() }
        public var allReplicas: [String] { services.flatMap { replicas[$0] ?? [] } }
    }

    /// The faults in order of time. None lasts longer than the load.
    public let faults: [Fault]

    /// - Parameters:
    ///   - milliseconds: the duration of the load.
    ///   - without: the kinds to skip.
    public init(seed: UInt64, milliseconds: Int, shape: Shape, without: Set<FaultKind> = []) {
        var random = SeededRandom(seed: seed, part: "faults")
        var faults: [Fault] = []
        // Every kind is drawn, even if it is then skipped, so that skipping does not change the other faults.
        var bag = random.shuffled(FaultKind.allCases)
        var at = 1000
        while at < milliseconds - 1000 {
            if bag.isEmpty { bag = random.shuffled(Self.weighted) }
            let kind = bag.removeLast()
            var fault = Self.fault(kind, at: at, shape, &random)
            fault.lasting = min(fault.lasting, milliseconds - at)
            if !without.contains(kind) { faults.append(fault) }
            at += random.number(150...1500)
        }
        self.faults = faults
    }

    /// The kinds of every round but the first, some of them several times. The first round has each kind once, so that
    /// a short run has all of them.
    private static let weighted: [FaultKind] =
        FaultKind.allCases + [.kill, .kill, .kill, .kill, .freeze, .freeze, .cut, .cut, .delay, .drop, .drop]

    private static func fault(
        _ kind: FaultKind, at: Int, _ shape: Shape, _ random: inout SeededRandom
    ) -> Fault {
        let processes = shape.gateways + shape.allReplicas
        switch kind {
        case .kill:
            // Messaging and the gateways carry the messages, so they are killed more often.
            let favoured = processes + (shape.replicas["messaging"] ?? []) + shape.gateways
            return Fault(at: at, lasting: 0, .kill(random.pick(favoured) ?? ""))
        case .database: return Fault(at: at, lasting: 0, .kill("postgres"))
        case .freeze:
            return Fault(
                at: at, lasting: duration(&random, 200...8000), .freeze(random.pick(processes + ["postgres"]) ?? ""))
        case .replica:
            return Fault(at: at, lasting: random.number(500...5000), .stop(random.pick(shape.allReplicas) ?? ""))
        case .cut: return Fault(at: at, lasting: duration(&random, 50...6000), .cut(links(shape, &random)))
        case .delay:
            let links = links(shape, &random)
            return Fault(
                at: at, lasting: random.number(500...8000),
                .delay(links, milliseconds: duration(&random, 5...2000)))
        case .stall: return Fault(at: at, lasting: duration(&random, 200...8000), .stall(links(shape, &random)))
        case .drop:
            let links = links(shape, &random).map { LinkName(gateway: $0.gateway, replica: $0.replica, kind: .updates) }
            return Fault(
                at: at, lasting: random.number(2000...8000),
                .drop(Array(Set(links)).sorted { "\($0)" < "\($1)" }, perMille: [10, 50, 300][random.below(3)]))
        case .disk: return Fault(at: at, lasting: random.number(1000...5000), .fillDisk)
        case .clock:
            let offset = random.number(1...7200) * (random.chance(500) ? 1 : -1)
            return Fault(
                at: at, lasting: random.number(2000...10_000),
                .clock(random.pick(shape.allReplicas) ?? "", seconds: offset))
        }
    }

    /// Returns a duration that is short in half of the cases.
    private static func duration(_ random: inout SeededRandom, _ range: ClosedRange<Int>) -> Int {
        let end = random.chance(500) ? range.upperBound : min(range.upperBound, range.lowerBound + 1000)
        return random.number(range.lowerBound...end)
    }

    /// Returns one link, all links between two processes, all of a replica, or all of a gateway of one kind.
    private static func links(_ shape: Shape, _ random: inout SeededRandom) -> [LinkName] {
        let gateway = random.pick(shape.gateways) ?? ""
        let replica = random.pick(shape.allReplicas) ?? ""
        let kind = random.pick(LinkName.Kind.allCases) ?? .requests
        switch random.below(4) {
        case 0: return [LinkName(gateway: gateway, replica: replica, kind: kind)]
        case 1: return LinkName.Kind.allCases.map { LinkName(gateway: gateway, replica: replica, kind: $0) }
        case 2:
            let ofGateways = shape.gateways.flatMap { gateway in
                LinkName.Kind.allCases.map { LinkName(gateway: gateway, replica: replica, kind: $0) }
            }
            // Entities hears messaging, too.
            guard shape.replicas["messaging"]?.contains(replica) ?? false else { return ofGateways }
            return ofGateways
                + (shape.replicas["entities"] ?? []).map { LinkName(gateway: $0, replica: replica, kind: .updates) }
        default: return shape.allReplicas.map { LinkName(gateway: gateway, replica: $0, kind: kind) }
        }
    }
}
