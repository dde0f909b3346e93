import Foundation
import ParleyClient
import ParleyKit

/// Plays the SDK for `parley-lab conformance` with what ships in an app: its engine, over its store in an SQLite file.
enum KitConformance {
    static func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let client = ParleyClient(url: ProcessInfo.processInfo.environment["PARLEY_URL"] ?? "")
        // The person of all cases.
        let device = try await ConformingDevice(client, as: UserID(rawValue: "a"), in: folder) { problem in
            FileHandle.standardError.write(Data("\(problem)\n".utf8))
            exit(1)
        }
        try await Adapter.connect(client)
        try await Adapter.answer(for: device)
    }
}

extension ConformingDevice: Adapted {
    func contents(at now: Int64) async throws -> AdaptedContents {
        let stored: StoreContents = try await contents(at: now)
        var contents = AdaptedContents(
            positions: stored.positions, states: stored.states,
            unread: stored.counts.mapValues { ($0, false) }, badge: stored.badge.badge)
        for (id, record) in stored.records { contents.unread[id]?.mustAsk = record.unread.mustAsk(at: now) }
        contents.add(typing: await typing)
        return contents
    }
}
