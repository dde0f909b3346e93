/// The reason why a cluster, or a part of it, cannot start. `message` also says what to do about it.
public struct ClusterError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable code for programs.
    public enum Code: String, Sendable {
        case alreadyRunning = "already_running"
        case portInUse = "port_in_use"
        case noPermission = "no_permission"
        case diskFull = "disk_full"
        case binaryMissing = "binary_missing"
        case postgresMissing = "postgres_missing"
        case postgresVersion = "postgres_version"
        case postgresFailed = "postgres_failed"
        case database = "database"
        case migrationFailed = "migration_failed"
        case processFailed = "process_failed"
        case timeout = "timeout"
        case invalid = "invalid"
        case system = "system"
    }

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
