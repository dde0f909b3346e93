import Foundation
import ParleyClient
import SwiftProtobuf

@testable import ParleyKit

/// Where the changes of a ``VectorRun`` are stored.
protocol VectorStore: Sendable {
    func apply(_ changes: [SyncChange]) async throws
    /// - Parameter now: the server's time in microseconds UTC.
    func holdings(at now: Int64) async throws -> VectorHoldings
}

/// What is stored, in a form that can be compared.
struct VectorHoldings: Sendable {
    var positions: [String: Int64] = [:]
    /// All states, one line each. An empty one is none.
    private(set) var states: [String] = []
    var records: [String: ConversationRecord] = [:]
    var counts: [String: UnreadCount] = [:]
    var badge = Unread.Badge()

    mutating func add(_ state: any SwiftProtobuf.Message) throws {
        guard try !state.serializedData().isEmpty else { return }
        states.append(Self.text(state))
    }

    static func text(_ state: some SwiftProtobuf.Message) -> String {
        let lines = state.textFormatString().split(separator: "\n").joined(separator: " ")
        return "\(type(of: state).protoMessageName): \(lines)"
    }
}

/// The stores of the SDK.
enum VectorStoreKind: CaseIterable, Sendable {
    /// ``SyncMemory``, of clients without ParleyKit.
    case values
    /// Those of apps.
    case memory, sqlite

    func open(_ folder: Folder) throws -> any VectorStore {
        switch self {
        case .values: VectorMemory()
        case .memory: VectorRows(store: MemoryStore())
        case .sqlite: VectorRows(store: try SQLiteStore(path: folder.file))
        }
    }
}

/// A ``SyncMemory``.
actor VectorMemory: VectorStore {
    private var memory = SyncMemory(of: "a")

    func apply(_ changes: [SyncChange]) {
        for change in changes { memory.apply(change) }
    }

    func holdings(at now: Int64) throws -> VectorHoldings {
        var holdings = VectorHoldings()
        holdings.positions = memory.streams.mapValues(\.position)
        for state in memory.held.states.values { try holdings.add(state) }
        for receipt in memory.receipts.values.flatMap(\.values) { try holdings.add(receipt) }
        for count in memory.readCounts.values.flatMap(\.values) { try holdings.add(count) }
        holdings.records = memory.records
        for id in memory.records.keys { holdings.counts[id] = memory.unread(of: id, at: now) }
        holdings.badge = memory.badge(at: now)
        return holdings
    }
}

/// A store of ParleyKit, into which changes come as in an app.
struct VectorRows: VectorStore {
    let store: any Store

    func apply(_ changes: [SyncChange]) async throws {
        try await store.write { writer in
            var batch = StoreBatch(writer, me: "a")
            for change in changes { try batch.apply(change) }
            _ = try batch.finish(at: 0)
        }
    }

    func holdings(at now: Int64) async throws -> VectorHoldings {
        let contents = try await store.write { try StoreContents($0, me: "a", at: now) }
        var holdings = VectorHoldings()
        (holdings.positions, holdings.records) = (contents.positions, contents.records)
        (holdings.counts, holdings.badge) = (contents.counts, contents.badge)
        for state in contents.states { try holdings.add(state) }
        return holdings
    }
}
