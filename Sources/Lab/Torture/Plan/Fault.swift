/// The kinds of fault. The raw value is the name on the command line.
public enum FaultKind: String, CaseIterable, Sendable, Comparable {
    /// A process of Parley is killed with SIGKILL. The cluster restarts it.
    case kill
    /// PostgreSQL is killed with SIGKILL.
    case database
    /// A process is suspended (SIGSTOP) for a while.
    case freeze
    /// A replica is stopped gracefully and restarted later.
    case replica
    /// Links between gateways and replicas are closed, and new connections are refused.
    case cut
    /// Bytes on links arrive late.
    case delay
    /// Links stay open but carry nothing.
    case stall
    /// Single Updates are dropped.
    case drop
    /// The disk of the database is full.
    case disk
    /// The clock of a service's process is wrong.
    case clock

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A link between a gateway and a replica.
public struct LinkName: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable, CaseIterable { case requests, updates }

    public var gateway: String
    public var replica: String
    public var kind: Kind

    public init(gateway: String, replica: String, kind: Kind) {
        (self.gateway, self.replica, self.kind) = (gateway, replica, kind)
    }

    public var description: String { "\(gateway)–\(replica).\(kind)" }
}

/// A fault at a certain time.
public struct Fault: Hashable, Sendable, CustomStringConvertible {
    public enum Action: Hashable, Sendable {
        case kill(String)
        case freeze(String)
        case stop(String)
        case cut([LinkName])
        case delay([LinkName], milliseconds: Int)
        case stall([LinkName])
        /// Drops `perMille` of 1,000 Updates on these links.
        case drop([LinkName], perMille: Int)
        case fillDisk
        case clock(String, seconds: Int)
    }

    /// Milliseconds since the start of the load.
    public var at: Int
    /// Milliseconds until the fault ends; 0 if there is nothing to undo.
    public var lasting: Int
    public var action: Action

    public init(at: Int, lasting: Int, _ action: Action) {
        (self.at, self.lasting, self.action) = (at, lasting, action)
    }

    public var kind: FaultKind {
        switch action {
        case .kill("postgres"): .database
        case .kill: .kill
        case .freeze: .freeze
        case .stop: .replica
        case .cut: .cut
        case .delay: .delay
        case .stall: .stall
        case .drop: .drop
        case .fillDisk: .disk
        case .clock: .clock
        }
    }

    public var description: String {
        let what =
            switch action {
            case .kill(let name): "kill -9 \(name)"
            case .freeze(let name): "freeze \(name)"
            case .stop(let name): "stop replica \(name)"
            case .cut(let links): "cut \(Self.text(links))"
            case .delay(let links, let milliseconds): "delay by \(milliseconds) ms \(Self.text(links))"
            case .stall(let links): "stall \(Self.text(links))"
            case .drop(let links, let perMille): "drop \(perMille) of 1000 Updates on \(Self.text(links))"
            case .fillDisk: "fill the disk of the database"
            case .clock(let name, let seconds): "move the clock of \(name) by \(seconds) s"
            }
        return lasting > 0 ? "\(what) for \(lasting) ms" : what
    }

    private static func text(_ links: [LinkName]) -> String { links.map(\.description).joined(separator: " ") }
}
