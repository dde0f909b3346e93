import Logging
import Reactor

/// One writing connection's identity: a number that no other connection of this schema has as long as this one lives.
///
/// PostgreSQL guards it by a session advisory lock, so a lane ends with its connection, and never before what that
/// connection was committing has ended too. Needs the table `<schema>.lanes (lane int PRIMARY KEY, number bigint)`.
@ReactorActor
public final class Lane {
    /// Lanes go from 1 to this.
    public static let numberMax = 63

    public let number: Int
    /// For the lane's owner alone.
    public let connection: Connection
    /// The number of the lane's last committed journal row; its owner counts it on.
    public var lastNumber: Int64
    /// Called once when the lane is no longer ours, with the reason. Claim another one then.
    public var onLost: ((String) -> Void)?

    private init(_ number: Int, _ connection: Connection, lastNumber: Int64) {
        self.number = number
        self.connection = connection
        self.lastNumber = lastNumber
    }

    public var isOpen: Bool { connection.isOpen }

    /// Opens a connection and takes the lowest number that is free.
    /// - Throws: ``DatabaseError/unavailable(_:)`` also when all are taken.
    public static func claim(
        schema: String, _ configuration: DatabaseConfiguration, log: Logger
    ) async throws(DatabaseError) -> Lane {
        let connection = try await Connection.open(configuration, log: log)
        do {
            for number in 1...numberMax where try await lock(number, schema, connection) {
                let last = try await lastNumber(of: number, schema, connection)
                let lane = Lane(number, connection, lastNumber: last)
                connection.onClose = { [weak lane] reason in
                    log.warning("lane \(number) of \(schema) is lost: \(reason)")
                    lane?.onLost?(reason)
                    lane?.onLost = nil
                }
                guard connection.isOpen else { throw DatabaseError.unavailable("the connection was lost at once") }
                log.info("lane \(number) of \(schema) claimed at number \(last)")
                return lane
            }
            throw DatabaseError.unavailable("all \(numberMax) lanes of \(schema) are taken")
        } catch {
            connection.close()
            throw error as? DatabaseError ?? .unexpected("\(error)")
        }
    }

    /// Gives the number back. ``onLost`` is not called.
    public func close() {
        onLost = nil
        connection.onClose = nil
        connection.close()
    }

    private static let tryLock = Statement("SELECT pg_try_advisory_lock($1, $2)") { try $0.bool(0) }

    private static func lock(
        _ number: Int, _ schema: String, _ connection: Connection
    ) async throws(DatabaseError) -> Bool {
        let key = AdvisoryLock.laneKey(schema: schema, lane: number)
        return try await connection.first(tryLock, .int32(AdvisoryLock.lanes), .int32(key)) ?? false
    }

    /// Read after the lock was taken, so that nobody changes it any more.
    private static func lastNumber(
        of number: Int, _ schema: String, _ connection: Connection
    ) async throws(DatabaseError) -> Int64 {
        let lanes = "\(schema.quotedIdentifier).lanes"
        try await connection.execute(
            Statement(
                """
                INSERT INTO \(lanes) (lane, number)
                VALUES ($1, 0)
                ON CONFLICT (lane) DO NOTHING
                """), .int32(Int32(number)))
        let select = Statement("SELECT number FROM \(lanes) WHERE lane = $1") { try $0.int64(0) }
        guard let last = try await connection.first(select, .int32(Int32(number))) else {
            throw .unexpected("the row of lane \(number) is missing")
        }
        return last
    }
}
