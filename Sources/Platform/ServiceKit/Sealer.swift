import Postgres
import Reactor
import Schema
import Wire

/// Seals what clients carry for a service and must not read, such as cursors, which have numbers of accounts and
/// conversations in them.
///
/// The keys are in the service's schema: all replicas share them, and they outlive restarts and backups. The newest one
/// seals; any opens. `SELECT SCHEMA.add_sealing_key()` adds one, with which each replica seals after its next start.
@ReactorActor
public final class Sealer {
    private let schema: String
    private let database: Database
    private let statement: Statement<(id: Int16, key: [UInt8])>
    private var keys: [Int16: [UInt8]] = [:]
    private var newest: Int16 = 0
    private var loadedAt: ContinuousClock.Instant?

    init(schema: String, database: Database) {
        self.schema = schema
        self.database = database
        statement = Statement("SELECT id, key FROM \(schema).sealing_keys") { row in
            (id: try row.int16(0), key: try row.bytes(1))
        }
    }

    func load() async throws {
        let found = try await database.query(statement)
        keys = Dictionary(found.map { ($0.id, $0.key) }) { first, _ in first }
        newest = keys.keys.max() ?? 0
        loadedAt = .now
    }

    /// Returns `bytes` sealed, as text of letters, digits, `-` and `_`: 55 characters, and 4 for each 3 bytes.
    /// - Parameter purpose: what it is, and for whom: text sealed for another purpose is not opened.
    /// - Throws: ``Refusal`` `unavailable` before the service has loaded its keys.
    public func seal(_ bytes: [UInt8], for purpose: String) throws -> String {
        guard let key = keys[newest] else {
            throw Refusal.unavailable("The service is starting. Try again shortly.", retryAfter: .milliseconds(500))
        }
        let id = UInt16(bitPattern: newest)
        return Base64URL.encode(
            [UInt8(id >> 8), UInt8(id & 255)] + Sodium.seal(bytes, for: Array(purpose.utf8), key: key))
    }

    /// Returns what was sealed for this purpose with a key that still exists; nil for any other text.
    public func open(_ text: String, for purpose: String) async throws -> [UInt8]? {
        guard let sealed = Base64URL.decode(text), sealed.count > 2 else { return nil }
        let id = Int16(bitPattern: UInt16(sealed[0]) << 8 | UInt16(sealed[1]))
        // Perhaps another replica has started since with a new key. Forged text causes at most one look-up a second.
        if keys[id] == nil, loadedAt.map({ .now - $0 > .seconds(1) }) ?? true { try await load() }
        guard let key = keys[id] else { return nil }
        return Sodium.open(Array(sealed[2...]), for: Array(purpose.utf8), key: key)
    }
}
