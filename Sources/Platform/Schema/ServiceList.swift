/// A service: a process that owns a schema.
public struct ServiceEntry: Sendable, Equatable {
    /// Also the name of its schema and the prefix of its methods and streams: "messaging". Its program is
    /// `parley-messaging`, its role in PostgreSQL `parley_messaging`.
    public let name: String
    /// Whether its Updates are numbered in a journal, so that missed ones can be requested.
    public let journals: Bool
    /// The services whose published views it reads.
    public let reads: [String]
}

/// The services of a cluster. House tests compare other lists of them (SQL, scripts, containers) with this one.
public enum ServiceList {
    /// Ordered so that migrations need only schemas of earlier ones.
    public static let all = [
        ServiceEntry(name: "conversations", journals: true, reads: ["messaging"]),
        ServiceEntry(name: "messaging", journals: true, reads: ["conversations", "entities"]),
        ServiceEntry(name: "presence", journals: false, reads: ["conversations"]),
        ServiceEntry(name: "entities", journals: true, reads: ["conversations", "messaging"]),
    ]

    public static let names = all.map(\.name)
}
