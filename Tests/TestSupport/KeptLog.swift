import Logging
import Synchronization

/// Keeps the lines logged: their message, and their own metadata by name.
public final class KeptLog: LogHandler, Sendable {
    private let lines = Mutex<[(level: Logger.Level, text: String)]>([])

    public init() {}

    public var logger: Logger { Logger(label: "test") { _ in self } }

    /// Returns the lines of a level.
    public func texts(_ level: Logger.Level) -> [String] {
        lines.withLock { $0.filter { $0.level == level }.map(\.text) }
    }

    /// Returns the lines of a level and of those above it.
    public func texts(from level: Logger.Level) -> [String] {
        lines.withLock { $0.filter { $0.level >= level }.map(\.text) }
    }

    public var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    public var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    public func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        lines.withLock { $0.append((event.level, "\(event.message)\(fields)")) }
    }
}
