import Glibc
import Reactor
import TestSupport
import Testing

@testable import Postgres

@Suite("One connection", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct ConnectionTests {
    private static let echo = Statement("SELECT $1") { try $0.int64(0) }
    private static let divide = Statement("SELECT $1 / $2") { try $0.int64(0) }
    private static let setting = Statement("SELECT current_setting($1)") { try $0.text(0) }
    private static let pause = Statement("SELECT pg_sleep($1)")

    @Test("each of many concurrent requests gets its own answer, and a failed one does not affect the others")
    func pipelined() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        try await concurrently(500) { number in
            let divisor: Int64 = number % 7 == 0 ? 0 : 1
            let result = try? await connection.query(Self.divide, .int64(Int64(number)), .int64(divisor))
            #expect(result == (divisor == 0 ? nil : [Int64(number)]))
        }
        #expect(connection.load == 0)
    }

    @Test("a statement that cannot be prepared fails for all its requests, and the connection stays usable")
    func badStatement() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let bad = Statement("SELECT missing FROM nowhere") { try $0.int64(0) }
        async let first = databaseError { try await connection.query(bad) }
        async let second = databaseError { try await connection.query(bad) }
        async let good = connection.first(Self.echo, .int64(1))
        #expect(await first?.code == .undefinedTable)
        #expect(await second?.code == .undefinedTable)
        #expect(try await good == 1)
        try await connection.execute(Statement("CREATE TABLE nowhere (missing bigint)"))
        #expect(try await connection.query(bad) == [])
    }

    @Test("a statement works again after its table has changed")
    func changedTable() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let all = Statement("SELECT * FROM shape") { $0.count }
        try await connection.execute(Statement("CREATE TABLE shape AS SELECT 1 AS a"))
        #expect(try await connection.query(all) == [1])
        try await connection.execute(Statement("ALTER TABLE shape ADD COLUMN b int"))
        #expect(await databaseError { try await connection.query(all) }?.code == .featureNotSupported)
        #expect(try await connection.query(all) == [2])
    }

    @Test("the error of a violated constraint has its name and detail")
    func constraint() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        try await connection.execute(Statement("CREATE TABLE once (id bigint CONSTRAINT once_only PRIMARY KEY)"))
        let insert = Statement("INSERT INTO once SELECT unnest($1) ON CONFLICT DO NOTHING")
        #expect(try await connection.execute(insert, .int64s([1, 2, 3])) == 3)
        #expect(try await connection.execute(insert, .int64s([3, 4])) == 1)
        let error = await databaseError {
            try await connection.execute(Statement("INSERT INTO once VALUES ($1)"), .int64(1))
        }
        #expect(error?.code == .uniqueViolation)
        #expect(error?.constraint == "once_only")
        #expect(error?.message.contains("duplicate key") == true)
        #expect(error?.detail.contains("(1)") == true)
    }

    @Test("PostgreSQL knows each code by the same name")
    func codes() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let codes: [(DatabaseError.Code, String)] = [
            (.featureNotSupported, "feature_not_supported"), (.characterNotInRepertoire, "character_not_in_repertoire"),
            (.invalidParameterValue, "invalid_parameter_value"),
            (.invalidBinaryRepresentation, "invalid_binary_representation"), (.uniqueViolation, "unique_violation"),
            (.checkViolation, "check_violation"), (.inFailedSQLTransaction, "in_failed_sql_transaction"),
            (.idleInTransactionSessionTimeout, "idle_in_transaction_session_timeout"),
            (.invalidSQLStatementName, "invalid_sql_statement_name"), (.invalidSchemaName, "invalid_schema_name"),
            (.serializationFailure, "serialization_failure"), (.deadlockDetected, "deadlock_detected"),
            (.insufficientPrivilege, "insufficient_privilege"), (.undefinedTable, "undefined_table"),
            (.programLimitExceeded, "program_limit_exceeded"), (.tooManyArguments, "too_many_arguments"),
            (.lockNotAvailable, "lock_not_available"), (.queryCanceled, "query_canceled"),
        ]
        for (code, name) in codes {
            let failure = try await connection.run(script: "DO $$ BEGIN RAISE \(name); END $$")
            #expect(failure?.error.code == code, "\(name)")
        }
    }

    @Test("the session has the configured settings")
    func settings() async throws {
        var configuration = try await freshConfiguration()
        configuration.settings = ["search_path": #""a b", "c\d""#, "work_mem": "5MB"]
        configuration.statementTimeout = .milliseconds(1500)
        let connection = try await Connection.open(configuration)
        for (name, value) in [
            ("statement_timeout", "1500ms"), ("lock_timeout", "2s"), ("idle_in_transaction_session_timeout", "10s"),
            ("application_name", "tests"), ("client_min_messages", "warning"), ("work_mem", "5MB"),
            ("search_path", #""a b", "c\d""#),
        ] {
            #expect(try await connection.first(Self.setting, .text(name)) == value)
        }
    }

    @Test("the server cancels a slow statement, and the connection stays usable")
    func statementTimeout() async throws {
        var configuration = try await freshConfiguration()
        configuration.statementTimeout = .milliseconds(50)
        let connection = try await Connection.open(configuration)
        let error = await databaseError { try await connection.execute(Self.pause, .double(30)) }
        #expect(error?.code == .queryCanceled)
        #expect(try await connection.first(Self.echo, .int64(1)) == 1)
    }

    @Test("when the server ends the connection, all outstanding and later requests fail")
    func terminated() async throws {
        let configuration = try await freshConfiguration()
        let victim = try await Connection.open(configuration)
        let other = try await Connection.open(configuration)
        var reasons: [String] = []
        victim.onClose = { reasons.append($0) }
        try await concurrently(21) { number in
            if number < 20 {
                let error = await databaseError { try await victim.execute(Self.pause, .double(30)) }
                #expect(error?.isUnavailable == true)
            } else {
                try await eventually { victim.load == 20 }
                try await other.execute(Statement("SELECT pg_terminate_backend($1)"), .int32(victim.backend))
            }
        }
        #expect(!victim.isOpen)
        #expect(reasons.count == 1)
        #expect(await databaseError { try await victim.query(Self.echo, .int64(1)) }?.isUnavailable == true)
    }

    @Test("closing fails all outstanding requests")
    func close() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        async let error = databaseError { try await connection.execute(Self.pause, .double(30)) }
        try await eventually { connection.load == 1 }
        connection.close()
        #expect(await error?.isUnavailable == true)
    }

    @Test("large requests and answers pass at the same time")
    func large() async throws {
        var configuration = try await freshConfiguration()
        configuration.statementTimeout = .seconds(120)
        let connection = try await Connection.open(configuration)
        let bytes = Statement("SELECT $1") { try $0.bytes(0) }
        let value = [UInt8](repeating: 7, count: 8 << 20)
        try await concurrently(4) { _ in
            let rows = try await connection.query(bytes, .bytes(value))
            #expect(rows.first?.count == value.count)
        }
    }

    @Test(
        "a failed attempt to connect reports the reason without the password",
        arguments: [
            "postgresql:///x?host=/nonexistent", "postgresql://u:secret@127.0.0.1:1/x",
            "postgresql://u:secret@no-such-host.invalid/x", "postgresql://u:secret@/x?sslmode", "nonsense secret",
        ])
    func cannotConnect(url: String) async throws {
        let configuration = DatabaseConfiguration(url: url, applicationName: "tests")
        let error = await databaseError { try await Connection.open(configuration) }
        #expect(error?.isUnavailable == true)
        #expect(!"\(try #require(error))".contains("secret"))
        #expect(!"\(configuration)".contains("secret"))
    }

    @Test("several hosts are tried in order, by name or by address")
    func severalHosts() async throws {
        let configuration = DatabaseConfiguration(
            url: "host=/nonexistent,127.0.0.1,localhost port=1,2,3 dbname=x", applicationName: "tests")
        let hosts = try configuration.hosts()
        #expect(hosts.map { $0.parameters["port"] } == ["1", "2", "3"])
        #expect(try await hosts[0].addresses().map { $0.parameters["hostaddr"] } == [nil])
        #expect(try await hosts[1].addresses().map { $0.parameters["hostaddr"] } == [nil])
        #expect(hosts[2].parameters["host"] == "localhost")
        let found = try #require(try await hosts[2].addresses().first?.parameters["hostaddr"])
        #expect(["127.0.0.1", "::1"].contains(found))
    }

    @Test("a silent host costs its timeout once; later connections go to the host that accepted one")
    func silentHost() async throws {
        let silent = try SilentHost()
        var configuration = try await freshConfiguration()
        configuration.connectTimeout = .seconds(3)
        let folder = try #require(configuration.url.firstMatch(of: /host=([^&]*)/)).1
        configuration.url = configuration.url.replacing("host=\(folder)", with: "host=127.0.0.1,\(folder)")
        configuration.url += "&port=\(silent.port),5432"
        for _ in 0..<3 {
            let connection = try await Connection.open(configuration)
            #expect(try await connection.first(Self.echo, .int64(1)) == 1)
        }
        #expect(silent.visits == 1)
    }

    /// A server that accepts every connection and never answers.
    private final class SilentHost {
        private let descriptor: CInt
        let port: UInt16

        init() throws {
            descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let bound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                        && getsockname(descriptor, $0, &length) == 0
                }
            }
            try #require(bound)
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit { _ = Glibc.close(descriptor) }

        /// Number of connections since the last call.
        var visits: Int {
            var count = 0
            while case let visitor = Glibc.accept(descriptor, nil, nil), visitor >= 0 {
                _ = Glibc.close(visitor)
                count += 1
            }
            return count
        }
    }
}
