import Logging
import Reactor

/// The identity of a writing connection, a number that no other connection of the schema has while this one lives.
///
/// PostgreSQL guards the number with a session advisory lock. A lane therefore ends with its connection, but not before
/// a commit in progress there has ended. Needs the table `<schema>.lanes (lane int PRIMARY KEY, number bigint)`.
@ReactorActor
public final class Lane {
    /// The highest lane number; the lowest is 1.
    public static let numberMax = 1023

    public let number: Int
    /// Reserved for the lane's owner.
    public let connection: Connection
    /// The number of the lane's last committed journal row. The owner increments it.
    public var lastNumber: Int64
    /// Called once with the reason when the lane is lost. The owner then claims another one.
    public var onLost: ((String) -> Void)?

    private init(_ number: Int, _ connection: Connection, lastNumber: Int64) {
        self.number = number
        self.connection = connection
        self.lastNumber = lastNumber
    }

    public var isOpen: Bool { connection.isOpen }

    /// Opens a connection and claims the lowest free number.
    /// - Throws: ``DatabaseError/unavailable(_:)`` also when all numbers are taken.
    public static func claim(
        schema: String, _ configuration: DatabaseConfiguration, log: Logger
    ) async throws(DatabaseError) -> Lane {
        let connection = try await Connection.open(configuration, log: log)
        do {
            let number = try await lockLowest(of: schema, connection)
            let last = try await lastNumber(of: number, schema, connection)
            let lane = Lane(number, connection, lastNumber: last)
            connection.onClose = { [weak lane] reason in
                log.warning("lane \(number) of \(schema) lost: \(reason)")
                lane?.onLost?(reason)
                lane?.onLost = nil
            }
            guard connection.isOpen else { throw DatabaseError.unavailable("the connection was lost immediately") }
            log.info("lane \(number) of \(schema) claimed at number \(last)")
            return lane
        } catch {
            connection.close()
            throw error as? DatabaseError ?? .unexpected("\(error)")
        }
    }

    /// Closes the connection and so releases the number. ``onLost`` is not called.
    public func close() {
        onLost = nil
        connection.onClose = nil
        connection.close()
    }

    /// $1 kind of lock, $2 key of lane 0, $3 highest lane: the lowest free numbers, in order. Others may take them
    /// meanwhile.
    private static let free = Statement(
        """
        SELECT n::integer
        FROM generate_series(1, $3::integer) AS n
        WHERE NOT EXISTS (
            SELECT
            FROM pg_locks AS l
            WHERE l.locktype = 'advisory'
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND l.classid = $1::integer::oid
                AND l.objid = ($2::integer + n)::oid
                AND l.objsubid = 2
        )
        ORDER BY n
        LIMIT 64
        """
    ) { try $0.int32(0) }

    private static let tryLock = Statement("SELECT pg_try_advisory_lock($1, $2)") { try $0.bool(0) }

    /// Locks the lowest number that no other connection has.
    private static func lockLowest(
        of schema: String, _ connection: Connection
    ) async throws(DatabaseError) -> Int {
        let (kind, first) = (AdvisoryLock.lane.rawValue, AdvisoryLock.laneKey(schema: schema, lane: 0))
        // When many processes start at once, others may take all of these numbers first.
        for _ in 0..<10 {
            let numbers = try await connection.query(free, .int32(kind), .int32(first), .int32(Int32(numberMax)))
            if numbers.isEmpty { break }
            for number in numbers {
                let isMine = try await connection.first(tryLock, .int32(kind), .int32(first + number)) ?? false
                if isMine { return Int(number) }
            }
        }
        throw .unavailable("all \(numberMax) lanes of \(schema) are taken")
    }

    /// Returns the lane's last number. The caller holds the lock, so no other process changes it.
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
