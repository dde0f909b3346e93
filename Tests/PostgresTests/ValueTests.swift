import Reactor
import TestSupport
import Testing

@testable import Postgres

@Suite("Parameters and columns", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct ValueTests {
    struct Scalars: Sendable, Equatable {
        var bool: Bool, int16: Int16, int32: Int32, int64: Int64, double: Double
        var text: String, bytes: [UInt8], uuid: [UInt8]
    }

    struct Arrays: Sendable, Equatable {
        var bools: [Bool], int16s: [Int16], int32s: [Int32], int64s: [Int64], doubles: [Double]
        var texts: [String], bytes: [[UInt8]], uuids: [[UInt8]]
    }

    private static let scalars = Statement("SELECT $1, $2, $3, $4, $5, $6, $7, $8") { row in
        Scalars(
            bool: try row.bool(0), int16: try row.int16(1), int32: try row.int32(2), int64: try row.int64(3),
            double: try row.double(4), text: try row.text(5), bytes: try row.bytes(6), uuid: try row.uuid(7))
    }

    private static let arrays = Statement("SELECT $1, $2, $3, $4, $5, $6, $7, $8") { row in
        Arrays(
            bools: try row.bools(0), int16s: try row.int16s(1), int32s: try row.int32s(2), int64s: try row.int64s(3),
            doubles: try row.doubles(4), texts: try row.texts(5), bytes: try row.bytesArray(6),
            uuids: try row.uuids(7))
    }

    private nonisolated static let long = String(repeating: "grüße 👋🏽 ", count: 5_000)
    private nonisolated static let uuid = [UInt8](0...15)

    @Test(
        "scalars come back unchanged",
        arguments: [
            Scalars(
                bool: true, int16: .min, int32: .min, int64: .min, double: -0.1, text: "", bytes: [], uuid: uuid),
            Scalars(
                bool: false, int16: .max, int32: .max, int64: .max, double: .infinity, text: long,
                bytes: [UInt8](repeating: 0, count: 100_000), uuid: uuid.reversed()),
            Scalars(bool: true, int16: 0, int32: -1, int64: 1, double: 0, text: "kurz", bytes: [0, 255], uuid: uuid),
        ])
    func scalars(value: Scalars) async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let rows = try await connection.query(
            Self.scalars, .bool(value.bool), .int16(value.int16), .int32(value.int32), .int64(value.int64),
            .double(value.double), .text(value.text), .bytes(value.bytes), .uuid(value.uuid))
        #expect(rows == [value])
    }

    @Test("arrays come back unchanged, even empty ones")
    func arrays() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let empty = Arrays(
            bools: [], int16s: [], int32s: [], int64s: [], doubles: [], texts: [], bytes: [], uuids: [])
        let full = Arrays(
            bools: [true, false], int16s: [.min, .max], int32s: [1, -1], int64s: (0..<3_000).map { $0 << 32 },
            doubles: [0.5], texts: ["", "a", Self.long], bytes: [[], [0, 1]], uuids: [Self.uuid])
        for value in [empty, full, empty] {
            let rows = try await connection.query(
                Self.arrays, .bools(value.bools), .int16s(value.int16s), .int32s(value.int32s), .int64s(value.int64s),
                .doubles(value.doubles), .texts(value.texts), .bytesArray(value.bytes), .uuids(value.uuids))
            #expect(rows == [value])
        }
    }

    @Test("NULL can be sent and received, alone and inside arrays")
    func nulls() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let pair = Statement("SELECT $1::int, $2::text") { row in
            "\(try row.optionalInt32(0) ?? -1) \(try row.optionalText(1) ?? "none")"
        }
        #expect(try await connection.first(pair, .null, .text("a")) == "-1 a")
        #expect(try await connection.first(pair, .int32(5), .null) == "5 none")
        #expect(try await connection.first(pair, .optional(nil as Int32?), .optional("b")) == "-1 b")
        let elements = Statement("SELECT count(*), count(a), count(b) FROM unnest($1, $2) AS t (a, b)") { row in
            [try row.int64(0), try row.int64(1), try row.int64(2)]
        }
        let counts = try await connection.first(
            elements, .optionalInt64s([1, nil, 3]), .optionalTexts([nil, nil, ""]))
        #expect(counts == [3, 2, 1])
    }

    @Test("integers are widened; a wrong type, NULL or a missing column throws an error that names the column")
    func mismatches() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let wide = Statement("SELECT 1::int2 AS a, 2::int4 AS b") { try $0.int64(0) + $0.int64(1) }
        #expect(try await connection.first(wide) == 3)
        let narrow = Statement("SELECT 1::int8 AS amount") { try $0.int32(0) }
        let null = Statement("SELECT NULL::text AS name") { try $0.text(0) }
        let missing = Statement("SELECT 1") { try $0.int32(1) }
        for (statement, words) in [(narrow, "amount"), (missing, "no column 1")] {
            let error = await databaseError { try await connection.query(statement) }
            #expect("\(try #require(error))".contains(words))
        }
        let error = await databaseError { try await connection.query(null) }
        #expect("\(try #require(error))".contains("name"))
        #expect(connection.isOpen)
    }

    @Test(
        "text with a NUL and a uuid of the wrong length are refused, alone and in arrays, before anything is sent",
        arguments: [
            (Parameter.text("a\0b"), DatabaseError.Code.characterNotInRepertoire),
            (.texts(["ok", "\0"]), .characterNotInRepertoire),
            (.optionalTexts([nil, "\0"]), .characterNotInRepertoire),
            (.uuid([1]), .invalidBinaryRepresentation),
            (.uuids([uuid, [UInt8](0...14)]), .invalidBinaryRepresentation),
        ])
    func refused(parameter: Parameter, code: DatabaseError.Code) async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let error = await databaseError { try await connection.execute(Statement("SELECT $1"), parameter) }
        #expect(error?.code == code)
        #expect(error?.isAboutValues == true)
        #expect(connection.load == 0)
        #expect(try await connection.first(Statement("SELECT 1") { try $0.int32(0) }) == 1)
    }

    @Test("jsonb is read as text, without its version byte")
    func json() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let statement = Statement("SELECT $1::jsonb") { try $0.text(0) }
        #expect(try await connection.first(statement, .text(#"{"a": 1}"#)) == #"{"a": 1}"#)
    }
}
