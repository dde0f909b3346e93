/// A service: a process that owns a schema.
public struct ServiceEntry: Sendable, Equatable {
    /// Also the name of its schema and the prefix of its methods and streams: "messaging". Its program is
    /// `parley-messaging`, its role in PostgreSQL `parley_messaging`.
    public let name: String
    /// Whether its Updates are numbered in a journal, so that missed ones can be requested.
    public let journals: Bool
    /// Whether it keeps in memory what people do. All requests of a person then go to one replica, whatever key they
    /// name.
    public let isKeyedByCaller: Bool
    /// The services whose published views it reads.
    public let reads: [String]
}

/// The services of a cluster. House tests compare other lists of them (SQL, scripts, containers) with this one.
public enum ServiceList {
    /// Ordered so that migrations need only schemas of earlier ones.
    public static let all = [
        ServiceEntry(name: "conversations", journals: true, isKeyedByCaller: false, reads: ["messaging"]),
        ServiceEntry(name: "messaging", journals: true, isKeyedByCaller: false, reads: ["conversations", "entities"]),
        ServiceEntry(name: "presence", journals: false, isKeyedByCaller: true, reads: ["conversations"]),
        ServiceEntry(name: "entities", journals: true, isKeyedByCaller: false, reads: ["conversations", "messaging"]),
        ServiceEntry(
            name: "notifications", journals: false, isKeyedByCaller: false,
            reads: ["conversations", "messaging", "presence", "entities"]),
    ]

    public static let names = all.map(\.name)
}
